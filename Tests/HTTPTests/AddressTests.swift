import PlacesKit
import PlacesTesting
import Testing

@testable import HTTP

@Suite("Permitted destinations of a request") struct OutgoingRequestTests {
  static func url(_ request: HTTPRequest, base: String? = "https://geo.example.org/api") throws -> OutgoingRequest {
    let hosts = base == nil ? ["Places.Example.org"] : ["Places.Example.org", "maps.example.org"]
    let settings = [Setting("url", .url, "An address."), Setting("other", .url, "Another.")]
    let access = try HTTPAccess(
      id: "test", manifest: manifest(hosts: hosts, settings: settings), baseURL: base,
      settings: ["url": "https://{language}.wiki.example.org/w/api.php?q={query}", "other": "http://127.0.0.1:8088/nominatim"])
    return try OutgoingRequest(request, access: access)
  }

  @Test(arguments: [
    (HTTPRequest(path: ["v1", "x"]), "https://geo.example.org/api/v1/x"),
    (HTTPRequest(host: "places.example.org", path: ["v1", "a/b?c#d", ""]), "https://geo.example.org/api/v1/a%2Fb%3Fc%23d/"),
    (HTTPRequest(host: "https://de.wiki.example.org", path: ["w"]), "https://de.wiki.example.org/w"),
    (
      HTTPRequest(host: "http://127.0.0.1:8088", path: ["nominatim", "lookup"], query: [.init("a b", "ü")]),
      "http://127.0.0.1:8088/nominatim/lookup?a%20b=%C3%BC"
    ),
    (
      HTTPRequest(path: ["places:search", "1,2@3"], query: [.init("q", ""), .init("q", "&=+%")]),
      "https://geo.example.org/api/places:search/1,2@3?q=&q=%26%3D%2B%25"
    ),
  ]) func `Addresses are built strictly`(request: HTTPRequest, expected: String) throws {
    #expect(try OutgoingRequestTests.url(request).url == expected)
  }

  @Test(arguments: [
    HTTPRequest(host: "evil.example.org", path: []), HTTPRequest(host: "places.example.org:8443", path: []),
    HTTPRequest(host: "http://places.example.org", path: []), HTTPRequest(host: "https://wiki.example.org", path: []),
    HTTPRequest(host: "https://a.b.wiki.example.org", path: []), HTTPRequest(host: "https://.wiki.example.org", path: []),
    HTTPRequest(host: "https://de_.wiki.example.org", path: []), HTTPRequest(host: "http://127.0.0.1", path: []),
    HTTPRequest(host: "https://127.0.0.1:8088", path: []), HTTPRequest(host: "http://127.0.0.1:8088/nominatim", path: []),
    HTTPRequest(host: "http://user@127.0.0.1:8088", path: []), HTTPRequest(path: ["..", "secret"]), HTTPRequest(path: ["."]),
    HTTPRequest(path: [], headers: [.init("X-Lang", "b\r\nHost: evil")]), HTTPRequest(path: [], headers: [.init("X A", "b")]),
    HTTPRequest(path: [], headers: [.init("", "b")]), HTTPRequest(path: [], headers: [.init("X-Lang:", "b")]),
    HTTPRequest(path: [String(repeating: "x", count: 9_000)]),
  ]) func `A host that neither the manifest nor the configuration names is refused`(request: HTTPRequest) {
    #expect(throws: ProviderError.self) { try OutgoingRequestTests.url(request) }
  }

  @Test(
    arguments: [
      ("ops@example.org", "placesd/1 (+ops@example.org)"), (nil, "placesd/1"), ("", "placesd/1"),
      ("a\r\nX-Evil: (b) é\\", "placesd/1 (+aX-Evil: b )"),
    ] as [(String?, String)]) func `A contact cannot end its header or its comment`(contact: String?, expected: String)
  {
    #expect(HTTPAccess.userAgent(version: "1", contact: contact) == expected)
  }

  @Test func `Without a base_url the manifest's hosts are asked over https, the first one where none is named`() throws {
    for host in ["places.example.org", "PLACES.example.org", nil] {
      #expect(try OutgoingRequestTests.url(HTTPRequest(host: host, path: ["x"]), base: nil).url == "https://places.example.org/x")
    }
    let nowhere = try HTTPAccess(id: "test", manifest: manifest())
    #expect(throws: ProviderError.self) { try OutgoingRequest(HTTPRequest(path: []), access: nowhere) }
  }

  @Test(arguments: ["", "a b", "a\nb", "schlüssel"]) func `A key with line breaks or foreign letters is no key`(key: String) throws {
    let access = try access(to: "https://geo.example.org", credential: .header(name: "X-Key", prefix: ""), key: key)
    let error = #expect(throws: ProviderError.self) { try OutgoingRequest(HTTPRequest(path: []), access: access) }
    #expect(error?.cause == .credentials)
  }

  @Test(arguments: [
    "ftp://x.org", "x.org", "http://", "https://u:p@x.org", "https://x.org#f", "https://x.org:0", "https://x.org:99999",
    "https://x.org/../y", "https://x.org/%2e%2e/y", "https://x.org/%zz", "https://x y.org", "https://x.org/?q=1", "https://[::1",
    "https://::1", "file:///etc/passwd", "https://{x}.org",
  ])
  func `A base_url that is no plain address is refused`(text: String) {
    #expect(throws: ProviderError.self) { try HTTPAccess(id: "test", manifest: manifest(), baseURL: text) }
  }
}
