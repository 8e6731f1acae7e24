import PlacesKit
import Testing

@testable import Google

private let berlin = Coordinate(latitude: 52.52, longitude: 13.405) ?? .zero

@Suite("Google: requests") struct GoogleRequestTests {
  @Test(
    "Autocomplete sends the documented bytes",
    arguments: [
      (
        AutocompleteRequest(query: "piz"),
        #"{"input":"piz","locationBias":{"rectangle":{"low":{"latitude":-90,"longitude":-180},"high":{"latitude":90,"longitude":180}}},"languageCode":"en","includeQueryPredictions":true}"#
      ),
      (
        AutocompleteRequest(
          query: "piz", language: "de", region: "DE", bias: .circle(center: berlin, radius: 500), origin: berlin,
          types: ["restaurant", "cafe"],
          countries: ["DE", "AT"], kinds: [.place], inputOffset: 3, sessionToken: "b5d0c1a0-0000-4000-8000-000000000000"),
        #"{"input":"piz","locationBias":{"circle":{"center":{"latitude":52.52,"longitude":13.405},"radius":500}},"includedPrimaryTypes":["restaurant","cafe"],"includedRegionCodes":["de","at"],"languageCode":"de","regionCode":"de","origin":{"latitude":52.52,"longitude":13.405},"inputOffset":3,"sessionToken":"b5d0c1a0-0000-4000-8000-000000000000"}"#
      ),
      (
        AutocompleteRequest(query: "b", restriction: .circle(center: berlin, radius: 0), collection: .cities),
        #"{"input":"b","locationRestriction":{"circle":{"center":{"latitude":52.52,"longitude":13.405},"radius":1}},"includedPrimaryTypes":["(cities)"],"languageCode":"en"}"#
      ),
      (
        AutocompleteRequest(query: "x", collection: .address, kinds: [.query]),
        #"{"input":"x","locationBias":{"rectangle":{"low":{"latitude":-90,"longitude":-180},"high":{"latitude":90,"longitude":180}}},"includedPrimaryTypes":["street_address","premise","subpremise","route"],"languageCode":"en"}"#
      ),
    ])
  func autocomplete(request: AutocompleteRequest, body: String) throws {
    let sent = try GoogleAutocomplete.request(for: request)
    #expect(String(decoding: sent.body, as: UTF8.self) == body)
    #expect(sent.method == .post && sent.host == "places.googleapis.com" && sent.path == ["v1", "places:autocomplete"])
    #expect(sent.headers == [.init("Content-Type", "application/json")])
  }

  @Test(
    "Types that Google does not know, or more than it takes, are refused and none is left out in silence",
    arguments: [["bench"], ["restaurant", "volcano"], ["bar", "cafe", "pub", "diner", "bistro", "deli"], ["no_such_type"]] as [[PlaceType]])
  func types(types: [PlaceType]) {
    let error = #expect(throws: ProviderError.self) { try GoogleAutocomplete.request(for: AutocompleteRequest(query: "x", types: types)) }
    #expect(error?.cause == .unsupported)
  }

  @Test("Text search sends every parameter and the smallest mask")
  func search() throws {
    let request = SearchRequest(
      query: "+1 514-670-8700", fields: [.placeID, .name, .rating], includedType: "restaurant", strictTypeFiltering: true, openNow: true,
      minRating: 3.1, priceLevels: [.moderate, .inexpensive], rankBy: .distance, limit: 7, pageToken: "next", language: "fr", region: "CA",
      restriction: .rectangle(
        Rectangle(low: Coordinate(latitude: 45, longitude: 179) ?? berlin, high: Coordinate(latitude: 46, longitude: -179) ?? berlin)))
    let sent = try GoogleSearch.request(for: request)
    #expect(
      String(decoding: sent.body, as: UTF8.self)
        == #"{"textQuery":"+1 514-670-8700","locationRestriction":{"rectangle":{"low":{"latitude":45,"longitude":179},"high":{"latitude":46,"longitude":-179}}},"languageCode":"fr","regionCode":"ca","includedType":"restaurant","strictTypeFiltering":true,"openNow":true,"minRating":3.5,"priceLevels":["PRICE_LEVEL_INEXPENSIVE","PRICE_LEVEL_MODERATE"],"rankPreference":"DISTANCE","pageSize":7,"pageToken":"next"}"#
    )
    #expect(sent.headers.last == .init("X-Goog-FieldMask", "places.id,places.attributions,places.displayName,places.rating,nextPageToken"))
  }

  static let half = Rectangle(
    low: Coordinate(latitude: -1, longitude: 90) ?? berlin, high: Coordinate(latitude: 1, longitude: -90) ?? berlin)
  static let wide = Rectangle(
    low: Coordinate(latitude: -1, longitude: 90) ?? berlin, high: Coordinate(latitude: 1, longitude: -88) ?? berlin)
  /// The widest rectangle that Google accepts.
  static let nowhere = box(-90, -90, 90, 90)
  static func box(_ south: Int, _ west: Int, _ north: Int, _ east: Int) -> String {
    #""locationBias":{"rectangle":{"low":{"latitude":\#(south),"longitude":\#(west)},"high":{"latitude":\#(north),"longitude":\#(east)}}},"#
  }
  static let world = Rectangle(
    low: Coordinate(latitude: -90, longitude: -180) ?? berlin, high: Coordinate(latitude: 90, longitude: 180) ?? berlin)

  @Test(
    "A bias of a text search that is wider than half the world is cut to the widest that Google accepts, which also stands for none",
    arguments: [
      (nil, nowhere), (.rectangle(world), nowhere), (.rectangle(wide), box(-1, 91, 1, -89)),
      (
        .rectangle(half),
        #""locationBias":{"rectangle":{"low":{"latitude":-1,"longitude":90},"high":{"latitude":1,"longitude":-90}}},"#
      ),
      (
        .circle(center: berlin, radius: 500),
        #""locationBias":{"circle":{"center":{"latitude":52.52,"longitude":13.405},"radius":500}},"#
      ),
      (
        .circle(center: Coordinate(latitude: 90, longitude: 0) ?? berlin, radius: 500),
        #""locationBias":{"circle":{"center":{"latitude":90,"longitude":0},"radius":500}},"#
      ),
    ] as [(Area?, String)])
  func searchBias(bias: Area?, expected: String) throws {
    let sent = try GoogleSearch.request(for: SearchRequest(query: "x", fields: [], limit: 5, bias: bias))
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"textQuery":"x",\#(expected)"languageCode":"en","pageSize":5}"#)
  }

  @Test(
    "The order of a text search is sent if the request has one",
    arguments: [(nil, nil), (.relevance, "RELEVANCE"), (.distance, "DISTANCE")]
      as [(SearchRequest.RankBy?, String?)])
  func order(order: SearchRequest.RankBy?, word: String?) throws {
    let sent = try GoogleSearch.request(for: SearchRequest(query: "x", fields: [], rankBy: order))
    #expect(try JSONValue(parsing: sent.body)["rankPreference"]?.string == word)
  }

  @Test("A search by type without a text is a nearby search in a circle, whose rows lie in the restriction")
  func nearby() async throws {
    let restriction = Area.rectangle(
      Rectangle(low: Coordinate(latitude: 52.5, longitude: 13.4) ?? berlin, high: Coordinate(latitude: 52.53, longitude: 13.41) ?? berlin))
    let http = Answering(
      #"{"places":[{"id":"A","location":{"latitude":52.51,"longitude":13.405}},{"id":"B","location":{"latitude":52.51,"longitude":13.42}},{"id":"C"}]}"#
    )
    let provider = try await Google(context: http.context())
    var request = SearchRequest(
      query: "", fields: [.placeID], includedType: "restaurant", rankBy: .distance, limit: 5, language: "de", region: "DE",
      bias: .circle(center: berlin, radius: 0))
    _ = try await provider.search(request)
    (request.bias, request.restriction, request.rankBy) = (nil, restriction, nil)
    #expect(try await provider.search(request).rows.map(\.id) == ["A"])
    #expect(http.requests.map(\.path) == [["v1", "places:searchNearby"], ["v1", "places:searchNearby"]])
    #expect(http.requests.first?.headers.last == .init("X-Goog-FieldMask", "places.id,places.attributions,places.location"))
    #expect(
      http.requests.first.map { String(decoding: $0.body, as: UTF8.self) }
        == #"{"includedTypes":["restaurant"],"maxResultCount":5,"locationRestriction":{"circle":{"center":{"latitude":52.52,"longitude":13.405},"radius":1}},"rankPreference":"DISTANCE","languageCode":"de","regionCode":"de"}"#
    )
    for change in [{ $0.openNow = true }, { $0.minRating = 3 }, { $0.includedType = "bench" }, { $0.restriction = nil }]
      as [(inout SearchRequest) -> Void]
    {
      var other = request
      change(&other)
      #expect(thrown { () throws(ProviderError) in try GoogleNearby.request(for: other) }?.cause == .unsupported)
    }
  }

  @Test("Autocomplete takes a rectangle of any width")
  func autocompleteBias() throws {
    let sent = try GoogleAutocomplete.request(for: AutocompleteRequest(query: "x", bias: .rectangle(Self.wide)))
    #expect(String(decoding: sent.body, as: UTF8.self).contains(#""high":{"latitude":1,"longitude":-88}"#))
  }

  @Test("A request that Google cannot serve is refused before anything is sent")
  func refusals() throws {
    let wide = Rectangle(low: Coordinate(latitude: 0, longitude: -100) ?? berlin, high: Coordinate(latitude: 1, longitude: 100) ?? berlin)
    #expect(throws: ProviderError.self) {
      try GoogleSearch.request(for: SearchRequest(query: "x", fields: [], restriction: .rectangle(wide)))
    }
    #expect(throws: ProviderError.self) { try GoogleSearch.request(for: SearchRequest(query: "x", fields: [], priceLevels: [.free])) }
    for type in ["bench", "place_of_worship"] as [PlaceType] {
      #expect(throws: ProviderError.self) { try GoogleSearch.request(for: SearchRequest(query: "x", fields: [], includedType: type)) }
    }
    for id in ["", "../evil", "a/b", "a b", "ä"] {
      #expect(throws: ProviderError.self) { try GoogleDetails.request(for: DetailsRequest(id: id, fields: [])) }
    }
  }

  @Test("Details asks for the path of each field, once", arguments: PlaceField.allCases)
  func mask(field: PlaceField) throws {
    let sent = try GoogleDetails.request(
      for: DetailsRequest(id: "ChIJ_-1", fields: [field], language: "de", region: "AT", sessionToken: "t"))
    let mask = try #require(sent.headers.first?.value)
    #expect(mask == ([.placeID, .movedPlaceID].contains(field) ? "" : "\(GoogleFields.path(field)),").withMembers)
    #expect(!mask.contains(" ") && field.rawValue != "name" || mask == "displayName,".withMembers)
    #expect(sent.path == ["v1", "places", "ChIJ_-1"])
    #expect(sent.query == [.init("languageCode", "de"), .init("regionCode", "at"), .init("sessionToken", "t")])
  }

  @Test(
    "Fields are billed by the tiers of each call",
    arguments: [
      (Call.details, Set<PlaceField>([.placeID]), "details-ids"), (.details, [.photos], "details-ids"),
      (.details, [.coordinate, .formattedAddress], "details-essentials"), (.details, [.name, .coordinate], "details-pro"),
      (.details, [.rating], "details-enterprise"), (.details, [.takeout, .rating], "details-atmosphere"),
      (.details, [.movedPlaceID], "details-ids"), (.details, [.shortFormattedAddress], "details-essentials"),
      (.details, [.timeZone, .mapURL, .primaryType, .accessibilityOptions], "details-pro"),
      (.details, [.priceRange, .nationalPhoneNumber], "details-enterprise"), (.details, [.reviews], "details-atmosphere"),
      (.details, [.parkingOptions], "details-atmosphere"), (.details, [.evChargeOptions], "details-atmosphere"),
      (.search, [.shortFormattedAddress], "search-pro"), (.search, [.priceRange], "search-enterprise"),
      (.search, [.reviews], "search-atmosphere"),
      (.search, [.placeID], "search-ids"), (.search, [.coordinate], "search-pro"), (.search, [.photos], "search-pro"),
      (.search, [.openingHours], "search-enterprise"), (.search, [.dineIn], "search-atmosphere"),
      (.autocomplete, [], "autocomplete"), (.reverse, [.name], "geocoding"), (.geocode, Set(PlaceField.allCases), "geocoding"),
    ] as [(Call, Set<PlaceField>, String)])
  func prices(call: Call, fields: Set<PlaceField>, expected: String) {
    #expect(Google.manifest.prices.priceClass(of: call, fields: fields)?.name == expected)
  }

  @Test("Reverse asks the Geocoding API, where the key goes into the query")
  func reverse() {
    let sent = GoogleGeocoding.reverseRequest(for: ReverseRequest(location: berlin, fields: [.name], language: "de"))
    #expect(sent.host == "maps.googleapis.com" && sent.path == ["maps", "api", "geocode", "json"])
    #expect(sent.query == [.init("latlng", "52.52,13.405"), .init("language", "de")])
    #expect(sent.credential == .query(name: "key"))
  }

  @Test(
    "Addresses are asked of the Geocoding API",
    arguments: [
      (SearchRequest(query: "10 High Street, UK", fields: [.name]), "address=10 High Street, UK&language=en"),
      (
        SearchRequest(
          query: "Herenstraat 4", fields: [], language: "nl", region: "NL", bias: .circle(center: .zero, radius: 0), countries: ["NL"]),
        "address=Herenstraat 4&language=nl&region=nl&bounds=0.0,0.0|0.0,0.0&components=country:NL"
      ),
      (SearchRequest(query: "Main St", fields: [], region: "GB"), "address=Main St&language=en&region=uk"),
    ])
  func geocode(request: SearchRequest, query: String) async throws {
    let service = Answering(#"{"status":"ZERO_RESULTS","results":[]}"#)
    #expect(try await Google(context: service.context()).geocode(request).rows.isEmpty)
    let sent = try #require(service.requests.first)
    #expect(spelled(sent) == "GET maps.googleapis.com /maps/api/geocode/json?\(query)")
    #expect(sent.credential == .query(name: "key") && sent.headers.isEmpty)
  }

  @Test(
    "A partial match of the geocoder is marked",
    arguments: [("", nil), (#","partial_match":true"#, true), (#","partial_match":false"#, nil)])
  func partialMatch(member: String, isPartial: Bool?) async throws {
    let service = Answering(
      #"{"status":"OK","results":[{"place_id":"p","formatted_address":"Hauptstraße, 10827 Berlin","types":["route"]\#(member)}]}"#)
    let rows = try await Google(context: service.context()).geocode(SearchRequest(query: "Hauptstraße 5, Berlin", fields: [.name])).rows
    #expect(rows.map(\.partialMatch) == [isPartial])
  }
}

extension String {
  /// A details mask with what every one of them asks for.
  fileprivate var withMembers: String { "id,attributions,\(self)movedPlaceId" }
}
