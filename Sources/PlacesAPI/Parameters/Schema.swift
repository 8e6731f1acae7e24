import PlacesKit
import RPC
import Text

/// The reason why a request's `params` cannot be decoded.
public enum ParameterError: Error, Sendable {
  case parameter(InvalidParameter)
  /// A key occurs twice, or a value has too many members.
  case json(JSONError)
}

/// The table of a method's parameters. The daemon decodes requests strictly by this table, and clients encode requests by it. The table
/// also determines the key of a cached reply and the method's description in the OpenRPC document.
public final class Schema<Root: Sendable>: Sendable {
  public let fields: [Field<Root>]
  /// The index in `fields` of each field, by its name.
  private let indexes: [String: Int]
  /// For each field, in the order of `fields`: true if every request must have it.
  private let isRequired: [Bool]
  /// The value from which decoding starts: all optional parameters at their defaults.
  let initial: Root
  /// Checks the rules that concern more than one parameter.
  let check: @Sendable (Root) throws(InvalidParameter) -> Void
  let scanner: ReplyKeyScanner

  init(_ initial: Root, _ fields: [Field<Root>], check: @escaping @Sendable (Root) throws(InvalidParameter) -> Void = { _ in }) {
    self.fields = fields
    indexes = Dictionary(fields.enumerated().map { ($1.name, $0) }) { first, _ in first }
    isRequired = fields.map(\.isRequired)
    self.initial = initial
    self.check = check
    scanner = ReplyKeyScanner(fields)
  }

  /// Reads the `params` of a request.
  /// - Parameter params: nil if the request has none.
  public func decode(_ params: JSONValue?) throws(InvalidParameter) -> Root {
    let object: JSONObject
    switch params {
    case nil: object = JSONObject()
    case .object(let members): object = members
    default: throw InvalidParameter("params", "`params` must be an object: parameters go by name, not by position")
    }
    for key in object.keys where indexes[key] == nil { throw unknown(key) }
    return try decode(fields.map { object[$0.name] })
  }

  /// Reads the `params` of a request from their JSON text. Decoding stops at the first unknown name, and builds only the values of known
  /// parameters. Thus a text of any size costs little memory.
  /// - Parameter text: valid JSON, except that keys may occur twice; empty if the request has no `params`.
  public func decode(text: Span<UInt8>) throws(ParameterError) -> Root {
    let values = try values(in: text)
    do throws(InvalidParameter) { return try decode(values) } catch { throw .parameter(error) }
  }

  /// The values of the parameters in the order of `fields`.
  private func values(in text: Span<UInt8>) throws(ParameterError) -> [JSONValue?] {
    var (scanner, values) = (JSONScanner(), [JSONValue?](repeating: nil, count: fields.count))
    if text.isEmpty { return values }
    guard scanner.take(UInt8(ascii: "{"), in: text) else {
      throw .parameter(InvalidParameter("params", "`params` must be an object: parameters go by name, not by position"))
    }
    while scanner.peek(in: text) == UInt8(ascii: "\"") {
      guard let range = scanner.value(in: text), scanner.take(UInt8(ascii: ":"), in: text), let value = scanner.skipValue(in: text) else {
        break
      }
      // A key of more than 256 bytes cannot be a parameter, even if every letter is escaped. Only its beginning is read, for the message.
      let isShort = range.count <= 256
      let key =
        isShort
        ? (try? JSONValue(parsing: text.array(in: range)))?.string ?? "" : text.string(in: range.lowerBound + 1..<range.lowerBound + 65)
      guard isShort, let index = indexes[key] else { throw .parameter(unknown(key)) }
      guard values[index] == nil else { throw .json(JSONError(.duplicateKey, at: range.lowerBound)) }
      do {
        values[index] = try text.extracting(value).withUnsafeBufferPointer { (bytes) throws(JSONError) in
          try JSONValue(parsing: bytes, limits: JSONLimits(depth: .max, values: 4_096))
        }
      } catch { throw .json(error) }
      guard scanner.take(UInt8(ascii: ","), in: text) else { break }
    }
    return values
  }

  private func unknown(_ key: String) -> InvalidParameter {
    InvalidParameter(key.printable, "`\(key.printable)` is not a parameter of this method\(advice(on: key))")
  }

  /// - Parameter values: in the order of `fields`.
  private func decode(_ values: [JSONValue?]) throws(InvalidParameter) -> Root {
    var root = initial
    // Only fields with a value are read, because reading a field costs hundreds of instructions in generic code.
    for index in values.indices {
      if let value = values[index] {
        try fields[index].decode(value, &root)
      } else if isRequired[index] {
        throw InvalidParameter(fields[index].name, "`\(fields[index].name)` is required: \(fields[index].allowed)")
      }
    }
    try check(root)
    return root
  }

  /// The parameters as a request's `params`: in the table's order, without defaults, each value in its canonical spelling.
  public func encode(_ root: Root) -> JSONObject {
    var params = JSONObject()
    // The fields are read by index, because iterating over the fields would copy each of them.
    for index in fields.indices {
      if let value = fields[index].encode(root) { params[fields[index].name] = value }
    }
    return params
  }

  /// The parameters that determine the answer (role `answer`) as JSON text, each written as by `encode`. Equal parameters have equal bytes,
  /// by which `SearchPages` recognizes that a page token belongs to the same search.
  public func canonical(_ root: Root) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      for field in fields where field.role == .answer {
        if let value = field.encode(root) { writer.member(field.name, value) }
      }
    }
    return writer.bytes
  }

  private func advice(on key: String) -> String { nearest(to: key, among: fields.map(\.name)).map { "; did you mean `\($0)`?" } ?? "" }
}

/// The effect of a parameter, by which `ReplyKeyScanner` decides how to treat it.
enum FieldRole: Sendable {
  /// The parameter determines the answer.
  case answer
  /// The parameter is the id of the session.
  case session
  /// The parameter is the sequence number of the request in its session.
  case sequence
  /// The parameter determines how or when the answer is sent, but not its content. It is a whole number or a boolean.
  case delivery
  /// The parameter determines whether a cached answer is accepted.
  case cache
}

/// One parameter of a method.
public struct Field<Root: Sendable>: Sendable {
  public let name: String
  /// One sentence.
  public let summary: String
  public let isRequired: Bool
  let role: FieldRole
  /// The JSON Schema of the value, with the default.
  public let schema: JSONObject
  /// The allowed values in words, as in `ParameterType.allowed`.
  let allowed: String
  /// The values that are allowed, if the parameter is a whole number.
  let range: ClosedRange<Int>?
  /// The default value as JSON text; empty if there is none.
  let defaultValue: [UInt8]
  let decode: @Sendable (JSONValue, inout Root) throws(InvalidParameter) -> Void
  /// Returns nil if the value is the default.
  let encode: @Sendable (Root) -> JSONValue?

  private init<Value>(
    _ name: String, _ summary: String, _ kind: ParameterType<Value>, isRequired: Bool, role: FieldRole, defaultValue: JSONValue?,
    decode: @escaping @Sendable (JSONValue, inout Root) throws(InvalidParameter) -> Void, encode: @escaping @Sendable (Root) -> JSONValue?
  ) {
    self.name = name
    self.summary = summary
    self.isRequired = isRequired
    self.role = role
    var schema = kind.schema
    if let defaultValue { schema["default"] = defaultValue }
    self.schema = schema
    allowed = kind.allowed
    range = kind.range
    self.defaultValue = defaultValue?.bytes ?? []
    self.decode = decode
    self.encode = encode
  }

  /// A parameter that every request must have.
  static func required<Value: Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: ParameterType<Value>, _ summary: String
  ) -> Field {
    Field(
      name, summary, kind, isRequired: true, role: .answer, defaultValue: nil, decode: reader(name, path, kind),
      encode: { kind.write($0[keyPath: path]) })
  }

  /// A parameter with a default.
  static func withDefault<Value: Sendable & Equatable>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: ParameterType<Value>, _ defaultValue: Value, _ summary: String,
    role: FieldRole = .answer
  ) -> Field {
    Field(
      name, summary, kind, isRequired: false, role: role, defaultValue: kind.write(defaultValue), decode: reader(name, path, kind),
      // `Optional.none`, because a bare nil here would be JSON's null.
      encode: { $0[keyPath: path] == defaultValue ? Optional.none : .some(kind.write($0[keyPath: path])) })
  }

  /// A parameter that may be absent.
  static func optional<Value: Sendable>(
    _ name: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ kind: ParameterType<Value>, _ summary: String,
    role: FieldRole = .answer
  ) -> Field {
    Field(
      name, summary, kind, isRequired: false, role: role, defaultValue: nil,
      decode: { (value, root) throws(InvalidParameter) in root[keyPath: path] = try kind.value(of: value, name) },
      encode: { $0[keyPath: path].map(kind.write) })
  }

  /// Makes the function that decodes a value and sets the property at `path`.
  private static func reader<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: ParameterType<Value>
  ) -> @Sendable (JSONValue, inout Root) throws(InvalidParameter) -> Void {
    { (value, root) throws(InvalidParameter) in root[keyPath: path] = try kind.value(of: value, name) }
  }
}

extension ParameterType {
  fileprivate func value(of json: JSONValue, _ name: String) throws(InvalidParameter) -> Value {
    guard let value = read(json) else {
      let advice = advice(json).map { "; \($0)" } ?? ""
      throw InvalidParameter(name, "`\(name)` must be \(allowed)\(advice)")
    }
    return value
  }
}
