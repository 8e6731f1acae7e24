import Foundation
import JSON
import Testing

@Suite("A user's choices")
struct ChoiceTests {
  private static let berlin = "gazetteer:2950159"
  private static let bernau = "gazetteer:2950096"

  @Test("A choice raises a place among those that match as well, never above an exact name; it is listed and can be forgotten")
  func choices() async throws {
    let home = try Home(withIndex: false)
    let places = "\(FileManager.default.currentDirectoryPath)/Tests/ServiceAnswers/geonames.txt"
    let lines = try String(contentsOfFile: places, encoding: .utf8).split(separator: "\n").map(String.init)
    try Home.buildIndex(at: home.index, lines: lines)
    try home.configure(daemon: "language = \"en\"")
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      func choose(_ id: String, after query: String) async throws {
        let session = JSONValue.string(UUID().uuidString)
        _ = try await client.suggest(query, ["session": session])
        let reply = try await client.call("places.select", ["session": session, "id": .string(id)])
        #expect(reply["error"] == nil, "\(reply.text)")
      }
      func chosen() async throws -> [String] {
        try await client.call("places.choices.list")["result"]?["choices"]?.array?.compactMap { $0["id"]?.string } ?? []
      }
      #expect(try await client.suggest("be").ids.first == Self.berlin)
      for _ in 0..<3 { try await choose(Self.bernau, after: "berl") }
      // Both names begin with these letters, so that the choice decides.
      #expect(try await client.suggest("be").ids.first == Self.bernau)
      for exact in ["berlin", "berlin germany", "Berlin, Germany"] { #expect(try await client.suggest(exact).ids.first == Self.berlin) }
      #expect(try await chosen() == [Self.bernau])

      let forgotten = try await client.call("places.choices.forget", ["id": .string(Self.bernau)])
      #expect(forgotten["result"]?["choices"] == 1, "\(forgotten.text)")
      #expect(try await chosen() == [])
      #expect(try await client.suggest("be").ids.first == Self.berlin)
    }
  }
}
