import Merging
import PlacesKit
import Testing

@Suite("Queries that are a category") struct CategoryReadingTests {
  private func order(_ nearby: [Suggestion], _ word: String, famous: Double = 0.5, radius: Double = 20_000) -> [String?] {
    var far = place("far", "Schoolcraft", at: (42.1, -85.6), types: ["locality"])
    far.importance = famous
    var context = MergeContext(query: word)
    context.bias = Coordinate(latitude: 47.14, longitude: 9.52).map { .circle(center: $0, radius: radius) }
    return Merger().suggestions([batch("a", nearby), batch("b", [far]), batch("c", [far])], context: context).map(\.id)
  }

  private func school(_ id: String, at latitude: Double = 47.15, type: PlaceType = "school") -> Suggestion {
    place(id, "Gymnasium Ebenholz", at: (latitude, 9.52), types: [type])
  }

  @Test("the places of a category near the bias precede a distant town whose name begins with the word")
  func nearby() {
    #expect(order([school("1"), school("2", at: 47.17)], "school") == ["a:1", "a:2", "b:far"])
    // Not those of a distant place, a town, or a provider whose first row has the word.
    #expect(order([school("1", at: 48)], "school").first == "b:far")
    #expect(order([school("1", type: "locality")], "school").first == "b:far")
    let named = place("n", "School Lane Shop", at: (48, 9.52), types: ["store"])
    #expect(order([named, school("1", at: 47.17)], "school").first == "b:far")
  }

  @Test("a nearer place of the category that has the word comes first, although its provider ranks it lower")
  func named() {
    let named = place("n", "Rhine School", at: (47.141, 9.52), types: ["school"])
    #expect(order([school("1"), named], "school") == ["a:n", "a:1", "b:far"])
  }

  @Test("a further provider that ranks distant towns of that name first does not lower the nearest place of the category")
  func confirmed() {
    var town = place("far", "Church", at: (53.8, -2.4), types: ["locality"])
    town.importance = 0.5
    let (cathedral, chapel) = (
      place("1", "St. Florin Cathedral", at: (47.141, 9.52), types: ["church"]),
      place("2", "Chapel of Mary", at: (47.17, 9.52), types: ["church"])
    )
    var context = MergeContext(query: "church")
    context.bias = Coordinate(latitude: 47.14, longitude: 9.52).map { .circle(center: $0, radius: 20_000) }
    let rows = Merger().suggestions([batch("a", [cathedral, chapel]), batch("b", [town, cathedral])], context: context)
    #expect(rows.first?.id?.hasSuffix(":1") == true, "\(rows.map(\.id))")
  }

  @Test(
    "places of the town that was typed with the category precede nearer ones elsewhere",
    arguments: ["hotel in triesenberg", "hotel triesenberg"])
  func inTown(query: String) {
    func hotel(_ id: String, _ name: String, _ town: String, at latitude: Double) -> Suggestion {
      place(id, name, at: (latitude, 9.52), types: ["hotel"], secondary: town)
    }
    let (near, inTown) = (hotel("1", "Residence", "Vaduz", at: 47.141), hotel("2", "Kulm", "Triesenberg", at: 47.118))
    var context = MergeContext(query: query)
    context.bias = Coordinate(latitude: 47.14, longitude: 9.52).map { .circle(center: $0, radius: 20_000) }
    let web = batch("b", [place("3", "Hotels", at: (47.3, 9.6), types: ["store"])])
    let rows = Merger().suggestions([batch("a", [inTown, near]), web], context: context)
    #expect(rows.first?.id == "a:2", "\(rows.map(\.id))")
  }

  @Test("a famous place precedes a place of the category that is not very near")
  func famous() { #expect(order([school("1", at: 47.25)], "school", famous: 1).first == "b:far") }

  @Test(
    "a little known town of exactly the typed name follows the places nearby, and a well-known one precedes them", arguments: [0.6, 0.9])
  func exactName(importance: Double) {
    var town = place("far", "School", at: (51, -1), types: ["locality"])
    town.importance = importance
    var context = MergeContext(query: "school")
    context.bias = Coordinate(latitude: 47.14, longitude: 9.52).map { .circle(center: $0, radius: 20_000) }
    let rows = Merger().suggestions([batch("a", [school("1"), school("2", at: 47.2)]), batch("b", [town])], context: context)
    #expect(rows.map(\.id) == (importance < 0.75 ? ["a:1", "a:2", "b:far"] : ["b:far", "a:1", "a:2"]))
  }
}
