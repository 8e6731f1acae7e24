import Merging
import PlacesKit
import Testing

@Suite("The order of places of one name") struct NamesakeOrderTests {
  private func row(
    _ id: String, _ name: String, _ type: PlaceType, at point: (Double, Double), country: String? = "CH", other: [String] = []
  ) -> Suggestion {
    var row = place(id, name, at: point, types: [type]) { ($0.country, $0.otherNames) = (country, other) }
    row.importance = 0.7
    return row
  }

  @Test("a region precedes its city if only the region has the name that was typed", arguments: ["kanton zürich", "new york state"])
  func regionByOwnName(query: String) {
    let names = query == "new york state" ? ("New York", "New York State") : ("Zürich", "Kanton Zürich")
    let region = row("r", names.0, "administrative_area_level_1", at: (47.42, 8.65), other: [names.1])
    let city = row("c", names.0, "locality", at: (47.37, 8.55))
    #expect(merge([batch("a", [region, city]), batch("b", [region, city])], query: query).map(\.id) == ["a:r", "a:c"])
    #expect(merge([batch("a", [region, city]), batch("b", [region, city])], query: names.0).map(\.id) == ["a:c", "a:r"])
  }

  @Test("a region precedes a village of its name that lies in another region, and a town whose main name differs precedes its region")
  func otherRegion() {
    let wales = row("r", "Wales", "administrative_area_level_1", at: (52.3, -3.7), country: "GB")
    var village = row("v", "Wales", "locality", at: (53.34, -1.28), country: "GB")
    village.evidence.region = "England"
    let batches = ["a", "b"].map { batch($0, [wales, village]) }
    #expect(merge(batches, query: "wales").map(\.id) == ["a:r", "a:v"])
    village.evidence.region = "Wales"
    #expect(merge(["a", "b"].map { batch($0, [wales, village]) }, query: "wales").map(\.id) == ["a:v", "a:r"])
    let tokat = row("r", "Tokat", "administrative_area_level_1", at: (40.41, 36.4), country: "TR")
    let town = row("t", "Tokat Province", "locality", at: (40.32, 36.55), country: "TR", other: ["Tokat"])
    #expect(merge(["a", "b"].map { batch($0, [tokat, town]) }, query: "tokat").map(\.id) == ["a:t", "a:r"])
  }

  @Test("a region that the request asks for keeps its position")
  func requested() {
    let region = row("r", "Zürich", "administrative_area_level_1", at: (47.42, 8.65))
    let city = row("c", "Zürich", "locality", at: (47.37, 8.55))
    var context = MergeContext(query: "zürich")
    let batches = [batch("a", [region, city]), batch("b", [region])]
    #expect(Merger().suggestions(batches, context: context).map(\.id) == ["a:c", "a:r"])
    context.types = ["administrative_area_level_1"]
    #expect(Merger().suggestions(batches, context: context).map(\.id) == ["a:r", "a:c"])
  }

  @Test("the country of a region is that of any of its rows")
  func countryOfAnyRow() {
    let region = { (country: String?) in row("r", "Zürich", "administrative_area_level_1", at: (47.42, 8.65), country: country) }
    let city = row("c", "Zürich", "locality", at: (47.37, 8.55))
    #expect(merge([batch("a", [region(nil)]), batch("b", [region("CH"), city])], query: "zürich").map(\.id) == ["b:c", "a:r"])
  }

  @Test("stops behind their street stay in their order, and a stop far from the street keeps its position")
  func stops() {
    let street = row("w", "Bahnhofstrasse", "route", at: (47.145, 9.52))
    // The ids are in the reverse order of the distances.
    let stops = [("3", 47.1405), ("2", 47.142), ("1", 47.1445)].map { row($0.0, "Bahnhofstrasse", "bus_stop", at: ($0.1, 9.52)) }
    var context = MergeContext(query: "bahnhofstrasse")
    context.bias = Coordinate(latitude: 47.14, longitude: 9.52).map { .circle(center: $0, radius: 5_000) }
    let answer = Merger().suggestions([batch("a", stops), batch("b", stops + [street])], context: context)
    #expect(answer.map(\.id) == ["b:w", "a:3", "a:2", "a:1"])
    let far = row("w", "Bahnhofstrasse", "route", at: (47.167, 9.52))
    #expect(
      Merger().suggestions([batch("a", stops), batch("b", stops + [far])], context: context).map(\.id) == ["a:3", "a:2", "a:1", "b:w"])
  }
}
