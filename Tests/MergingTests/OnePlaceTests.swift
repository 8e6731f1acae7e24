import PlacesKit
import Testing

@testable import Merging

@Suite("Several rows of one map for one place")
struct OnePlaceTests {
  private func area(
    _ number: Int, _ name: String, _ type: PlaceType, _ location: (Double, Double), importance: Double? = 0.7
  ) -> Suggestion {
    var area = place("relation/\(number)", name, at: location, types: [type]) { $0.equivalents = ["osm:relation/\(number)"] }
    area.importance = importance
    return area
  }

  private func stop(_ number: Int, _ name: String, metres: Double = 0, _ type: PlaceType = "bus_stop") -> Suggestion {
    place("node/\(number)", name, at: (47.1655 + metres / 111_195, 9.51), types: [type]) { $0.equivalents = ["osm:node/\(number)"] }
  }

  @Test(
    "a city that is a region is one row, also if a service has the city and the region",
    arguments: [
      ("Vienna", "Wien", (48.20849, 16.37208), (48.20835, 16.3725), 1), ("Berlin", "Berlin", (52.52437, 13.41053), (52.51704, 13.38886), 1),
      ("Hamburg", "Hamburg", (53.57532, 10.01534), (53.55034, 10.00065), 1),
      ("Salzburg", "Salzburg", (47.79941, 13.04399), (47.41, 13.25), 2),
    ])
  func cityStates(_ english: String, _ own: String, _ gazetteer: (Double, Double), _ map: (Double, Double), _ count: Int) {
    let known = place("1", english, at: gazetteer, types: ["locality"]) { $0.otherNames = [own] }
    let city = area(1, own, "locality", count == 1 ? map : gazetteer)
    let region = area(2, own, "administrative_area_level_1", map)
    for rows in [[city, region], [region, city]] {
      #expect(merge([batch("photon", rows)], query: own).count == count)
      #expect(merge([batch("gazetteer", [known]), batch("photon", rows)], query: own).count == count)
      let all = merge([batch("gazetteer", [known]), batch("photon", rows), batch("nominatim", [rows[0]])], query: own)
      #expect(all.count == count && all.flatMap(\.sources).count == 4, "\(all.map(\.sources))")
      // Another service has the city's own object as the region.
      let other = area(1, own, "administrative_area_level_1", map)
      if count == 1 {
        #expect(merge([batch("gazetteer", [known]), batch("photon", rows), batch("nominatim", [other])], query: own).count == 1)
      }
    }
  }

  @Test(
    "a city and a region of its name are two rows unless their importance shows that they are one",
    arguments: [
      ("Zug", (47.172, 8.517), (47.157, 8.537), 0.52, 0.60), ("Genève", (46.204, 6.143), (46.220, 6.130), 0.62, 0.66),
      ("Utrecht", (52.091, 5.122), (52.100, 5.170), 0.65, nil),
    ] as [(String, (Double, Double), (Double, Double), Double, Double?)])
  func cityOfRegion(_ name: String, _ city: (Double, Double), _ region: (Double, Double), _ small: Double, _ large: Double?) {
    let rows = [
      area(1, name, "locality", city, importance: small), area(2, name, "administrative_area_level_1", region, importance: large),
    ]
    for explain in [false, true] { #expect(merge([batch("gazetteer", rows)], query: name, explain: explain).count == 2) }
  }

  @Test("the fast path for one provider's list and the comparison agree about parts of a place")
  func partsInFastPath() {
    func list(_ names: [String], _ types: [PlaceType], metres: Double) -> [Suggestion] {
      names.enumerated().map { index, name in
        place("node/\(index)", name, at: (47.1655 + Double(index) * metres / 111_195, 9.51), types: types) { _ in }
      }
    }
    for (rows, count) in [
      (list(["Schaan Bahnhof", "Schaan, Bahnhof"], ["bus_stop"], metres: 40), 1),
      (list(["Schaan Bahnhof", "Schaan Bahnhof"], ["transit_station", "bus_stop"], metres: 40), 1),
      (list(["Springfield", "Springfield"], ["locality"], metres: 1_000_000), 2),
    ] {
      for explain in [false, true] { #expect(merge([batch("a", rows)], explain: explain).count == count, "\(rows.map(\.text.text))") }
    }
    #expect(!PlaceParts.mayExist(in: list(["Springfield", "Springfield"], ["locality"], metres: 1_000_000)))
  }

  @Test("a stop with a point for each direction is one row, in one service and in several")
  func stops() {
    let name = "Schaan Bahnhof"
    #expect(merge([batch("a", [stop(1, name), stop(2, name, metres: 80)])]).count == 1)
    #expect(merge([batch("a", [stop(1, name), stop(2, name, metres: 80)])], explain: true).count == 1)
    #expect(merge([batch("a", [stop(1, name)]), batch("b", [stop(2, name, metres: 60)])]).count == 1)
    let both = [stop(1, name), stop(2, name, metres: 40)]
    #expect(merge([batch("a", both), batch("b", Array(both.reversed()))]).map(\.sources.count) == [4])
    #expect(merge([batch("a", [stop(1, name), stop(2, name, metres: 400)])]).count == 2)
    #expect(merge([batch("a", [stop(1, name), stop(2, "Schaan Post", metres: 40)])]).count == 2)
    // Each two of the rows must be near each other: a chain of stops is not one place.
    let chain = (0..<4).map { stop($0 + 1, name, metres: 140 * Double($0)) }
    #expect(merge([batch("a", chain)]).map(\.sources.count).sorted() == [2, 2])
    #expect(merge([batch("a", [stop(1, name, "restaurant"), stop(2, name, metres: 10, "restaurant")])]).count == 2)
  }
}
