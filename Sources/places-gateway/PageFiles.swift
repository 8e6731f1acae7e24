import EmulatedAPIs
import Glibc
import JSON
import Text

/// The files of the search page, which are read when the gateway starts. Their list is fixed, so that no request can name another file.
struct PageFiles: Sendable {
  struct File: Sendable {
    var contentType: String
    var plain: Representation
    /// The same content compressed with gzip; nil if the folder has no file of the same name with the suffix `.gz`.
    var compressed: Representation?
  }

  /// The bytes that are sent, and their entity tag. Each representation of a file has a tag of its own (RFC 9110, section 8.8.3).
  struct Representation: Sendable {
    var bytes: [UInt8]
    var etag: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      etag = "\"\(String(FNV1a.hash(bytes), radix: 16))-\(bytes.count)\""
    }
  }

  /// The files by their paths on the server, without the first slash.
  private var files: [String: File] = [:]
  /// The status page, which only administrators get.
  private(set) var statusPage: File?
  /// The value of the header Content-Security-Policy.
  private var contentSecurityPolicy = ""

  /// The names and content types of the files in the page's folder.
  private static let pageFiles = [
    ("index.html", "text/html; charset=utf-8"), ("page.js", "text/javascript; charset=utf-8"),
    ("places-search.js", "text/javascript; charset=utf-8"), ("places-source.js", "text/javascript; charset=utf-8"),
    ("page.css", "text/css; charset=utf-8"), ("basemap.json", "application/json; charset=utf-8"),
    ("icon.svg", "image/svg+xml"), ("status.js", "text/javascript; charset=utf-8"),
  ]
  /// The names and content types of the files in Leaflet's folder.
  private static let leafletFiles = [
    ("leaflet.js", "text/javascript; charset=utf-8"), ("leaflet.css", "text/css; charset=utf-8"), ("images/layers.png", "image/png"),
    ("images/layers-2x.png", "image/png"), ("images/marker-icon.png", "image/png"), ("images/marker-icon-2x.png", "image/png"),
    ("images/marker-shadow.png", "image/png"),
  ]

  /// Files that cannot be read are omitted.
  init(folder: String, leaflet leafletFolder: String, tilesURL: String?, tilesAttribution: String?) {
    for (name, type) in PageFiles.pageFiles { add(name, at: "\(folder)/\(name)", type) }
    for (name, type) in PageFiles.leafletFiles { add("leaflet/\(name)", at: "\(leafletFolder)/\(name)", type) }
    if let index = files["index.html"] { files[""] = index }
    statusPage = PageFiles.file("\(folder)/status.html", "text/html; charset=utf-8")
    var settings: JSONValue = [:]
    if let tilesURL { settings = ["tilesURL": .string(tilesURL), "tilesAttribution": .string(tilesAttribution ?? "")] }
    files["settings.json"] = File(contentType: "application/json; charset=utf-8", plain: Representation(settings.bytes))
    // 'unsafe-inline' is needed for styles, because Leaflet positions its elements by style attributes.
    let tilesSource = tilesURL.flatMap { PageFiles.origin($0) }.map { " \($0)" } ?? ""
    contentSecurityPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:\(tilesSource); connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  private mutating func add(_ name: String, at path: String, _ contentType: String) { files[name] = PageFiles.file(path, contentType) }

  private static func file(_ path: String, _ contentType: String) -> File? {
    read(path).map {
      File(contentType: contentType, plain: Representation($0), compressed: read(path + ".gz").map { Representation($0) })
    }
  }

  /// The file that a request's target names; nil if there is none.
  func file(_ target: [UInt8]) -> File? {
    guard target.first == UInt8(ascii: "/") else { return nil }
    let path = target.dropFirst().prefix { $0 != UInt8(ascii: "?") }
    return files[String(decoding: path, as: UTF8.self)]
  }

  /// The response for a file: its content, or status 304 if the client has the file already.
  /// - Parameters:
  ///   - ifNoneMatch: the value of the header If-None-Match.
  ///   - acceptEncoding: the value of the header Accept-Encoding.
  func response(_ file: File, ifNoneMatch: String?, acceptEncoding: String?) -> OutgoingResponse {
    let compressed = PageFiles.acceptsGzip(acceptEncoding) ? file.compressed : nil
    let sent = compressed ?? file.plain
    var headers = [
      (name: "ETag", value: sent.etag), ("Cache-Control", "no-cache"), ("Content-Security-Policy", contentSecurityPolicy),
      ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("Vary", "Origin, Accept-Encoding"),
    ]
    if PageFiles.matches(ifNoneMatch, sent.etag) {
      return OutgoingResponse(content: GatewayResponse(status: 304, contentType: file.contentType, body: []), headers: headers)
    }
    if compressed != nil { headers.append(("Content-Encoding", "gzip")) }
    return OutgoingResponse(content: GatewayResponse(contentType: file.contentType, body: sent.bytes), headers: headers)
  }

  /// Whether the client accepts gzip: its weight, or that of `*` if it is not listed, must be greater than 0 (RFC 9110, section 12.5.3).
  /// - Parameter header: the value of the header Accept-Encoding.
  private static func acceptsGzip(_ header: String?) -> Bool {
    var (gzipWeight, otherWeight): (Double?, Double) = (nil, 0)
    for item in withoutSpaces(header ?? "").lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map(String.init)
      var weight = 1.0
      if let parameter = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) { weight = Double(String(parameter.dropFirst(2))) ?? 0 }
      if parts.first == "gzip" || parts.first == "x-gzip" { gzipWeight = weight }
      if parts.first == "*" { otherWeight = weight }
    }
    return (gzipWeight ?? otherWeight) > 0
  }

  /// Whether one of the entity tags in If-None-Match, or `*`, fits. A proxy may have marked a tag as weak (RFC 9110, section 13.1.2).
  private static func matches(_ header: String?, _ etag: String) -> Bool {
    // The tags of this server contain neither spaces nor commas.
    let tags = withoutSpaces(header ?? "").split(separator: ",").map(String.init)
    return tags.contains("*") || tags.contains(etag) || tags.contains("W/\(etag)")
  }

  private static func withoutSpaces(_ text: String) -> String { text.filter { $0 != " " && $0 != "\t" } }

  /// A response with another document that uses the page's style, such as a refusal.
  func response(_ document: GatewayResponse) -> OutgoingResponse {
    OutgoingResponse(
      content: document,
      headers: [
        ("Cache-Control", "no-store"), ("Content-Security-Policy", contentSecurityPolicy), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
      ])
  }

  /// The origin of the tiles' URL; nil if its host contains a placeholder.
  private static func origin(_ url: String) -> String? {
    guard let scheme = url.range(of: "://") else { return nil }
    // The first label of a tile server's name may be a placeholder.
    let host = url[scheme.upperBound...].prefix { $0 != "/" }
    return host.contains("{") ? nil : String(url[..<scheme.upperBound]) + host
  }

  /// The maximum size of a file, in bytes.
  private static let maxFileSize = 8 << 20

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while bytes.count <= maxFileSize {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
    return nil
  }
}

extension StringProtocol {
  /// The first range of `text` in this text; nil if there is none.
  func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text), let end = index(start, offsetBy: text.count, limitedBy: endIndex) { return start..<end }
      start = index(after: start)
    }
    return nil
  }
}
