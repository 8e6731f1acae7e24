import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

/// Each rule that reads a query otherwise changes what a query finds.
@Suite struct RewriterTests {
  private static func feature(_ id: Int, _ tags: String, _ latitude: Double) -> String {
    """
    {"type":"Feature","id":"n\(id)","geometry":{"type":"Point","coordinates":[9.5,\(latitude)]},"properties":{\(tags)}}
    """
  }

  private static func index() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = folder.file("g.db")
    let towns = [
      SmallIndex.line(1, "Moscow", "Москва", 55.752, 37.616, "RU", "48", 10_381_222),
      SmallIndex.line(2, "Ciudad Juárez", "", 31.72, -106.46, "MX", "06", 1_321_004),
      SmallIndex.line(3, "North Las Vegas", "", 36.2, -115.12, "US", "NV", 234_807),
      SmallIndex.line(4, "Tokyo", "東京", 35.69, 139.69, "JP", "40", 8_336_599),
      SmallIndex.line(5, "Cairo", "القاهرة", 30.06, 31.25, "EG", "11", 9_606_916),
      SmallIndex.line(6, "Shinjuku", "新宿区", 35.694, 139.703, "JP", "40", 348_452),
      SmallIndex.line(7, "Tokyo Prefecture", "東京都", 35.68, 139.69, "JP", "40", 13_942_856, code: "A\tADM1"),
      SmallIndex.line(8, "Roseville", "", 38.75, -121.29, "US", "CA", 130_269),
      SmallIndex.line(9, "Saint Rose", "", 16.33, -61.7, "GP", "", 20_000),
    ]
    let regions = [
      "US.CA\tState of California\tState of California\t5332921", "JP.40\tTokyo\tTokyo\t1850144", "EG.11\tCairo\tCairo\t360631",
    ]
    _ = try GazetteerBuilder(path: path).importGeoNames(
      try folder.write(towns.joined(separator: "\n") + "\n", to: "dump.txt"),
      regions: try folder.write(regions.joined(separator: "\n") + "\n", to: "regions.txt"))
    let features = [
      feature(10, #""place":"town","name":"Schaan""#, 47.16), feature(11, #""highway":"residential","name":"Rose Street""#, 47.161),
      feature(12, #""highway":"residential","name":"5th Avenue""#, 47.162),
      feature(13, #""addr:street":"Landstrasse","addr:housenumber":"97","addr:city":"Schaan""#, 47.163),
      feature(14, #""addr:street":"Dorfstrasse","addr:housenumber":"60","addr:city":"Schaan""#, 47.164),
    ]
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "map")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "map", country: "LI")
    return (folder, path)
  }

  private static let cases: [(rewriter: Rewriter, query: String, id: String)] = [
    (.settlementPrefix, "г Моск", "1"), (.germanStreet, "landstr schaan", "osm:node/13"), (.streetAbbreviation, "rose st", "osm:node/11"),
    (.regionKind, "cairo governorate", "EG.11"), (.abbreviation, "cd juarez", "2"), (.ordinal, "fifth avenue", "osm:node/12"),
    (.initial, "n las vegas", "3"),
    (.longVowel, "とうきょう", "4"), (.arabicArticle, "قاهرة", "5"), (.hanSegments, "東京都新宿区", "6"),
    (.compound, "dorf strasse schaan", "osm:node/14"), (.mistypedWord, "landstrase 97 schaan", "osm:node/13"),
  ]

  @Test("Each rewriter has a query that does not find its place without it")
  func eachIsNeeded() throws {
    let (_folder, path) = try RewriterTests.index()
    let all = try GazetteerReader(path: path)
    for (rewriter, query, id) in RewriterTests.cases {
      #expect(try all.autocomplete(AutocompleteRequest(query: query)).rows.first?.id == id, "\(rewriter)")
      let others = try GazetteerReader(path: path, rewriters: Rewriter.all.subtracting([rewriter]))
      #expect(try others.autocomplete(AutocompleteRequest(query: query)).rows.first?.id != id, "\(rewriter) changes nothing")
    }
    #expect(Set(RewriterTests.cases.map(\.rewriter)) == Rewriter.all)
    withExtendedLifetime(_folder) {}
  }
}
