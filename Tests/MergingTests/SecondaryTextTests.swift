import PlacesKit
import PlacesTesting
import Testing

@testable import Merging

/// Rows of services that give only a text beside the name, without coordinates.
@Suite("The text beside a name") struct SecondaryTextTests {
  struct Row: Sendable {
    var text: String
    var isArea: Bool
    var language: String?
    /// Street, town, region, country.
    var parts: [String?]

    init(_ text: String, isArea: Bool, _ language: String?, _ parts: [String?]) {
      (self.text, self.isArea, self.language, self.parts) = (text, isArea, language, parts)
    }
  }

  @Test(
    "Its parts are street, town, region and country, with the country's name in the language of the request",
    arguments: [
      Row("Europaplatz 1, Berlin, Germany", isArea: false, "en", ["Europaplatz 1", "Berlin", nil, "DE"]),
      Row("Pariser Platz, 10117 Berlin, Deutschland", isArea: false, "en", ["Pariser Platz", "10117 Berlin", nil, "DE"]),
      Row("Balzers, Liechtenstein", isArea: false, "de", [nil, "Balzers", nil, "LI"]),
      Row("Main St 5, Springfield, MA, USA", isArea: false, "en", ["Main St 5", "Springfield MA", nil, "US"]),
      Row("Catamarca, Argentine", isArea: true, "fr", [nil, nil, "Catamarca", "AR"]),
      Row("MA, USA", isArea: true, "en", [nil, nil, "MA", "US"]),
      Row("Germany", isArea: true, "en", [nil, nil, nil, "DE"]),
      Row("Mitte, Berlin", isArea: true, nil, [nil, "Mitte", "Berlin", nil]),
      Row("1-2 Bahnhofstraße", isArea: false, nil, ["1-2 Bahnhofstraße", nil, nil, nil]),
      Row("", isArea: false, nil, [nil, nil, nil, nil]),
      Row(" , ,", isArea: true, nil, [nil, nil, nil, nil]),
      Row("Αθήνα, Ελλάδα", isArea: false, "de", [nil, "Αθήνα", nil, "GR"]),
    ])
  func parts(row: Row) {
    let parts = SecondaryText(row.text, isArea: row.isArea, language: row.language)
    #expect([parts.address, parts.locality, parts.region, parts.country] == row.parts)
  }

  /// Two sources of the same namesakes in opposite orders: the second one has no coordinates.
  private func sources(_ name: String, _ type: PlaceType, _ places: [(evidence: Evidence, text: String)]) -> [[String]] {
    let located = places.enumerated().map { index, place in
      Suggestion(
        kind: .place, id: "\(index)", text: FormattedText(name), types: [type],
        location: Coordinate(latitude: 10 + 5 * Double(index), longitude: 5), evidence: place.evidence)
    }
    let others = places.enumerated().reversed().map { index, place in
      Suggestion(
        kind: .place, id: "\(index)", text: FormattedText("\(name), \(place.text)"), primary: FormattedText(name),
        secondary: FormattedText(place.text), types: [type])
    }
    return merge([batch("a", located), batch("b", others)]).map { $0.sources.compactMap(\.id).sorted() }.sorted { $0[0] < $1[0] }
  }

  private func evidence(
    country: String, region: String? = nil, locality: String? = nil, street: String? = nil, houseNumber: String? = nil
  ) -> Evidence {
    var evidence = Evidence()
    (evidence.country, evidence.region, evidence.locality) = (country, region, locality)
    (evidence.street, evidence.houseNumber) = (street, houseNumber)
    if let street { evidence.address = [street, houseNumber].compactMap { $0 }.joined(separator: " ") }
    return evidence
  }

  @Test("Towns of one name are told apart by country and region, also by a region's code")
  func towns() {
    let merged = sources(
      "Cambridge", "locality",
      [
        (evidence(country: "GB", region: "England"), "England, UK"), (evidence(country: "US", region: "Massachusetts"), "MA, USA"),
        (evidence(country: "US", region: "Ohio"), "OH, USA"), (evidence(country: "CA", region: "Ontario"), "ON, Canada"),
      ])
    #expect(merged == (0..<4).map { ["a:\($0)", "b:\($0)"] })
  }

  @Test("Branches of a chain are told apart by street and town")
  func branches() {
    let merged = sources(
      "Coop", "supermarket",
      [
        (evidence(country: "LI", locality: "Vaduz", street: "Äulestrasse", houseNumber: "20"), "Äulestr. 20, Vaduz, Liechtenstein"),
        (evidence(country: "LI", locality: "Vaduz", street: "Landstrasse", houseNumber: "117"), "Landstr. 117, Vaduz, Liechtenstein"),
        (evidence(country: "LI", locality: "Balzers", street: "Fabrikstrasse", houseNumber: "6"), "Fabrikstr. 6, Balzers, Liechtenstein"),
        (evidence(country: "LI", locality: "Triesen"), "Triesen, Liechtenstein"),
      ])
    #expect(merged == (0..<4).map { ["a:\($0)", "b:\($0)"] })
  }

  @Test("A namesake elsewhere is not taken for a place that the other source lacks")
  func lacking() {
    func one(_ name: String, _ type: PlaceType, _ evidence: Evidence, _ text: String) -> Int {
      let a = Suggestion(
        kind: .place, id: "1", text: FormattedText(name), types: [type], location: Coordinate(latitude: 10, longitude: 5),
        evidence: evidence)
      let b = Suggestion(
        kind: .place, id: "2", text: FormattedText("\(name), \(text)"), primary: FormattedText(name), secondary: FormattedText(text),
        types: [type])
      return merge([batch("a", [a]), batch("b", [b])]).count
    }
    #expect(one("Londres", "locality", evidence(country: "GB", region: "Angleterre"), "Catamarca, Argentina") == 2)
    #expect(one("Migros", "supermarket", evidence(country: "LI", locality: "Triesen"), "Landstrasse 33, Ruggell, Liechtenstein") == 2)
    #expect(one("Landstrasse 97", "street_address", evidence(country: "LI", locality: "Schaan"), "Ruggell, Liechtenstein") == 2)
    #expect(one("Cambridge", "locality", evidence(country: "US", region: "Massachusetts"), "MA, USA") == 1)
    #expect(one("Berlin", "locality", evidence(country: "DE", region: "Berlin"), "Germany") == 1)
  }
}
