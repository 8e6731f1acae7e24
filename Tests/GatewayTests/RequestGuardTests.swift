import Testing

@testable import places_gateway

@Suite("A request is rejected on the basis of its headers") struct RequestGuardTests {
  let rules = RequestGuard(
    hosts: ["localhost", "127.0.0.1", "[::1]", "Places.lan"], ports: [2325],
    allowedOrigins: ["https://maps.example.org", "http://localhost:3000"])

  private func verdict(
    host: String? = "localhost:2325", origin: String? = nil, site: String? = nil, mode: String? = nil, isPage: Bool = false
  ) -> RequestGuard.Verdict {
    rules.verdict(RequestGuard.Headers(host: host, origin: origin, site: site, mode: mode), isPage: isPage)
  }

  private func status(_ verdict: RequestGuard.Verdict) -> Int {
    if case .refused(let status, _) = verdict { status } else { 200 }
  }

  @Test(
    "if its Host is another's, as after a DNS rebinding",
    arguments: [
      (nil, 421), ("evil.example:2325", 421), ("localhost", 421), ("localhost:80", 421), ("127.0.0.1:2325", 200), ("[::1]:2325", 200),
      ("LOCALHOST:2325", 200), ("places.lan:2325", 200), ("localhost.evil.example:2325", 421),
    ] as [(String?, Int)])
  func hosts(_ host: String?, _ expected: Int) { #expect(status(verdict(host: host)) == expected) }

  @Test(
    "if its Origin is foreign and not allowed",
    arguments: [
      ("http://localhost:2325", 200), ("http://127.0.0.1:2325", 200), ("http://evil.example", 403), ("null", 403),
      ("https://localhost:2325", 403),
      ("http://localhost:3001", 403), ("https://maps.example.org", 200), ("http://localhost:3000", 200),
      ("https://maps.example.org.evil", 403),
    ])
  func origins(_ origin: String, _ expected: Int) { #expect(status(verdict(origin: origin)) == (expected)) }

  @Test(
    "if a page elsewhere makes the browser send it without an Origin",
    arguments: [
      ("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200), ("something", 403),
    ])
  func sites(_ site: String, _ expected: Int) { #expect(status(verdict(site: site)) == expected) }

  @Test("but a link may lead to the page, and only to that")
  func links() {
    #expect(status(verdict(site: "cross-site", mode: "navigate", isPage: true)) == 200)
    #expect(status(verdict(site: "cross-site", mode: "navigate", isPage: false)) == 403)
    #expect(status(verdict(site: "cross-site", mode: "no-cors", isPage: true)) == 403)
  }

  @Test("an allowed origin may read the answer, and the gateway's own needs no permission")
  func reading() {
    #expect(verdict(origin: "https://maps.example.org") == .admitted(origin: "https://maps.example.org"))
    #expect(verdict(origin: "http://localhost:2325") == .admitted(origin: nil))
    let open = RequestGuard(hosts: ["localhost"], ports: [80], allowedOrigins: ["*"])
    #expect(
      open.verdict(RequestGuard.Headers(host: "localhost", origin: "https://x.example"), isPage: false)
        == .admitted(origin: "https://x.example"))
  }
}

@Suite("The daemon's providers") struct ProviderDirectoryTests {
  @Test("whose places may stand on a map: all, without Google; the others, with it")
  func maps() {
    typealias Providers = ProviderDirectory.Providers
    #expect(Providers([("gazetteer", "gazetteer", true), ("g", "google", false)]).mapProviders == [])
    #expect(
      Providers([("gazetteer", "gazetteer", true), ("g", "google", true), ("photon", "photon", true)]).mapProviders == [
        "gazetteer", "photon",
      ])
    #expect(Providers([("gazetteer", "gazetteer", false), ("g", "/usr/lib/libGoogle.so", true)]).mapProviders == ["gazetteer"])
    #expect(Providers([("n", "nominatim", true)]).objectPrefixes == ["gazetteer:osm:", "n:"])
  }
}
