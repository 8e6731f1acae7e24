import PlacesKit

/// A response whose result stays as it came, for a decoder of the caller's choice.
struct RawResponse {
  var id: JSONValue
  var outcome: Calls.Outcome

  /// Nil for a text that is no response.
  init?(_ text: Span<UInt8>) {
    guard let members = RawResponse.members(of: text), let id = members.id, members.result != nil || members.error != nil else {
      return nil
    }
    self.id = id
    if let result = members.result {
      outcome = .success(result)
    } else if let error = members.error, let code = error["code"]?.integer, let message = error["message"]?.string {
      outcome = .failure(.refused(RPCError(code: code, message: message, data: error["data"])))
    } else {
      outcome = .failure(.badReply("an error without code or message"))
    }
  }

  private static func members(of text: Span<UInt8>) -> (id: JSONValue?, result: [UInt8]?, error: JSONValue?)? {
    var scanner = JSONScanner()
    guard scanner.take(UInt8(ascii: "{"), in: text) else { return nil }
    var members: (id: JSONValue?, result: [UInt8]?, error: JSONValue?) = (nil, nil, nil)
    repeat {
      guard let key = scanner.key(in: text), let value = scanner.value(in: text) else { return tree(of: text) }
      switch text.string(in: key) {
      case "id": members.id = try? JSONValue(parsing: text.array(in: value))
      case "result": members.result = text.array(in: value)
      case "error": members.error = try? JSONValue(parsing: text.array(in: value))
      default: break
      }
    } while scanner.take(UInt8(ascii: ","), in: text)
    return members
  }

  /// For what the scanner does not read, such as objects with many members.
  private static func tree(of text: Span<UInt8>) -> (id: JSONValue?, result: [UInt8]?, error: JSONValue?)? {
    let limits = JSONLimits(depth: 128, values: 2_000_000)
    guard let value = try? JSONValue(parsing: text.array(in: 0..<text.count), limits: limits) else { return nil }
    return (value["id"], value["result"]?.bytes, value["error"])
  }
}
