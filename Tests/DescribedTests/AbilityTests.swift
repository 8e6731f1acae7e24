import PlacesKit
import Testing

@testable import ServiceDescriptions

@Suite("What the daemon derives from a description") struct AbilityTests {
  static let text = """
    format = 1
    name = "T"
    summary = "A test."
    documentation = "https://example.org/docs"
    hosts = ["example.org"]
    countries = ["CH"]
    attributions = [{ text = "© T", url = "https://example.org" }]
    coordinate_decimals = 4
    [key]
    header = "Authorization"
    prefix = "Bearer "
    [terms]
    source = "https://example.org/terms (2026-01-01)"
    ids = "forever"
    coordinates = "30 days"
    nothing_found = "1 hour"
    shared = "everybody"
    blending = "family:osm"
    keeps_order = true
    [rate]
    per_second = 2
    burst = 4
    concurrent = 3
    quota_window = "utc-day"
    [prices]
    currency = "EUR"
    date = "2026-01-01"
    source = "https://example.org/prices"
    classes = { typed = { per_thousand = 0.5, free_per_month = 100 }, other = {} }
    calls = { autocomplete = "typed", search = "other" }
    [session]
    idle_seconds = 60
    endings = { typed = "3" }
    [fields]
    id = "@.id"
    name = "@.name"
    [search]
    path = "/s"
    query.q = "{query}"
    rows = "$.rows[*]"
    [autocomplete]
    path = "/a"
    query.q = "{query}"
    rows = "$.rows[*]"
    minimum_letters = 3
    maximum_rows = 15
    """

  func manifest(_ text: String) throws -> Manifest {
    try #require(ServiceDescription.read(Array(text.utf8), service: "t", file: "t.toml").description).manifest
  }

  @Test("Key, terms, rate, prices, session and credits are those of the file")
  func manifest() throws {
    let manifest = try manifest(Self.text)
    #expect(manifest.credential == .header(name: "Authorization", prefix: "Bearer ") && manifest.needsCredential)
    #expect(manifest.attributions == [Attribution(text: "© T", url: "https://example.org")])
    #expect(manifest.countries == ["CH"] && manifest.coordinateDecimals == 4)
    let terms = manifest.terms
    #expect(terms.idsSeconds == nil && terms.coordinatesSeconds == 2_592_000 && terms.otherSeconds == 0 && terms.negativeSeconds == 3_600)
    #expect(terms.isolation == .system && terms.mixing == .family("osm") && terms.keepsOrder)
    #expect(manifest.rate == Rate(perSecond: 2, burst: 4, concurrent: 3) && manifest.quotaWindow == .utcDay)
    // A class without a price is one whose price is not known.
    #expect(manifest.prices.currency == "EUR" && manifest.prices.classes == [PriceClass("typed", micros: 500, freePerMonth: 100)])
    #expect(manifest.prices.calls == [.autocomplete: "typed", .search: "other"])
    #expect(manifest.sessions == SessionRule(endings: ["typed": .first(3)], idleSeconds: 60))
    #expect(manifest.autocomplete?.minimumLetters == 3 && manifest.autocomplete?.maximumRows == 15)
    #expect(manifest.details == nil && manifest.reverse == nil)
  }

  @Test(
    "The service applies what its request sends, and the daemon what the fields of the rows allow",
    arguments: [
      ("", "", .countries, nil), ("c = \"{countries}\"", "", .countries, .native),
      ("c = \"{countries | only}\"", "country_code = \"@.c\"", .countries, .partly),
      ("", "country_code = \"@.c\"", .countries, .emulated), ("", "", .restrictionCircle, nil), ("", "", .bias, nil),
      ("", "latitude = \"@.y\"\nlongitude = \"@.x\"", .restrictionCircle, .emulated),
      ("b = \"{restriction.west},{restriction.east}\"", "", .restrictionRectangle, .native),
      ("b = \"{restriction.west},{restriction.east}\"", "", .restrictionCircle, nil),
      ("r = \"{restriction.radius}\"", "", .restrictionCircle, .native), ("b = \"{bias.latitude}\"", "", .bias, .native),
      ("l = \"{language}\"", "", .language, .native), ("", "", .language, nil), ("o = \"{open_now}\"", "", .openNow, .native),
      ("", "opening_hours = \"@.h\"", .openNow, .emulated), ("", "rating = \"@.r\"", .minRating, .emulated),
      ("", "price_level = \"@.p\"", .priceLevels, .emulated), ("", "types = \"@.t\"", .includedType, .native),
    ] as [(String, String, Capability.Parameter, Capability.Support?)])
  func search(query: String, fields: String, parameter: Capability.Parameter, support: Capability.Support?) throws {
    let text = Self.text.replacing("[search]", with: "\(fields)\n[search]").replacing(
      "[autocomplete]", with: (query.isEmpty ? "" : "query.\(query)\n") + "[autocomplete]")
    #expect(try manifest(text).search?.parameters[parameter] == support)
  }
}
