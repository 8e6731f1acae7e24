import PlacesKit
import Testing

@testable import Google

/// What the tests of providers write down of a row, on one line.
private func line(_ row: Suggestion) -> String {
  let ranges = row.text.matches.map { "\($0.start)-\($0.end)" }.joined(separator: " ")
  return [row.kind.rawValue, row.id ?? "-", row.text.text, ranges, row.primary?.text ?? "-", row.secondary?.text ?? "-"].joined(
    separator: "|")
}

private func ok(_ body: String, status: Int = 200, headers: [HTTPRequest.Item] = []) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
}

/// What Google answers of a body: the members alone that the request's mask names.
private func masked(_ body: String, as request: HTTPRequest) -> HTTPResponse {
  let mask = request.headers.first { $0.name == "X-Goog-FieldMask" }?.value ?? ""
  let value = (try? JSONValue(parsing: Array(body.utf8))) ?? .null
  return ok(value.keeping(mask.split(separator: ",").map { $0.split(separator: ".").map(String.init)[...] }).text)
}

private let berlin = Coordinate(latitude: 52.52, longitude: 13.405) ?? .zero

@Suite("Google: requests") struct GoogleRequestTests {
  @Test(
    "Autocomplete sends what the reference says, byte by byte",
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
    arguments: [["bench"], ["restaurant", "tram_stop"], ["place_of_worship", "doctor"], ["no_such_type"]] as [[PlaceType]])
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
    low: Coordinate(latitude: -1, longitude: 90) ?? berlin, high: Coordinate(latitude: 1, longitude: -89) ?? berlin)
  static let nowhere = #""locationBias":{"circle":{"center":{"latitude":0,"longitude":0},"radius":1}},"#
  static let world = Rectangle(
    low: Coordinate(latitude: -90, longitude: -180) ?? berlin, high: Coordinate(latitude: 90, longitude: 180) ?? berlin)

  @Test(
    "Text search takes no rectangle wider than half the world: in place of such a bias, and of none, it is told a point in the sea",
    arguments: [
      (nil, nowhere), (.rectangle(world), nowhere), (.rectangle(wide), nowhere),
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

  @Test("Autocomplete takes a rectangle of any width")
  func autocompleteBias() throws {
    let sent = try GoogleAutocomplete.request(for: AutocompleteRequest(query: "x", bias: .rectangle(Self.wide)))
    #expect(String(decoding: sent.body, as: UTF8.self).contains(#""high":{"latitude":1,"longitude":-89}"#))
  }

  @Test("What Google cannot do is said before anything is sent")
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
    #expect(mask == (field == .placeID ? "" : "\(GoogleFields.path(field)),").withMembers)
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
}

@Suite("Google: answers") struct GoogleAnswerTests {
  @Test(
    "Autocomplete rows",
    arguments: [
      ("nothing found", "{}", []),
      ("an empty list", #"{"suggestions":[]}"#, []),
      (
        "a place and a query",
        #"{"suggestions":[{"placePrediction":{"placeId":"A1","text":{"text":"Pizzeria, Rome","matches":[{"endOffset":4}]},"structuredFormat":{"mainText":{"text":"Pizzeria"},"secondaryText":{"text":"Rome"}},"types":["restaurant"]}},{"queryPrediction":{"text":{"text":"pizza near me","matches":[{"startOffset":0,"endOffset":3}]}}}]}"#,
        ["place|A1|Pizzeria, Rome|0-4|Pizzeria|Rome", "query|-|pizza near me|0-3|-|-"]
      ),
      (
        "offsets are code points, also beyond the first plane",
        #"{"suggestions":[{"placePrediction":{"placeId":"A","text":{"text":"🍕 Pizza","matches":[{"startOffset":2,"endOffset":5}]}}}]}"#,
        ["place|A|🍕 Pizza|2-5|-|-"]
      ),
      (
        "offsets outside the text are cut, empty and overlapping ones dropped",
        #"{"suggestions":[{"placePrediction":{"placeId":"A","text":{"text":"abc","matches":[{"startOffset":1,"endOffset":99},{"startOffset":2,"endOffset":3},{"startOffset":7},{"endOffset":-4}]}}}]}"#,
        ["place|A|abc|1-3|-|-"]
      ),
      ("a prediction without id", #"{"suggestions":[{"placePrediction":{"text":{"text":"x"}}}]}"#, []),
      ("an empty id", #"{"suggestions":[{"placePrediction":{"placeId":"","text":{"text":"x"}}}]}"#, []),
      ("a prediction without text", #"{"suggestions":[{"placePrediction":{"placeId":"A"}}]}"#, []),
      ("a kind that is not known yet", #"{"suggestions":[{"eventPrediction":{"id":1}}]}"#, []),
      ("members of the wrong type", #"{"suggestions":[3,null,"x",{"placePrediction":[]},{"queryPrediction":{"text":7}}]}"#, []),
      ("suggestions of the wrong type", #"{"suggestions":{"a":1}}"#, []),
      (
        "unknown members and types",
        #"{"new":1,"suggestions":[{"placePrediction":{"placeId":"A","text":{"text":"x","html":"y"},"types":["robot_shop",4]}}]}"#,
        ["place|A|x||-|-"]
      ),
    ] as [(String, String, [String])])
  func autocomplete(name: String, body: String, expected: [String]) throws {
    let page = try GoogleAutocomplete.page(from: ok(body), for: AutocompleteRequest(query: "piz"))
    #expect(page.rows.map(line) == expected)
  }

  @Test(
    "The distance that an origin is sent for comes with the row, where Google tells it",
    arguments: [("832", 832), ("0", 0), (nil, nil)] as [(String?, Double?)])
  func distance(metres: String?, expected: Double?) throws {
    let member = metres.map { #","distanceMeters":\#($0)"# } ?? ""
    let body = #"{"suggestions":[{"placePrediction":{"placeId":"A","text":{"text":"a"}\#(member)}}]}"#
    let page = try GoogleAutocomplete.page(from: ok(body), for: AutocompleteRequest(query: "a", origin: berlin))
    #expect(page.rows.map(\.distance) == [expected])
  }

  @Test("Only the kinds that were asked for come back, and no more than the limit")
  func kinds() throws {
    let body =
      #"{"suggestions":[{"placePrediction":{"placeId":"A","text":{"text":"a"}}},{"queryPrediction":{"text":{"text":"q"}}},{"placePrediction":{"placeId":"B","text":{"text":"b"}}}]}"#
    let places = try GoogleAutocomplete.page(from: ok(body), for: AutocompleteRequest(query: "x", limit: 1, kinds: [.place]))
    #expect(places.rows.map(\.id) == ["A"])
    let queries = try GoogleAutocomplete.page(from: ok(body), for: AutocompleteRequest(query: "x", kinds: [.query]))
    #expect(queries.rows.map(\.text.text) == ["q"])
  }

  /// An error envelope as Google sends it.
  static func envelope(_ code: Int, _ status: String, _ reason: String = "", _ limit: String = "") -> String {
    #"{"error":{"code":\#(code),"message":"secret query","status":"\#(status)","details":[{"@type":"type.googleapis.com/google.rpc.LocalizedMessage"},{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)","metadata":{"quota_limit":"\#(limit)"}}]}}"#
  }

  @Test(
    "Errors by what must be done about them",
    arguments: [
      (400, envelope(400, "INVALID_ARGUMENT", "API_KEY_INVALID"), ProviderError.Cause.credentials),
      (400, envelope(400, "INVALID_ARGUMENT"), .badRequest),
      (403, envelope(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), .credentials),
      (403, envelope(403, "PERMISSION_DENIED", "API_KEY_IOS_APP_BLOCKED"), .credentials),
      (401, "{}", .credentials),
      (404, envelope(404, "NOT_FOUND"), .http), (404, "<html>404 Not Found</html>", .http), (404, "", .http),
      (429, envelope(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", "AutocompletePlacesRequestPerMinutePerProject"), .rateLimit),
      (429, envelope(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", "SearchTextRequestPerDayPerProject"), .quota),
      (429, "", .rateLimit),
      (500, "oops", .http), (503, envelope(503, "UNAVAILABLE"), .http), (302, "", .http),
      (200, "", .decode), (200, "[]", .decode), (200, "<html>captive portal</html>", .decode), (200, #"{"a":1,"a":2}"#, .decode),
      (200, #"{"suggestions":["#, .decode), (200, "\u{FEFF}{}", .decode),
    ])
  func errors(status: Int, body: String, cause: ProviderError.Cause) {
    let error = #expect(throws: ProviderError.self) {
      try GoogleAutocomplete.page(from: ok(body, status: status), for: AutocompleteRequest(query: "x"))
    }
    #expect(error?.cause == cause)
    #expect(error?.message.contains("secret query") == false, "messages of the service may repeat the query")
  }

  @Test("Retry-After wins over our own guess")
  func retryAfter() {
    let response = ok("{}", status: 429, headers: [.init("retry-after", "7")])
    let error = #expect(throws: ProviderError.self) { try GoogleErrors.body(of: response) }
    #expect(error?.retryAfterSeconds == 7)
    let dated = ok(
      "{}", status: 429,
      headers: [.init("retry-after", "Fri, 20 Nov 2026 12:00:30 GMT"), .init("date", "Fri, 20 Nov 2026 12:00:00 GMT")])
    let later = #expect(throws: ProviderError.self) { try GoogleErrors.body(of: dated) }
    #expect(later?.retryAfterSeconds == 30)
  }

  static let place =
    #"{"name":"places/P","id":"P","displayName":{"text":"Forno","languageCode":"it"},"types":["pizza_restaurant"],"formattedAddress":"218 Mott St","location":{"longitude":-73.9952},"viewport":{"low":{"latitude":1},"high":{"latitude":2,"longitude":3}},"rating":4.5,"userRatingCount":1289,"priceLevel":"PRICE_LEVEL_VERY_EXPENSIVE","businessStatus":"CLOSED_TEMPORARILY","regularOpeningHours":{"openNow":false,"periods":[{"open":{"day":0,"hour":12,"minute":0},"close":{"day":0,"hour":22,"minute":30}},{"open":{"day":5}}],"weekdayDescriptions":["Monday: Closed"]},"addressComponents":[{"longText":"218","types":["street_number"]},{"longText":"Mott Street","shortText":"Mott St","types":["route"]},{"longText":"United States","shortText":"US","types":["country","political"]}],"plusCode":{"globalCode":"87G8P2C3+QW"},"internationalPhoneNumber":"+1 212-555-0142","websiteUri":"https://forno.example/","utcOffsetMinutes":-240,"accessibilityOptions":{"wheelchairAccessibleEntrance":true},"photos":[{"name":"places/P/photos/F","widthPx":4,"heightPx":3,"authorAttributions":[{"displayName":"A","uri":"https://a.example"}]}],"attributions":[{"provider":"Listings","providerUri":"https://l.example"}],"iconMaskBaseUri":"https://i.example/x","takeout":false,"editorialSummary":{"text":"Good."}}"#

  @Test("Every field of a place has the shape of the field table")
  func details() throws {
    let request = DetailsRequest(id: "P", fields: Set(PlaceField.allCases))
    let (place, moved) = try GoogleDetails.place(from: masked(Self.place, as: GoogleDetails.request(for: request)), for: request)
    #expect(moved == nil)
    #expect(place.id == "P" && place.name == "Forno" && place.language == "it" && place.rating == 4.5)
    #expect(place.location == Coordinate(latitude: 0, longitude: -73.9952), "a place on the equator has no latitude in proto3 JSON")
    #expect(place.priceLevel == .veryExpensive)
    let expected: [PlaceField: JSONValue] = [
      .businessStatus: "closed_temporarily",
      .viewport: ["low": ["latitude": 1, "longitude": 0], "high": ["latitude": 2, "longitude": 3]],
      .plusCode: ["global": "87G8P2C3+QW"], .takeout: false, .editorialSummary: "Good.", .iconImageURL: "https://i.example/x.svg",
      .wheelchairAccessibleEntrance: true, .utcOffsetMinutes: -240, .website: "https://forno.example/", .userRatingsTotal: 1289,
      .photos: [["id": "places/P/photos/F", "width": 4, "height": 3, "attributions": [["text": "A", "url": "https://a.example"]]]],
      .openingHours: [
        "openNow": false,
        "periods": [
          ["open": ["day": 0, "hour": 12, "minute": 0], "close": ["day": 0, "hour": 22, "minute": 30]],
          ["open": ["day": 5, "hour": 0, "minute": 0]],
        ], "weekdayText": ["Monday: Closed"],
      ],
    ]
    for (field, value) in expected {
      #expect(place.values[field]?.matches(value) == true, "\(field): \(place.values[field]?.text ?? "nothing")")
    }
    #expect(place.values[.dineIn] == nil, "a boolean that is absent is unknown, not false")
    #expect(place.evidence.houseNumber == "218" && place.evidence.country == "US" && place.evidence.phone == "+1 212-555-0142")
    #expect(place.attributions == [Attribution(text: "Listings", url: "https://l.example")])
  }

  @Test(
    "Google's words become those of the type table, and stay where it has none",
    arguments: [
      (["public_bathroom"], ["toilet"]), (["church", "place_of_worship"], ["church", "place_of_worship"]),
      (["movie_theater", "cinema"], ["movie_theater", "cinema"]), (["medical_clinic"], ["medical_clinic", "doctor"]),
      (["mosque", "point_of_interest"], ["mosque", "place_of_worship", "point_of_interest"]), (["lake"], ["lake"]), ([], []),
    ] as [([JSONValue], [PlaceType])])
  func types(words: [JSONValue], types: [PlaceType]) throws {
    let body = #"{"places":[{"id":"A","types":\#(JSONValue.array(words).text)}]}"#
    let place = try #require(try GoogleSearch.page(from: ok(body), for: SearchRequest(query: "x", fields: [.types])).rows.first)
    #expect(place.types == types && place.values[.types] == .array(types.map { .string($0.rawValue) }))
  }

  @Test("The credits of a place come with every mask", arguments: [[], [.placeID], [.name]] as [Set<PlaceField>])
  func credits(fields: Set<PlaceField>) throws {
    let credit = [Attribution(text: "Listings", url: "https://l.example")]
    let details = DetailsRequest(id: "P", fields: fields)
    let search = SearchRequest(query: "forno", fields: fields)
    let (place, _) = try GoogleDetails.place(from: masked(Self.place, as: GoogleDetails.request(for: details)), for: details)
    let rows = masked(#"{"places":[\#(Self.place)]}"#, as: try GoogleSearch.request(for: search))
    #expect(try place.attributions == credit && GoogleSearch.page(from: rows, for: search).rows.map(\.attributions) == [credit])
    #expect(place.name == (fields == [.name] ? "Forno" : nil))
  }

  @Test(
    "Search rows",
    arguments: [
      ("{}", 0, nil), (#"{"places":[]}"#, 0, nil), (#"{"places":[{"id":"A"},{"id":"B"}],"nextPageToken":"t"}"#, 2, "t"),
      (#"{"places":[{"displayName":{"text":"no id"}}],"nextPageToken":""}"#, 0, nil), (#"{"places":[null,1,[]]}"#, 0, nil),
      (#"{"places":[{"id":"A","location":{"latitude":91,"longitude":0}}]}"#, 1, nil),
      (#"{"places":[{"id":"A","priceLevel":"PRICE_LEVEL_NEW","rating":"high","photos":{}}]}"#, 1, nil),
    ] as [(String, Int, String?)])
  func search(body: String, count: Int, next: String?) throws {
    let page = try GoogleSearch.page(from: ok(body), for: SearchRequest(query: "x", fields: Set(PlaceField.allCases)))
    #expect(page.rows.count == count && page.next == next)
  }

  @Test(
    "An address that many towns have needs a location, other texts simply find nothing",
    arguments: [
      ("10 High Street, UK", true), ("123 Main Street, US", true), ("10a High St", true), ("7 Old Mill Road, New Zealand", true),
      ("12 rue de la Paix, France", true), ("10 High Street, Oxford", false), ("10 High Street, Oxford, UK", false),
      ("24 hour pharmacy", false), ("3 star hotel", false), ("99 cent store, US", false), ("24 hour gym, UK", false),
      ("10 street", false), ("High Street, UK", false), ("+1 514-670-8700", false), ("pizza", false), ("87G8P2C3+QW", false),
      ("52.5, 13.4", false), ("UniqueRestaurantName New York", false), ("", false), (", ,", false), ("1234567 High Street", false),
    ])
  func ambiguous(query: String, refused: Bool) {
    func finds(_ request: SearchRequest) -> Result<Page<Place>, any Error> {
      Result { try GoogleSearch.page(from: ok("{}"), for: request) }
    }
    let request = SearchRequest(query: query, fields: [])
    if refused { #expect(throws: ProviderError.self) { try finds(request).get() } } else { #expect((try? finds(request).get().rows) == []) }
    var said = [request, request, request, request, request]
    said[0].countries = ["GB"]
    said[1].pageToken = "next"
    said[2].region = "GB"
    said[3].bias = .circle(center: berlin, radius: 500)
    said[4].restriction = .circle(center: berlin, radius: 500)
    for request in said { #expect((try? finds(request).get().rows) == []) }
  }

  @Test(
    "Geocoding says its errors with status 200",
    arguments: [
      ("REQUEST_DENIED", ProviderError.Cause.badRequest), ("OVER_QUERY_LIMIT", .rateLimit), ("OVER_DAILY_LIMIT", .quota),
      ("INVALID_REQUEST", .badRequest), ("UNKNOWN_ERROR", .http), ("SOMETHING_NEW", .decode),
    ])
  func geocodingErrors(status: String, cause: ProviderError.Cause) {
    let error = #expect(throws: ProviderError.self) {
      try GoogleGeocoding.page(from: ok(#"{"status":"\#(status)","results":[]}"#), fields: [], limit: 10)
    }
    #expect(error?.cause == cause)
  }

  @Test("Geocoding results become places")
  func geocoding() throws {
    let body =
      #"{"status":"OK","results":[{"place_id":"C","formatted_address":"Herenstraat 4, 1015 CA Amsterdam, Netherlands","types":["street_address"],"address_components":[{"long_name":"4","short_name":"4","types":["street_number"]},{"long_name":"Netherlands","short_name":"NL","types":["country"]}],"geometry":{"location":{"lat":52.3776,"lng":4.8893},"viewport":{"northeast":{"lat":2,"lng":2},"southwest":{"lat":1,"lng":1}}}}]}"#
    let page = try GoogleGeocoding.page(from: ok(body), fields: GoogleGeocoding.fields, limit: 10)
    #expect(page.rows.first?.name == "Herenstraat 4" && page.rows.first?.location == Coordinate(latitude: 52.3776, longitude: 4.8893))
    #expect(page.rows.first?.evidence.country == "NL" && page.rows.first?.evidence.houseNumber == "4")
    #expect(
      try GoogleGeocoding.page(from: ok(#"{"status":"ZERO_RESULTS","results":[]}"#), fields: [], limit: 10).rows
        .isEmpty)
  }
}

extension String {
  /// A details mask with what every one of them asks for.
  fileprivate var withMembers: String { "id,attributions,\(self)movedPlaceId" }
}

extension JSONValue {
  /// The members on these paths, in each element of a list.
  fileprivate func keeping(_ paths: [ArraySlice<String>]) -> JSONValue {
    if paths.contains(where: \.isEmpty) { return self }
    if let array { return .array(array.map { $0.keeping(paths) }) }
    var kept: JSONObject = [:]
    for name in Set(paths.compactMap(\.first)) {
      kept[name] = self[name]?.keeping(paths.filter { $0.first == name }.map { $0.dropFirst() })
    }
    return .object(kept)
  }

  /// Whether two values mean the same, whole numbers spelt with or without fraction.
  fileprivate func matches(_ other: JSONValue) -> Bool { (try? JSONValue(parsing: bytes)) == (try? JSONValue(parsing: other.bytes)) }
}
