import PlacesKit

/// The parameters of a method, declared once: from this table come the strict decoding of requests, the clients' encoding, the
/// canonical form that names an answer in the cache, and the OpenRPC document.
public struct Schema<Root: Sendable>: Sendable {
  public let fields: [Field<Root>]
  /// All optional parameters at their defaults.
  let initial: Root
  /// Rules that concern more than one parameter.
  let check: @Sendable (Root) throws(InvalidParameter) -> Void
  /// The fields' names one after another, and where each ends.
  let letters: [UInt8]
  let ends: [Int]

  init(_ initial: Root, _ fields: [Field<Root>], check: @escaping @Sendable (Root) throws(InvalidParameter) -> Void = { _ in }) {
    self.fields = fields
    self.initial = initial
    self.check = check
    letters = fields.flatMap(\.nameBytes)
    ends = fields.indices.map { index in fields[...index].reduce(0) { $0 + $1.nameBytes.count } }
  }

  /// Reads the `params` of a request; nil or an absent member means no parameters.
  public func decode(_ params: JSONValue?) throws(InvalidParameter) -> Root {
    let object: JSONObject
    switch params {
    case nil: object = JSONObject()
    case .object(let members): object = members
    default: throw InvalidParameter("params", "`params` must be an object: parameters go by name, not by position")
    }
    for key in object.keys where !fields.contains(where: { $0.name == key }) {
      throw InvalidParameter(key.printable, "`\(key.printable)` is not a parameter of this method\(nearest(key))")
    }
    var root = initial
    for field in fields {
      if let value = object[field.name] {
        try field.decode(value, &root)
      } else if field.isRequired {
        throw InvalidParameter(field.name, "`\(field.name)` is required: \(field.allowed)")
      }
    }
    try check(root)
    return root
  }

  /// Parameters as a request's `params`: in the table's order, defaults left out, each value in its one canonical spelling.
  public func encode(_ root: Root) -> JSONObject {
    JSONObject(fields.compactMap { field in field.encode(root).map { (key: field.name, value: $0) } })
  }

  /// The bytes that are the same for two requests that ask the same: as `encode`, without the parameters that only say who asks,
  /// in which turn and how long he waits.
  public func canonical(_ root: Root) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      for field in fields where field.names == .answer {
        if let value = field.encode(root) { writer.member(field.name, value) }
      }
    }
    return writer.bytes
  }

  private func nearest(_ key: String) -> String {
    let best = fields.map { ($0.name, editDistance($0.name, key)) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= max(1, key.count / 3) else { return "" }
    return "; did you mean `\(best.0)`?"
  }
}

/// One parameter of a method; a class, so that the road of cached answers passes it on by one reference and not by all that it holds.
public final class Field<Root: Sendable>: Sendable {
  /// What a parameter is for.
  public enum Role: Sendable {
    /// It says what is asked.
    case answer
    /// It says who asks, in which turn, or how long he waits.
    case request
  }
  public let name: String
  /// One sentence.
  public let summary: String
  public let isRequired: Bool
  public let names: Role
  /// JSON Schema, with the default.
  public let schema: JSONObject
  let allowed: String
  /// As in `Kind`.
  let isCanonical: (@Sendable (Span<UInt8>) -> Bool)?
  let nameBytes: [UInt8]
  /// The default as it is written; empty where there is none.
  let standardBytes: [UInt8]
  let decode: @Sendable (JSONValue, inout Root) throws(InvalidParameter) -> Void
  /// Nil where the value is the default.
  let encode: @Sendable (Root) -> JSONValue?

  private init<Value>(
    _ name: String, _ summary: String, _ kind: Kind<Value>, isRequired: Bool, names: Role, standard: JSONValue?,
    decode: @escaping @Sendable (JSONValue, inout Root) throws(InvalidParameter) -> Void, encode: @escaping @Sendable (Root) -> JSONValue?
  ) {
    self.name = name
    self.summary = summary
    self.isRequired = isRequired
    self.names = names
    var schema = kind.schema
    if let standard { schema["default"] = standard }
    self.schema = schema
    allowed = kind.allowed
    isCanonical = kind.isCanonical
    nameBytes = Array(name.utf8)
    standardBytes = standard?.bytes ?? []
    self.decode = decode
    self.encode = encode
  }

  /// A parameter that must be given.
  static func required<Value: Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: Kind<Value>, _ summary: String
  ) -> Field {
    Field(
      name, summary, kind, isRequired: true, names: .answer, standard: nil, decode: reader(name, path, kind),
      encode: { kind.write($0[keyPath: path]) })
  }

  /// A parameter with a default.
  static func standard<Value: Sendable & Equatable>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: Kind<Value>, _ standard: Value, _ summary: String,
    names: Role = .answer
  ) -> Field {
    Field(
      name, summary, kind, isRequired: false, names: names, standard: kind.write(standard), decode: reader(name, path, kind),
      // Spelt out: a bare nil here would be JSON's null.
      encode: { $0[keyPath: path] == standard ? Optional.none : .some(kind.write($0[keyPath: path])) })
  }

  /// A parameter that may be absent.
  static func optional<Value: Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ kind: Kind<Value>, _ summary: String, names: Role = .answer
  ) -> Field {
    Field(
      name, summary, kind, isRequired: false, names: names, standard: nil,
      decode: { (value, root) throws(InvalidParameter) in root[keyPath: path] = try kind.value(of: value, name) },
      encode: { $0[keyPath: path].map(kind.write) })
  }

  private static func reader<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: Kind<Value>
  ) -> @Sendable (JSONValue, inout Root) throws(InvalidParameter) -> Void {
    { (value, root) throws(InvalidParameter) in root[keyPath: path] = try kind.value(of: value, name) }
  }
}

extension Kind {
  fileprivate func value(of json: JSONValue, _ name: String) throws(InvalidParameter) -> Value {
    guard let value = read(json) else { throw InvalidParameter(name, "`\(name)` must be \(allowed)") }
    return value
  }
}
