import Configuration
import Foundation
import JSON
import PlacesTesting
import Testing
import XML

@testable import placesctl

@Suite("Discovering a site's suggestions")
struct DiscoverTests {
  static let description = """
    <?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" xmlns:moz="http://www.mozilla.org/2006/browser/search/">
    <ShortName>Example  "1"</ShortName><Url type="text/html" method="get" template="https://www.example.org/?q={searchTerms}"/>
    <Url type="application/x-suggestions+json" template="https://www.example.org/s?q={searchTerms}&amp;n={count?}"/></OpenSearchDescription>
    """

  @Test("The section for a site comes from the description that its page links to")
  func site() async throws {
    let page = """
      <html><head><link rel=stylesheet href=/a.css><LINK href='/os.xml?a=1&amp;b=2' title="x > y" type="application/opensearchdescription+xml"
      rel="home search" /></head></html>
      """
    let outcome = await run(
      ["providers", "discover", "https://www.example.org/start?x"],
      pages: ["https://www.example.org/start?x": page, "https://www.example.org/os.xml?a=1&b=2": Self.description])
    #expect(outcome.exit == .results && outcome.diagnostics == "" && outcome.asked.isEmpty)
    #expect(
      outcome.output == """
        # Suggestions of https://www.example.org/os.xml?a=1&b=2. What users type is sent there: read its terms of use before you enable it.
        [providers.suggest-example]
        plugin = "suggest"
        enabled = false
        name = "Example \\"1\\""
        url = "https://www.example.org/s?q={searchTerms}&n={count?}"
        format = "opensearch"

        """)
  }

  @Test("The output is a configuration that can be loaded")
  func loads() async throws {
    let folder = try TemporaryFolder()
    let outcome = await run(["providers", "discover", "https://a.example/os"], pages: ["https://a.example/os": Self.description])
    let path = "\(folder.path)/placesd.toml"
    try outcome.output.write(toFile: path, atomically: true, encoding: .utf8)
    let settings = try #require(try Configuration.load(path: path, locations: .system)[provider: "suggest-example"])
    #expect(settings.settings["url"]?.value == "https://www.example.org/s?q={searchTerms}&n={count?}" && !settings.enabled)
  }

  @Test(
    "A site without suggestions is reported as such",
    arguments: [
      ("<html><head></head></html>", "https://x.example/ is not the description of a search, and has no link to one\n"),
      ("<link rel=search type=text/html href=/os.xml>", "https://x.example/ is not the description of a search, and has no link to one\n"),
      (
        "<OpenSearchDescription><Url type='text/html' template='https://x.example/?q={searchTerms}'/></OpenSearchDescription>",
        "https://x.example/ describes a search without suggestions\n"
      ),
      (
        "<OpenSearchDescription><Url type='application/x-suggestions+json' method='POST' template='/s?q={searchTerms}'/></OpenSearchDescription>",
        "https://x.example/ describes a search without suggestions\n"
      ),
    ])
  func none(page: String, message: String) async {
    let outcome = await run(["providers", "discover", "https://x.example/"], pages: ["https://x.example/": page])
    #expect(outcome.exit == .noResults && outcome.output == "" && outcome.diagnostics == message)
  }

  @Test("An argument that is not an address of the web is refused", arguments: ["", "file:///etc/passwd", "example.org", "--output=x"])
  func refused(address: String) async {
    #expect(await run(["providers", "discover", "--", address]).exit == .usage)
  }

  @Test(
    "Suggestions in JSON precede those in XML, also with prefixes and with the parameters that browsers add",
    arguments: [
      (
        "<os:OpenSearchDescription xmlns:os='x'><os:Url type='application/x-suggestions+xml' template='/x?q={searchTerms}'/><os:Url type='application/x-suggestions+json' template='/j?q={searchTerms}'/></os:OpenSearchDescription>",
        "/j?q={searchTerms}"
      ),
      (
        "<SearchPlugin/>", nil
      ),
      (
        "<OpenSearchDescription><Url type='application/x-suggestions+xml' template='/x?q={searchTerms}'/></OpenSearchDescription>",
        "/x?q={searchTerms}"
      ),
      (
        "<OpenSearchDescription><Url type='application/x-suggestions+json' template='/j'><Param name='q' value='{searchTerms}'/></Url></OpenSearchDescription>",
        "/j?q={searchTerms}"
      ),
    ] as [(String, String?)])
  func templates(document: String, template: String?) throws {
    #expect(try OpenSearchDescription(parsing: Array(document.utf8))?.template == template)
  }

  @Test(
    "A link is resolved against the page's address",
    arguments: [
      ("https://b.example/x", "https://a.example", "https://b.example/x"), ("//b.example/x", "http://a.example/y", "http://b.example/x"),
      ("/x", "https://a.example/y/z?q", "https://a.example/x"), ("x", "https://a.example/y/z?q=/", "https://a.example/y/x"),
      ("x", "https://a.example", "https://a.example/x"), ("x", "https://a.example?q", "https://a.example/x"),
    ])
  func absolute(link: String, page: String, address: String) { #expect(SearchLink.absolute(link, on: page) == address) }

  @Test("Damaged pages and documents are read to their end, or refused")
  func damaged() {
    var random = SeededRandom(seed: 7)
    let page = Array("<link rel='search' type=\"application/opensearchdescription+xml\" href=/os.xml a= = '>' <link".utf8)
    for source in [page, Array(Self.description.utf8)] {
      for _ in 0..<2_000 {
        var bytes = source
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          if Bool.random(using: &random) {
            bytes[index] = UInt8.random(in: 0...255, using: &random)
          } else {
            bytes.removeSubrange(index...)
          }
          if bytes.isEmpty { bytes = [0x3C] }
        }
        _ = SearchLink.address(in: String(decoding: bytes, as: UTF8.self))
        _ = try? OpenSearchDescription(parsing: bytes)
      }
    }
  }
}
