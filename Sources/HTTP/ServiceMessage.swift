import Linux
import PlacesKit
import XML

/// Finds the error message in a service's answer. Only administrators may see the message, because it may repeat the request.
enum ServiceMessage {
  /// The maximum size in bytes of an answer that may contain a message. Answers about errors are short.
  static let maxBodyBytes = 32 << 10
  /// The maximum length of a message, in code points.
  static let maxLength = 300
  /// The lower-case names of members and elements that contain a message. The most informative name is first.
  private static let messageNames = [
    "error_message", "errormessage", "error_description", "error_detail", "message", "errortext", "errmsg", "msg", "info", "cause",
    "detail", "details", "reason", "description", "title", "faultstring", "remark", "error", "errors",
  ]
  /// The lower-case names of members and elements that may contain such a member or element.
  private static let containerNames = [
    "error", "errors", "detailederror", "details", "status", "meta", "fault", "response", "header", "geocoding",
  ]

  /// The message as one line without control characters and without the key; nil if the answer has none.
  static func text(of response: HTTPResponse, without scrubber: KeyScrubber) -> String? {
    guard response.body.count <= maxBodyBytes else { return nil }
    guard let message = sentence(in: response.body) else { return nil }
    let singleLine = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // The key is removed before the text is shortened, so that no part of it remains at the end.
    let line = scrubber.scrub(Printable.text(singleLine))
    guard !line.isEmpty else { return nil }
    return line.unicodeScalars.count <= maxLength ? line : String(String.UnicodeScalarView(line.unicodeScalars.prefix(maxLength - 1))) + "…"
  }

  /// The message in JSON, in XML, or in the title of a web page; the whole body if it is plain text. Nil if there is none.
  private static func sentence(in body: [UInt8]) -> String? {
    if let value = try? JSONValue(parsing: body) { return value.string ?? sentence(in: Node(value), depth: 0) }
    let start = body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if start == UInt8(ascii: "<") {
      if let root = try? XMLElement(parsing: body), root.name.lowercased() != "html" {
        return sentence(in: Node(root), depth: 0) ?? (root.text.isEmpty ? nil : root.text)
      }
      return title(of: body)
    }
    // A body that begins like JSON but cannot be parsed is damaged, and contains no message.
    guard start != UInt8(ascii: "{"), start != UInt8(ascii: "["), !body.contains(0) else { return nil }
    return String(validating: body, as: UTF8.self)
  }

  /// The title of a web page, such as the error page of a proxy; nil if it has none.
  private static func title(of page: [UInt8]) -> String? {
    let lowercasePage = page.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let tag = lowercasePage.firstRange(of: Array("<title".utf8)),
      let start = lowercasePage[tag.upperBound...].firstIndex(of: UInt8(ascii: ">")),
      let end = lowercasePage[start...].firstRange(of: Array("</title".utf8))
    else { return nil }
    return String(decoding: page[(start + 1)..<end.lowerBound], as: UTF8.self)
  }

  /// A JSON value or an XML element of an answer. At most 64 of its members are used.
  private struct Node {
    /// Nil if the value is not a string.
    var text: String?
    /// The members or child elements, with lower-case names.
    var members: [(name: String, value: Node)] = []

    init(_ value: JSONValue) {
      switch value {
      case .string(let string): text = string
      case .object(let object): members = object.members.prefix(64).map { ($0.key.lowercased(), Node($0.value)) }
      // Of a list, only the first element is used.
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

  /// The message in a node, or in the containers within it to a depth of five; nil if there is none.
  private static func sentence(in node: Node, depth: Int) -> String? {
    guard depth < 5 else { return nil }
    for name in messageNames {
      if let text = node.members.first(where: { $0.name == name })?.value.text, text.contains(where: { $0.isLetter }) { return text }
    }
    for name in containerNames {
      if let inner = node.members.first(where: { $0.name == name })?.value, let text = sentence(in: inner, depth: depth + 1) { return text }
    }
    // If the node has one member, the message may be in it, whatever its name is.
    return node.members.count == 1 ? sentence(in: node.members[0].value, depth: depth + 1) : nil
  }
}
