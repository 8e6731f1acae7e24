import PlacesKit

/// The type of a value in a reply. The document of `rpc.discover` and the manual are made from the shapes of the methods' results, and
/// tests compare the daemon's replies with them.
public indirect enum Shape: Sendable {
  case boolean
  case integer
  case number
  case string
  /// A time in RFC 3339, UTC.
  case time
  /// Any JSON value.
  case any
  /// One of these words; a later minor version may add others.
  case words([String])
  case list(Shape)
  /// An object with arbitrary keys, and the shape of its values. The string says what a key is, such as `provider's id`.
  case keyed(by: String, Shape)
  /// A value, or null.
  case orNull(Shape)
  case record(Record)
  /// A reference to the record with this name, for a record that contains itself: the alternatives of a suggestion are suggestions.
  case reference(String)
  /// Any other type: its JSON Schema (2020-12) and a description.
  case other(JSONObject, String)

  /// One of the words of an enumeration.
  static func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Shape { .words(type.allCases.map(\.rawValue)) }
}

/// An object with a fixed set of members, and its name in schemas and in the manual.
public struct Record: Sendable {
  public let name: String
  /// One sentence.
  public let summary: String
  public let members: [Member]

  init(_ name: String, _ summary: String, _ members: [Member]) {
    self.name = name
    self.summary = summary
    self.members = members
  }
}

/// A member of a record.
public struct Member: Sendable {
  public let name: String
  public let shape: Shape
  /// True if the member is always present.
  public let isRequired: Bool
  /// One sentence, with the unit.
  public let summary: String

  /// A member that is always present.
  static func required(_ name: String, _ shape: Shape, _ summary: String) -> Member {
    Member(name: name, shape: shape, isRequired: true, summary: summary)
  }

  /// A member that is absent if it has no value.
  static func optional(_ name: String, _ shape: Shape, _ summary: String) -> Member {
    Member(name: name, shape: shape, isRequired: false, summary: summary)
  }
}

extension Shape {
  /// The JSON Schema of the value. It refers to records by name.
  public var schema: JSONObject {
    switch self {
    case .boolean: ["type": "boolean"]
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .string: ["type": "string"]
    case .time: ["type": "string", "format": "date-time"]
    case .any: [:]
    // The words are examples: with an enumeration, a validator would reject words that a later version adds.
    case .words(let words): ["type": "string", "examples": .array(words.map { .string($0) })]
    case .list(let element): ["type": "array", "items": .object(element.schema)]
    case .keyed(_, let value): ["type": "object", "additionalProperties": .object(value.schema)]
    case .orNull(let value): ["anyOf": [.object(value.schema), ["type": "null"]]]
    case .record(let record): ["$ref": .string("#/components/schemas/\(record.name)")]
    case .reference(let name): ["$ref": .string("#/components/schemas/\(name)")]
    case .other(let schema, _): schema
    }
  }

  /// The shape in words, for the manual.
  public var text: String {
    switch self {
    case .boolean: "true or false"
    case .integer: "whole number"
    case .number: "number"
    case .string: "string"
    case .time: "time"
    case .any: "any value"
    case .words(let words): "one of " + words.joined(separator: ", ")
    case .list(let element): "list of " + element.text
    case .keyed(let key, let value): "object, by \(key): \(value.text)"
    case .orNull(let value): value.text + ", or null"
    case .record(let record): record.name
    case .reference(let name): name
    case .other(_, let text): text
    }
  }

  /// The records that this shape contains, in any depth. Each record comes before the records that it contains.
  public var records: [Record] {
    switch self {
    case .list(let inner), .keyed(_, let inner), .orNull(let inner): inner.records
    case .record(let record): [record] + record.members.flatMap { $0.shape.records }
    default: []
    }
  }
}

extension Record {
  /// The JSON Schema of the record. It permits other members, because later versions may add some.
  public var schema: JSONObject {
    [
      "type": "object", "description": .string(summary),
      "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
      "properties": .object(
        JSONObject(
          members.map { member in
            var schema = member.shape.schema
            schema["description"] = .string(member.summary)
            return (key: member.name, value: .object(schema))
          })),
    ]
  }
}
