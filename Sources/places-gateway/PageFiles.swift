import EmulatedAPIs
import Glibc
import JSON
import Text

/// The files of the search page, which are read when the gateway starts. Their list is fixed, so that no request can name another file.
struct PageFiles: Sendable {
  struct File: Sendable {
    var contentType: String
    var bytes: [UInt8]
    /// The same content compressed with gzip; nil if the folder has no file of the same name with the suffix `.gz`.
    var compressed: [UInt8]?
    var etag: String
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
    let bytes = settings.bytes
    files["settings.json"] = File(contentType: "application/json; charset=utf-8", bytes: bytes, etag: PageFiles.etag(bytes))
    // 'unsafe-inline' is needed for styles, because Leaflet positions its elements by style attributes.
    let tilesSource = tilesURL.flatMap { PageFiles.origin($0) }.map { " \($0)" } ?? ""
    contentSecurityPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:\(tilesSource); connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  private mutating func add(_ name: String, at path: String, _ contentType: String) { files[name] = PageFiles.file(path, contentType) }

  private static func file(_ path: String, _ contentType: String) -> File? {
    read(path).map { File(contentType: contentType, bytes: $0, compressed: read(path + ".gz"), etag: etag($0)) }
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
    var headers = [
      (name: "ETag", value: file.etag), ("Cache-Control", "no-cache"), ("Content-Security-Policy", contentSecurityPolicy),
      ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("Vary", "Origin, Accept-Encoding"),
    ]
    if ifNoneMatch == file.etag {
      return OutgoingResponse(content: GatewayResponse(status: 304, contentType: file.contentType, body: []), headers: headers)
    }
    var bytes = file.bytes
    if let compressed = file.compressed, acceptEncoding?.contains("gzip") == true {
      bytes = compressed
      headers.append(("Content-Encoding", "gzip"))
    }
    return OutgoingResponse(content: GatewayResponse(contentType: file.contentType, body: bytes), headers: headers)
  }

  /// A response with another document that uses the page's style, such as a refusal.
  func response(_ document: GatewayResponse) -> OutgoingResponse {
    OutgoingResponse(
      content: document,
      headers: [
        ("Cache-Control", "no-store"), ("Content-Security-Policy", contentSecurityPolicy), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
      ])
  }

  private static func etag(_ bytes: [UInt8]) -> String { "\"\(String(FNV1a.hash(bytes), radix: 16))-\(bytes.count)\"" }

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
