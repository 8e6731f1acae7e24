import PlacesKit

/// A call of a method, or a notification.
public struct Request: Sendable, Hashable {
  /// Nil for a notification, which has no reply.
  public var id: RequestID?
  public var method: String
  /// An object or an array as JSON text, with exactly the received bytes; nil if absent.
  public var params: [UInt8]?

  public init(id: RequestID? = nil, method: String, params: [UInt8]? = nil) {
    self.id = id
    self.method = method
    self.params = params
  }

  /// The decoded parameters; nil if absent. If a key occurs twice or there are too many values, throws the error to send.
  public func decodedParams() throws(RPCError) -> JSONValue? {
    guard let params else { return nil }
    do { return try JSONValue(parsing: params, limits: JSONLimits(depth: .max)) } catch { throw RPCError(invalid: error) }
  }
}

/// The answer to a request that this side sent.
public struct Response: Sendable, Hashable {
  /// The id of the request; null if the peer could not read it.
  public var id: RequestID
  public var outcome: Outcome

  public enum Outcome: Sendable, Hashable {
    /// JSON text.
    case result([UInt8])
    case error(RPCError)
  }
}

/// One message of the protocol.
public enum Message: Sendable, Hashable {
  case request(Request)
  case response(Response)
  /// The text is not a valid message. The reply to it consists of this error and this id; the id is null if it is not known.
  case invalid(RPCError, RequestID)
}

/// The contents of one JSON text.
public enum IncomingMessages: Sendable, Hashable {
  case single(Message)
  case batch([Message])

  /// Parses a text that a framer has found. A text that breaks a rule of JSON-RPC 2.0, sections 4 to 6, becomes an invalid message.
  public init(_ text: Span<UInt8>, exceeds excess: Framer.Excess? = nil, limits: ConnectionLimits) {
    switch (text.count > 0 ? text[0] : 0, excess) {
    case (UInt8(ascii: "{"), nil): self = .single(Message(MessageMembers(of: text), of: text, limits: limits))
    case (UInt8(ascii: "["), nil): self = IncomingMessages(batch: text, limits: limits)
    case (_, .depth?):
      self = .single(
        .invalid(.invalidRequest("The request is nested more than \(limits.depth) levels deep."), Message.id(of: text, limits)))
    case (_, .values?):
      let limit = JSONLimits().values
      self = .single(.invalid(.invalidRequest("The request has too many members: at most \(limit) values."), Message.id(of: text, limits)))
    default: self = .single(.invalid(IncomingMessages.error(ofOther: text), .null))
    }
  }

  private init(batch text: Span<UInt8>, limits: ConnectionLimits) {
    var (scanner, messages, count) = (JSONScanner(at: 1), [Message](), 0)
    while let range = scanner.skipValue(in: text) {
      count += 1
      if count <= limits.batch { messages.append(Message(element: range, of: text, limits: limits)) }
      guard scanner.take(UInt8(ascii: ","), in: text) else { break }
    }
    switch count {
    case 0: self = .single(.invalid(.invalidRequest("A batch must hold at least one request."), .null))
    case 1...limits.batch: self = .batch(messages)
    default: self = .single(.invalid(.invalidRequest("A batch may hold \(limits.batch) requests, not \(count)."), .null))
    }
  }

  /// The error for a text that begins with neither `{` nor `[`. It is not JSON, or is a string, a number, `true`, `false` or `null`.
  private static func error(ofOther text: Span<UInt8>) -> RPCError {
    do {
      let value = try text.withUnsafeBufferPointer { (buffer) throws(JSONError) in try JSONValue(parsing: buffer) }
      return .invalidRequest("A request must be a JSON object, not \(value.kindWithArticle).")
    } catch { return RPCError(invalid: error) }
  }
}

extension Message {
  /// Reads an element of a batch.
  fileprivate init(element range: Range<Int>, of text: Span<UInt8>, limits: ConnectionLimits) {
    switch text[range.lowerBound] {
    case UInt8(ascii: "{"): self = Message(MessageMembers(of: text, from: range.lowerBound), of: text, limits: limits)
    case UInt8(ascii: "["): self = .invalid(.invalidRequest("A request must be a JSON object, not an array."), .null)
    default:
      let value = (try? JSONValue(parsing: text.array(in: range))) ?? .null
      self = .invalid(.invalidRequest("A request must be a JSON object, not \(value.kindWithArticle)."), .null)
    }
  }

  init(_ members: MessageMembers, of text: Span<UInt8>, limits: ConnectionLimits) {
    var id: RequestID?
    if let range = members.id {
      id = range.count <= limits.idBytes && members.repeatedName != "id" ? RequestID(raw: text.array(in: range)) : nil
      guard id != nil else {
        self = .invalid(.invalidRequest("The `id` must be one string, number or null, of at most \(limits.idBytes) bytes."), .null)
        return
      }
    }
    if let name = members.repeatedName {
      self = .invalid(.invalidRequest("The member `\(name)` occurs twice in the request."), id ?? .null)
    } else if members.version.flatMap({ Message.string(text, $0) }) != "2.0" {
      self = .invalid(.invalidRequest("The member `jsonrpc` must be the string \"2.0\"."), id ?? .null)
    } else if let range = members.method {
      self = Message(method: Message.string(text, range), members.params, of: text, id)
    } else {
      self = Message(response: members, of: text, id)
    }
  }

  private init(method: String?, _ params: Range<Int>?, of text: Span<UInt8>, _ id: RequestID?) {
    guard let method else {
      self = .invalid(.invalidRequest("The `method` must be a string."), id ?? .null)
      return
    }
    // `[` | 0x20 is `{`, so objects and arrays pass. The method's parameters then reject an array with a message of their own.
    if let params, text[params.lowerBound] | 0x20 != UInt8(ascii: "{") {
      self = .invalid(.invalidRequest("The `params` must be an object."), id ?? .null)
      return
    }
    self = .request(Request(id: id, method: method, params: params.map { text.array(in: $0) }))
  }

  private init(response members: MessageMembers, of text: Span<UInt8>, _ id: RequestID?) {
    if let result = members.result, members.error == nil, let id {
      self = .response(Response(id: id, outcome: .result(text.array(in: result))))
    } else if let range = members.error, members.result == nil, let id, let error = try? JSONValue(parsing: text.array(in: range)),
      let code = error["code"]?.integer, let message = error["message"]?.string
    {
      self = .response(Response(id: id, outcome: .error(RPCError(code: code, message: message, data: error["data"]))))
    } else {
      self = .invalid(.invalidRequest("The `method` is missing."), id ?? .null)
    }
  }

  /// The id of a request that is rejected without being parsed as a whole; null if its first 64 KiB contain no valid id, or several.
  static func id(of text: Span<UInt8>, _ limits: ConnectionLimits) -> RequestID {
    let members = MessageMembers(of: text.extracting(0..<min(text.count, 1 << 16)))
    guard let range = members.id, members.repeatedName != "id", range.count <= limits.idBytes else { return .null }
    return RequestID(raw: text.array(in: range)) ?? .null
  }

  /// A JSON string's value; nil for another value.
  private static func string(_ text: Span<UInt8>, _ range: Range<Int>) -> String? {
    guard text[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    return (try? JSONValue(parsing: text.array(in: range)))?.string
  }
}

extension RPCError {
  /// The error for a text that the parser rejects.
  public init(invalid error: JSONError) {
    switch error.reason {
    case .tooDeep: self = .invalidRequest("The request is nested too deep.")
    case .tooManyValues: self = .invalidRequest("The request has too many members.")
    // JSON allows duplicate keys (RFC 8259, section 4), so this is not a parse error. Which of the two values is meant is not known.
    case .duplicateKey: self = .invalidRequest("In the request \(error.message).")
    default: self = .parseError("The request is not JSON: \(error.message).")
    }
  }
}

extension JSONValue {
  /// The kind of the value with an article, for messages.
  fileprivate var kindWithArticle: String {
    switch self {
    case .null: "null"
    case .array: "an array"
    case .integer: "a number"
    default: "a \(kind)"
    }
  }
}
