import Foundation
import PlacesKit
import Testing

@testable import EmulatedAPIs

/// The bytes of each API's answers. The expected ones are in `Tests/EmulatedAnswers`, one file per case. A case without a file writes it
/// and fails, so that its author reviews it.
@Suite("The answers' bytes") struct GoldenTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var target: String
    var httpMethod = GatewayRequest.HTTPMethod.get
    var mask: String?
    var body = ""
    var reply = Samples.places

    var testDescription: String { name }
  }

  static let failed = DaemonReply.failure(DaemonFailure(name: .quotaExceeded, message: "the budget is spent", retryAfter: 2.5))

  static let cases: [Case] = [
    Case(name: "photon.api", target: "/photon/api?q=vaduz"),
    Case(name: "photon.api.nothing", target: "/photon/api?q=vaduz", reply: Samples.nothing),
    Case(name: "photon.api.filtered", target: "/photon/api/?q=vaduz&osm_tag=tourism:museum&osm_tag=highway&osm_tag=!place&limit=1"),
    Case(name: "photon.api.failed", target: "/photon/api?q=vaduz", reply: failed),
    Case(name: "photon.api.empty", target: "/photon/api?q="),
    Case(name: "photon.structured.empty", target: "/photon/structured?lang=de"),
    Case(name: "photon.status", target: "/photon/status", reply: .result(Array("{}".utf8))),
    Case(name: "nominatim.search.json", target: "/nominatim/search?q=vaduz&format=json&namedetails=1&extratags=1"),
    Case(name: "nominatim.search.jsonv2", target: "/nominatim/search.php?q=vaduz&format=jsonv2&limit=1"),
    Case(name: "nominatim.search.geojson", target: "/nominatim/search?q=vaduz&format=geojson&limit=2"),
    Case(name: "nominatim.search.geocodejson", target: "/nominatim/search?q=vaduz&format=geocodejson"),
    Case(name: "nominatim.search.nothing", target: "/nominatim/search?q=vaduz", reply: Samples.nothing),
    Case(name: "nominatim.search.settlement", target: "/nominatim/search?q=vaduz&featureType=settlement&format=json"),
    Case(name: "nominatim.search.both", target: "/nominatim/search?q=vaduz&city=vaduz"),
    Case(name: "nominatim.search.format", target: "/nominatim/search?q=vaduz&format=csv"),
    Case(name: "nominatim.search.xml", target: "/nominatim/search?q=%3Cvaduz%3E+%22x%22&format=xml&namedetails=1&extratags=1"),
    Case(name: "nominatim.search.xml.failed", target: "/nominatim/search?q=vaduz&format=xml", reply: failed),
    Case(name: "nominatim.search.xml.nothing", target: "/nominatim/search?q=vaduz&format=xml", reply: Samples.nothing),
    Case(name: "nominatim.reverse.xml", target: "/nominatim/reverse?lat=47.1&lon=9.5&format=xml&zoom=16"),
    Case(name: "nominatim.reverse.xml.nothing", target: "/nominatim/reverse?lat=0&lon=0&format=xml", reply: Samples.nothing),
    Case(name: "nominatim.lookup.xml", target: "/nominatim/lookup?osm_ids=W243055643&format=xml", reply: Samples.place),
    Case(name: "nominatim.search.failed", target: "/nominatim/search?q=vaduz", reply: failed),
    Case(name: "nominatim.reverse", target: "/nominatim/reverse?lat=47.1&lon=9.5&format=json&zoom=16"),
    Case(name: "nominatim.reverse.nothing", target: "/nominatim/reverse?lat=0&lon=0&format=json", reply: Samples.nothing),
    Case(name: "nominatim.lookup", target: "/nominatim/lookup?osm_ids=W243055643&format=jsonv2", reply: Samples.place),
    Case(name: "nominatim.status", target: "/nominatim/status?format=json", reply: .result(Array("{}".utf8))),
    Case(name: "pelias.search", target: "/pelias/v1/search?text=vaduz&size=3"),
    Case(name: "pelias.autocomplete.nothing", target: "/pelias/v1/autocomplete?text=vaduz", reply: Samples.nothing),
    Case(name: "pelias.reverse", target: "/pelias/v1/reverse?point.lat=47.1&point.lon=9.5&layers=venue"),
    Case(name: "pelias.place", target: "/pelias/v1/place?ids=gazetteer:venue:osm:way/243055643", reply: Samples.place),
    Case(name: "pelias.empty", target: "/pelias/v1/search"),
    Case(name: "pelias.failed", target: "/pelias/v1/search?text=vaduz", reply: failed),
    Case(
      name: "google.autocomplete", target: "/google/v1/places:autocomplete", httpMethod: .post,
      body: #"{"input":"vadu","includeQueryPredictions":true}"#,
      reply: Samples.suggestions),
    Case(
      name: "google.autocomplete.nothing", target: "/google/v1/places:autocomplete", httpMethod: .post, body: #"{"input":"vadu"}"#,
      reply: Samples.nothing),
    Case(name: "google.searchText", target: "/google/v1/places:searchText", httpMethod: .post, mask: "*", body: #"{"textQuery":"vaduz"}"#),
    Case(
      name: "google.searchText.masked", target: "/v1/places:searchText", httpMethod: .post, mask: "places.id,places.displayName.text",
      body: #"{"textQuery":"vaduz"}"#),
    Case(name: "google.searchText.unmasked", target: "/google/v1/places:searchText", httpMethod: .post, body: #"{"textQuery":"vaduz"}"#),
    Case(
      name: "google.searchNearby", target: "/google/v1/places:searchNearby", httpMethod: .post, mask: "places.location,places.types",
      body: #"{"locationRestriction":{"circle":{"center":{"latitude":47,"longitude":9},"radius":500}},"includedTypes":["museum"]}"#),
    Case(
      name: "google.details", target: "/google/v1/places/gazetteer:osm:way_2F243055643?fields=id,location,websiteUri,name",
      reply: Samples.place),
    Case(
      name: "google.failed", target: "/google/v1/places:searchText", httpMethod: .post, mask: "*", body: #"{"textQuery":"vaduz"}"#,
      reply: failed),
    Case(name: "google.geocode", target: "/google/maps/api/geocode/json?address=vaduz&key=AIza"),
    Case(name: "google.geocode.nothing", target: "/google/maps/api/geocode/json?address=vaduz", reply: Samples.nothing),
    Case(name: "google.geocode.missing", target: "/google/maps/api/geocode/json?address="),
    Case(name: "google.geocode.failed", target: "/google/maps/api/geocode/json?address=vaduz", reply: failed),
    Case(name: "google.legacy.autocomplete", target: "/maps/api/place/autocomplete/json?input=vadu", reply: Samples.suggestions),
    Case(name: "google.legacy.textsearch", target: "/maps/api/place/textsearch/json?query=vaduz&maxprice=None"),
    Case(
      name: "google.legacy.details", target: "/maps/api/place/details/json?placeid=gazetteer:osm:way_2F243055643&fields=website,name",
      reply: Samples.place),
    Case(name: "suggest", target: "/suggest?q=vadu", reply: Samples.suggestions),
    Case(name: "opensearch", target: "/opensearch.xml"),
    Case(
      name: "rpc", target: "/v1/rpc", httpMethod: .post,
      body: #"{"jsonrpc":"2.0","id":"a","method":"places.search","params":{"query":"x"}}"#,
      reply: .result(Array(#"{"places":[]}"#.utf8))),
    Case(
      name: "rpc.failed", target: "/v1/rpc", httpMethod: .post, body: #"{"jsonrpc":"2.0","id":7,"method":"places.search","params":{}}"#,
      reply: failed),
    Case(name: "rpc.unknown", target: "/v1/rpc", httpMethod: .post, body: #"{"jsonrpc":"2.0","id":7,"method":"places.serach"}"#),
    Case(name: "photon.unknown", target: "/photon/suggest"),
    Case(name: "rpc.administrator", target: "/v1/rpc", httpMethod: .post, body: #"{"jsonrpc":"2.0","id":7,"method":"providers.disable"}"#),
  ]

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("EmulatedAnswers")

  @Test("are those of the golden file", arguments: cases)
  func golden(_ example: Case) throws {
    let response = try #require(
      Samples.answer(example.target, httpMethod: example.httpMethod, mask: example.mask, body: example.body, reply: example.reply))
    let head = "\(response.status) \(response.contentType)" + (response.retryAfter.map { " Retry-After: \($0)" } ?? "")
    let text = head + "\n" + String(decoding: response.body, as: UTF8.self) + "\n"
    let file = GoldenTests.folder.appendingPathComponent(example.name)
    guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("there was no golden file of \(example.name); what came out is written down: is it right?")
      return
    }
    #expect(text == expected)
  }

  @Test("there is no golden file without a case")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: GoldenTests.folder.path)
    #expect(Set(files) == Set(GoldenTests.cases.map(\.name)))
  }
}
