import PlacesKit
import Testing

@testable import Foursquare

private func answer(_ body: String, status: Int = 200, headers: [HTTPRequest.Item] = []) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
}

private func query(_ request: HTTPRequest) -> String { request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&") }

private let newYork = Coordinate(latitude: 40.7484, longitude: -73.9857) ?? .zero

@Suite("Foursquare") struct FoursquareTests {
  @Test(
    "Autocomplete asks with the parameters of the reference, not the seed's invented ones",
    arguments: [
      // Without a position nothing is sent for it: 0° N, 0° E would prefer places there.
      (AutocompleteRequest(query: "cof"), "query=cof&limit=10"),
      (AutocompleteRequest(query: "cof", bias: .circle(center: newYork, radius: 500)), "query=cof&ll=40.7484,-73.9857&radius=500&limit=10"),
      (AutocompleteRequest(query: "cof", limit: 50, kinds: [.place]), "query=cof&types=place,geo&limit=50"),
      (AutocompleteRequest(query: "cof", kinds: [.query], sessionToken: "t"), "query=cof&types=search&session_token=t&limit=10"),
      (
        AutocompleteRequest(query: "cof", restriction: .circle(center: newYork, radius: 0)),
        "query=cof&ll=40.7484,-73.9857&radius=1&limit=10"
      ),
      // Regions are rows of the type `geo`, businesses of the type `place`; a category is a search.
      (AutocompleteRequest(query: "cof", collection: .regions), "query=cof&types=geo&limit=50"),
      (AutocompleteRequest(query: "cof", collection: .cities), "query=cof&types=geo&limit=50"),
      (AutocompleteRequest(query: "cof", collection: .geocode), "query=cof&types=geo&limit=50"),
      (AutocompleteRequest(query: "cof", collection: .establishment), "query=cof&types=place,search&limit=50"),
      (AutocompleteRequest(query: "cof", collection: .establishment, kinds: [.place]), "query=cof&types=place&limit=50"),
      (AutocompleteRequest(query: "cof", types: ["locality", "country"]), "query=cof&types=geo&limit=50"),
      (AutocompleteRequest(query: "cof", types: ["cafe"]), "query=cof&types=place,search&limit=50"),
      (AutocompleteRequest(query: "cof", types: ["cafe", "locality"]), "query=cof&limit=50"),
    ])
  func autocompleteRequest(request: AutocompleteRequest, expected: String) throws {
    let sent = try FoursquareAutocomplete.request(for: request)
    #expect(query(sent) == expected)
    #expect(sent.method == .get && sent.host == "places-api.foursquare.com" && sent.path == ["autocomplete"])
    #expect(sent.headers == [.init("Accept", "application/json"), .init("X-Places-Api-Version", "2025-06-17")])
  }

  @Test("A request for addresses only is rejected, because Foursquare suggests none", arguments: [[], ["route"]] as [[PlaceType]])
  func addresses(types: [PlaceType]) {
    let request = AutocompleteRequest(query: "cof", types: types, collection: types.isEmpty ? .address : nil)
    #expect(thrown { () throws(ProviderError) in try FoursquareAutocomplete.request(for: request) }?.cause == .unsupported)
  }

  @Test("The preferred kind of the configuration is passed on")
  func preference() throws {
    #expect(
      query(try FoursquareAutocomplete.request(for: AutocompleteRequest(query: "cof"), preferredType: "geo"))
        == "query=cof&bias=geo&limit=10")
  }

  @Test("Search uses every parameter that Foursquare has")
  func searchRequest() throws {
    let rectangle = Rectangle(
      low: Coordinate(latitude: 40, longitude: -74) ?? newYork, high: Coordinate(latitude: 41, longitude: -73) ?? newYork)
    let request = SearchRequest(
      query: "coffee", fields: [.name, .coordinate, .rating], includedType: "coffee_shop", openNow: true, rankBy: .distance, limit: 5,
      restriction: .rectangle(rectangle))
    #expect(
      try FoursquareSearch.requests(for: request).map(query)
        == [
          "query=coffee&ne=41.0,-73.0&sw=40.0,-74.0&fsq_category_ids=4bf58dd8d48988d1e0931735&open_now=true&sort=DISTANCE&tel_format=E164&fields=fsq_place_id,name,latitude,longitude,rating&limit=5"
        ])
    #expect(throws: ProviderError.self) { try FoursquareSearch.requests(for: SearchRequest(query: "x", fields: [], includedType: "bench")) }
  }

  @Test("A search by category without a text sends no query")
  func withoutQuery() throws {
    let request = SearchRequest(query: "", fields: [], includedType: "cafe", limit: 5, bias: .circle(center: newYork, radius: 500))
    #expect(
      try FoursquareSearch.requests(for: request).map(query) == [
        "ll=40.7484,-73.9857&radius=500&fsq_category_ids=4bf58dd8d48988d16d941735&tel_format=E164&fields=fsq_place_id&limit=5"
      ])
  }

  @Test(
    "A range of prices is Foursquare's own, and costs no premium field",
    arguments: [
      ([], ""), ([.moderate], "min_price=2&max_price=2&"), ([.inexpensive, .moderate], "min_price=1&max_price=2&"),
      ([.veryExpensive, .expensive, .moderate, .inexpensive], "min_price=1&max_price=4&"), ([.free], nil), ([.free, .inexpensive], nil),
      ([.inexpensive, .expensive], nil),
    ] as [(Set<PriceLevel>, String?)])
  func prices(levels: Set<PriceLevel>, expected: String?) throws {
    let request = SearchRequest(query: "x", fields: [.name], priceLevels: levels)
    #expect(Foursquare.manifest.search?.support(.priceLevels) == .partly)
    guard let expected else {
      let error = #expect(throws: ProviderError.self) { try FoursquareSearch.requests(for: request) }
      #expect(error?.cause == .unsupported)
      return
    }
    #expect(
      try FoursquareSearch.requests(for: request).map(query)
        == ["query=x&\(expected)tel_format=E164&fields=fsq_place_id,name&limit=20"])
  }

  @Test(
    "Details of an id that is neither a place's nor a region's is not found",
    arguments: [
      ("", ProviderError.Cause.notFound), ("../x", .notFound), ("4B05", .notFound), ("4b05 ", .notFound), ("geo:", .notFound),
      ("geo:US:locality", .notFound), ("geo:US:locality:@1,2", .notFound), ("geo:US:locality:X@91,2", .notFound),
      ("geo:US:locality:X@1,2;3", .notFound), ("geo:US:locality:X@1,2;9,0,8,0", .notFound),
    ])
  func detailsRefuses(id: String, cause: ProviderError.Cause) async throws {
    let http = Answering("{}")
    let provider = try await Foursquare(context: http.context())
    let error = await thrownBy { try await provider.details(DetailsRequest(id: id, fields: [.viewport])) }
    #expect(error?.cause == cause && http.requests.isEmpty)
  }

  private static let coffeyville =
    #"{"type":"geo","text":{"primary":"Coffeyville","secondary":"KS, United States"},"geo":{"name":"Coffeyville","center":{"latitude":37.037,"longitude":-95.616},"bounds":{"ne":{"latitude":37.07,"longitude":-95.58},"sw":{"latitude":37.01,"longitude":-95.66}},"cc":"US","type":"locality"}}"#

  @Test("A text that Foursquare would refuse, because it has fewer than three characters, is not sent", arguments: ["東京", "大阪市"])
  func shortQuery(query: String) async throws {
    let http = Answering(#"{"results":[]}"#)
    let provider = try await Foursquare(context: http.context())
    #expect(try await provider.autocomplete(AutocompleteRequest(query: query)).rows.isEmpty)
    #expect(http.requests.count == (query.count < 3 ? 0 : 1))
  }

  @Test("Details of a region come from its id, with the bounds of the row, and without a call")
  func region() async throws {
    let http = Answering(#"{"results":[\#(Self.coffeyville)]}"#)
    let provider = try await Foursquare(context: http.context())
    let row = try #require(try await provider.autocomplete(AutocompleteRequest(query: "coffeyv")).rows.first)
    #expect(row.id == "geo:US:locality:Coffeyville|KS, United States@37.037,-95.616;37.01,-95.66,37.07,-95.58")
    #expect(row.types == ["locality"] && row.location == Coordinate(latitude: 37.037, longitude: -95.616))
    let fields: Set<PlaceField> = [.placeID, .name, .coordinate, .viewport, .types, .formattedAddress, .addressComponents, .website]
    let place = try await provider.details(DetailsRequest(id: row.id ?? "", fields: fields))
    #expect(http.requests.count == 1)
    #expect(
      place.values == [
        .placeID: .string(row.id ?? ""), .name: "Coffeyville", .coordinate: ["latitude": 37.037, "longitude": -95.616],
        .viewport: ["low": ["latitude": 37.01, "longitude": -95.66], "high": ["latitude": 37.07, "longitude": -95.58]],
        .types: ["locality"], .formattedAddress: "Coffeyville, KS, United States",
        .addressComponents: [
          ["long": "Coffeyville", "short": "Coffeyville", "types": ["locality"]], ["long": "US", "short": "US", "types": ["country"]],
        ],
      ])
    #expect(place.evidence.country == "US" && place.types == ["locality"])
  }

  @Test("A row has the icon of its category, and a region its bounds")
  func presentation() throws {
    let category = #"{"name":"Coffee Shop","icon":{"prefix":"https://ss3.4sqi.net/img/coffee_","suffix":".png"}}"#
    let rows = [
      #"{"type":"place","text":{"primary":"X"},"place":{"fsq_place_id":"4b05","categories":[{"name":"None"},\#(category)]}}"#,
      #"{"type":"search","text":{"primary":"coffee"},"search":{"query":"coffee","category":\#(category)}}"#, Self.coffeyville,
    ]
    let page = try FoursquareAutocomplete.page(
      from: answer(#"{"results":[\#(rows.joined(separator: ","))]}"#), for: AutocompleteRequest(query: "cof"))
    let icon = "https://ss3.4sqi.net/img/coffee_bg_64.png"
    #expect(page.rows.map(\.iconImageURL) == [icon, icon, nil])
    let bounds = Rectangle(south: 37.01, west: -95.66, north: 37.07, east: -95.58)
    #expect(bounds != nil && page.rows.map(\.viewport) == [nil, nil, bounds])
  }

  @Test(
    "The viewport of a region without bounds is the area that Foursquare searches near its name",
    arguments: [
      (#"{"results":[],"context":{"geo_bounds":{"circle":{"center":{"latitude":0,"longitude":10},"radius":1000}}}}"#, 200, true),
      (#"{"results":[]}"#, 200, false), (#"{"message":"near could not be geocoded"}"#, 400, false),
    ])
  func near(body: String, status: Int, isFound: Bool) async throws {
    let http = Answering([.success(reply(body, status: status))])
    let provider = try await Foursquare(context: http.context())
    let id = "geo:US:locality:Coffeyville|KS, United States@37.037,-95.616"
    let place = try await provider.details(DetailsRequest(id: id, fields: [.name, .viewport]))
    #expect(
      http.requests.map(spelled) == [
        "GET places-api.foursquare.com /places/search?near=Coffeyville, KS, United States&fields=fsq_place_id&limit=1"
      ])
    #expect(place.name == "Coffeyville" && (place.values[.viewport] != nil) == isFound)
    _ = try await provider.details(DetailsRequest(id: id, fields: [.name]))
    #expect(http.requests.count == 1, "only a viewport needs the call")
  }

  static let heron =
    #"{"type":"place","text":{"primary":"Blue Heron Coffee","secondary":"412 W 34th St, New York","highlight":[{"start":11,"length":6}]},"link":"/places/4b05","place":{"fsq_place_id":"4b05","name":"Blue Heron Coffee","latitude":40.7529,"longitude":-73.9954,"categories":[{"fsq_category_id":"4bf58dd8d48988d1e0931735","icon":null}],"distance":868,"location":{"address":"412 W 34th St","locality":"New York","region":"NY","postcode":"10001","country":"US"}}}"#

  @Test(
    "Autocomplete rows survive what the seed's models do not",
    arguments: [
      ("empty", #"{"results":[]}"#, []),
      ("a place", #"{"results":[\#(heron)]}"#, ["place 4b05 Blue Heron Coffee, 412 W 34th St, New York 11-17"]),
      (
        "a search without id, link and secondary",
        #"{"results":[{"type":"search","text":{"primary":"Coffee Shop","highlight":[{"start":0,"length":6}]},"search":{"query":"coffee shop"}}]}"#,
        ["query - Coffee Shop 0-6"]
      ),
      (
        "a city without highlight",
        #"{"results":[{"type":"geo","text":{"primary":"Coffeyville","secondary":"KS, United States"},"geo":{"name":"Coffeyville","center":{"latitude":37.037,"longitude":-95.616},"cc":"US","type":"locality"}}]}"#,
        ["place geo:US:locality:Coffeyville|KS, United States@37.037,-95.616 Coffeyville, KS, United States "]
      ),
      ("a city without geo", #"{"results":[{"type":"geo","text":{"primary":"X"}}]}"#, ["place geo::locality:X@ X "]),
      ("an unknown type keeps its text", #"{"results":[{"type":"address","text":{"primary":"5 Rd"}}]}"#, ["query - 5 Rd "]),
      ("a place without id", #"{"results":[{"type":"place","text":{"primary":"X"},"place":{"name":"X"}}]}"#, []),
      ("an empty id", #"{"results":[{"type":"place","text":{"primary":"X"},"place":{"fsq_place_id":""}}]}"#, []),
      ("an id in the link alone", #"{"results":[{"type":"place","text":{"primary":"X"},"link":"/places/4b05"}]}"#, ["place 4b05 X "]),
      ("a link elsewhere", #"{"results":[{"type":"place","text":{"primary":"X"},"link":"/places/search?x=1"}]}"#, []),
      ("a search by its query alone", #"{"results":[{"type":"search","search":{"query":"coffee shop"}}]}"#, ["query - coffee shop "]),
      ("no text", #"{"results":[{"type":"place","place":{"fsq_place_id":"a"}}]}"#, []),
      ("an empty text", #"{"results":[{"type":"search","text":{"primary":""}}]}"#, []),
      (
        "highlights outside the text",
        #"{"results":[{"type":"search","text":{"primary":"abc","highlight":[{"start":1,"length":9},{"start":-1,"length":2},{"start":0,"length":1},{"start":9223372036854775807,"length":1}]}}]}"#,
        ["query - abc 0-1"]
      ),
      ("members of the wrong type", #"{"results":[null,3,"x",{"type":7,"text":[]},{"text":{"primary":4}}]}"#, []),
      ("an empty string means nothing", #"{"results":[{"type":"search","text":{"primary":"a","secondary":""}}]}"#, ["query - a "]),
    ])
  func autocomplete(name: String, body: String, expected: [String]) throws {
    let page = try FoursquareAutocomplete.page(from: answer(body), for: AutocompleteRequest(query: "cof"))
    let lines = page.rows.map { row in
      "\(row.kind.rawValue) \(row.id ?? "-") \(row.text.text) \(row.text.matches.map { "\($0.start)-\($0.end)" }.joined(separator: " "))"
    }
    #expect(lines == expected)
  }

  @Test(
    "Rows of other types are dropped, of places, regions and searches alike",
    arguments: [
      (["coffee_shop"], nil, ["Blue Heron Coffee, 412 W 34th St, New York", "Coffee Shop"]),
      (["locality"], nil, ["Coffeyville, KS, United States"]),
      ([], .cities, ["Coffeyville, KS, United States"]),
      ([], .establishment, ["Blue Heron Coffee, 412 W 34th St, New York", "Coffee Shop"]),
      (["bar"], nil, []),
    ] as [([PlaceType], TypeCollection?, [String])])
  func filtered(types: [PlaceType], collection: TypeCollection?, texts: [String]) throws {
    for parameter in [Capability.Parameter.types, .collection] {
      #expect(Foursquare.manifest.autocomplete?.support(parameter) == .native, "the daemon sends the filter")
    }
    let search =
      #"{"type":"search","text":{"primary":"Coffee Shop"},"search":{"category":{"fsq_category_id":"4bf58dd8d48988d1e0931735"}}}"#
    let body = #"{"results":[\#(Self.heron),\#(Self.coffeyville),\#(search),{"type":"search","text":{"primary":"coffee"}}]}"#
    let request = AutocompleteRequest(query: "cof", types: types, collection: collection)
    #expect(try FoursquareAutocomplete.page(from: answer(body), for: request).rows.map(\.text.text) == texts)
  }

  @Test("A search for a category is a query row of that category's type")
  func category() throws {
    let body =
      #"{"results":[{"type":"search","text":{"primary":"Coffee Shop"},"search":{"query":"coffee shop","category":{"fsq_category_id":"4bf58dd8d48988d1e0931735","name":"Coffee Shop"}}}]}"#
    let row = try #require(try FoursquareAutocomplete.page(from: answer(body), for: AutocompleteRequest(query: "cof")).rows.first)
    #expect(row.kind == .query && row.id == nil && row.types == ["coffee_shop", "food"])
  }

  @Test("Rows contain the text that distinguishes places of the same name")
  func evidence() throws {
    let row = try #require(
      try FoursquareAutocomplete.page(from: answer(#"{"results":[\#(Self.heron)]}"#), for: AutocompleteRequest(query: "cof")).rows.first)
    #expect(row.types == ["coffee_shop", "food"] && row.location == Coordinate(latitude: 40.7529, longitude: -73.9954))
    #expect(row.evidence.postcode == "10001" && row.evidence.country == "US" && row.evidence.equivalents == ["foursquare:4b05"])
  }

  @Test("Every field of a place has the shape of the field table")
  func details() throws {
    let body =
      #"{"fsq_place_id":"4b05","name":"Heron","latitude":1,"longitude":2,"tel":"(212) 555-0177","stats":{"total_ratings":1289},"categories":[{"name":"Coffee Shop","icon":{"prefix":"https://ss3.4sqi.net/img/coffee_","suffix":".png"}}],"website":"","rating":9,"price":4,"date_closed":"2024-01-01","hours":{"display":"Mon 9-5","open_now":true,"regular":[{"day":7,"open":"1800","close":"+0130"},{"day":1,"open":"0900","close":"1730"},{"day":9,"open":"1","close":"2"},{"day":2,"open":"9x"},{"day":6,"open":"0000","close":"2400"}]},"photos":[{"prefix":"https://p/","suffix":"/a.jpg","width":4,"height":3},{}],"description":"d","location":{"formatted_address":"412 W","country":"US"}}"#
    let place = try FoursquareDetails.place(from: answer(body), for: DetailsRequest(id: "4b05", fields: FoursquareFields.supported))
    #expect(place.name == "Heron" && place.rating == 4.5 && place.priceLevel == .veryExpensive && place.formattedAddress == "412 W")
    #expect(place.values[.phoneNumber] == "+12125550177" && place.values[.userRatingsTotal] == 1289)
    #expect(place.values[.iconImageURL] == "https://ss3.4sqi.net/img/coffee_bg_64.png")
    #expect(place.values[.website] == nil && place.values[.businessStatus] == "closed_permanently")
    #expect(
      place.values[.openingHours]
        == [
          "openNow": true,
          "periods": [
            ["open": ["day": 0, "hour": 18, "minute": 0], "close": ["day": 1, "hour": 1, "minute": 30]],
            ["open": ["day": 1, "hour": 9, "minute": 0], "close": ["day": 1, "hour": 17, "minute": 30]],
            ["open": ["day": 6, "hour": 0, "minute": 0], "close": ["day": 0, "hour": 0, "minute": 0]],
          ], "text": "Mon 9-5",
        ])
    #expect(place.values[.photos]?.array?.count == 1)
  }

  @Test(
    "A time with a plus sign is on the next day, whether it opens or closes a period",
    arguments: [
      ("1800", "+0130", 5, 6), ("1800", "0130", 5, 6), ("0100", "+0130", 5, 6), ("+0030", "+0130", 6, 6), ("+0030", "0130", 6, 6),
      ("0100", "0130", 5, 5),
    ] as [(String, String, Int, Int)])
  func hoursAfterMidnight(open: String, close: String, openDay: Int, closeDay: Int) throws {
    let body = #"{"fsq_place_id":"4b05","hours":{"regular":[{"day":5,"open":"\#(open)","close":"\#(close)"}]}}"#
    let place = try FoursquareDetails.place(from: answer(body), for: DetailsRequest(id: "4b05", fields: [.openingHours]))
    let period = place.values[.openingHours]?["periods"]?[0]
    #expect(period?["open"]?["day"]?.integer == openDay)
    #expect(period?["close"]?["day"]?.integer == closeDay)
    #expect(period?["close"]?["hour"]?.integer == 1 && period?["close"]?["minute"]?.integer == 30)
  }

  @Test(
    "A telephone number is in E.164, or is left out if its calling code is not known",
    arguments: [
      ("+12125550177", "US", "+12125550177"), ("030 1234567", "DE", "+49301234567"), ("(212) 555-0177", "", nil), ("x", "US", nil),
    ] as [(String, String, String?)])
  func phone(number: String, country: String, expected: String?) throws {
    let body = #"{"fsq_place_id":"4b05","tel":"\#(number)","location":{"country":"\#(country)"}}"#
    let place = try FoursquareDetails.place(from: answer(body), for: DetailsRequest(id: "4b05", fields: [.phoneNumber]))
    #expect(place.values[.phoneNumber]?.string == expected)
    let sent = try FoursquareDetails.request(for: DetailsRequest(id: "4b05", fields: [.phoneNumber, .userRatingsTotal, .iconImageURL]))
    #expect(query(sent) == "fields=fsq_place_id,categories,tel,location,stats")
  }

  @Test("An answer without the id, which is always requested, is not a place", arguments: ["{}", #"{"name":"Heron"}"#, "[]", "null"])
  func detailsWithoutID(body: String) {
    let error = #expect(throws: ProviderError.self) {
      try FoursquareDetails.place(from: answer(body), for: DetailsRequest(id: "4b05", fields: [.name]))
    }
    #expect(error?.cause == .decode)
  }

  @Test(
    "Only a details call reports a place as not found, and only if Foursquare itself reports that",
    arguments: [("{}", ProviderError.Cause.notFound), (#"{"message":"m"}"#, .notFound), ("<html>404 Not Found</html>", .http), ("", .http)])
  func gone(body: String, cause: ProviderError.Cause) async throws {
    let provider = try await Foursquare(context: Answering([.success(reply(body, status: 404))]).context())
    let details = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: "4b05", fields: [.name])) }
    #expect(details?.cause == cause)
    for other in [
      await thrownBy { try await provider.search(SearchRequest(query: "x", fields: [.name])) },
      await thrownBy { try await provider.autocomplete(AutocompleteRequest(query: "cof")) },
    ] {
      #expect(other?.cause == .http)
      #expect(other?.message.contains("check base_url") == true)
    }
  }

  @Test(
    "The next page is the whole query of the Link header",
    arguments: [
      (#"<https://places-api.foursquare.com/places/search?cursor=abc%3D&limit=1>; rel="next""#, "cursor=abc=&limit=1"),
      (
        "<https://places-api.foursquare.com/places/search?ll=40.7,-73.9&query=a+b%2B&cursor=a>; rel=next",
        "ll=40.7,-73.9&query=a b+&cursor=a"
      ),
      ("<https://places-api.foursquare.com/places/search?cursor=a>;rel=next, <https://x/?cursor=b>; rel=prev", "cursor=a"),
      ("<https://places-api.foursquare.com/places/search?cursor=a>; title=x; REL=\"last Next\"", "cursor=a"),
      ("</places/search?cursor=a>; rel=next", "cursor=a"), ("<https://gate.example/fsq/places/search?cursor=a>; rel=next", "cursor=a"),
      (
        #"</places/search?cursor=a>; rel="prev", </places/search?ll=1,2&cursor=b>; title="x, y"; rel="next""#, "ll=1,2&cursor=b"
      ),
      ("<https://x/places/search?cursor=a>; rel=next", nil), ("<//x/places/search?cursor=a>; rel=next", nil),
      ("</places/nearby?cursor=a>; rel=next", nil), ("</places/search?limit=1>; rel=next", nil), ("</places/search>; rel=next", nil),
      ("</places/search?cursor=a>; rel=\"prev\"", nil), ("</places/search?cursor=a>; rel=nextly", nil), ("", nil),
      (#">cursor=<; rel="next""#, nil), ("</places/search?cursor=%ff>; rel=next", nil), ("</places/search?a=1&cursor=>; rel=next", nil),
    ] as [(String, String?)])
  func paging(link: String, expected: String?) throws {
    let request = SearchRequest(query: "x", fields: [.name])
    let response = answer(#"{"results":[{"fsq_place_id":"a"}]}"#, headers: [.init("link", link)])
    let page = try FoursquareSearch.page(from: [response], for: request, base: "https://gate.example/fsq")
    #expect(page.rows.count == 1)
    var further = request
    further.pageToken = page.next
    guard let expected else { return #expect(page.next == nil) }
    let sent = try FoursquareSearch.requests(for: further)
    #expect(page.next != nil && sent.map(query) == [expected] && sent.map(\.path) == [["places", "search"]])
    // A page that leads to itself is the last.
    #expect(try FoursquareSearch.page(from: [response], for: further, base: "https://gate.example/fsq").next == nil)
  }

  @Test("A token that no page returned is refused", arguments: ["", "\n", "cursor=%ff", "a b"])
  func badToken(token: String) {
    let error = #expect(throws: ProviderError.self) {
      try FoursquareSearch.requests(for: SearchRequest(query: "x", fields: [], pageToken: token))
    }
    #expect(error?.cause == .badRequest)
  }

  @Test("An area across the antimeridian is searched on both sides: rows alternate without duplicates, and each side has its own pages")
  func antimeridian() async throws {
    func rows(_ ids: String..., next: String? = nil) -> Result<HTTPResponse, ProviderError> {
      let rows = ids.map { #"{"fsq_place_id":"\#($0)"}"# }.joined(separator: ",")
      return .success(
        answer(#"{"results":[\#(rows)]}"#, headers: next.map { [.init("link", "</places/search?cursor=\($0)>; rel=next")] } ?? []))
    }
    let http = Answering([rows("a", "b", next: "e"), rows("c", "a", next: "w"), rows("d"), rows("f", next: "w2"), rows("g")])
    let provider = try await Foursquare(context: http.context())
    var request = SearchRequest(query: "x", fields: [.name], limit: 5, restriction: try NominatimTests.box(-20, 177.5, -10, -178))
    var pages: [[String]] = []
    repeat {
      let page = try await provider.search(request)
      pages.append(page.rows.map(\.id))
      request.pageToken = page.next
    } while request.pageToken != nil
    #expect(pages == [["a", "c", "b"], ["d", "f"], ["g"]])
    let rest = "tel_format=E164&fields=fsq_place_id,name"
    #expect(
      http.requests.map(query) == [
        "query=x&ne=-10.0,180.0&sw=-20.0,177.5&\(rest)&limit=3", "query=x&ne=-10.0,-178.0&sw=-20.0,-180.0&\(rest)&limit=2", "cursor=e",
        "cursor=w", "cursor=w2",
      ])
  }

  @Test(
    "A row's types follow from its category's id or name",
    arguments: [
      ("4bf58dd8d48988d1e0931735", "Coffee Shop", ["coffee_shop", "food"]),
      ("4bf58dd8d48988d1ca941735", "Pizzeria", ["pizza_restaurant", "restaurant", "food"]),
      ("x", "Italian Restaurant", ["italian_restaurant", "restaurant", "european_restaurant", "food"]),
      ("x", "Steakhouse", ["restaurant", "food"]), ("x", "Burger Joint", ["restaurant", "food"]),
      ("x", "Wine Bar", ["wine_bar", "bar", "food"]), ("x", "Juice Bar", []), ("x", "Irish Pub", ["irish_pub", "pub", "bar", "food"]),
      ("x", "Pet Café", ["cafe", "food"]),
      ("x", "History Museum", ["history_museum", "museum"]), ("x", "Shoe Store", ["shoe_store", "store"]),
      ("x", "Candy Store", ["candy_store", "store"]),
      ("x", "Hostel", ["hostel", "lodging"]), ("4bf58dd8d48988d1fa931735", "Hotel", ["hotel", "lodging"]),
      ("x", "Bowling Alley", ["bowling_alley"]), ("x", "Nightclub", ["night_club"]), ("x", "Structure", []), ("x", "", []),
    ] as [(String, String, [PlaceType])])
  func categories(id: String, name: String, types: [PlaceType]) {
    let category: JSONValue = ["fsq_category_id": .string(id), "name": .string(name)]
    #expect(FoursquareTypes.types(from: [category]) == types)
    #expect(FoursquareTypes.types(from: [category, category]) == types)
  }

  @Test("A word that is not a category is not treated as one") func brokenCategories() {
    #expect(FoursquareTypes.types(from: [nil, 1, [:], ["name": 3], ["name": " "]]).isEmpty && FoursquareTypes.types(from: nil).isEmpty)
  }

  @Test("A date in Retry-After is obeyed, and takes precedence over the daemon's own estimate")
  func retryAfter() {
    let response = answer(
      "{}", status: 429,
      headers: [.init("retry-after", "Fri, 20 Nov 2026 12:00:30 GMT"), .init("date", "Fri, 20 Nov 2026 12:00:00 GMT")])
    let error = #expect(throws: ProviderError.self) { try FoursquareErrors.body(of: response) }
    #expect(error?.retryAfterSeconds == 30)
  }

  @Test("A session has a token, without which each keystroke is charged; how it is billed is not known, so all its calls count")
  func session() throws {
    let rule = try #require(Foursquare.manifest.sessions)
    #expect(rule.endings.isEmpty)
  }

  @Test(
    "Errors are converted to causes",
    arguments: [
      (400, #"{"message":"bad"}"#, ProviderError.Cause.badRequest), (401, #"{"message":"Invalid request token."}"#, .credentials),
      (403, "", .credentials),
      (404, "{}", .http), (404, "<html>", .http), (409, "", .badRequest), (429, #"{"message":"rate"}"#, .rateLimit),
      (429, #"{"error_detail":"credit exhausted"}"#, .quota),
      (429, #"{"message":"Quota exceeded"}"#, .quota), (500, "", .http), (503, "<html>", .http), (302, "", .http), (200, "", .decode),
      (200, "[]", .decode),
      (200, "{}", .decode), (200, #"{"results":{}}"#, .decode), (200, #"{"results":[}"#, .decode), (200, "\u{FEFF}{}", .decode),
    ])
  func errors(status: Int, body: String, cause: ProviderError.Cause) {
    let error = #expect(throws: ProviderError.self) {
      try FoursquareAutocomplete.page(from: answer(body, status: status), for: AutocompleteRequest(query: "x"))
    }
    #expect(error?.cause == cause)
  }
}
