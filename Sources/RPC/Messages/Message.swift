import PlacesKit

/// A call of a method. Without an id it is a notification, which gets no reply.
public struct Request: Sendable, Hashable {
  public var id: RequestID?
  public var method: String
  public var params: JSONValue?

  public init(id: RequestID? = nil, method: String, params: JSONValue? = nil) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// The answer to a request that this side sent.
public struct Response: Sendable, Hashable {
  /// Null where the peer could not tell which request it answers.
  public var id: RequestID
  public var outcome: Outcome

  public enum Outcome: Sendable, Hashable {
    case result(JSONValue)
    case error(RPCError)
  }
}

/// One message of the protocol.
public enum Message: Sendable, Hashable {
  case request(Request)
  case response(Response)
  /// No message; the error is what the sender should be told, the id null where it is not known.
  case invalid(RPCError, RequestID)
}

/// What one JSON text holds.
public enum Incoming: Sendable, Hashable {
  case single(Message)
  case batch([Message])

  /// Reads a text. What is wrong with it becomes a message that says so.
  public init(parsing bytes: Span<UInt8>, limits: Limits) {
    var scanner = JSONScanner()
    guard scanner.peek(in: bytes) == UInt8(ascii: "[") else {
      self = .single(Message(parsing: bytes, limits: limits))
      return
    }
    switch Message.value(of: bytes, limits: limits) {
    case .failure(let error): self = .single(.invalid(error, .null))
    case .success(let value):
      let elements = value.array ?? []
      switch elements.count {
      case 0: self = .single(.invalid(.invalidRequest("A batch must hold at least one request."), .null))
      case 1...limits.batch: self = .batch(Message.batch(elements, of: bytes, limits: limits))
      default: self = .single(.invalid(.invalidRequest("A batch may hold \(limits.batch) requests, not \(elements.count)."), .null))
      }
    }
  }
}

extension Message {
  /// Reads a text that is no batch.
  init(parsing bytes: Span<UInt8>, limits: Limits) {
    switch Message.value(of: bytes, limits: limits) {
    case .success(let value): self = Message(value, limits: limits, rawID: Message.rawID(in: bytes))
    case .failure(let error): self = .invalid(error, error.isParseError ? .null : Message.id(of: bytes, limits: limits))
    }
  }

  /// What is wrong with a text that was found to be no JSON.
  static func fault(in bytes: Span<UInt8>, limits: Limits) -> RPCError {
    var scanner = JSONScanner()
    _ = scanner.peek(in: bytes)
    guard case .failure(let error) = value(of: bytes.extracting(scanner.position...), limits: limits), error.isParseError else {
      return .parseError("The request is not JSON.")
    }
    return error
  }

  /// The id of a request that is not read as a whole, as far as it stands before what cannot be read; null where it has none or several, or
  /// keys that may spell it in another way.
  static func id(of bytes: Span<UInt8>, limits: Limits) -> RequestID {
    var raw: [UInt8]?
    var isOne = true
    let areClear = eachMember(of: bytes) { key, value in
      guard isID(key, in: bytes) else { return true }
      isOne = raw == nil
      raw = spelling(value, in: bytes)
      return isOne
    }
    guard areClear, isOne, let raw, raw.count <= limits.idBytes, let value = try? JSONValue(parsing: raw) else { return .null }
    return RequestID(value, raw: raw) ?? .null
  }

  fileprivate static func value(of bytes: Span<UInt8>, limits: Limits) -> Result<JSONValue, RPCError> {
    do {
      return .success(
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
          try JSONValue(parsing: buffer, limits: JSONLimits(depth: limits.depth))
        })
    } catch {
      switch error.reason {
      case .tooDeep: return .failure(.invalidRequest("The request is nested more than \(limits.depth) levels deep."))
      case .tooManyValues: return .failure(.invalidRequest("The request holds too many values."))
      // It is JSON (RFC 8259, section 4), and which of the two values is meant nobody can tell.
      case .duplicateKey: return .failure(.invalidRequest("In the request \(error.message)."))
      default: return .failure(.parseError("The request is not JSON: \(error.message)."))
      }
    }
  }

  /// The elements of a batch, each with its id as it was spelt.
  fileprivate static func batch(_ elements: [JSONValue], of bytes: Span<UInt8>, limits: Limits) -> [Message] {
    var scanner = JSONScanner(depth: limits.depth)
    _ = scanner.take(UInt8(ascii: "["), in: bytes)
    return elements.map { element in
      let range = scanner.value(in: bytes)
      _ = scanner.take(UInt8(ascii: ","), in: bytes)
      return Message(element, limits: limits, rawID: range.flatMap { rawID(in: bytes.extracting($0)) })
    }
  }

  /// The spelling of the member `id` of an object; nil where there is none or the scanner gives up.
  private static func rawID(in bytes: Span<UInt8>) -> [UInt8]? {
    var raw: [UInt8]?
    eachMember(of: bytes) { key, value in
      guard isID(key, in: bytes) else { return true }
      raw = spelling(value, in: bytes)
      return false
    }
    return raw
  }

  private static func isID(_ key: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    key.count == 2 && bytes.matches("id", at: key.lowerBound)
  }

  /// Nil for a value that nothing follows: it may have been cut off.
  private static func spelling(_ value: Range<Int>, in bytes: Span<UInt8>) -> [UInt8]? {
    value.upperBound < bytes.count ? bytes.array(in: value) : nil
  }

  /// Where the keys of an object and their values stand, as far as the scanner gets and they are wanted; false where it came to a key with
  /// escapes, which may be any.
  @discardableResult private static func eachMember(
    of bytes: Span<UInt8>, _ body: (_ key: Range<Int>, _ value: Range<Int>) -> Bool
  ) -> Bool {
    var scanner = JSONScanner()
    guard scanner.take(UInt8(ascii: "{"), in: bytes) else { return true }
    while scanner.peek(in: bytes) == UInt8(ascii: "\"") {
      guard let key = scanner.key(in: bytes) else { return false }
      guard scanner.peek(in: bytes) != nil, let value = scanner.valueOfAnyDepth(in: bytes), body(key, value),
        scanner.take(UInt8(ascii: ","), in: bytes)
      else { return true }
    }
    return true
  }
}

extension JSONScanner {
  /// The range of the next value; one that is nested too deep, or is no JSON within its brackets, is stepped over by counting these.
  fileprivate mutating func valueOfAnyDepth(in bytes: Span<UInt8>) -> Range<Int>? {
    let start = self
    if let value = value(in: bytes) { return value }
    self = start
    return bracketed(in: bytes)
  }
}

extension Message {
  /// Judges a whole message; every rule of JSON-RPC 2.0, sections 4 and 5.
  init(_ value: JSONValue, limits: Limits, rawID: [UInt8]? = nil) {
    guard let object = value.object else {
      self = .invalid(.invalidRequest("A request must be a JSON object, not \(value.article)."), .null)
      return
    }
    var id: RequestID?
    if let value = object["id"] {
      id = RequestID(value, raw: rawID)
      guard let known = id, known.raw.count <= limits.idBytes else {
        self = .invalid(.invalidRequest("The `id` must be a string, a number or null, of at most \(limits.idBytes) bytes."), .null)
        return
      }
    }
    guard object["jsonrpc"] == "2.0" else {
      self = .invalid(.invalidRequest("The member `jsonrpc` must be the string \"2.0\"."), id ?? .null)
      return
    }
    self = object["method"] == nil ? Message(response: object, id: id) : Message(request: object, id: id)
  }

  private init(request object: JSONObject, id: RequestID?) {
    guard let method = object["method"]?.string else {
      self = .invalid(.invalidRequest("The `method` must be a string."), id ?? .null)
      return
    }
    switch object["params"] {
    case nil, .object, .array: self = .request(Request(id: id, method: method, params: object["params"]))
    default: self = .invalid(.invalidRequest("The `params` must be an object."), id ?? .null)
    }
  }

  private init(response object: JSONObject, id: RequestID?) {
    if let result = object["result"], object["error"] == nil, let id {
      self = .response(Response(id: id, outcome: .result(result)))
    } else if let error = object["error"], object["result"] == nil, let id, let code = error["code"]?.integer,
      let message = error["message"]?.string
    {
      self = .response(Response(id: id, outcome: .error(RPCError(code: code, message: message, data: error["data"]))))
    } else {
      self = .invalid(.invalidRequest("The `method` is missing."), id ?? .null)
    }
  }
}

extension JSONValue {
  fileprivate var article: String {
    switch self {
    case .null: "null"
    case .array: "an array"
    case .integer: "a number"
    default: "a \(kind)"
    }
  }
}
