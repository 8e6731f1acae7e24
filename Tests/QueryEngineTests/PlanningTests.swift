import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("Plans for providers")
struct PlanningTests {
  private func point(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func area(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> Area {
    .rectangle(Rectangle(low: try point(south, west), high: try point(north, east)))
  }

  private func planned(_ request: AutocompleteRequest, _ manifest: Manifest) throws(Skip) -> (AutocompleteRequest, RowFilter) {
    let plan = try Plan.autocomplete(request, manifest)
    guard case .autocomplete(let sent) = plan.call else { return (request, plan.filter) }
    return (sent, plan.filter)
  }

  private func skip(_ request: AutocompleteRequest, _ manifest: Manifest) -> String? {
    do throws(Skip) {
      _ = try Plan.autocomplete(request, manifest)
      return nil
    } catch { return error.cause }
  }

  @Test("A service that supports all parameters receives the request unchanged")
  func native() throws {
    let request = AutocompleteRequest(
      query: "ber", limit: 5, language: "de", region: "DE", restriction: try area(50, 10, 55, 15), origin: try point(52, 13),
      types: ["locality"], countries: ["DE"], inputOffset: 2)
    var (sent, filter) = try planned(request, .scripted("A", remote: false))
    #expect(sent == request)
    #expect(!filter.mayDropRows)
    (sent, filter) = try planned(request, .scripted("A"))
    #expect(sent.limit == 10)
    sent.limit = 5
    #expect(sent == request)
  }

  @Test(
    "A service on the network is requested to return 10, 20 or all rows, so that one cached call serves several limits",
    arguments: [(1, 10), (10, 10), (11, 20), (20, 20), (21, 30), (50, 30)])
  func depth(limit: Int, sent: Int) throws {
    var manifest = Manifest.scripted("A")
    manifest.autocomplete?.maximumRows = 30
    #expect(try planned(AutocompleteRequest(query: "ber", limit: limit), manifest).0.limit == sent)
    manifest.autocomplete?.maximumRows = 5
    #expect(try planned(AutocompleteRequest(query: "ber", limit: limit), manifest).0.limit == 5)
  }

  @Test("If a service lacks a filter, the daemon requests more rows and applies the filter")
  func emulated() throws {
    let request = AutocompleteRequest(
      query: "ber", limit: 5, restriction: try area(50, 10, 55, 15), types: ["locality"], countries: ["DE"])
    var parameters = [Capability.Parameter: Capability.Support].all(.emulated)
    parameters[.bias] = .native
    let (sent, filter) = try planned(request, .scripted("A", parameters: parameters))
    #expect(sent.restriction == nil)
    #expect(sent.types.isEmpty)
    #expect(sent.countries.isEmpty)
    #expect(sent.limit == 20)
    // The service receives the restriction as a bias.
    #expect(sent.bias == request.restriction)
    #expect(filter.restriction == request.restriction)
    #expect(filter.types == ["locality"])
    #expect(filter.countries == ["DE"])
  }

  @Test("If neither the service nor the daemon can apply a filter, the provider is skipped with the reason")
  func unsupported() throws {
    let manifest = Manifest.scripted("A", parameters: [:])
    #expect(skip(AutocompleteRequest(query: "ber", types: ["museum"]), manifest) == "types")
    #expect(skip(AutocompleteRequest(query: "ber", collection: .cities), manifest) == "types")
    #expect(skip(AutocompleteRequest(query: "ber", countries: ["DE"]), manifest) == "country")
    #expect(skip(AutocompleteRequest(query: "ber", restriction: try area(0, 0, 1, 1)), manifest) == "restriction")
    #expect(skip(AutocompleteRequest(query: "ber", restriction: .circle(center: try point(1, 1), radius: 5)), manifest) == "restriction")
    // A bias is omitted if the service does not support it.
    let leaning = AutocompleteRequest(
      query: "ber", language: "de", region: "DE", bias: try area(0, 0, 1, 1), origin: try point(1, 1), inputOffset: 1)
    #expect(try planned(leaning, manifest).0 == AutocompleteRequest(query: "ber"))
  }

  @Test("A provider is called only if letters, kinds, countries, areas and terms allow it")
  func coverage() throws {
    #expect(skip(AutocompleteRequest(query: "be"), .scripted("A", minimumLetters: 3)) == "letters")
    for query in ["北京", "東京", "서울", "京"] { #expect(skip(AutocompleteRequest(query: query), .scripted("A", minimumLetters: 3)) == nil) }
    #expect(skip(AutocompleteRequest(query: "北京"), .scripted("A", minimumLetters: 2)) == nil)
    #expect(skip(AutocompleteRequest(query: "ber", kinds: [.query]), .scripted("A", kinds: [.place])) == "kind")
    var manifest = Manifest.scripted("A")
    manifest.countries = ["LI", "CH"]
    #expect(skip(AutocompleteRequest(query: "ber", countries: ["DE"]), manifest) == "country")
    #expect(skip(AutocompleteRequest(query: "ber", countries: ["DE", "CH"]), manifest) == nil)
    manifest.area = try area(46, 6, 48, 10)
    #expect(skip(AutocompleteRequest(query: "ber", restriction: try area(52, 13, 53, 14)), manifest) == "area")
    #expect(skip(AutocompleteRequest(query: "ber", restriction: try area(47, 9, 53, 14)), manifest) == nil)
    // Across the antimeridian is everything but here.
    #expect(skip(AutocompleteRequest(query: "ber", restriction: try area(46, 170, 48, -170)), manifest) == "area")
    manifest.terms.autocompleteAllowed = false
    #expect(skip(AutocompleteRequest(query: "ber"), manifest) == "terms")
    manifest.autocomplete = nil
    #expect(skip(AutocompleteRequest(query: "ber"), manifest) == "unsupported")
  }

  @Test(
    "A service on the network receives a language, so that it does not guess one, unless it is known to return local names")
  func neutral() throws {
    var local = Manifest.scripted("A")
    local.givesLocalNames = true
    #expect(try planned(AutocompleteRequest(query: "ber"), local).0.language == nil)
    #expect(try planned(AutocompleteRequest(query: "ber", language: "de"), local).0.language == "de")
    #expect(try planned(AutocompleteRequest(query: "ber"), .scripted("A")).0.language == "en")
    #expect(try planned(AutocompleteRequest(query: "ber"), .scripted("A", remote: false)).0.language == nil)
  }

  @Test("Coordinates are rounded to the manifest's precision; a restriction never shrinks by it, and its rows are checked exactly")
  func rounding() throws {
    var manifest = Manifest.scripted("A")
    manifest.coordinateDecimals = 2
    let origin = try point(52.51631, 13.37777)
    #expect(try planned(AutocompleteRequest(query: "ber", origin: origin), manifest).0.origin == (try point(52.52, 13.38)))
    let restriction = try area(52.5163, 13.3777, 52.5167, 13.3779)
    let (sent, filter) = try planned(AutocompleteRequest(query: "ber", restriction: restriction), manifest)
    #expect(sent.restriction == (try area(52.51, 13.37, 52.52, 13.38)))
    #expect(filter.roughRestriction == restriction)
    #expect(!filter.keeps(.city("Out", try point(52.511, 13.371))))
    #expect(filter.keeps(.city("In", try point(52.5165, 13.3778))))
    #expect(filter.keeps(.city("Somewhere")))
    let circle = Area.circle(center: origin, radius: 100)
    guard
      case .circle(let center, let radius)? = try planned(AutocompleteRequest(query: "ber", restriction: circle), manifest).0.restriction
    else {
      Issue.record("no circle")
      return
    }
    #expect(radius >= 100 + center.distance(to: origin) - 1e-6)
  }

  @Test("A rectangle whose gap is smaller than the rounding becomes all longitudes, also across the antimeridian")
  func roundedAcross() throws {
    func rounded(_ west: Double, _ east: Double) throws -> [Double] {
      let sent = Rectangle(low: try point(10, west), high: try point(20, east)).roundedOutwards(decimals: 2)
      return [sent.low.longitude, sent.high.longitude]
    }
    #expect(try rounded(170.004, 170.001) == [-180, 180])
    #expect(try rounded(170.01, 170) == [170.01, 170])
    #expect(try rounded(179.996, -179.996) == [179.99, -179.99])
    #expect(try rounded(170.001, 170.004) == [170, 170.01])
  }

  @Test("If a service supports only rectangles, a circle becomes the rectangle around it, and rows outside the circle are removed")
  func circle() throws {
    let circle = Area.circle(center: try point(52, 13), radius: 1_000)
    let manifest = Manifest.scripted("A", parameters: [.restrictionRectangle: .native])
    let (sent, filter) = try planned(AutocompleteRequest(query: "ber", restriction: circle), manifest)
    #expect(sent.restriction == .rectangle(circle.bounds))
    #expect(filter.keeps(.city("In", try point(52.005, 13))))
    #expect(!filter.keeps(.city("Corner", try point(52.0088, 13.0142))))
    #expect(!filter.keeps(.city("Nowhere")))
    var blind = manifest
    blind.givesCoordinates = false
    #expect(skip(AutocompleteRequest(query: "ber", restriction: circle), blind) == "restriction")
  }

  @Test("If the service does not support the caret, the text is cut at the caret as the manifest declares")
  func caret() throws {
    let request = AutocompleteRequest(query: "berlin", inputOffset: 3)
    #expect(try planned(request, .scripted("A", parameters: [.inputOffset: .emulated])).0.query == "ber")
    #expect(try planned(request, .scripted("A", parameters: [:])).0.query == "berlin")
    #expect(try planned(request, .scripted("A")).0.inputOffset == 3)
    // The minimum length also applies to the text before the caret.
    let early = AutocompleteRequest(query: "berlin", inputOffset: 1)
    #expect(skip(early, .scripted("A", parameters: [.inputOffset: .emulated], minimumLetters: 2)) == "letters")
    #expect(skip(early, .scripted("A", parameters: [.inputOffset: .unsupported], minimumLetters: 2)) == nil)
  }

  @Test("A final space is sent only to providers that support it, so that the text with and without it costs one call")
  func endsWord() throws {
    var parameters = Autocomplete.Parameters(query: "port ")
    let request = AutocompleteRequest(parameters, settings: EngineSettings())
    #expect(request.query == "port" && request.endsWord)
    let without = AutocompleteRequest(Autocomplete.Parameters(query: "port"), settings: EngineSettings())
    #expect(try planned(request, .scripted("A", parameters: [:])).0 == planned(without, .scripted("A", parameters: [:])).0)
    #expect(try planned(request, .scripted("A", parameters: [.endsWord: .native])).0.endsWord)
    parameters.inputOffset = 2
    #expect(!AutocompleteRequest(parameters, settings: EngineSettings()).endsWord)
  }

  @Test("Rows without the field that a filter needs are removed")
  func filter() throws {
    var filter = RowFilter()
    filter.countries = ["DE"]
    #expect(filter.keeps(.city("Berlin", country: "DE")))
    #expect(!filter.keeps(.city("Wien", country: "AT")))
    #expect(!filter.keeps(.city("Nirgends")))
    filter = RowFilter()
    filter.typeCollection = .cities
    #expect(filter.keeps(.city("Berlin")))
    #expect(!filter.keeps(Suggestion(kind: .query, text: FormattedText("berlin weather"))))
    filter = RowFilter()
    filter.minRating = 4
    #expect(filter.keeps(.named("Good", [.rating: 4.0]), now: 0))
    #expect(!filter.keeps(.named("Bad", [.rating: 3.9]), now: 0))
    #expect(!filter.keeps(.named("Unknown"), now: 0))
    filter = RowFilter()
    filter.priceLevels = [.moderate]
    #expect(filter.keeps(.named("Good", [.priceLevel: "moderate"]), now: 0))
    #expect(!filter.keeps(.named("Bad", [.priceLevel: "expensive"]), now: 0))
    #expect(!filter.keeps(.named("Unknown"), now: 0))
  }

  @Test("A search filter must not add a field whose price is not known, unless the call's own classes include it")
  func unknownPrice() throws {
    let prices = PriceTable(
      classes: [PriceClass("pro", micros: 32_000)], calls: [.search: "pro"], fieldClasses: [.search: [.rating: "unlisted"]])
    var parameters = [Capability.Parameter: Capability.Support].all(.native)
    parameters[.minRating] = .emulated
    let manifest = Manifest.scripted("A", parameters: parameters, prices: prices)
    let cheap = SearchRequest(query: "museum", fields: [.name], minRating: 4)
    #expect(throws: Skip.self) { try Plan.search(cheap, manifest, allowPrice: false) }
    let rated = SearchRequest(query: "museum", fields: [.name, .rating], minRating: 4)
    #expect(try Plan.search(rated, manifest, allowPrice: false).filter.minRating == 4)
  }

  @Test("A search filter needs its field, and must not make the call more expensive unless that is allowed")
  func price() throws {
    let prices = PriceTable(
      classes: [PriceClass("pro", micros: 32_000), PriceClass("enterprise", micros: 35_000)], calls: [.search: "pro"],
      fieldClasses: [.search: [.rating: "enterprise"]])
    var parameters = [Capability.Parameter: Capability.Support].all(.native)
    parameters[.minRating] = .emulated
    let manifest = Manifest.scripted("A", parameters: parameters, prices: prices)
    let cheap = SearchRequest(query: "museum", fields: [.name], minRating: 4)
    #expect(throws: Skip("price", "filtering makes a call of A more expensive than its fields alone; `allowPrice` permits it")) {
      try Plan.search(cheap, manifest, allowPrice: false)
    }
    #expect(try Plan.search(cheap, manifest, allowPrice: true).call.fields == [.name, .rating])
    let dear = SearchRequest(query: "museum", fields: [.name, .rating], minRating: 4)
    #expect(try Plan.search(dear, manifest, allowPrice: false).filter.minRating == 4)
    let blind = Manifest.scripted("A", parameters: parameters, fields: [.name])
    #expect(throws: Skip.self) { try Plan.search(cheap, blind, allowPrice: true) }
  }

  @Test("A field that the daemon filters by is requested, also if the caller did not request it")
  func fieldsOfFilters() throws {
    let parameters = [Capability.Parameter: Capability.Support].all(.emulated)
    let manifest = Manifest.scripted("A", parameters: parameters)
    func fields(_ change: (inout SearchRequest) throws -> Void) throws -> Set<PlaceField> {
      var request = SearchRequest(query: "cafe", fields: [.name])
      try change(&request)
      guard case .search(let sent) = try Plan.search(request, manifest, allowPrice: false).call else { return [] }
      return sent.fields
    }
    let center = try point(52.52, 13.405)
    #expect(try fields { _ in } == [.name])
    #expect(try fields { $0.restriction = .circle(center: center, radius: 5_000) } == [.name, .coordinate])
    #expect(try fields { $0.countries = ["DE"] } == [.name, .addressComponents])
    #expect(try fields { $0.includedType = "cafe" } == [.name, .types])
    #expect(try fields { $0.origin = center } == [.name, .coordinate])
    #expect(try fields { $0.rankBy = .distance } == [.name, .coordinate])

    let reverse = ReverseRequest(location: center, radius: 100, types: ["cafe"], fields: [.name])
    guard case .reverse(let sent) = try Plan.reverse(reverse, collection: nil, manifest).call else { return }
    #expect(sent.fields == [.name, .coordinate, .types])
  }

  @Test("A radius is checked exactly, also if the service supports radii")
  func radius() throws {
    let center = try point(52.520_049, 13.405)
    var manifest = Manifest.scripted("A", parameters: .all(.native))
    manifest.coordinateDecimals = 4
    let plan = try Plan.reverse(ReverseRequest(location: center, radius: 0, fields: [.name]), collection: nil, manifest)
    guard case .reverse(let sent) = plan.call else { return }
    // The point that is sent is a little off.
    #expect((1...10).contains(try #require(sent.radius)))
    var place = Place(id: "1")
    place.location = sent.location
    #expect(!plan.filter.keeps(place, now: 0))
    place.location = center
    #expect(plan.filter.keeps(place, now: 0))
  }

  @Test("A partly supported filter is applied by the service if it supports the value, otherwise by the daemon")
  func partly() throws {
    var manifest = Manifest.scripted("A")
    for parameter in [Capability.Parameter.includedType, .priceLevels] { manifest.search?.parameters[parameter] = .partly }
    manifest.typeWords = ["cafe": ["cafe"], "place_of_worship": ["church", "mosque"]]
    func plan(_ change: (inout SearchRequest) -> Void) throws -> (sent: SearchRequest, filter: RowFilter) {
      var request = SearchRequest(query: "cafe", fields: [.name])
      change(&request)
      let plan = try Plan.search(request, manifest, allowPrice: false)
      guard case .search(let sent) = plan.call else { return (request, plan.filter) }
      return (sent, plan.filter)
    }
    let one = try plan { ($0.includedType, $0.strictTypeFiltering) = ("cafe", true) }
    #expect(one.sent.includedType == "cafe" && one.sent.strictTypeFiltering && !one.filter.mayDropRows)
    let several = try plan { ($0.includedType, $0.strictTypeFiltering) = ("place_of_worship", true) }
    #expect(several.sent.includedType == nil && !several.sent.strictTypeFiltering && several.filter.types == ["place_of_worship"])
    #expect(several.sent.fields == [.name, .types])
    // The nearest wider type with one word is sent, and the rows are filtered by the type itself.
    manifest.typeWords["restaurant"] = ["4d4b"]
    manifest.typeWords["sushi_restaurant"] = []
    let narrower = try plan { $0.includedType = "sushi_restaurant" }
    #expect(narrower.sent.includedType == "restaurant" && narrower.filter.types == ["sushi_restaurant"])
    let skip = #expect(throws: Skip.self) { try plan { $0.includedType = "prison" } }
    #expect(skip?.cause == "types")
    var row = Place(id: "1")
    row.types = ["sushi_restaurant"]
    let wider = try plan { ($0.includedType, $0.strictTypeFiltering) = ("place_of_worship", true) }
    #expect(narrower.filter.keeps(row, now: 0) && !wider.filter.keeps(row, now: 0))
    row.types = ["mosque"]
    #expect(wider.filter.keeps(row, now: 0))
    for levels in [[.moderate], [.inexpensive, .moderate], [.inexpensive, .moderate, .expensive, .veryExpensive]] as [Set<PriceLevel>] {
      let range = try plan { $0.priceLevels = levels }
      #expect(range.sent.priceLevels == levels && !range.filter.mayDropRows)
    }
    for levels in [[.free], [.free, .inexpensive], [.inexpensive, .expensive]] as [Set<PriceLevel>] {
      let gaps = try plan { $0.priceLevels = levels }
      #expect(gaps.sent.priceLevels.isEmpty && gaps.filter.priceLevels == levels && gaps.sent.fields == [.name, .priceLevel])
    }
  }

  @Test("A search for addresses calls only the geocoder of a service that has one")
  func addresses() throws {
    let geocoder: [Capability.Parameter: Capability.Support] = [
      .bias: .native, .restrictionRectangle: .emulated, .countries: .partly, .language: .native,
    ]
    var manifest = Manifest.scripted("A")
    func plan(_ change: (inout SearchRequest) throws -> Void) throws -> Plan {
      var request = SearchRequest(query: "Aeulestr. 30", fields: [.name, .rating], includedType: "street_address")
      try change(&request)
      return try Plan.search(request, manifest, allowPrice: false)
    }
    let plain = try plan { _ in }
    guard case .search(let search) = plain.call else { throw Skip("search", "no search") }
    #expect(search.includedType == "street_address")
    #expect(plain.filter.typeCollection == .address, "a town is not an address, even if the service prefers it")
    #expect(try plan { $0.strictTypeFiltering = true }.filter.typeCollection == nil, "which the service does itself")
    manifest.geocode = Capability(parameters: geocoder, fields: [.name, .types, .coordinate, .addressComponents])
    guard case .search = try plan({ $0.includedType = "cafe" }).call else { throw Skip("search", "no search") }

    let area = try area(47, 9, 48, 10)
    let loose = try plan { ($0.restriction, $0.countries) = (area, ["LI"]) }
    guard case .geocode(let sent) = loose.call else { throw Skip("geocode", "no geocoding") }
    #expect(sent.includedType == nil && sent.countries == ["LI"] && sent.bias == area && sent.restriction == nil)
    #expect(sent.fields == [.name, .types, .coordinate], "the fields that the filters need, and not the rating, which a geocoder lacks")
    #expect(loose.filter.typeCollection == .address && loose.filter.types.isEmpty && loose.filter.restriction == area)
    let strict = try plan { ($0.strictTypeFiltering, $0.countries) = (true, ["LI", "CH"]) }
    #expect(strict.filter.typeCollection == nil && strict.filter.types == ["street_address"] && strict.filter.countries == ["LI", "CH"])
    // A filter that a geocoder cannot apply is not left out in silence.
    #expect(throws: Skip("open_now", "A cannot filter by `openNow`")) { try plan { $0.openNow = true } }
  }

  @Test("A filter that needs a more expensive field skips the provider, and a distance that was not requested costs nothing")
  func dearerFields() throws {
    let prices = PriceTable(
      classes: [PriceClass("ids", micros: 0), PriceClass("pro", micros: 32_000)], calls: [.search: "ids", .reverse: "ids"],
      fieldClasses: [.search: [.coordinate: "pro"], .reverse: [.coordinate: "pro"]])
    let manifest = Manifest.scripted("A", parameters: .all(.emulated), prices: prices)
    let center = try point(52.52, 13.405)
    var request = SearchRequest(query: "cafe", fields: [.placeID], origin: center)
    guard case .search(let sent) = try Plan.search(request, manifest, allowPrice: false).call else { return }
    #expect(sent.fields == [.placeID])
    request.restriction = .circle(center: center, radius: 5_000)
    #expect(throws: Skip("price", "filtering makes a call of A more expensive than its fields alone; `allowPrice` permits it")) {
      try Plan.search(request, manifest, allowPrice: false)
    }
    let reverse = ReverseRequest(location: center, radius: 100, fields: [.placeID])
    #expect(throws: Skip("price", "filtering makes a call of A more expensive than its fields alone; request coordinate too")) {
      try Plan.reverse(reverse, collection: nil, manifest)
    }
  }
}

@Suite("Opening hours")
struct OpeningHoursTests {
  /// Thursday 1 January 1970, 12:00 UTC.
  private let noon = 43_200.0

  private func hours(_ open: (Int, Int), _ close: (Int, Int)?, offset: Int? = 0) -> Place {
    var period: JSONObject = ["open": ["day": .integer(Int64(open.0)), "hour": .integer(Int64(open.1)), "minute": 0]]
    if let close { period["close"] = ["day": .integer(Int64(close.0)), "hour": .integer(Int64(close.1)), "minute": 0] }
    var values: [PlaceField: JSONValue] = [.openingHours: ["periods": [.object(period)], "openNow": false]]
    values[.utcOffsetMinutes] = offset.map { .integer(Int64($0)) }
    return .named("A", values)
  }

  @Test(
    "Periods are read in the place's own time",
    arguments: [
      ((4, 9), (4, 17), 0, true), ((4, 13), (4, 17), 0, false), ((4, 13), (4, 17), 120, true), ((4, 9), (4, 12), 0, false),
      ((3, 22), (4, 13), 0, true), ((6, 22), (0, 4), 0, false),
    ] as [((Int, Int), (Int, Int), Int, Bool)])
  func periods(open: (Int, Int), close: (Int, Int), offset: Int, isOpen: Bool) {
    #expect(OpeningHours.isOpen(hours(open, close, offset: offset), at: noon) == isOpen)
  }

  @Test("A period may cross the end of the week, or have no end")
  func week() {
    let saturdayNight = noon + 2.5 * 86_400
    #expect(OpeningHours.isOpen(hours((6, 22), (0, 4)), at: saturdayNight) == true)
    #expect(OpeningHours.isOpen(hours((0, 0), nil), at: noon) == true)
  }

  @Test("Without periods or a time zone, the service's own statement is used; without that, it is unknown")
  func unknown() {
    #expect(OpeningHours.isOpen(hours((4, 9), (4, 17), offset: nil), at: noon) == false)
    #expect(OpeningHours.isOpen(.named("A", [.openingHours: ["openNow": true]]), at: noon) == true)
    #expect(OpeningHours.isOpen(.named("A"), at: noon) == nil)
    #expect(OpeningHours.isOpen(.named("A", [.businessStatus: "closed_permanently", .openingHours: ["openNow": true]]), at: noon) == false)
  }

  private func place(_ hours: String, country: String?, offset: Int? = nil, _ location: (Double, Double)) -> Place {
    var values: [PlaceField: JSONValue] = [.openingHours: ["periods": [], "text": .string(hours)]]
    values[.utcOffsetMinutes] = offset.map { .integer(Int64($0)) }
    var place = Place.named("A", values, at: Coordinate(latitude: location.0, longitude: location.1))
    place.evidence.country = country
    return place
  }

  @Test("OpenStreetMap's opening hours are read in the place's local time")
  func openStreetMap() {
    // Monday, 1 June 2026, 07:30 UTC.
    let morning = 1_780_272_000.0 + 7.5 * 3_600
    let berlin = (52.52, 13.4)
    #expect(OpeningHours.isOpen(place("Mo-Fr 09:00-18:00", country: "DE", berlin), at: morning) == true)
    #expect(OpeningHours.isOpen(place("Mo-Fr 10:00-18:00", country: "DE", berlin), at: morning) == false)
    #expect(OpeningHours.isOpen(place("Mo-Fr 10:00-18:00", country: nil, offset: 180, berlin), at: morning) == true)
    // Neither the country nor the offset is known; the value cannot be read; the answer is not known.
    #expect(OpeningHours.isOpen(place("Mo-Fr 09:00-18:00", country: nil, berlin), at: morning) == nil)
    #expect(OpeningHours.isOpen(place("on weekdays", country: "DE", berlin), at: morning) == nil)
    #expect(OpeningHours.isOpen(place("\"by appointment\"", country: "DE", berlin), at: morning) == nil)
    // Seattle is 07:30 in its own time and 08:30 in that of its neighbours.
    let seattle = (47.6, -122.3)
    let evening = morning + 7 * 3_600
    #expect(OpeningHours.isOpen(place("Mo-Fr 07:00-18:00", country: "US", seattle), at: evening) == true)
    #expect(OpeningHours.isOpen(place("Mo-Fr 08:00-18:00", country: "US", seattle), at: evening) == nil)
  }
}
