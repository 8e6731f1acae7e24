import JSON
import PlacesKit
import Testing

@testable import EmulatedAPIs

@Suite("The rows of the answers") struct RowTests {
  private static func place(_ id: String, type: String = "locality", isPartial: Bool = false) -> JSONValue {
    var row: JSONObject = [
      "id": .string(id), "row": "r1", "name": .string(id), "coordinate": ["latitude": 1, "longitude": 2], "types": [.string(type)],
      "sources": [["provider": "a", "id": .string(id), "rank": 1]],
    ]
    if isPartial { row["partialMatch"] = true }
    return .object(row)
  }

  private static func reply(_ member: String, _ rows: [JSONValue]) -> DaemonReply {
    .result(Array(JSONValue.object([member: .array(rows), "attributions": []]).text.utf8))
  }

  @Test("the gazetteer's rows are in the order of its suggestions, those without a suggestion last, and other rows keep their positions")
  func typedOrder() throws {
    let ids = ["gazetteer:tok", "gazetteer:tocc", "photon:street", "gazetteer:tokyo"]
    let typed = ["gazetteer:tokyo", "gazetteer:tokyo-region", "gazetteer:tok"].map { JSONValue.object(["id": .string($0)]) }
    let rows: JSONValue = ["places": .array(ids.map { Self.place($0) })]
    let order = FoundPlace.rows(rows, suggestions: Self.reply("suggestions", typed)).map(\.id)
    #expect(order == ["gazetteer:tokyo", "gazetteer:tok", "photon:street", "gazetteer:tocc"])
    let failed = DaemonReply.failure(DaemonFailure(name: .invalidParams, message: "there is no provider gazetteer"))
    #expect(FoundPlace.rows(rows, suggestions: failed).map(\.id) == ids && FoundPlace.rows(rows, suggestions: nil).map(\.id) == ids)
  }

  @Test("Google's and Pelias's rows tell a partial match; Photon and Nominatim, which have no member for it, omit such rows")
  func partialMatches() throws {
    let reply = Self.reply("places", [Self.place("a:part", isPartial: true), Self.place("a:whole")])
    func body(_ target: String) throws -> JSONValue {
      try JSONValue(parsing: try #require(Samples.answer(target, reply: reply)).body)
    }
    let google = try body("/maps/api/geocode/json?address=x")["results"]?.array
    #expect(google?.map { $0["partial_match"] } == [true, nil])
    let pelias = try body("/pelias/v1/search?text=x")["features"]?.array
    #expect(pelias?.map { $0["properties"]?["match_type"] } == ["fallback", nil])
    #expect(try body("/photon/api?q=x")["features"]?.array?.map { $0["properties"]?["name"] } == ["a:whole"])
    #expect(try body("/nominatim/search?q=x").array?.map { $0["name"] } == ["a:whole"])
  }

  @Test("Pelias's confidence falls from row to row; it is below one half only for partial matches", arguments: [true, false])
  func confidence(isPartial: Bool) throws {
    let rows = (1...20).map { Self.place("a:\($0)", isPartial: isPartial) }
    let answer = try #require(Samples.answer("/pelias/v1/search?text=x&size=20", reply: Self.reply("places", rows)))
    let values = try JSONValue(parsing: answer.body)["features"]?.array?.compactMap { $0["properties"]?["confidence"]?.double } ?? []
    #expect(values.count == 20 && values == values.sorted(by: >) && values.allSatisfy { ($0 < 0.5) == isPartial })
  }

  @Test(
    "Photon's filters include or exclude a tag; an excluded value after a key includes the key",
    arguments: [
      ("tourism", ["a:museum", "a:hotel"]), ("tourism:museum", ["a:museum"]), ("tourism:!museum", ["a:hotel"]),
      ("!tourism", ["a:cafe"]), ("!tourism:museum", ["a:hotel", "a:cafe"]), (":museum", ["a:museum"]), (":!museum", ["a:hotel", "a:cafe"]),
    ])
  func tags(_ filter: String, _ names: [String]) throws {
    let rows = ["museum", "hotel", "cafe"].map { Self.place("a:\($0)", type: $0) }
    let answer = try #require(Samples.answer("/photon/api?q=x&osm_tag=\(filter)", reply: Self.reply("places", rows)))
    #expect(try JSONValue(parsing: answer.body)["features"]?.array?.compactMap { $0["properties"]?["name"]?.string } == names)
    #expect(Samples.calls("/photon/api?q=x&osm_tag=tourism:!museum").first?.params["includedType"] == nil)
  }
}
