import Foundation
import PlacesKit

@testable import EmulatedAPIs

enum Samples {
  static let context = EmulationContext(baseURL: "http://localhost:2325", now: 1_800_000_000, version: "1.0.0")

  static func request(
    _ target: String, httpMethod: GatewayRequest.HTTPMethod = .get, language: String? = nil, mask: String? = nil, body: String = ""
  ) -> GatewayRequest? {
    GatewayRequest(httpMethod: httpMethod, target: Array(target.utf8), acceptLanguage: language, fieldMask: mask, body: Array(body.utf8))
  }

  /// The calls that a request makes; empty if it is answered at once.
  static func calls(
    _ target: String, httpMethod: GatewayRequest.HTTPMethod = .get, language: String? = nil, mask: String? = nil, body: String = ""
  )
    -> [DaemonCall]
  {
    guard let request = request(target, httpMethod: httpMethod, language: language, mask: mask, body: body) else { return [] }
    if case .ask(let calls, _)? = EmulatedAPIs.plan(request, context) { return calls }
    return []
  }

  /// The params of the first call, as JSON.
  static func params(
    _ target: String, httpMethod: GatewayRequest.HTTPMethod = .get, language: String? = nil, mask: String? = nil, body: String = ""
  ) -> String {
    let calls = calls(target, httpMethod: httpMethod, language: language, mask: mask, body: body)
    guard var params = calls.first?.params else { return "no call" }
    // The fields are the same for all.
    params["fields"] = nil
    return JSONValue.object(params).text
  }

  /// The answer to a request if every call has this reply.
  static func answer(
    _ target: String, httpMethod: GatewayRequest.HTTPMethod = .get, mask: String? = nil, body: String = "", reply: DaemonReply
  ) -> GatewayResponse? {
    guard let request = request(target, httpMethod: httpMethod, mask: mask, body: body) else { return nil }
    switch EmulatedAPIs.plan(request, context) {
    case .answer(let response)?: return response
    case .ask(let calls, let render)?: return render(calls.map { _ in reply })
    case .stream?, nil: return nil
    }
  }

  static let nothing = DaemonReply.result(Array(#"{"places":[],"suggestions":[],"providers":[],"attributions":[],"complete":true}"#.utf8))

  /// A town of the gazetteer, a museum of OpenStreetMap, a street, and a row of Google's.
  static let places = DaemonReply.result(Array(placesText.utf8))
  static let place = DaemonReply.result(
    Array("{\"place\":\(museum),\"providers\":[],\"attributions\":[\(geonames),\(openStreetMap)]}".utf8))

  static let geonames = #"{"provider":"gazetteer","text":"GeoNames (CC BY 4.0)","url":"https://www.geonames.org/"}"#
  static let openStreetMap =
    #"{"provider":"gazetteer","text":"© OpenStreetMap contributors","url":"https://www.openstreetmap.org/copyright"}"#

  static let museum = """
    {"id":"gazetteer:osm:way/243055643","row":"r2","name":"Landesmuseum <b>","addressComponents":[
    {"long":"43","short":"43","types":["street_number"]},{"long":"Städtle","short":"Städtle","types":["route"]},
    {"long":"Vaduz","short":"Vaduz","types":["locality"]},{"long":"9490","short":"9490","types":["postal_code"]},
    {"long":"Liechtenstein","short":"LI","types":["country"]}],"formattedAddress":"Städtle 43, 9490 Vaduz, Liechtenstein",
    "coordinate":{"latitude":47.1381128,"longitude":9.5226292},"types":["museum"],"phoneNumber":"+423 239 68 20",
    "openingHours":{"periods":[],"text":"Tu-Su 10:00-17:00"},"website":"https://www.landesmuseum.li",
    "sources":[{"provider":"gazetteer","id":"gazetteer:osm:way/243055643","rank":2}],"attributions":[\(openStreetMap)]}
    """

  static let placesText = """
    {"places":[{"id":"gazetteer:3042030","row":"r1","name":"Vaduz","addressComponents":[{"long":"Vaduz","short":"Vaduz","types":["locality"]},
    {"long":"Oberland","short":"OL","types":["administrative_area_level_1"]},{"long":"Liechtenstein","short":"LI","types":["country"]}],
    "formattedAddress":"Vaduz, Liechtenstein","coordinate":{"latitude":47.14151,"longitude":9.52154},"types":["locality"],
    "viewport":{"low":{"latitude":47.05,"longitude":9.48},"high":{"latitude":47.17,"longitude":9.6}},"distance":1234.5,"explain":{"importance":0.5123456},
    "sources":[{"provider":"gazetteer","id":"gazetteer:3042030","rank":1}],"attributions":[\(geonames)]},
    \(museum),
    {"id":"photon:way/1231328080","row":"r3","name":"Städtle","addressComponents":[{"long":"Vaduz","short":"Vaduz","types":["locality"]},
    {"long":"Liechtenstein","short":"LI","types":["country"]}],"formattedAddress":"Städtle, Vaduz, Liechtenstein",
    "coordinate":{"latitude":-0.5,"longitude":-179.9999},"types":["route"],"sources":[{"provider":"photon","id":"photon:way/1231328080","rank":1}],
    "attributions":[\(openStreetMap)]},
    {"id":"google:ChIJ_x","row":"r4","name":"Café","formattedAddress":"Städtle 1, Vaduz","coordinate":{"latitude":47.14,"longitude":9.52},
    "types":["cafe","food"],"rating":4.5,"userRatingsTotal":12,"priceLevel":"moderate","businessStatus":"operational",
    "sources":[{"provider":"google","id":"google:ChIJ_x","rank":1}],"attributions":[{"provider":"google","text":"Google Maps"}]}],
    "providers":[],"attributions":[\(geonames),\(openStreetMap)],"complete":true,"nextPageToken":"abc"}
    """

  static let suggestions = DaemonReply.result(
    Array(
      """
      {"suggestions":[{"kind":"place","id":"gazetteer:osm:way/7","text":{"text":"Vaduz, Liechtenstein","matches":[{"start":0,"end":4}]},
      "primary":{"text":"Vaduz","matches":[{"start":0,"end":4}]},"secondary":{"text":"Liechtenstein","matches":[]},"row":"r1",
      "types":["locality"],"location":{"latitude":47.14151,"longitude":9.52154},"distance":12.4,
      "sources":[{"provider":"gazetteer","id":"gazetteer:osm:way/7","rank":1}]},
      {"kind":"query","text":{"text":"vaduz castle","matches":[{"start":0,"end":5}]},"row":"r2","types":[],"sources":[{"provider":"suggest","rank":1}]}],
      "providers":[],"attributions":[\(geonames)],"complete":true,"revision":1}
      """.utf8))
}
