import JSON
import PlacesKit
import Text

/// The parts of an HTTP request that an emulated API reads.
public struct GatewayRequest: Sendable, Hashable {
  public enum HTTPMethod: String, Sendable, Hashable { case get = "GET", post = "POST" }

  public var httpMethod: HTTPMethod
  /// The path's segments, percent-decoded; empty segments are dropped, so that `/x` and `/x/` are the same.
  public var path: [String]
  public var query: QueryParameters
  /// The value of Accept-Language.
  public var acceptLanguage: String?
  /// The value of X-Goog-FieldMask.
  public var fieldMask: String?
  public var body: [UInt8]

  public init(
    httpMethod: HTTPMethod = .get, path: [String], query: QueryParameters = QueryParameters(), acceptLanguage: String? = nil,
    fieldMask: String? = nil,
    body: [UInt8] = []
  ) {
    self.httpMethod = httpMethod
    self.path = path
    self.query = query
    self.acceptLanguage = acceptLanguage
    self.fieldMask = fieldMask
    self.body = body
  }

  /// Reads the target of a request line, `/path?query`; nil for one that is not a path, or whose path is not UTF-8.
  public init?(
    httpMethod: HTTPMethod = .get, target: [UInt8], acceptLanguage: String? = nil, fieldMask: String? = nil, body: [UInt8] = []
  ) {
    guard target.first == UInt8(ascii: "/") else { return nil }
    let pathEnd = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    var path: [String] = []
    for segment in target[..<pathEnd].split(separator: UInt8(ascii: "/")) {
      guard let text = PercentDecoding.text(segment, plusIsSpace: false) else { return nil }
      path.append(text)
    }
    self.init(
      httpMethod: httpMethod, path: path, query: QueryParameters(pathEnd == target.endIndex ? [] : target[(pathEnd + 1)...]),
      acceptLanguage: acceptLanguage,
      fieldMask: fieldMask, body: body)
  }

  /// The request without the first `count` segments of its path.
  func dropping(_ count: Int) -> GatewayRequest {
    var request = self
    request.path.removeFirst(min(count, path.count))
    return request
  }

  /// The language for the answer: the language of the first of these parameters that names one, otherwise the first language of
  /// Accept-Language. Nil if there is none. Values that name no language, such as `C` or `default`, are ignored.
  func language(_ names: String...) -> String? {
    for name in names {
      if let language = LanguageRange.first(of: query[name]) { return language }
    }
    return LanguageRange.first(of: acceptLanguage)
  }
}

/// Reads lists of languages in the forms of Accept-Language (RFC 9110, section 12.5.4), of locales and of geocoders' parameters.
enum LanguageRange {
  /// The first language that CLDR knows, in BCP 47: `de_DE.UTF-8` is `de-DE`. Only the order matters; weights are ignored.
  static func first(of text: String?) -> String? {
    guard let text, text.utf8.count <= 256 else { return nil }
    for range in text.split(separator: ",") {
      let tag = range.prefix { $0 != ";" && $0 != "." && $0 != "@" }.split(separator: " ").joined()
      guard let language = LanguageTag.canonical(String(tag.map { $0 == "_" ? "-" : $0 })) else { continue }
      if language != "default", language != "posix", Languages.isKnown(language) { return language }
    }
    return nil
  }
}
