import PlacesKit
import Testing

@testable import Merging

@Suite("Places of one name and different levels")
struct NamesakeLevelsTests {
  private func area(
    _ id: String, _ name: String, _ type: PlaceType, _ point: (Double, Double)?, country: String? = "MX", importance: Double? = nil,
    other: [String] = []
  ) -> Suggestion {
    var area = place(id, name, at: point, types: [type]) { ($0.country, $0.otherNames) = (country, other) }
    area.importance = importance
    return area
  }

  private func sources(_ batches: [ProviderBatch<Suggestion>], _ query: String) -> Set<[String]> {
    Set(merge(batches, query: query).map { $0.sources.compactMap(\.id).sorted() })
  }

  @Test("two services that list the city and the region make two rows, although a third has them as parts of one place")
  func partsForOne() {
    let point = (19.43, -99.13)
    func both(_ provider: String, _ importance: Double?) -> ProviderBatch<Suggestion> {
      batch(
        provider,
        [
          area("city", "Mexico City", "locality", point, importance: importance),
          area("region", "Mexico City", "administrative_area_level_1", point, importance: importance),
        ])
    }
    let known = batch("gazetteer", [area("city", "Mexico City", "locality", point, importance: 0.9)])
    let all = [known, both("foursquare", nil), both("nominatim", 0.8)]
    #expect(
      sources(all, "mexico city") == [
        ["foursquare:city", "gazetteer:city", "nominatim:city"], ["foursquare:region", "nominatim:region"],
      ])
    // Nothing contradicts the third one alone.
    #expect(sources([known, both("nominatim", 0.8)], "mexico city") == [["gazetteer:city", "nominatim:city", "nominatim:region"]])
  }

  @Test("a country joins the countries although its point is nearer to that of the region of its name")
  func country() {
    let both = [
      area("country", "Taiwan", "country", (24.37, 121.06), country: "TW"),
      area("region", "Taiwan", "administrative_area_level_1", (24.0, 121.0), country: "TW"),
    ]
    let known = area("country", "Taiwan", "country", (24.0, 121.0), country: "TW")
    #expect(
      sources([batch("a", [known]), batch("b", both), batch("c", both)], "taiwan") == [
        ["a:country", "b:country", "c:country"], ["b:region", "c:region"],
      ])
  }

  @Test("a city that is also called like its region joins the cities of its name")
  func furtherName() {
    let both = [
      area("city", "Tokat", "locality", (40.316, 36.554), country: "TR"),
      area("region", "Tokat Province", "administrative_area_level_1", (40.32, 36.56), country: "TR"),
    ]
    let known = area("city", "Tokat Province", "locality", (40.314, 36.554), country: "TR", other: ["Tokat"])
    #expect(sources([batch("a", [known]), batch("b", both)], "tokat") == [["a:city", "b:city"], ["b:region"]])
  }

  @Test("a city too far from that of another service does not join the region instead")
  func farCity() {
    let both = [
      area("city", "Yangon", "locality", (16.4, 96.16)), area("region", "Yangon", "administrative_area_level_1", (16.81, 96.16)),
    ]
    let known = area("city", "Yangon", "locality", (16.81, 96.16))
    #expect(sources([batch("a", [known]), batch("b", [both[1]])], "yangon") == [["a:city", "b:region"]])
    #expect(!sources([batch("a", [known]), batch("b", both)], "yangon").contains { $0.contains("a:city") && $0.contains("b:region") })
    // A village of the name far away says nothing about the two.
    let village = area("city", "Yangon", "locality", (40, -3))
    #expect(sources([batch("a", [known]), batch("b", [both[1], village])], "yangon") == [["a:city", "b:region"], ["b:city"]])
  }

  @Test("a place of which each service states another level is one row")
  func oneLevelEach() {
    let rows = [
      batch("a", [area("1", "Berlin", "locality", (52.52, 13.405))]),
      batch("b", [area("1", "Berlin", "administrative_area_level_1", (52.52, 13.405))]),
    ]
    #expect(merge(rows, query: "berlin").count == 1)
  }
}
