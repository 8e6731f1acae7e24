import PlacesKit
import Testing

@testable import RPC

/// One row of the table: the bytes sent and the expected replies.
struct WireCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  /// Replies in short: `id=result`, `id!code` for an error, `[a, b]` for a batch (sorted).
  var replies: [String]
  var limits = ConnectionLimits()

  var testDescription: String { name }

  init(_ name: String, _ text: String, _ replies: String..., limits: ConnectionLimits = ConnectionLimits()) {
    self.init(name, Array(text.utf8), replies, limits)
  }

  init(_ name: String, _ text: String, _ replies: [String]) { self.init(name, Array(text.utf8), replies) }

  init(_ name: String, _ bytes: [UInt8], _ replies: [String], _ limits: ConnectionLimits = ConnectionLimits()) {
    self.name = name
    self.bytes = bytes
    self.replies = replies
    self.limits = limits
  }

  /// The requests that the handler answers from its cache.
  static let known = [#"known {"a":1}"#: "\"known\"", "known ": "\"bare\""]

  /// A reply in short; each must be a whole JSON-RPC reply and nothing else.
  static func summary(_ line: String) -> String {
    guard let value = try? JSONValue(parsing: line) else { return "not JSON: \(line)" }
    if let batch = value.array { return "[" + batch.map { summary($0, line) }.sorted().joined(separator: ", ") + "]" }
    return summary(value, line)
  }

  private static func summary(_ reply: JSONValue, _ line: String) -> String {
    guard reply["jsonrpc"] == "2.0", let id = reply["id"], reply.object?.count == 3 else { return "no reply: \(line)" }
    // The id's own spelling, which the parsed value has lost.
    let start = "{\"jsonrpc\":\"2.0\",\"id\":"
    let spelt = line.hasPrefix(start) ? String(line.dropFirst(start.count).prefix { $0 != "," }) : id.text
    if let result = reply["result"] { return "\(spelt)=\(result.text)" }
    guard let code = reply["error"]?["code"]?.integer, let message = reply["error"]?["message"]?.string, !message.isEmpty,
      reply["error"]?["data"]?["name"]?.string != nil
    else { return "bad error: \(line)" }
    return "\(spelt)!\(code)"
  }

  static let all: [WireCase] = requests + ids + envelopes + broken + numbers + texts + batches + framing + sizes

  /// A request of `echo` with params and id.
  static func echo(_ params: String, id: String = "1") -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"echo\",\"params\":\(params)}"
  }
}
