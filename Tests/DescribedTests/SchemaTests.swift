import Foundation
import JSON
import ServiceDescriptions
import Testing

@Suite("The schema and the skeleton") struct SchemaTests {
  @Test("The JSON Schema that is installed is the one of the table of keys")
  func schema() throws {
    let file = ServiceCase.tree.appending(path: "etc/services/schema.json")
    let schema = DescriptionKeys.jsonSchema
    guard let written = try? Data(contentsOf: file) else {
      try Data((schema.text + "\n").utf8).write(to: file)
      Issue.record("etc/services/schema.json was missing and is written now")
      return
    }
    #expect(try JSONValue(parsing: Array(written)) == schema, "remove the file and run this test to write it again")
  }

  @Test("The skeleton is sound, also with every comment that is a key")
  func skeleton() {
    let text = ServiceDescription.skeleton(name: "towns")
    func problems(_ text: String) -> [String] {
      ServiceDescription.read(Array(text.utf8), service: "towns", file: "towns.toml").problems.map(\.description)
    }
    #expect(problems(text) == [])
    let whole = text.split(separator: "\n").map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
    #expect(problems(whole) == [])
  }
}
