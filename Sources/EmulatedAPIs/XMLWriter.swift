/// Writes an XML document. Characters that XML 1.0 does not allow are omitted.
struct XMLWriter {
  private(set) var bytes = Array(#"<?xml version="1.0" encoding="UTF-8" ?>"#.utf8)

  /// Writes an element. If `content` is nil, the element is an empty tag.
  mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], content: ((inout XMLWriter) -> Void)? = nil) {
    bytes += "<\(name)".utf8
    for (key, value) in attributes {
      guard let value else { continue }
      bytes += " \(key)=\"".utf8
      text(value)
      bytes.append(UInt8(ascii: "\""))
    }
    guard let content else {
      bytes += "/>".utf8
      return
    }
    bytes.append(UInt8(ascii: ">"))
    content(&self)
    bytes += "</\(name)>".utf8
  }

  mutating func text(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\"": bytes += "&quot;".utf8
      // Without the escapes, a reader would convert these characters in an attribute to spaces.
      case "\t", "\n", "\r": bytes += "&#\(scalar.value);".utf8
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": continue
      default: bytes += String(scalar).utf8
      }
    }
  }
}
