import Linux
import PlacesKit
import XML

/// What a service's answer says about an error, for administrators. It may repeat the request.
enum ServiceMessage {
  /// The maximum size of an answer that is read, in bytes. Answers about errors are short.
  static let maxBodyBytes = 32 << 10
  /// The maximum length of a message, in code points.
  static let maxLength = 300
  /// Members and elements that hold a message, the one that explains most first.
  private static let names = [
    "error_message", "errormessage", "error_description", "error_detail", "message", "errortext", "errmsg", "msg", "info", "cause",
    "detail", "details", "reason", "description", "title", "faultstring", "remark", "error", "errors",
  ]
  /// Members and elements that may hold one of the above.
  private static let containers = [
    "error", "errors", "detailederror", "details", "status", "meta", "fault", "response", "header", "geocoding",
  ]

  /// One line without control characters and without the key; nil if the answer has no message.
  static func text(of response: HTTPResponse, without scrubber: KeyScrubber) -> String? {
    guard response.body.count <= maxBodyBytes else { return nil }
    guard let found = sentence(in: response.body) else { return nil }
    // The key is removed before the text is cut, so that no part of it is left at the end.
    let line = scrubber.scrub(Printable.text(found.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
    guard !line.isEmpty else { return nil }
    return line.unicodeScalars.count <= maxLength ? line : String(String.UnicodeScalarView(line.unicodeScalars.prefix(maxLength - 1))) + "…"
  }

  private static func sentence(in body: [UInt8]) -> String? {
    if let value = try? JSONValue(parsing: body) { return value.string ?? sentence(in: Node(value), depth: 0) }
    let start = body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if start == UInt8(ascii: "<") {
      if let root = try? XMLElement(parsing: body), root.name.lowercased() != "html" {
        return sentence(in: Node(root), depth: 0) ?? (root.text.isEmpty ? nil : root.text)
      }
      return title(of: body)
    }
    // A damaged JSON text is not a sentence.
    guard start != UInt8(ascii: "{"), start != UInt8(ascii: "["), !body.contains(0) else { return nil }
    return String(validating: body, as: UTF8.self)
  }

  /// The title of a web page, such as a proxy returns.
  private static func title(of page: [UInt8]) -> String? {
    let lower = page.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let tag = lower.firstRange(of: Array("<title".utf8)), let start = lower[tag.upperBound...].firstIndex(of: UInt8(ascii: ">")),
      let end = lower[start...].firstRange(of: Array("</title".utf8))
    else { return nil }
    return String(decoding: page[(start + 1)..<end.lowerBound], as: UTF8.self)
  }

  /// A part of an answer: its members by lower-case names, and its own text.
  private struct Node {
    var text: String?
    var members: [(name: String, value: Node)] = []

    init(_ value: JSONValue) {
      switch value {
      case .string(let string): text = string
      case .object(let object): members = object.members.prefix(64).map { ($0.key.lowercased(), Node($0.value)) }
      // The first element of a list stands for it.
      case .array(let elements): if let first = elements.first { self = Node(first) }
      default: break
      }
    }

    init(_ element: XMLElement) {
      text = element.text
      members =
        element.attributes.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), Node(.string($0.value))) }
        + element.children.prefix(64).map { ($0.name.lowercased(), Node($0)) }
    }
  }

  private static func sentence(in node: Node, depth: Int) -> String? {
    guard depth < 5 else { return nil }
    for name in names {
      if let text = node.members.first(where: { $0.name == name })?.value.text, text.contains(where: { $0.isLetter }) { return text }
    }
    for name in containers {
      if let inner = node.members.first(where: { $0.name == name })?.value, let text = sentence(in: inner, depth: depth + 1) { return text }
    }
    // The root of an XML answer may have one element of any name around the error.
    return node.members.count == 1 ? sentence(in: node.members[0].value, depth: depth + 1) : nil
  }
}
