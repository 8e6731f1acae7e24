import Foundation
import JSON
import PlacesAPI
import PlacesKit
import PlacesTesting
import RequestParsers
import Testing

@testable import EmulatedAPIs

@Suite("The daemon's parameters for a request") struct RequestTests {
  @Test(
    "keeps what the client means",
    arguments: [
      // geopy
      (
        "/nominatim/search?q=berlin&format=json&limit=1&viewbox=13,53,12,52&bounded=1&countrycodes=de,at&accept-language=de",
        "places.search",
        #"{"query":"berlin","limit":1,"language":"de","restriction":{"rectangle":{"low":{"latitude":52,"longitude":12},"high":{"latitude":53,"longitude":13}}},"countries":["AT","DE"],"explain":true}"#
      ),
      (
        "/nominatim/search?street=1+Main+St&city=Vaduz&country=LI", "places.search",
        #"{"query":"1 Main St, Vaduz, LI","limit":10,"countries":["LI"],"explain":true}"#
      ),
      (
        "/nominatim/reverse?lat=47.5&lon=9.5&format=json", "places.reverse",
        #"{"location":{"latitude":47.5,"longitude":9.5},"limit":1,"explain":true}"#
      ),
      // libgeocode-glib, Qt Location: the C locale, a box that is bounded and missing
      ("/nominatim/search?q=x&format=json&accept-language=C&bounded=1", "places.search", #"{"query":"x","limit":10,"explain":true}"#),
      // An invalid language is omitted, because the daemon would reject it.
      (
        "/nominatim/search?q=x&accept-language=en-G5,de-ch;q=0.5", "places.search",
        #"{"query":"x","limit":10,"language":"de-CH","explain":true}"#
      ),
      // PyPI geocoder: a coordinate to /search
      (
        "/nominatim/search?q=52.5,+13.4&format=json", "places.reverse",
        #"{"location":{"latitude":52.5,"longitude":13.4},"limit":1,"explain":true}"#
      ),
      // GNOME Maps: a slash after api
      ("/photon/api/?limit=20&q=berlin", "places.search", #"{"query":"berlin"}"#),
      (
        "/photon/api?q=a%2Bb+c&lang=de_DE.UTF-8&limit=1&lat=52&lon=373.5", "places.search",
        #"{"query":"a+b c","limit":1,"language":"de-DE","bias":{"circle":{"center":{"latitude":52,"longitude":13.5},"radius":20000}}}"#
      ),
      ("/photon/reverse?lat=1&lon=2&radius=1.5", "places.reverse", #"{"location":{"latitude":1,"longitude":2},"radius":1500,"limit":1}"#),
      ("/pelias/v1/search?text=x&boundary.country=DEU&api_key=secret&size=400", "places.search", #"{"query":"x","countries":["DE"]}"#),
      (
        "/pelias/v1/search?text=x&focus.point.lat=1&focus.point.lon=2&lang=xx", "places.search",
        #"{"query":"x","limit":10,"origin":{"latitude":1,"longitude":2},"bias":{"circle":{"center":{"latitude":1,"longitude":2},"radius":50000}}}"#
      ),
      // GoogleV3 and PyPI geocoder
      (
        "/google/maps/api/geocode/json?sensor=false&address=x&bounds=&components=&region=uk", "places.search",
        #"{"query":"x","limit":5,"region":"GB"}"#
      ),
      (
        "/google/maps/api/geocode/json?components=country:FR|postal_code:75001&bounds=1,2|3,4", "places.search",
        #"{"query":"75001","limit":5,"bias":{"rectangle":{"low":{"latitude":1,"longitude":2},"high":{"latitude":3,"longitude":4}}},"countries":["FR"]}"#
      ),
      // Bounds from Fiji to Samoa, across the antimeridian
      (
        "/google/maps/api/geocode/json?address=x&bounds=-20,177|-13,-171", "places.search",
        #"{"query":"x","limit":5,"bias":{"rectangle":{"low":{"latitude":-20,"longitude":177},"high":{"latitude":-13,"longitude":-171}}}}"#
      ),
      (
        "/google/maps/api/geocode/json?address=x&bounds=-20,177%7C-13,189", "places.search",
        #"{"query":"x","limit":5,"bias":{"rectangle":{"low":{"latitude":-20,"longitude":177},"high":{"latitude":-13,"longitude":-171}}}}"#
      ),
      // Bounds with the north-east corner first
      (
        "/google/maps/api/geocode/json?address=x&bounds=3,4|1,2", "places.search",
        #"{"query":"x","limit":5,"bias":{"rectangle":{"low":{"latitude":1,"longitude":2},"high":{"latitude":3,"longitude":4}}}}"#
      ),
      ("/google/maps/api/geocode/json?latlng=1.5,2.5", "places.reverse", #"{"location":{"latitude":1.5,"longitude":2.5}}"#),
      (
        "/maps/api/place/autocomplete/json?input=x&types=(cities)&components=country:us|country:pr&location=1,2&radius=9e9",
        "places.autocomplete",
        #"{"query":"x","limit":5,"bias":{"circle":{"center":{"latitude":1,"longitude":2},"radius":50000}},"types":["(cities)"],"countries":["PR","US"],"kinds":["place"]}"#
      ),
      // Google's switches with and without a value
      (
        "/maps/api/place/autocomplete/json?input=x&location=1,2&radius=500&strictbounds", "places.autocomplete",
        #"{"query":"x","limit":5,"restriction":{"circle":{"center":{"latitude":1,"longitude":2},"radius":500}},"kinds":["place"]}"#
      ),
      (
        "/maps/api/place/autocomplete/json?input=x&location=1,2&radius=500&strictbounds=false", "places.autocomplete",
        #"{"query":"x","limit":5,"bias":{"circle":{"center":{"latitude":1,"longitude":2},"radius":500}},"kinds":["place"]}"#
      ),
      ("/maps/api/place/textsearch/json?opennow&query=x", "places.search", #"{"query":"x","openNow":true,"allowPrice":true}"#),
      ("/maps/api/place/textsearch/json?query=x&opennow=", "places.search", #"{"query":"x","openNow":true,"allowPrice":true}"#),
      ("/maps/api/place/textsearch/json?query=x&opennow=true", "places.search", #"{"query":"x","openNow":true,"allowPrice":true}"#),
      ("/maps/api/place/textsearch/json?query=x&opennow=false", "places.search", #"{"query":"x"}"#),
      // At the root
      ("/api?q=x", "places.search", #"{"query":"x","limit":15}"#),
      ("/search.php?q=x&format=json", "places.search", #"{"query":"x","limit":10,"explain":true}"#),
      ("/search?text=x&size=3", "places.search", #"{"query":"x","limit":3}"#),
      (
        "/reverse?lat=1&lon=2&format=json&zoom=10", "places.reverse",
        #"{"location":{"latitude":1,"longitude":2},"limit":20,"explain":true}"#
      ),
      ("/suggest?q=x", "places.autocomplete", #"{"query":"x","limit":8}"#),
    ] as [(String, String, String)])
  func meaning(_ target: String, _ method: String, _ params: String) throws {
    let isTyped = target.hasPrefix("/photon/api") || target.hasPrefix("/api")
    #expect(Samples.calls(target).map(\.method) == [method] + (isTyped ? ["places.autocomplete"] : []))
    #expect(try JSONValue(parsing: Samples.params(target)) == JSONValue(parsing: params), "\(Samples.params(target))")
  }

  @Test("asks what the gazetteer suggests, for a text that a user may be typing")
  func typed() {
    for target in ["/photon/api?q=x&countrycode=de", "/api?q=x&countrycode=de", "/pelias/v1/autocomplete?text=x&boundary.country=DE"] {
      let calls = Samples.calls(target)
      #expect(calls.map(\.method) == ["places.search", "places.autocomplete"], "\(target)")
      #expect(
        calls.last?.params == ["query": "x", "limit": 20, "countries": ["DE"], "kinds": ["place"], "providers": ["gazetteer"]], "\(target)")
    }
    for target in ["/photon/structured?city=x", "/nominatim/search?q=x", "/pelias/v1/search?text=x"] {
      #expect(Samples.calls(target).count == 1, "\(target)")
    }
  }

  @Test("asks only the providers whose places may stand on another service's map, for APIs whose clients draw such maps")
  func maps() throws {
    var context = Samples.context
    context.mapProviders = ["gazetteer", "photon"]
    func providers(_ target: String) -> JSONValue? {
      guard let request = Samples.request(target), case .ask(let calls, _)? = EmulatedAPIs.plan(request, context) else { return nil }
      return calls.first?.params["providers"]
    }
    for target in [
      "/photon/api?q=x", "/photon/reverse?lat=1&lon=2", "/nominatim/search?q=x", "/nominatim/reverse?lat=1&lon=2",
      "/pelias/v1/search?text=x",
      "/pelias/v1/reverse?point.lat=1&point.lon=2", "/nominatim/search?q=1.5,2",
    ] { #expect(providers(target) == ["gazetteer", "photon"], "\(target)") }
    #expect(providers("/maps/api/geocode/json?address=x") == nil)
  }

  @Test(
    "searches places near a point by one type without a text, and by several types as a reverse search",
    arguments: [
      (
        #""includedTypes":["museum"]"#, "places.search",
        #"{"query":"","includedType":"museum","strictTypeFiltering":true,"allowPrice":true,"#
          + #""restriction":{"circle":{"center":{"latitude":47,"longitude":9},"radius":500}}}"#
      ),
      (
        #""includedTypes":["museum"],"rankPreference":"DISTANCE","maxResultCount":3"#, "places.search",
        #"{"query":"","includedType":"museum","strictTypeFiltering":true,"allowPrice":true,"rankBy":"distance","limit":3,"#
          + #""restriction":{"circle":{"center":{"latitude":47,"longitude":9},"radius":500}}}"#
      ),
      (
        #""includedTypes":["museum","cafe"]"#, "places.reverse",
        #"{"location":{"latitude":47,"longitude":9},"radius":500,"types":["cafe","museum"],"limit":20}"#
      ),
    ])
  func nearby(_ members: String, _ method: String, _ params: String) throws {
    let body = #"{"locationRestriction":{"circle":{"center":{"latitude":47,"longitude":9},"radius":500}},\#(members)}"#
    let target = "/google/v1/places:searchNearby"
    #expect(Samples.calls(target, httpMethod: .post, mask: "*", body: body).map(\.method) == [method])
    let asked = Samples.params(target, httpMethod: .post, mask: "*", body: body)
    #expect(try JSONValue(parsing: asked) == JSONValue(parsing: params), "\(asked)")
  }

  @Test(
    "requests the fields that Google's field mask names",
    arguments: [
      ("places.displayName,places.rating", ["name", "placeID", "rating"]), ("places.displayName, ", ["name", "placeID"]),
      ("places.displayName,,", ["name", "placeID"]), (" , ", nil),
    ])
  func fieldMasks(mask: String, fields: [String]?) {
    let calls = Samples.calls("/google/v1/places:searchText", httpMethod: .post, mask: mask, body: #"{"textQuery":"x"}"#)
    #expect(calls.first?.params["fields"]?.array?.compactMap(\.string).sorted() == fields)
  }

  @Test("requests all fields for Google's field mask", arguments: ["*", "places", "places.*", "places.rating,places.*"])
  func wholeFieldMask(mask: String) {
    func fields(_ mask: String) -> JSONValue? {
      Samples.calls("/google/v1/places:searchText", httpMethod: .post, mask: mask, body: #"{"textQuery":"x"}"#).first?.params["fields"]
    }
    #expect(fields("*")?.array?.isEmpty == false && fields(mask) == fields("*"))
  }

  @Test("preserves Google's order", arguments: [("RELEVANCE", "relevance"), ("DISTANCE", "distance")])
  func order(_ preference: String, _ rankBy: String) throws {
    let body =
      #"{"textQuery":"x","rankPreference":"\#(preference)","locationBias":{"circle":{"center":{"latitude":47,"longitude":9},"radius":500}}}"#
    let asked = Samples.params("/google/v1/places:searchText", httpMethod: .post, mask: "*", body: body)
    #expect(try JSONValue(parsing: asked)["rankBy"] == .string(rankBy), "\(asked)")
  }

  @Test("have the session of the client's token, in any form")
  func sessions() {
    let uuid = "c0ffee00-1234-4abc-8def-0123456789ab"
    #expect(GoogleIdentifier.session(uuid)?.text == uuid)
    #expect(GoogleIdentifier.session("abc") == GoogleIdentifier.session("abc"))
    #expect(GoogleIdentifier.session("abc") != GoogleIdentifier.session("abd"))
    #expect(GoogleIdentifier.session("") == nil)
  }

  @Test(
    "names places for Google's clients without a slash, and understands those names",
    arguments: [
      "gazetteer:2950159", "gazetteer:osm:way/1", "google:ChIJ_-x", "photon:a b/ü%", "x:_2F",
    ])
  func identifiers(_ id: String) {
    let encoded = GoogleIdentifier.encode(id)
    #expect(encoded.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 < 0x80 })
    #expect(GoogleIdentifier.decode(encoded)?.text == id)
  }

  @Test("is one that the daemon accepts, whatever is sent")
  func accepted() {
    var random = SeededRandom(seed: 7)
    let paths = [
      "photon/api", "photon/structured", "photon/reverse", "nominatim/search", "nominatim/reverse.php", "nominatim/lookup",
      "pelias/v1/search",
      "pelias/v1/reverse", "pelias/v1/place", "google/maps/api/geocode/json", "maps/api/place/textsearch/json", "suggest", "api", "search",
    ]
    let names = [
      "q", "text", "lat", "lon", "limit", "size", "lang", "bbox", "viewbox", "bounded", "radius", "zoom", "osm_tag", "layer",
      "countrycodes",
      "city", "street", "address", "latlng", "bounds", "components", "point.lat", "point.lon", "query", "location", "ids", "osm_ids",
      "place_id",
      "format", "input", "types", "focus.point.lat", "focus.point.lon", "boundary.circle.lat", "boundary.circle.lon",
    ]
    let values = [
      "", "1", "-1", "91", "180.5", "1e308", "nan", "1,2", "2,1,1,2", "de", "DEU", "xx", "C", "%00%01x", String(repeating: "a", count: 400),
      "%F0%9F%98%80",
      "place:city", "!a", "N1,W2", "gazetteer:locality:1", "json", "country:DE|locality:x", "1 2", "%", "%zz", "0", "(cities)", "museum|x",
      "%FF",
    ]
    for _ in 0..<5_000 {
      let query = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        "\(names.randomElement(using: &random) ?? "")=\(values.randomElement(using: &random) ?? "")"
      }
      let target = "/\(paths.randomElement(using: &random) ?? "")?" + query.joined(separator: "&")
      let fault = RequestParser.fault(Array("GET \(target)\nde,en;q=0.5|*\n{}".utf8))
      #expect(fault == nil, "\(target)")
    }
  }
}

@Suite("A look-up of several objects")
struct LookUpTests {
  private func answer(_ second: DaemonReply) throws -> GatewayResponse {
    let request = try #require(GatewayRequest(target: Array("/nominatim/lookup?osm_ids=N1,N2&format=json".utf8)))
    guard case .ask(let calls, let render)? = EmulatedAPIs.plan(request, EmulationContext(baseURL: "http://localhost:1", now: 0)) else {
      Issue.record("no plan")
      return .text(500, "")
    }
    #expect(calls.count == 2)
    return render([Samples.place, second])
  }

  @Test("omits an object that no provider knows")
  func unknown() throws {
    for name in [APIError.Name.notFound, .unsupported, .invalidParams] {
      let answer = try answer(.failure(DaemonFailure(name: name, message: "x")))
      #expect(answer.status == 200)
      #expect(try JSONValue(parsing: answer.body).array?.count == 1)
    }
  }

  @Test(
    "fails if a provider does not answer, because an object would look unknown",
    arguments: [
      (APIError.Name.deadlineExceeded, 504), (.allProvidersFailed, 502), (.quotaExceeded, 429),
    ])
  func failed(_ name: APIError.Name, _ status: Int) throws {
    let answer = try answer(.failure(DaemonFailure(name: name, message: "x")))
    #expect(answer.status == status)
    #expect(answer.body == Array(#"{"error":{"code":\#(status),"message":"x"}}"#.utf8))
  }
}

@Suite("The corpus of requests") struct CorpusTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzzing/Corpus/\(RequestParser.name)")

  @Test("holds requests of every API, and each is answered soundly")
  func replay() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: CorpusTests.folder.path)
    #expect(files.count >= 20)
    for file in files {
      let input = Array(try Data(contentsOf: CorpusTests.folder.appendingPathComponent(file)))
      #expect(RequestParser.fault(input) == nil, "\(file)")
    }
  }
}
