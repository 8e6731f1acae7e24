import PlacesKit
import PlacesTesting
import Testing

@testable import Merging

/// Rows of services that return only a secondary text with the name, without coordinates.
@Suite("The text beside a name") struct SecondaryTextTests {
  struct Row: Sendable {
    var text: String
    var subject: SecondaryText.Subject
    var language: String?
    /// Street, town, region, country.
    var parts: [String?]

    init(_ text: String, _ subject: SecondaryText.Subject, _ language: String?, _ parts: [String?]) {
      (self.text, self.subject, self.language, self.parts) = (text, subject, language, parts)
    }
  }

  @Test(
    "Its parts are street, town, region and country, with the country's name in the language of the request",
    arguments: [
      Row("Europaplatz 1, Berlin, Germany", .business, "en", ["Europaplatz 1", "Berlin", nil, "DE"]),
      Row("Pariser Platz, 10117 Berlin, Deutschland", .business, "en", ["Pariser Platz", "10117 Berlin", nil, "DE"]),
      Row("Balzers, Liechtenstein", .business, "de", [nil, "Balzers", nil, "LI"]),
      Row("Main St 5, Springfield, MA, USA", .business, "en", ["Main St 5", "Springfield MA", nil, "US"]),
      Row("Catamarca, Argentine", .area, "fr", [nil, "Catamarca", nil, "AR"]), Row("MA, USA", .area, "en", [nil, nil, "MA", "US"]),
      Row("CA 92802, USA", .area, "en", [nil, nil, "CA", "US"]), Row("Germany", .area, "en", [nil, nil, nil, "DE"]),
      Row("Paris, France", .area, "en", [nil, "Paris", nil, "FR"]), Row("The Bahamas", .area, "en", [nil, nil, nil, "BS"]),
      // A house number may be a part of its own; a postcode is not one.
      Row("Av. Paulista, 1578, Bela Vista, São Paulo, Brazil", .business, "en", ["Av. Paulista, 1578", "Bela Vista São Paulo", nil, "BR"]),
      Row("5, Avenue Anatole France, Paris, France", .business, "en", ["5 Avenue Anatole France", "Paris", nil, "FR"]),
      Row("Via Roma, 12a, Torino, Italia", .business, "en", ["Via Roma, 12a", "Torino", nil, "IT"]),
      Row("Rue du Lac, 1003, Lausanne, Suisse", .business, "en", ["Rue du Lac", "1003 Lausanne", nil, "CH"]),
      Row("Laugavegur street, 101, Reykjavík, Iceland", .business, "en", ["Laugavegur street", "101 Reykjavík", nil, "IS"]),
      Row("Laugavegur street, 12, Reykjavík, Iceland", .business, "en", ["Laugavegur street, 12", "Reykjavík", nil, "IS"]),
      Row("Calle Sol, 1101, San Salvador, El Salvador", .business, "en", ["Calle Sol", "1101 San Salvador", nil, "SV"]),
      // A country in each of its official languages.
      Row("Lugano, Svizzera", .business, "en", [nil, "Lugano", nil, "CH"]),
      Row("Bruxelles, Belgique", .business, "en", [nil, "Bruxelles", nil, "BE"]),
      // A state's code is not a country.
      Row("Los Angeles, CA", .business, "en", [nil, nil, nil, nil]),
      Row("Market St 5, Wilmington, DE", .business, "en", ["Market St 5", "Wilmington DE", nil, nil]),
      // Postcodes, numbered districts, and towns with a word of street names are not streets.
      Row("93049 Regensburg, Deutschland", .address, "de", [nil, "93049 Regensburg", nil, "DE"]),
      Row("Dublin 2, Ireland", .business, "en", [nil, "Dublin 2", nil, "IE"]),
      Row("St. Louis, MO, USA", .business, "en", [nil, "St. Louis MO", nil, "US"]),
      Row("West Hollywood, CA, USA", .business, "en", [nil, "West Hollywood CA", nil, "US"]),
      // A description is not an address.
      Row("Swiss retail company", .business, "en", [nil, nil, nil, nil]),
      // From the largest part to the smallest.
      Row("日本、東京都、新宿区", .business, "ja", [nil, "新宿区 東京都", nil, "JP"]),
      Row("1-2 Bahnhofstraße", .business, nil, ["1-2 Bahnhofstraße", nil, nil, nil]), Row("", .business, nil, [nil, nil, nil, nil]),
      Row(" , ,", .area, nil, [nil, nil, nil, nil]), Row("Αθήνα, Ελλάδα", .business, "de", [nil, "Αθήνα", nil, "GR"]),
    ])
  func parts(row: Row) {
    let parts = SecondaryText(row.text, beside: row.subject, language: row.language)
    #expect([parts.address, parts.locality, parts.region, parts.country] == row.parts)
  }

  @Test("A first part that repeats the name is not a part of its surroundings")
  func repeatedName() {
    let parts = SecondaryText("Munich, Germany", beside: .area, named: "Munich", language: "en")
    #expect(parts.locality == nil && parts.region == nil && parts.country == "DE")
  }

  @Test("A town's names in two languages do not conflict if a row of the answer has both")
  func exonyms() {
    func conflict(_ town: [MatchRecord]) -> [Double] {
      var (one, other) = (MatchRecord(source: "a", id: "1", name: "Café Central"), MatchRecord(source: "b", id: "2", name: "Café Central"))
      (one.locality, other.locality) = ("1010 Wien", "Vienna")
      let pair = PairComparison(0, 1, in: NormalizedRecords([one, other] + town))
      return [pair.features[.sameLocality], pair.features[.localityConflict]]
    }
    var vienna = MatchRecord(source: "c", id: "3", name: "Vienna")
    (vienna.otherNames, vienna.types) = (["Wien", "Vienne"], ["locality"])
    #expect(conflict([vienna]) == [1, 0] && conflict([]) == [0, 1])
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

  @Test("Towns of one name are distinguished by country and region, also by a region's code")
  func towns() {
    let merged = sources(
      "Cambridge", "locality",
      [
        (evidence(country: "GB", region: "England"), "England, UK"), (evidence(country: "US", region: "Massachusetts"), "MA, USA"),
        (evidence(country: "US", region: "Ohio"), "OH, USA"), (evidence(country: "CA", region: "Ontario"), "ON, Canada"),
      ])
    #expect(merged == (0..<4).map { ["a:\($0)", "b:\($0)"] })
  }

  @Test("Branches of a chain are distinguished by street and town")
  func branches() {
    let merged = sources(
      "Coop", "supermarket",
      [
        (evidence(country: "LI", locality: "Vaduz", street: "Äulestrasse", houseNumber: "20"), "Äulestr. 20, Vaduz, Liechtenstein"),
        (evidence(country: "LI", locality: "Vaduz", street: "Landstrasse", houseNumber: "117"), "Landstr. 117, Vaduz, Liechtenstein"),
        (evidence(country: "LI", locality: "Balzers", street: "Fabrikstrasse", houseNumber: "6"), "Fabrikstr. 6, Balzers, Liechtenstein"),
        (evidence(country: "LI", locality: "Triesen"), "Triesen, Liechtenstein"),
        (evidence(country: "LI", locality: "Ruggell"), "Ruggell, Liechtenstein"),
        (evidence(country: "LI", locality: "Schaan"), "Schaan, Liechtenstein"),
      ])
    #expect(merged == (0..<6).map { ["a:\($0)", "b:\($0)"] })
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
