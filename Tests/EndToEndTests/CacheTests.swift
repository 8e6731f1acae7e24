import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("An answer from the cache")
struct CacheTests {
  @Test("equals the answer without the cache, for every type of request")
  func equal() async throws {
    let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      var random = SeededRandom(seed: 20)
      var withRows = 0
      for _ in 0..<(isProving ? 5_000 : 200) {
        var params = CacheTests.parameters(&random)
        params["cache"] = "bypass"
        let fresh = try await client.call("places.autocomplete", .object(params)).withoutTimes
        params["cache"] = nil
        for _ in 0..<2 {
          let kept = try await client.call("places.autocomplete", .object(params)).withoutTimes
          #expect(kept == fresh, "\(JSONValue.object(params).text)\n\(kept.text)\n\(fresh.text)")
        }
        if !fresh.ids.isEmpty { withRows += 1 }
      }
      #expect(withRows > (isProving ? 1_000 : 40), "too few requests had rows to prove anything")
      let served = try await client.suggest("berl").report("gazetteer")
      #expect(served?["outcome"] == "ok")
    }
  }

  /// A request as an application may send it, with any of the options that change the answer.
  static func parameters(_ random: inout SeededRandom) -> JSONObject {
    func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
    func point() -> JSONValue {
      let places: [JSONValue] = [
        ["latitude": 52.5, "longitude": 13.4], ["latitude": -18.1, "longitude": 178.4], ["latitude": 37.8, "longitude": -122.4],
      ]
      return places[Int.random(in: 0..<places.count, using: &random)]
    }
    let name = SamplePlaces.names.randomElement(using: &random) ?? "a"
    let start = String(name.prefix(Int.random(in: 1...name.count, using: &random)))
    var params: JSONObject = ["query": .string(chance(4) ? " " + start.uppercased() : start)]
    if chance(2) { params["limit"] = .integer(Int64.random(in: 1...12, using: &random)) }
    if chance(2) { params["language"] = .string(["de", "en", "ru", "pt-BR", "zh"].randomElement(using: &random) ?? "de") }
    if chance(3) { params["region"] = .string(["DE", "US", "FR"].randomElement(using: &random) ?? "DE") }
    if chance(3) { params["countries"] = chance(2) ? ["DE", "US"] : ["FR"] }
    if chance(3) { params["origin"] = point() }
    if chance(4) { params["types"] = chance(2) ? ["locality"] : ["(regions)"] }
    if chance(5) { params["kinds"] = ["place"] }
    if chance(6) { params["explain"] = true }
    if chance(3) {
      let area: JSONValue = ["circle": ["center": point(), "radius": .integer(Int64.random(in: 0...50_000, using: &random))]]
      params[chance(2) ? "bias" : "restriction"] = area
    }
    return params
  }
}

extension JSONValue {
  /// A reply without the members that differ between two requests: its id, latency, source, time and revision.
  var withoutTimes: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.withoutTimes))
    case .object(let object):
      var kept = JSONObject()
      for (key, value) in object.members where !["latencyMs", "served", "revision", "at"].contains(key) { kept[key] = value.withoutTimes }
      // A reply's id is a number; a place's is a text.
      if case .integer = kept["id"] { kept["id"] = nil }
      return .object(kept)
    default: return self
    }
  }
}
