import Geocoders
import PlacesKit
import Text

/// Reads the text of an answer: decodes its charset, and removes the prefixes and the call that services put around JSON.
enum SuggestBody {
  /// The decoded text; nil for an answer without content. Throws the error that the status reports. Throws `rateLimit` for a web page,
  /// which means that the service rejects automatic requests, or that a proxy answered.
  static func text(of response: HTTPResponse, service: String) throws(ProviderError) -> String? {
    if response.status == 403 || response.status == 429 {
      throw ProviderError(
        .rateLimit, "\(service) refuses requests for now (HTTP \(response.status)); \(SuggestFormat.refusalHint)",
        retryAfterSeconds: response.retryAfterSeconds ?? 3_600)
    }
    try response.checkStatus(of: service, at: "url")
    guard response.status != 204, !response.body.isEmpty else { return nil }
    if response.looksLikePage {
      throw ProviderError(
        .rateLimit, "\(service) answered with a web page; \(SuggestFormat.refusalHint)",
        retryAfterSeconds: response.retryAfterSeconds ?? 3_600,
        detail: "page")
    }
    let charsetName = charset(response.header("content-type")) ?? declaredEncoding(response.body) ?? "utf-8"
    let bytes = response.body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(response.body.dropFirst(3)) : response.body
    guard let text = Charset.decode(bytes, charset: charsetName) else {
      throw ProviderError(.decode, "\(service)'s answer is not in the charset that it names, or that charset is unknown", detail: "charset")
    }
    return text
  }

  /// The charset of a Content-Type, such as `text/javascript; charset="ISO-8859-1"`.
  static func charset(_ contentType: String?) -> String? {
    guard let contentType else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
      let nameAndValue = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      if nameAndValue.count == 2, nameAndValue[0].lowercased() == "charset" {
        let name = nameAndValue[1].filter { $0 != "\"" && $0 != "'" }
        return name.isEmpty ? nil : name
      }
    }
    return nil
  }

  /// The encoding that an XML declaration names, such as `<?xml version="1.0" encoding="ISO-8859-1"?>`; nil for another body. A declaration
  /// is ASCII in every encoding that does not begin with a byte order mark.
  static func declaredEncoding(_ body: [UInt8]) -> String? {
    // Only the first 200 bytes are searched; a declaration is shorter.
    guard body.starts(with: Array("<?xml".utf8)), let end = body.prefix(200).firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = String(decoding: body[..<end], as: UTF8.self)
    guard let start = declaration.firstRange(of: "encoding") else { return nil }
    let encodingValue = declaration[start.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = encodingValue.first, quote == "\"" || quote == "'" else { return nil }
    let name = encodingValue.dropFirst().prefix { $0 != quote }
    return name.isEmpty ? nil : String(name)
  }

  /// The JSON text without a prefix that prevents its use as a script (`)]}'`, `while(1);`, `for(;;);`) and without a JSONP call around it.
  static func unwrapped(_ text: String) -> String {
    var text = text.trimmed
    for prefix in [")]}'", "while(1);", "for(;;);", "/**/"] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count).drop { $0 == "," || $0.isWhitespace }.trimmed
    }
    guard let firstCharacter = text.first, !"[{\"".contains(firstCharacter), let open = text.firstIndex(of: "("),
      text[..<open].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._$[]\"".contains($0)) })
    else { return text }
    var inner = text[text.index(after: open)...]
    while let lastCharacter = inner.last, lastCharacter == ";" || lastCharacter.isWhitespace { inner.removeLast() }
    return inner.last == ")" ? String(inner.dropLast()) : text
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  var trimmed: String {
    var remaining = self[...]
    while remaining.first?.isWhitespace == true { remaining.removeFirst() }
    while remaining.last?.isWhitespace == true { remaining.removeLast() }
    return String(remaining)
  }
}
