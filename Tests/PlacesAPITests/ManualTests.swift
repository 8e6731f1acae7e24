import Foundation  // files of the repository
import PlacesKit
import Testing

@testable import PlacesAPI

@Suite("places-rpc(7) describes replies as the tables do")
struct ManualTests {
  let page: String

  init() throws {
    page = try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/man/places-rpc.7", encoding: .utf8)
  }

  @Test("It has each record with its members", arguments: Catalogue.records.map(\.name))
  func record(_ name: String) throws {
    let record = try #require(Catalogue.records.first { $0.name == name })
    #expect(page.contains(record.manual), "man/places-rpc.7 should say:\n\(record.manual)")
  }

  @Test("It names the version of the protocol")
  func version() {
    let version = ServiceInfo.ProtocolVersion.current
    #expect(page.contains("\nThis page describes version \(version.major).\(version.minor)"))
  }

  @Test("It has the records in their order, and no others")
  func nothingElse() {
    let found = page.split(separator: "\n").filter { $0.hasPrefix(".Ss ") }.map { String($0.dropFirst(4)) }
    #expect(found == Catalogue.records.map(\.name))
  }

  @Test("It has the reply of each method")
  func methods() throws {
    for method in Catalogue.methods {
      #expect(try section(method.name).contains("\nReturns\n\(method.reply.manual)"), "\(method.name): Returns\n\(method.reply.manual)")
    }
  }

  @Test("It has the allowed values of each parameter of each method")
  func parameters() throws {
    for method in Catalogue.methods { try check(method) }
  }

  private func check<M: Method>(_ method: M.Type) throws {
    let section = try section(M.name)
    let told = section[..<(section.range(of: "\nReturns\n")?.lowerBound ?? section.endIndex)]
    #expect(told.split(separator: "\n").count { $0.hasPrefix(".It Va ") } == M.schema.fields.count, "\(M.name)")
    for field in M.schema.fields {
      let required = field.isRequired ? " Pq required" : ""
      let item = ".It Va \(field.name)\(required)\n\(field.summary)\n" + wrapped("Must be \(field.allowed).") + "\n"
      #expect(section.contains(item), "\(M.name): \(item)")
    }
  }

  /// The section of a method in the page.
  private func section(_ method: String) throws -> String {
    let start = try #require(page.range(of: ".It Sy \(method)\n"), "\(method)")
    let rest = page[start.upperBound...]
    return rest[..<(rest.range(of: "\n.It Sy ")?.lowerBound ?? rest.endIndex)] + "\n"
  }

  @Test("Each tier names its fields")
  func tiers() {
    for tier in PlaceField.Tier.allCases {
      let names = PlaceField.allCases.filter { $0.tier == tier }.map(\.rawValue)
      let item = ".It Va \(tier.rawValue)\n" + wrapped(names.joined(separator: ", ") + ".") + "\n"
      #expect(page.contains(item), "\(item)")
    }
  }

  @Test("Its examples are valid JSON, and replies have the form of the tables")
  func json() throws {
    for line in page.split(separator: "\n") where line.hasPrefix(".Ql {") {
      // A plain quote in a macro's arguments is syntax and not shown.
      #expect(!line.contains("\""), "\(line)")
      let text = line.dropFirst(4).replacing(" ,", with: "").replacing(" .", with: "").replacing("\\(dq", with: "\"")
      #expect(throws: Never.self, "\(text)") { try JSONValue(parsing: String(text)) }
    }
    var replies = 0
    for example in page.split(separator: ".Bd -literal -offset indent\n").dropFirst() {
      let text = example[..<(example.firstRange(of: "\n.Ed")?.lowerBound ?? example.endIndex)]
      for message in text.replacing("\n ", with: " ").split(separator: "\n") where message.hasPrefix("{") {
        let value = try JSONValue(parsing: String(message))
        guard let result = value["result"] else { continue }
        replies += 1
        #expect(Autocomplete.reply.faults(of: result, whole: false) == [])
      }
    }
    #expect(replies == 1)
  }
}

/// Filled lines, as the page has them.
private func wrapped(_ text: String) -> String {
  var lines = [""]
  for word in text.split(separator: " ") {
    if let last = lines.last, !last.isEmpty, last.count + word.count > 110 { lines.append("") }
    lines[lines.count - 1] += (lines.last == "" ? "" : " ") + word
  }
  return lines.joined(separator: "\n")
}

extension Record {
  /// Its part of the page, in mdoc(7).
  var manual: String {
    var lines = [".Ss \(name)", summary]
    if !members.isEmpty {
      lines.append(".Bl -tag -width Ds -compact")
      for member in members {
        let shape = member.shape.text.replacing("\"", with: "\\(dq")
        lines += [".It Va \(member.name) Pq \(shape)\(member.isRequired ? "" : "; optional")", member.summary]
      }
      lines.append(".El")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Shape {
  /// The result of a method, in mdoc(7).
  fileprivate var manual: String {
    if case .record(let record) = self { return ".Sx \(record.name) .\n" }
    return wrapped(text + ".") + "\n"
  }
}
