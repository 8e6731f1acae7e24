import PlacesKit
import Testing

@testable import Google

/// A row on one line, for the tests of providers.
private func line(_ row: Suggestion) -> String {
  let ranges = row.text.matches.map { "\($0.start)-\($0.end)" }.joined(separator: " ")
  return [row.kind.rawValue, row.id ?? "-", row.text.text, ranges, row.primary?.text ?? "-", row.secondary?.text ?? "-"].joined(
    separator: "|")
}

private func ok(_ body: String, status: Int = 200, headers: [HTTPRequest.Item] = []) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
}

/// Google's answer: only the members of a body that the request's mask names.
private func masked(_ body: String, as request: HTTPRequest) -> HTTPResponse {
  let mask = request.headers.first { $0.name == "X-Goog-FieldMask" }?.value ?? ""
  let value = (try? JSONValue(parsing: Array(body.utf8))) ?? .null
  return ok(value.keeping(mask.split(separator: ",").map { $0.split(separator: ".").map(String.init)[...] }).text)
}

private let berlin = Coordinate(latitude: 52.52, longitude: 13.405) ?? .zero

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
    "A row has the distance from the origin if Google returns it",
    arguments: [("832", 832), ("0", 0), (nil, nil)] as [(String?, Double?)])
  func distance(metres: String?, expected: Double?) throws {
    let member = metres.map { #","distanceMeters":\#($0)"# } ?? ""
    let body = #"{"suggestions":[{"placePrediction":{"placeId":"A","text":{"text":"a"}\#(member)}}]}"#
    let page = try GoogleAutocomplete.page(from: ok(body), for: AutocompleteRequest(query: "a", origin: berlin))
    #expect(page.rows.map(\.distance) == [expected])
  }

  @Test("Only the requested kinds are returned, and no more than the limit")
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
    "Errors are converted to causes",
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

  @Test("Retry-After takes precedence over the daemon's own estimate")
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

  @Test("The fields that Google added later have the shape of the field table")
  func extended() throws {
    let body =
      #"{"id":"P","movedPlaceId":"Q","shortFormattedAddress":"218 Mott St","primaryType":"pizza_restaurant","timeZone":{"id":"America/New_York"},"googleMapsUri":"https://maps.example/P","accessibilityOptions":{"wheelchairAccessibleParking":true,"wheelchairAccessibleEntrance":false},"nationalPhoneNumber":"(212) 555-0142","priceRange":{"startPrice":{"currencyCode":"USD","units":"10"},"endPrice":{"currencyCode":"USD","units":"20","nanos":500000000}},"reviews":[{"rating":4,"text":{"text":"Crisp.","languageCode":"en"},"publishTime":"2026-01-02T03:04:05Z","googleMapsUri":"https://maps.example/r","authorAttribution":{"displayName":"A","uri":"https://a.example","photoUri":"x"}},{"rating":5}],"paymentOptions":{"acceptsNfc":true,"acceptsCashOnly":false},"parkingOptions":{"valetParking":true},"evChargeOptions":{"connectorCount":3,"connectorAggregation":[{"type":"EV_CONNECTOR_TYPE_TYPE_2","maxChargeRateKw":22,"count":3,"availableCount":1,"outOfServiceCount":1,"availabilityLastUpdateTime":"2026-01-02T03:04:05Z"},{"count":1}]},"fuelOptions":{"fuelPrices":[{"type":"DIESEL","price":{"currencyCode":"EUR","units":"1","nanos":729000000},"updateTime":"2026-01-02T03:04:05Z"},{"type":"E80"}]},"servesCocktails":true,"allowsDogs":false}"#
    let fields = Set(PlaceField.allCases.filter { $0.tier == .extended })
    let request = DetailsRequest(id: "P", fields: fields)
    let sent = try GoogleDetails.request(for: request)
    #expect(
      sent.headers.last?.value
        == "id,attributions,movedPlaceId,shortFormattedAddress,primaryType,timeZone,googleMapsUri,accessibilityOptions,nationalPhoneNumber,priceRange,reviews,paymentOptions,parkingOptions,evChargeOptions,fuelOptions,servesCocktails,servesDessert,servesCoffee,outdoorSeating,liveMusic,menuForChildren,goodForChildren,allowsDogs,restroom,goodForGroups,goodForWatchingSports"
    )
    let (place, moved) = try GoogleDetails.place(from: masked(body, as: sent), for: request)
    #expect(moved == nil)
    let expected: [PlaceField: JSONValue] = [
      .movedPlaceID: "Q", .shortFormattedAddress: "218 Mott St", .primaryType: "pizza_restaurant", .timeZone: "America/New_York",
      .mapURL: "https://maps.example/P",
      .accessibilityOptions: ["wheelchairAccessibleParking": true, "wheelchairAccessibleEntrance": false],
      .nationalPhoneNumber: "(212) 555-0142", .priceRange: ["currency": "USD", "low": 10, "high": 20.5],
      .reviews: [
        [
          "author": ["text": "A", "url": "https://a.example"], "text": "Crisp.", "language": "en", "rating": 4,
          "time": "2026-01-02T03:04:05Z", "url": "https://maps.example/r",
        ], ["author": ["text": "unknown"], "rating": 5],
      ],
      .paymentOptions: ["acceptsNfc": true, "acceptsCashOnly": false], .parkingOptions: ["valetParking": true],
      .evChargeOptions: [
        [
          "type": "ev_connector_type_type_2", "count": 3, "maxKilowatts": 22, "available": 1, "outOfService": 1,
          "updated": "2026-01-02T03:04:05Z",
        ]
      ], .fuelOptions: [["type": "diesel", "currency": "EUR", "price": 1.729, "updated": "2026-01-02T03:04:05Z"]], .servesCocktails: true,
      .allowsDogs: false,
    ]
    for field in fields {
      let value = place.values[field]
      #expect(
        expected[field] == nil ? value == nil : value?.matches(expected[field] ?? nil) == true, "\(field): \(value?.text ?? "nothing")")
    }
  }

  @Test("Current opening hours have their dates, special days and the next change")
  func dates() throws {
    let body =
      #"{"id":"P","currentOpeningHours":{"openNow":true,"periods":[{"open":{"day":4,"hour":9,"date":{"year":2026,"month":12,"day":24}},"close":{"day":4,"hour":23,"minute":59,"truncated":true,"date":{"year":2026,"month":12,"day":24}}}],"specialDays":[{"date":{"year":2026,"month":12,"day":24}},{"date":{"year":0,"month":12,"day":25}},{}],"nextCloseTime":"2026-12-24T23:00:00Z"}}"#
    let place = try GoogleDetails.place(from: ok(body), for: DetailsRequest(id: "P", fields: [.currentOpeningHours])).place
    #expect(
      place.values[.currentOpeningHours]?.matches([
        "openNow": true,
        "periods": [
          [
            "open": ["day": 4, "hour": 9, "minute": 0, "date": "2026-12-24"],
            "close": ["day": 4, "hour": 23, "minute": 59, "date": "2026-12-24", "truncated": true],
          ]
        ], "specialDays": ["2026-12-24"], "nextClose": "2026-12-24T23:00:00Z",
      ]) == true, "\(place.values[.currentOpeningHours]?.text ?? "nothing")")
  }

  @Test("A query prediction keeps its two lines with their matches")
  func queryPrediction() throws {
    let body =
      #"{"suggestions":[{"queryPrediction":{"text":{"text":"pizza near Ottawa","matches":[{"endOffset":5}]},"structuredFormat":{"mainText":{"text":"pizza","matches":[{"endOffset":5}]},"secondaryText":{"text":"near Ottawa"}}}}]}"#
    let row = try #require(try GoogleAutocomplete.page(from: ok(body), for: AutocompleteRequest(query: "pizza")).rows.first)
    #expect(row.kind == .query && row.primary == FormattedText("pizza", matches: [TextRange(start: 0, end: 5)]))
    #expect(row.secondary == FormattedText("near Ottawa"))
  }

  @Test(
    "Google's words become those of the type table, and stay where it has none",
    arguments: [
      (["public_bathroom"], ["public_bathroom", "toilet"]), (["church", "place_of_worship"], ["church", "place_of_worship"]),
      (["movie_theater", "cinema"], ["movie_theater", "cinema"]), (["medical_clinic"], ["medical_clinic"]),
      (["mosque", "point_of_interest"], ["mosque", "point_of_interest"]), (["lake"], ["lake"]), ([], []),
    ] as [([JSONValue], [PlaceType])])
  func types(words: [JSONValue], types: [PlaceType]) throws {
    let body = #"{"places":[{"id":"A","types":\#(JSONValue.array(words).text)}]}"#
    let place = try #require(try GoogleSearch.page(from: ok(body), for: SearchRequest(query: "x", fields: [.types])).rows.first)
    #expect(place.types == types && place.values[.types] == .array(types.map { .string($0.rawValue) }))
  }

  @Test("Every mask requests the credits of a place", arguments: [[], [.placeID], [.name]] as [Set<PlaceField>])
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
    "Nothing is found for an address that many towns have, with the advice to add a location; other texts find nothing without advice",
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
    if refused {
      let error = #expect(throws: ProviderError.self) { try finds(request).get() }
      #expect(error?.cause == .notFound && error?.message.contains("bias, restriction or region") == true)
    } else {
      #expect((try? finds(request).get().rows) == [])
    }
    var said = [request, request, request, request, request]
    said[0].countries = ["GB"]
    said[1].pageToken = "next"
    said[2].region = "GB"
    said[3].bias = .circle(center: berlin, radius: 500)
    said[4].restriction = .circle(center: berlin, radius: 500)
    for request in said { #expect((try? finds(request).get().rows) == []) }
  }

  @Test(
    "Geocoding reports errors with status 200",
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

  @Test("Geocoding results are converted to places")
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
