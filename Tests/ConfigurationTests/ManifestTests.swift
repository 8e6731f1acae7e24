import JSON
import PlacesKit
import Testing

@testable import Configuration

@Suite("A plugin's manifest limits its instances")
struct ManifestTests {
  static let manifest = Manifest(
    plugin: "p", name: "P", version: "1", summary: "s", hosts: ["example.org"], needsCredential: true,
    settings: [
      Setting("format", .string, "How answers are read", required: true, choices: ["list", "opensearch"]),
      Setting("url", .url, "Where to ask"), Setting("limit", .integer, "Rows", defaultValue: 5), Setting("exact", .boolean, "Exactly"),
      Setting("share", .number, "Part"), Setting("layers", .strings, "Layers"),
    ],
    terms: Terms(
      idsSeconds: nil, coordinatesSeconds: 100, otherSeconds: 0, staleSeconds: 10, isolation: .system, mixing: .family("x"), source: "t"),
    attributions: [], rate: Rate(perSecond: 1, burst: 1, concurrent: 2))

  func provider(_ text: String) throws -> ProviderSettings {
    try #require(try configuration("[providers.a]\nplugin = \"p\"\n" + text)[provider: "a"])
  }

  @Test("A user's money limit is one sum, so providers with prices in different currencies are reported", arguments: ["EUR", "USD"])
  func currencies(currency: String) throws {
    func problem(_ quota: String, _ change: String = "") throws -> String? {
      let provider = { (id: String) in "[providers.\(id)]\nplugin = \"p\"\n" }
      var charging = Self.manifest
      charging.prices = PriceTable(currency: "USD", classes: [PriceClass("call", micros: 100)])
      var free = Self.manifest
      free.prices = PriceTable(currency: "CHF")
      let text = "[quota]\n\(quota)\n" + provider("a") + change + provider("b") + provider("c")
      return try configuration(text).mixedCurrencyProblem(["a": charging, "b": charging, "c": free])?.description
    }
    let other = "prices = { currency = \"\(currency)\" }\n"
    let isMixed = currency != "USD"
    #expect(
      try problem("money_per_day = 1", other)
        == (isMixed
          ? "t:2:17: `quota.money_per_day` is a sum of all that a user spends, and providers charge a in EUR, b in USD; write their prices in one currency, or use `paid_calls_per_day`"
          : nil))
    #expect(try problem("money_per_day = 1") == nil)
    #expect(try problem("paid_calls_per_day = 1", other) == nil)
  }

  @Test("Good settings come back with the manifest's defaults")
  func good() throws {
    let settings = try provider("credential = \"k\"\nformat = \"list\"\nlayers = [\"a\"]\nshare = 1\nurl = \"https://e.org/?q={query}\"")
      .checked(against: Self.manifest)
    #expect(settings == ["format": "list", "layers": ["a"], "share": 1, "limit": 5, "url": "https://e.org/?q={query}"])
  }

  @Test(
    "Every mistake is reported at once",
    arguments: Mistake.table(
      #"""
      format = "list"
      => t:1:12: [providers.a] needs a key; put the key into a file of mode 600 and name it in `api_key_file`, or use `credential`

      credential = "k"
      => t:1:12: [providers.a] needs `format`; how answers are read (one of "list", "opensearch")

      credential = "k"
      format = "xml"
      formatt = "list"
      enabld = true
      zzz = 1
      => t:4:10: `providers.a.format` must be one of "list", "opensearch", not "xml"
      => t:5:11: unknown key `providers.a.formatt`; did you mean `format`?
      => t:6:10: unknown key `providers.a.enabld`; did you mean `enabled`?
      => t:7:7: unknown key `providers.a.zzz`; its own settings: exact, format, layers, limit, share, url

      credential = "k"
      format = 1
      limit = 1.5
      exact = "yes"
      share = "half"
      layers = ["a", 1]
      url = "ftp://x"
      => t:4:10: `providers.a.format` must be one of "list", "opensearch", not a value of the kind integer
      => t:5:9: `providers.a.limit` must be an integer, not a value of the kind number
      => t:6:9: `providers.a.exact` must be true or false, not "yes"
      => t:7:9: `providers.a.share` must be a number, not "half"
      => t:8:10: `providers.a.layers` must be a list of strings, not a value of the kind array
      => t:9:7: `providers.a.url` must be a URL that starts with http:// or https:// and names no user, not the value
      """#))
  func bad(_ mistake: Mistake) throws {
    let error = try #require(throws: ConfigurationErrors.self) { try provider(mistake.text).checked(against: Self.manifest) }
    #expect(error.problems.map(\.description) == mistake.said)
  }

  @Test("A service that needs an address or a contact reports a missing one")
  func needs() throws {
    var manifest = Self.manifest
    manifest.needsBaseURL = true
    manifest.terms.needsContact = true
    let said = try #require(throws: ConfigurationErrors.self) {
      try provider("credential = \"k\"\nformat = \"list\"").checked(against: manifest)
    }
    #expect(said.description.contains("needs `base_url`"))
    #expect(said.description.contains("needs `contact`"))
  }

  @Test("Terms may be made stricter, and looser only under a licence")
  func terms() throws {
    let stricter = try provider("keep = { ids_seconds = 9, coordinates_seconds = 500, other_seconds = 5, stale_seconds = 3 }")
      .terms(from: Self.manifest)
    #expect(stricter.idsSeconds == 9)
    #expect(stricter.coordinatesSeconds == 100)
    #expect(stricter.otherSeconds == 0)
    #expect(stricter.staleSeconds == 3)
    #expect(stricter.isolation == .user)
    #expect(stricter.mixing == .family("x"))
    #expect(try provider("merge = \"never\"").terms(from: Self.manifest).mixing == .never)
    let licensed = try provider(
      "license_override = \"contract 7\"\nmerge = \"free\"\nshare_between_users = true\nkeep.other_seconds = 60"
    ).terms(from: Self.manifest)
    #expect(licensed.otherSeconds == 60)
    #expect(licensed.mixing == .free)
    #expect(licensed.isolation == .system)
  }

  @Test("Answers that never leave the machine may be shared without permission")
  func local() throws {
    var manifest = Self.manifest
    manifest.hosts = []
    // An address in the settings leads away from the machine as well.
    #expect(try provider("").terms(from: manifest).isolation == .user)
    manifest.settings.removeAll { $0.kind == .url }
    #expect(try provider("").terms(from: manifest).isolation == .system)
    #expect(try provider("share_between_users = true").terms(from: Self.manifest).isolation == .system)
    manifest.terms.isolation = .session
    #expect(try provider("share_between_users = true").terms(from: manifest).isolation == .session)
  }

  @Test("A rate may be lowered, and raised only for a self-hosted service or under a licence")
  func rate() throws {
    let manifest = Self.manifest
    let slower = try provider("rate = { per_second = 0.5, concurrent = 1 }").rate(from: manifest)
    #expect(slower == Rate(perSecond: 0.5, burst: 1, concurrent: 1))
    #expect(try provider("rate = { per_second = 50, burst = 9 }").rate(from: manifest) == manifest.rate)
    let own = try provider("base_url = \"https://gis.mine.example\"\nrate = { per_second = 50 }").rate(from: manifest)
    #expect(own == Rate(perSecond: 50, burst: 1, concurrent: 2))
    let licensed = try provider("license_override = \"Contract 7\"\nrate = { burst = 9 }").rate(from: manifest)
    #expect(licensed == Rate(perSecond: 1, burst: 9, concurrent: 2))
  }

  @Test(
    "If a plugin has no hosts, a private address in its settings is a self-hosted service",
    arguments: [
      ("http://127.0.0.1:8080/?q={query}", true), ("http://192.168.1.7/?q={query}", true), ("http://[::1]/?q={query}", true),
      ("http://localhost:8888/?q={query}", true), ("https://suggest.example.com/?q={query}", false), ("https://9.9.9.9/{query}", false),
    ])
  func address(url: String, isOwn: Bool) throws {
    var manifest = Self.manifest
    (manifest.hosts, manifest.needsCredential) = ([], false)
    let settings = try provider("url = \"\(url)\"\nallow_private_addresses = true\nrate = { per_second = 50, burst = 9, concurrent = 1 }")
    #expect(settings.rate(from: manifest) == Rate(perSecond: isOwn ? 50 : 1, burst: isOwn ? 9 : 1, concurrent: 1))
    let note = settings.rateNote(for: manifest)
    #expect(note == nil || note?.contains("[providers.a] is limited to per_second = 1.0, burst = 1 by its plugin's manifest") == true)
    #expect((note == nil) == isOwn)
    #expect((settings.sharedHost(manifest) == nil) == isOwn)
  }

  @Test(
    "A service of one's own at a private address has no rate unless one is configured",
    arguments: [
      ("http://127.0.0.1:8080", nil), ("http://localhost:8080", nil), ("http://10.1.2.3", nil), ("https://gis.mine.example", 1),
      ("https://example.org", 1),
    ] as [(String, Double?)])
  func noRate(baseURL: String, perSecond: Double?) throws {
    let settings = try provider("base_url = \"\(baseURL)\"\nallow_private_addresses = true")
    #expect(settings.rate(from: Self.manifest).perSecond == perSecond)
    let limited = try provider("base_url = \"\(baseURL)\"\nallow_private_addresses = true\nrate.per_second = 0.5")
    #expect(limited.rate(from: Self.manifest).perSecond == 0.5)
  }

  @Test("Instances that use a public service without a key share its rate limit")
  func sharedHost() throws {
    var manifest = Self.manifest
    #expect(try provider("").sharedHost(manifest) == nil, "only the key matters")
    manifest.needsCredential = false
    #expect(try provider("").sharedHost(manifest) == "example.org")
    #expect(try provider("base_url = \"https://b.example.org\"").sharedHost(manifest) == "example.org")
    #expect(try provider("base_url = \"https://gis.mine.example\"").sharedHost(manifest) == nil)
    #expect(try provider("license_override = \"Contract 7\"").sharedHost(manifest) == nil)
  }

  @Test("The number of concurrent calls is limited by the size of the provider's pipe, whatever its manifest says")
  func concurrency() throws {
    var manifest = Self.manifest
    manifest.rate.concurrent = 500
    #expect(try provider("").rate(from: manifest).concurrent == Rate.maxConcurrent)
    #expect(try provider("base_url = \"https://gis.mine.example\"\nrate.concurrent = 64").rate(from: manifest).concurrent == 64)
  }

  @Test(
    "A service named by its IP address is not self-hosted",
    arguments: [
      ("https://nominatim.openstreetmap.org", false), ("http://NOMINATIM.openstreetmap.org:8080/search", false),
      ("https://old.nominatim.openstreetmap.org", false),
      ("https://nominatim-2.openstreetmap.org", false), ("https://openstreetmap.org", false),
      ("https://nominatim.example.org", true), ("https://myopenstreetmap.org", true), ("https://openstreetmap.org.example.com", true),
      ("https://org", true), ("http://127.0.0.1:8080", true), ("http://[::1]:8080", true),
    ])
  func ownService(baseURL: String, isOwn: Bool) throws {
    var manifest = Self.manifest
    manifest.hosts = ["nominatim.openstreetmap.org"]
    let settings = try provider(
      "base_url = \"\(baseURL)\"\nallow_private_addresses = true\nrate = { per_second = 100, burst = 100, concurrent = 50 }")
    #expect(settings.rate(from: manifest) == (isOwn ? Rate(perSecond: 100, burst: 100, concurrent: 50) : manifest.rate))
    manifest.hosts = ["example.net"]
    #expect(try provider("base_url = \"https://maps.example.net\"\nrate = { burst = 9 }").rate(from: manifest) == manifest.rate)
    #expect(try provider("base_url = \"https://example.com\"\nrate = { burst = 9 }").rate(from: manifest).burst == 9)
  }

  @Test("A price class that the plugin does not name is rejected")
  func unknownPrices() throws {
    func said(_ prices: String, _ table: PriceTable) throws -> [String] {
      var manifest = Self.manifest
      manifest.prices = table
      return try provider("prices = { \(prices) }").unknownPrices(in: manifest).map(\.description)
    }
    let table = PriceTable(classes: [PriceClass("search", micros: 1)], calls: [.details: "own"], fieldClasses: [.details: [.rating: "pro"]])
    #expect(try said("currency = \"EUR\", search = {}, own = {}, pro = {}", table) == [])
    #expect(try said("serach = {}", table) == ["t:3:12: unknown price class `providers.a.prices.serach`; did you mean `search`?"])
    #expect(
      try said("zzzzzz = {}", table)
        == ["t:3:12: unknown price class `providers.a.prices.zzzzzz`; the plugin's classes: own, pro, search"])
    #expect(
      try said("call = {}", PriceTable())
        == ["t:3:12: unknown price class `providers.a.prices.call`; the plugin has no price classes: its calls cost nothing"])
    #expect(throws: ConfigurationErrors.self) {
      try provider("credential = \"k\"\nformat = \"list\"\nprices.call = {}").checked(against: Self.manifest)
    }
  }

  @Test("A money budget without any priced call is reported")
  func idleBudget() throws {
    var manifest = Self.manifest
    #expect(try provider("budget.money_per_day = 1").budgetNote(for: manifest)?.hasSuffix("with `budget.calls_per_day`") == true)
    #expect(try provider("budget.calls_per_day = 1").budgetNote(for: manifest) == nil)
    manifest.prices = PriceTable(classes: [PriceClass("call", micros: 0)], calls: [.search: "call"])
    #expect(try provider("budget.money_per_month = 1").budgetNote(for: manifest)?.hasSuffix("or set their price in `prices`") == true)
    #expect(try provider("budget.money_per_month = 1\nprices.call.per_thousand = 1").budgetNote(for: manifest) == nil)
    manifest.prices = PriceTable(classes: [PriceClass("call", micros: 1)], calls: [.search: "call", .details: "more"])
    #expect(!manifest.prices.isFree)
    #expect(try provider("budget.money_per_month = 1").budgetNote(for: manifest)?.contains("not known: write `prices.more`, or") == true)
    #expect(try provider("budget.money_per_month = 1").budgetNote(for: manifest)?.contains("money, which refuses the calls") == true)
    let both = try provider("budget.money_per_month = 1\nbudget.calls_per_day = 1")
    #expect(both.budgetNote(for: manifest)?.contains("money, which does not count the calls") == true)
    #expect(try provider("budget.money_per_month = 1\nprices.more.per_thousand = 0").budgetNote(for: manifest) == nil)
  }

  @Test("Prices replace the manifest's class by class")
  func prices() throws {
    let table = PriceTable(classes: [PriceClass("a", micros: 1), PriceClass("b", micros: 2)], calls: [.search: "a"])
    let priced = try provider("prices = { currency = \"EUR\", b = { per_thousand = 7 }, c = { free_per_month = 3 } }").prices.applied(
      to: table)
    #expect(priced.currency == "EUR")
    #expect(priced.classes == [PriceClass("a", micros: 1), PriceClass("b", micros: 7000), PriceClass("c", micros: 0, freePerMonth: 3)])
    #expect(priced.priceClass(of: .search)?.micros == 1)
  }
}
