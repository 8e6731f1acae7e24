import PlacesKit

/// One line of the provider protocol.
enum ProtocolMessage: Equatable {
  /// A call of a method, which needs a reply with the same id.
  case request(id: MessageID, method: String, parameters: JSONValue)
  /// A message that needs no reply.
  case notification(method: String, parameters: JSONValue)
  /// The reply to a request that succeeded.
  case result(id: MessageID, JSONValue)
  /// The reply to a request that failed. The id is nil if the other side could not determine which request it answers.
  case failure(id: MessageID?, ProviderError)

  /// - Throws: `ProtocolFault` for anything that is not one JSON-RPC 2.0 message.
  init(line: [UInt8]) throws(ProtocolFault) {
    let value: JSONValue
    do { value = try JSONValue(parsing: line) } catch { throw ProtocolFault("it wrote a line that is not JSON: \(error.message)") }
    guard value["jsonrpc"]?.string == "2.0" else { throw ProtocolFault(#"it wrote a message without "jsonrpc": "2.0""#) }
    let parameters = value["params"] ?? [:]
    switch (value["id"], value["method"]?.string, value["result"], value["error"]) {
    case (nil, let method?, nil, nil): self = .notification(method: method, parameters: parameters)
    case (let id?, let method?, nil, nil): self = .request(id: try MessageID(id), method: method, parameters: parameters)
    case (let id?, nil, let result?, nil): self = .result(id: try MessageID(id), result)
    // JSON-RPC answers an invalid request with the id null.
    case (.null?, nil, nil, let error?): self = .failure(id: nil, ProviderError(wire: error))
    case (let id?, nil, nil, let error?): self = .failure(id: try MessageID(id), ProviderError(wire: error))
    default: throw ProtocolFault("it wrote a message that is neither request, notification nor reply")
    }
  }

  /// A request as a line, with its line feed; a notification if the id is nil.
  static func request(id: Int?, method: String, parameters: [UInt8]) -> [UInt8] {
    line { writer in
      if let id { writer.member("id", id) }
      writer.member("method", method)
      writer.key("params")
      writer.raw(parameters)
    }
  }

  static func result(id: MessageID, _ result: [UInt8]) -> [UInt8] {
    line { writer in
      writer.member("id", id.json)
      writer.key("result")
      writer.raw(result)
    }
  }

  static func failure(id: MessageID, _ error: ProviderError) -> [UInt8] {
    line { writer in
      writer.member("id", id.json)
      writer.key("error")
      writer.value(error.wire)
    }
  }

  private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(reserving: 1_024)
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      members(&writer)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// A value of a PlacesKit type as JSON without line breaks.
  /// - Throws: `decode` for a number that JSON cannot represent.
  static func encode(_ value: some Encodable) throws(ProviderError) -> [UInt8] {
    do { return try value.json() } catch { throw ProviderError(.decode, "the answer contains a value that JSON cannot represent") }
  }
}

/// A violation of the protocol. The message does not quote the other side, because the text may contain a query.
struct ProtocolFault: Error, Equatable {
  var message: String
  init(_ message: String) { self.message = message }
}

extension ProviderError {
  /// Reads the `error` member of a reply. If it names no known cause, the JSON-RPC code -32601 (method not found) means `unsupported`, and
  /// any other code means `plugin`. The message is cut to 500 code points, and the detail to 100.
  init(wire error: JSONValue) {
    let data = error["data"]
    let namedCause = data?["cause"]?.string.flatMap(Cause.init(rawValue:))
    let cause: Cause = namedCause ?? (error["code"]?.integer == -32_601 ? .unsupported : .plugin)
    let message = error["message"]?.string ?? "the provider returned no reason"
    self.init(
      cause, String(message.unicodeScalars.prefix(500)),
      retryAfterSeconds: data?["retryAfterSeconds"]?.double.flatMap { $0 >= 0 ? $0 : nil },
      detail: data?["detail"]?.string.map { String($0.unicodeScalars.prefix(100)) })
  }

  var wire: JSONValue {
    var data: JSONObject = ["cause": .string(cause.rawValue)]
    if let retryAfterSeconds, retryAfterSeconds.isFinite { data["retryAfterSeconds"] = .number(retryAfterSeconds) }
    if let detail { data["detail"] = .string(detail) }
    return ["code": .integer(cause == .unsupported ? -32_601 : -32_000), "message": .string(message), "data": .object(data)]
  }
}
