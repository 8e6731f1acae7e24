import PlacesKit
import Testing

@testable import PlacesAPI

@Suite("Encoded replies match their tables")
struct ReplyTests {
  @Test("Each reply with all optional members has the members of its table and no others", arguments: ReplySamples.full)
  func whole(_ sample: ReplySample) throws {
    let value = try JSONValue(parsing: sample.bytes)
    #expect(sample.shape.faults(of: value, whole: true) == [], "\(sample)")
  }

  @Test("Each reply without optional members has all its required members", arguments: ReplySamples.least)
  func least(_ sample: ReplySample) throws {
    let value = try JSONValue(parsing: sample.bytes)
    #expect(sample.shape.faults(of: value, whole: false) == [], "\(sample)")
  }

  @Test("Every method whose reply contains records has a sample")
  func all() {
    let names = Set(ReplySamples.full.map(\.method))
    for method in Catalogue.methods { if case .record = method.reply { #expect(names.contains(method.name), "\(method.name)") } }
  }

  @Test("A reference leads to a schema, and a name means one record")
  func references() throws {
    let document = Catalogue.openRPC(version: "1")
    let schemas = try #require(document["components"]?["schemas"]?.object)
    let text = document.text
    for part in text.split(separator: "\"#/components/schemas/").dropFirst() {
      let name = String(part.prefix { $0 != "\"" })
      #expect(schemas[name] != nil, "\(name)")
    }
    for record in (Catalogue.methods.map { $0.reply } + [Partial.shape]).flatMap(\.records) {
      #expect(schemas[record.name] == .object(record.schema), "\(record.name)")
      #expect(Set(record.members.map(\.name)).count == record.members.count, "\(record.name)")
    }
  }

  @Test("A missing member, an unknown member and a member of the wrong type are found")
  func faults() {
    let shape = Shape.record(Record("R", "", [.required("a", .integer, ""), .optional("b", .list(.word(LogLevel.self)), "")]))
    #expect(shape.faults(of: ["a": 1, "b": ["info"]], whole: true) == [])
    #expect(shape.faults(of: ["b": ["info"]], whole: false) == ["a is missing"])
    #expect(shape.faults(of: ["a": 1], whole: true) == ["b is missing"])
    #expect(
      shape.faults(of: ["a": 1.5, "b": ["loud"], "c": 1], whole: false) == ["c is not told of", "a is no whole number", "b[0] is no word"])
  }
}

extension Shape {
  /// The path at which a value does not have the shape; `whole` also requires optional members.
  func faults(of value: JSONValue, whole: Bool, at path: String = "") -> [String] {
    func expect(_ holds: Bool, _ what: String) -> [String] { holds ? [] : ["\(path) is no \(what)"] }
    switch self {
    case .boolean: return expect(value.boolean != nil, "boolean")
    case .integer: return expect(value.integer != nil, "whole number")
    case .number: return expect(value.double != nil, "number")
    case .string: return expect(value.string != nil, "string")
    case .time: return expect(value.string?.hasSuffix("Z") == true, "time")
    case .any: return []
    case .words(let words): return expect(value.string.map(words.contains) == true, "word")
    case .list(let element):
      guard let elements = value.array else { return expect(false, "list") }
      return elements.enumerated().flatMap { element.faults(of: $1, whole: whole, at: "\(path)[\($0)]") }
    case .keyed(_, let element):
      guard let members = value.object?.members else { return expect(false, "object") }
      return members.flatMap { element.faults(of: $0.value, whole: whole, at: "\(path)/\($0.key)") }
    case .orNull(let inner): return value == .null ? [] : inner.faults(of: value, whole: whole, at: path)
    case .record(let record): return record.faults(of: value, whole: whole, at: path)
    case .reference(let name):
      // For a record that contains itself, optional members are required only at the first level.
      return Catalogue.records.first { $0.name == name }?.faults(of: value, whole: false, at: path) ?? ["\(path) is of no known record"]
    case .other(let schema, _):
      guard let choices = schema["oneOf"]?.array, !choices.isEmpty else { return [] }
      return expect(choices.contains { $0.admits(value) }, "choice")
    }
  }
}

extension Record {
  fileprivate func faults(of value: JSONValue, whole: Bool, at path: String) -> [String] {
    guard let object = value.object else { return ["\(path) is no object"] }
    func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    let unknown = object.keys.filter { key in !members.contains { $0.name == key } }.map { "\(inner($0)) is not told of" }
    return unknown
      + members.flatMap { member in
        guard let value = object[member.name] else {
          return whole || member.isRequired ? ["\(inner(member.name)) is missing"] : []
        }
        return member.shape.faults(of: value, whole: whole, at: inner(member.name))
      }
  }
}

extension JSONValue {
  /// The little of JSON Schema that choices use.
  fileprivate func admits(_ value: JSONValue) -> Bool {
    if let constant = self["const"] { return constant == value }
    if let words = self["enum"]?.array { return words.contains(value) }
    return (self["required"]?.array ?? []).allSatisfy { $0.string.map { value[$0] != nil } ?? false }
  }
}
