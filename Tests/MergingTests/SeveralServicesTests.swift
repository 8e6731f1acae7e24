import PlacesKit
import Testing

@testable import Merging

/// Rows of services that know places by names in other languages, or return no locations.
@Suite("Services that know different names of places")
struct SeveralServicesTests {
  private func area(
    _ id: String, _ name: String, at point: (Double, Double)?, _ importance: Double? = nil, _ secondary: String? = nil,
    type: PlaceType = "locality", evidence: (inout Evidence) -> Void = { _ in }
  ) -> Suggestion {
    var row = place(id, name, at: point, types: [type], secondary: secondary, evidence: evidence)
    row.importance = importance
    return row
  }

  @Test(
    "a much more important place that only one service knows by the typed name precedes a town that all services know",
    arguments: ["a", "b", "e"])
  func knownToOne(provider: String) {
    let country = area("ch", "Schweiz", at: (46.9, 8.2), 0.83, type: "country")
    let town = area("1", "Schweinfurt", at: (50.05, 10.23), 0.68)
    let unknown = area("2", "Schweich", at: (49.8, 6.75))
    let batches = ["a", "b", "c", "d", "e"].map { batch($0, $0 == provider ? [country, town] : [town, unknown]) }
    #expect(merge(batches, query: "schwei").map { $0.id?.suffix(2) } == ["ch", ":1", ":2"])
    // Alike otherwise, the place that more services know comes first.
    let namesakes = [area("3", "Schwaan", at: (53.9, 12.1)), area("4", "Schwanden", at: (47, 9.07))]
    let alike = [batch("a", [namesakes[0]]), batch("b", [namesakes[1]]), batch("c", [namesakes[1]])]
    #expect(merge(alike, query: "schwa").map { $0.id?.last } == ["4", "3"])
  }

  @Test("a town of which the whole name was typed precedes large cities whose names begin so only if it is large itself")
  func wholeNameOfTown() {
    func order(_ importance: Double) -> [String] {
      // The two services do not agree on the first row.
      let rows = [area("city", "Manila", at: (14.6, 121), 0.88), area("town", "Man", at: (7.41, -7.55), importance)]
      return merge([batch("a", rows), batch("b", rows.reversed())], query: "man").map(\.value.text.text)
    }
    #expect(order(0.69) == ["Manila", "Man"] && order(0.75) == ["Man", "Manila"])
  }

  @Test("a place is not lowered because a service that has another scale of importance knows it, too")
  func scales() {
    let porto = { area("porto", "Porto", at: (41.15, -8.61), $0) }
    let moresby = area("moresby", "Port Moresby", at: (-9.48, 147.15), 0.795)
    let novo = area("novo", "Porto-Novo", at: (6.5, 2.6), 0.7)
    let batches = [batch("a", [porto(0.79), moresby, novo]), batch("b", [porto(0.5)])]
    #expect(merge(batches, query: "por").map(\.id) == ["a:porto", "a:moresby", "a:novo"])
  }

  @Test("the importances of one service count once for a place, however many rows it has of it")
  func importanceOfProvider() {
    let stated = { ImportanceScale.StatedImportance(place: $0, batch: $1, importance: $2) }
    let scale = ImportanceScale(
      of: [stated(0, 0, 0.75), stated(0, 1, 0.75), stated(1, 0, 0.5), stated(1, 1, 0.9), stated(2, 0, 0.6)], batchCount: 2)
    // The first service states 0.2 less than the other one, on average.
    #expect(abs(scale.importance(of: [stated(1, 0, 0.5), stated(1, 1, 0.9)]) - 0.8) < 1e-9)
    // If no other service states the importance, the difference counts less, because only two places show it.
    #expect(abs(scale.importance(of: [stated(2, 0, 0.6)]) - (0.6 + 0.2 * 2 / 3)) < 1e-9)
    #expect(scale.importance(of: [stated(3, 0, 0.95)]) == 1 && scale.importance(of: []) == 0)
    let bath = { area("1", "Bathurst", at: (-33.4, 149.6), $0) }
    let batches = [batch("a", [bath(0.5), bath(0.5)]), batch("b", [bath(0.9)])]
    let rows = MergePipeline(batches, context: MergeContext(query: "bat")).scoredRows()
    #expect(rows.count == 1 && rows.allSatisfy { abs($0.importance - 0.9) < 1e-9 })
  }

  @Test("a name that a row does not show counts as its own service ranks it, and not as another service ranks the place")
  func hiddenNameOfOneService() {
    let city = area("city", "Estambul", at: (41, 28.95), 0.93)
    let known = area("country", "Estonia", at: (58.8, 25.5), 0.77, type: "country") { $0.otherNames = ["EST"] }
    let named = area("country", "Estonia", at: (58.8, 25.5), 0.77, type: "country")
    let village = area("village", "Est", at: (51.85, 5.3))
    let answer = merge([batch("a", [city, known]), batch("b", [village, named])], query: "est", explain: true)
    #expect(answer.first { $0.id == "a:country" }?.explanation?.match == .prefix)
    #expect(answer.map(\.id) == ["a:city", "a:country", "b:village"])
  }

  @Test("a place with a hidden name of the query comes after a large one that shows this name, and before a village that shows it")
  func hiddenName() {
    let delhi = area("delhi", "Delhi", at: (28.65, 77.23), 0.94) { $0.otherNames = ["New Delhi", "Dilli"] }
    let newDelhi = area("new", "New Delhi", at: (28.61, 77.2), 0.8)
    let village = area("village", "Dilli", at: (38.1, 39.9), 0.4)
    let rows = [batch("a", [newDelhi, delhi]), batch("b", [village])]
    #expect(merge(rows, query: "new delhi").map(\.id).first == "a:new")
    #expect(merge([batch("a", [delhi]), batch("b", [village])], query: "dilli").map(\.id) == ["a:delhi", "b:village"])
    // The beginning of a hidden name.
    let (port, potosi) = (
      area("p", "Port-au-Prince", at: (18.5, -72.3), 0.87) { $0.otherNames = ["Pòtoprens"] }, area("1", "Potosí", at: (-19.6, -65.7), 0.78)
    )
    #expect(merge([batch("a", [potosi, port]), batch("b", [village])], query: "pot").map(\.id).prefix(2) == ["a:1", "a:p"])
    // A quarter of the typed name, joined to its city, does not have the city's importance.
    let hongKong = area("hk", "Hong Kong", at: (22.28, 114.15), 0.92) { $0.otherNames = ["Victoria"] }
    let quarter = area("q", "Victoria", at: (22.28, 114.15), 0.5)
    let victoria = area("v", "Victoria", at: (48.43, -123.37), 0.83)
    let answer = merge(
      [batch("a", [victoria, hongKong]), batch("b", [quarter, area("v", "Victoria", at: (48.43, -123.37), 0.41)])], query: "victoria")
    #expect(answer.map { Set($0.sources.compactMap(\.id)) } == [["a:v", "b:v"], ["a:hk", "b:q"]])
  }

  @Test("a place that several services have first is not raised above one that matches better and is known to be more important")
  func agreedButLessImportant() {
    let rio = area("rio", "Rio de Janeiro", at: (-22.9, -43.2), 0.92) { $0.otherNames = ["Rio"] }
    let cuarto = area("cuarto", "Río Cuarto", at: (-33.1, -64.3), 0.75)
    let bare = area("rio", "Rio de Janeiro", at: (-22.9, -43.2))
    let batches = [batch("a", [rio, cuarto])] + ["b", "c"].map { batch($0, [cuarto, bare]) }
    #expect(merge(batches, query: "rio").map(\.id?.last) == ["o", "o"] && merge(batches, query: "rio").first?.id?.hasSuffix("rio") == true)
  }

  @Test("one place in common does not raise the importances that one service alone states as much as those of the common place")
  func raiseByOnePlace() {
    let vaduz = { area("vaduz", "Vaduz", at: (47.14, 9.52), $0) }
    let vadu = area("vadu", "Vadu Paşii", at: (45.17, 26.89), 0.46)
    let batches = [
      batch("a", [vaduz(0.64)]), batch("b", [vadu, vaduz(0.43)]), batch("c", [area("vadu", "Vadu Paşii", at: (45.17, 26.89))]),
    ]
    #expect(merge(batches, query: "vadu").first?.sources.contains { $0.id == "a:vaduz" } == true)
  }

  @Test("a place whose area has the last typed word is not assumed to match as well as a name that begins with the query")
  func wordsOfArea() {
    let china = area("far", "Dengzhou", at: (32.68, 112.08), 0.85, "Henan, China")
    let helder = area("helder", "Den Helder", at: (52.96, 4.76), 0.69)
    let haag = area("haag", "Den Haag", at: (52.08, 4.3), 0.79)
    let batches = [batch("a", [haag, helder]), batch("b", [china, helder]), batch("c", [china, helder])]
    #expect(merge(batches, query: "den h").first?.id == "a:haag")
  }

  private let ruhr = "Nordrhein-Westfalen"

  private func essen(_ located: [Suggestion], _ texts: [String]) -> [[String]] {
    let others = texts.enumerated().map { area("\($0)", "Essen", at: nil, nil, $1) }
    return merge([batch("a", located), batch("g", others)], query: "essen").map { $0.sources.compactMap(\.id).sorted() }
  }

  @Test("rows without a location are joined to the places of their label, the first one to the most important place")
  func labels() {
    let (large, small) = (
      area("large", "Essen", at: (51.46, 7.01), 0.81, "\(ruhr), Germany") { ($0.country, $0.region) = ("DE", ruhr) },
      area("small", "Essen", at: (52.72, 7.94), 0.5, "Niedersachsen, Germany") { ($0.country, $0.region) = ("DE", "Niedersachsen") }
    )
    #expect(essen([large, small], ["Germany", "Germany"]) == [["a:large", "g:0"], ["a:small", "g:1"]])
    // A third row means none of the two, and neither does a row in another country or region.
    #expect(essen([large, small], ["Germany", "Germany", "Germany"]).count == 3)
    #expect(essen([large, small], ["Germany", "Belgium"]).count == 3)
    #expect(essen([large, small], ["Germany", "Bayern, Germany"]).count == 3)
    #expect(essen([large, small], ["Germany", "Niedersachsen, Germany"]) == [["a:large", "g:0"], ["a:small", "g:1"]])
    // A region is not a town of its name.
    var region = small
    region.types = ["administrative_area_level_1"]
    #expect(essen([large, region], ["Germany", "Germany"]).count == 3)
  }

  @Test("a region without a location is joined to the region of its own level, and to another one if there is none")
  func levelOfLabel() {
    let located = [
      area("district", "Bern", at: (46.95, 7.45), 0.9, type: "administrative_area_level_2") { $0.country = "CH" },
      area("canton", "Bern", at: (46.8, 7.6), 0.4, type: "administrative_area_level_1") { $0.country = "CH" },
    ]
    func sources(_ located: [Suggestion]) -> [[String]] {
      let row = area("canton", "Bern", at: nil, nil, "Switzerland", type: "administrative_area_level_1")
      return merge([batch("a", located), batch("g", [row])], query: "bern").map { $0.sources.compactMap(\.id).sorted() }
    }
    #expect(sources(located).contains(["a:canton", "g:canton"]))
    #expect(sources([located[0]]) == [["a:district", "g:canton"]])
  }

  @Test("the pair of rows that was joined by the label is in the explanation")
  func labelInExplanation() {
    let located = [("1", 51.46, 0.81), ("2", 52.72, 0.5)].map { id, latitude, importance in
      area(id, "Essen", at: (latitude, 7), importance) { $0.country = "DE" }
    }
    let others = ["3", "4"].map { area($0, "Essen", at: nil, nil, "Germany") }
    let answer = merge([batch("a", located), batch("g", others)], query: "essen", explain: true)
    #expect(answer.count == 2)
    for row in answer { #expect(row.explanation?.merges.isEmpty == false && row.sources.count == 2) }
  }

  @Test("the state in a text beside a town counts, if the service returns only the country as a field")
  func stateInText() {
    let states = ["ME": ("Maine", 43.66, -70.26), "OR": ("Oregon", 45.52, -122.68)]
    let located = ["ME", "OR"].compactMap { code in
      states[code].map { name, latitude, longitude in
        area(code, "Portland", at: (latitude, longitude), nil, "\(name), United States") { $0.country = "US" }
      }
    }
    let others = ["OR", "ME"].map { area($0, "Portland", at: nil, nil, "\($0), USA") }
    let answer = merge([batch("f", located), batch("g", others)], query: "portland")
    #expect(Set(answer.map { Set($0.sources.compactMap(\.id)) }) == [["f:ME", "g:ME"], ["f:OR", "g:OR"]])
    // Without the country's name in the text, its code is enough.
    let bare = [area("OR", "Portland", at: (45.52, -122.68), nil, "Oregon") { $0.country = "US" }]
    #expect(merge([batch("f", bare), batch("g", [others[1]])], query: "portland").count == 2)
  }
}
