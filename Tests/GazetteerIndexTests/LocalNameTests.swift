import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

/// A request without a language receives the local name of a place.
@Suite struct LocalNameTests {
  private func text(_ country: String, _ name: String, _ names: [(String, String)], _ language: String?) -> StoredPlaceText {
    var record = GazetteerRecord(id: "1", name: name)
    record.country = country
    record.names = names.map { .init($0.0, $0.1) }
    var fields = ByteWriter()
    record.encode(into: &fields)
    var stored = ByteWriter()
    RecordSections.append(source: 1, fields: fields.bytes[...], to: &stored)
    return StoredPlaceText(id: "1", stored: stored.bytes, choice: language.map { LanguageChoice($0) })
  }

  private static let names: [String: [(String, String)]] = [
    "Munich": [("en", "Munich"), ("de", "München"), ("fr", "Munich")],
    "Genève": [("de", "Genf"), ("en", "Geneva"), ("fr", "Genève"), ("it", "Ginevra")],
    "Geneva": [("de", "Genf"), ("en", "Geneva"), ("fr", "Genève"), ("it", "Ginevra")],
    "Zurich": [("de", "Zürich"), ("en", "Zurich"), ("fr", "Zurich"), ("it", "Zurigo")],
    "Antwerp": [("nl", "Antwerpen"), ("fr", "Anvers")],
    "Nicosia": [("el", "Λευκωσία"), ("tr", "Lefkoşa"), ("az", "Lefkoşa")],
    "Tokyo": [("ja", "東京"), ("en", "Tokyo"), ("de", "Tokio")],
    "Taipei": [("zh", "台北市"), ("zh-CN", "台北"), ("zh-TW", "臺北市")],
    "Nijar City": [("ha", "Nijar"), ("fr", "Niger")],
    "Montréal": [("en", "Montreal"), ("fr", "Montréal")],
    "Nowhere": [("xx", "Nulpunt")], "Bay": [("ar", "باي")], "Riyadh": [("ar", "الرياض")],
    "Hunan": [("zh", "湖南"), ("en", "Hunan")], "Ruse": [("bg", "Русе"), ("en", "Ruse")],
  ]

  @Test(
    "The local name is the one in the country's language, and of several languages that of the main name",
    arguments: [
      ("DE", "Munich", "München", "de"), ("CH", "Genève", "Genève", "fr"), ("CH", "Geneva", "Genève", "fr"),
      ("CH", "Zurich", "Zürich", "de"), ("BE", "Antwerp", "Antwerpen", "nl"), ("CY", "Nicosia", "Λευκωσία", "el"),
      ("JP", "Tokyo", "東京", "ja"), ("NE", "Nijar City", "Niger", "fr"),
      ("TW", "Taipei", "臺北市", "zh-TW"), ("CA", "Montréal", "Montréal", "fr"),
    ])
  func local(country: String, main: String, shown: String, language: String) throws {
    let text = text(country, main, LocalNameTests.names[main] ?? [], nil)
    #expect(text.name == shown)
    #expect(text.language == language)
    #expect(main == shown || text.otherNames.contains(main))
  }

  @Test(
    "In a country that writes Latin letters, a name in another script is not a local name",
    arguments: [("SO", "Bay", "Bay"), ("SA", "Riyadh", "الرياض")])
  func letters(country: String, main: String, shown: String) {
    #expect(text(country, main, LocalNameTests.names[main] ?? [], nil).name == shown)
  }

  static func index(of records: [GazetteerRecord]) throws -> (folder: TemporaryFolder, reader: GazetteerReader) {
    let folder = try TemporaryFolder()
    var build = try IndexBuild(path: folder.file("g.db"), source: .debian, time: ManualTime(), progress: { _ in }, isCancelled: { false })
    for record in records { try build.stage(record) }
    try build.finish()
    return (folder, try GazetteerReader(path: folder.file("g.db")))
  }

  @Test("A word of a name that the row does not show weighs less than one of a shown name")
  func hiddenWords() throws {
    var bernau = GazetteerRecord(id: "1", name: "Bernau bei Berlin")
    bernau.country = "DE"
    bernau.types = ["locality"]
    bernau.names = [.init("de", "Bernau"), .init("en", "Bernau bei Berlin")]
    bernau.population = 45_000
    var suburb = GazetteerRecord(id: "2", name: "New Berlin")
    suburb.country = "US"
    suburb.types = ["locality"]
    suburb.population = 15_000
    let index = try LocalNameTests.index(of: [bernau, suburb])
    func ids(_ query: String, _ language: String?) throws -> [String?] {
      try index.reader.autocomplete(AutocompleteRequest(query: query, language: language)).rows.map(\.id)
    }
    #expect(try ids("berl", nil) == ["2", "1"])
    #expect(try ids("berl", "en") == ["1", "2"])
    #expect(try ids("bernau bei", nil) == ["1"])
    #expect(try ids("berlin bernau", nil) == ["1"])
  }

  /// The names shown for a town and its region, given their names.
  private func row(_ code: String, _ town: (String, [String: String]), _ region: [String: String], _ country: [String: String]) throws
    -> String?
  {
    var records: [GazetteerRecord] = []
    for (id, area, name, names) in [
      ("1", nil, town.0, town.1), (code, code, "Region", region), (String(code.prefix(2)), String(code.prefix(2)), "Country", country),
    ] {
      var record = GazetteerRecord(id: id, name: name)
      record.names = names.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }
      record.country = String(code.prefix(2))
      record.areaCode = area
      record.types = [area == nil ? "locality" : area == record.country ? "country" : "administrative_area_level_1"]
      if area != record.country { record.region = area == nil ? code : "" }
      record.location = Coordinate(latitude: 1, longitude: 1)
      records.append(record)
    }
    let index = try LocalNameTests.index(of: records)
    let rows = try index.reader.autocomplete(AutocompleteRequest(query: town.0, types: ["locality"])).rows
    return rows.first?.text.text
  }

  @Test(
    "A row omits a region that is called as the place, also if the data transliterates one letter otherwise",
    arguments: [
      ("Voronezh", "Voronezj", true), ("Karbala", "Karbalāʼ", true), ("Veracruz", "Veraguas", false), ("Samara", "Samaria", false),
    ])
  func repeatedRegion(town: String, region: String, isRepeated: Bool) throws {
    let text = try row("RU.86", (town, [:]), ["ru": region, "en": region], ["ru": "Russia"])
    #expect(text == (isRepeated ? "\(town), Russia" : "\(town), \(region), Russia"))
  }

  private static let swiss = ["de": "Schweiz", "fr": "Suisse", "it": "Svizzera"]

  @Test(
    "Region and country are in the local language, whatever names the town has",
    arguments: [
      (
        "CH.VD", "Lausanne", ["de": "Lausanne", "fr": "Lausanne", "it": "Losanna"], ["de": "Kanton Waadt", "fr": "Canton de Vaud"], swiss,
        "Lausanne, Canton de Vaud, Suisse"
      ),
      (
        "CH.LU", "Lucerne", ["de": "Luzern", "fr": "Lucerne"], ["de": "Kanton Luzern", "fr": "Canton de Lucerne"], swiss,
        "Luzern, Schweiz"
      ),
      (
        "CH.TI", "Lugano", ["de": "Lugano", "it": "Lugano"], ["de": "Kanton Tessin", "it": "Canton Ticino"], swiss,
        "Lugano, Canton Ticino, Svizzera"
      ),
      (
        "CH.VS", "Brig", ["de": "Brig", "fr": "Brigue"], ["de": "Kanton Wallis", "fr": "Canton du Valais"], swiss,
        "Brig, Kanton Wallis, Schweiz"
      ),
      (
        "BE.BRU", "Anderlecht", ["de": "Anderlecht", "fr": "Anderlecht"],
        ["de": "Region Brüssel", "fr": "Région de Bruxelles"],
        ["de": "Belgien", "fr": "Belgique", "nl": "België"], "Anderlecht, Région de Bruxelles, Belgique"
      ),
      (
        "CA.10", "Gatineau", ["en": "Gatineau", "fr": "Gatineau"], ["en": "Quebec", "fr": "Québec"], ["en": "Canada", "fr": "Canada"],
        "Gatineau, Québec, Canada"
      ),
      ("NO.46", "Bergen", ["nn": "Bergen"], ["en": "Vestland"], ["nb": "Norge", "nn": "Noreg"], "Bergen, Region, Norge"),
      (
        "FI.15", "Närpes", ["fi": "Närpiö", "sv": "Närpes"], ["fi": "Pohjanmaa", "sv": "Österbotten"], ["fi": "Suomi", "sv": "Finland"],
        "Närpes, Österbotten, Finland"
      ),
    ] as [(String, String, [String: String], [String: String], [String: String], String)])
  func spoken(
    code: String, town: String, names: [String: String], region: [String: String], country: [String: String], shown: String
  ) throws {
    #expect(try row(code, (town, names), region, country) == shown)
  }

  @Test("The English name of a region in a dump does not replace its known names")
  func dumpedRegions() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("g.db")
    do {
      var build = try IndexBuild(path: path, source: .debian, time: ManualTime(), progress: { _ in }, isCancelled: { false })
      var region = GazetteerRecord(id: "DE.16", name: "Berlin")
      region.country = "DE"
      region.areaCode = "DE.16"
      region.types = ["administrative_area_level_1"]
      region.names = [.init("en", "Berlin"), .init("fr", "Berlin")]
      try build.stage(region)
      try build.finish()
    }
    let dump = try folder.write(SmallIndex.line(1, "Spandau", "", 52.5, 13.2, "DE", "16", 10), to: "dump.txt")
    let regions = try folder.write("DE.16\tState of Berlin\tState of Berlin\t2950157\n", to: "regions.txt")
    _ = try GazetteerBuilder(path: path).importGeoNames(dump, regions: regions)
    let reader = try GazetteerReader(path: path)
    #expect(try reader.details(DetailsRequest(id: "DE.16", fields: [.name]))?.name == "Berlin")
    #expect(try reader.autocomplete(AutocompleteRequest(query: "state of berlin")).rows.first?.id == "DE.16")
    #expect(try reader.details(DetailsRequest(id: "2950157", fields: []))?.id == "DE.16")
  }

  @Test("A country's own name is the one in its first language, even if another is more similar to the English one")
  func countries() {
    var record = GazetteerRecord(id: "CH", name: "Switzerland")
    record.country = "CH"
    record.areaCode = "CH"
    record.names = LocalNameTests.swiss.map { .init($0.key, $0.value) }
    var stored = ByteWriter()
    RecordSections.append(source: 1, fields: record.encoded[...], to: &stored)
    #expect(StoredPlaceText(id: "CH", stored: stored.bytes, choice: nil).name == "Schweiz")
  }

  @Test("Directional marks are removed from names, joiners are kept")
  func marks() {
    #expect(GazetteerRecord.Name("fa", "كرمانشاه\u{200E}").text == "كرمانشاه")
    #expect(GazetteerRecord.Name("fa", "قائم\u{200C}شهر").text.unicodeScalars.contains("\u{200C}"))
  }

  @Test(
    "A request with a language gets the name in it, otherwise the local one, otherwise the main one",
    arguments: [
      ("DE", "Munich", "fr", "Munich"), ("DE", "Munich", "it", "München"), ("CH", "Genève", "de", "Genf"), ("", "Nowhere", "de", "Nowhere"),
      ("QQ", "Nowhere", "xx", "Nulpunt"), ("QQ", "Munich", "", "Munich"),
      // A local name in the script of the language is kept.
      ("CN", "Hunan", "ja", "湖南"), ("CN", "Hunan", "ko", "Hunan"), ("BG", "Ruse", "ru", "Русе"), ("BG", "Ruse", "de", "Ruse"),
    ])
  func asked(country: String, main: String, language: String, shown: String) throws {
    #expect(text(country, main, LocalNameTests.names[main] ?? [], language).name == shown)
  }

  @Test("A row does not repeat the place's name in another language as its region")
  func repeatedRegion() throws {
    var records = ["JP", "JP.40"].map { GazetteerRecord(areaCode: $0, name: $0 == "JP" ? "Japan" : "Tokyo") }
    records[0].names = [.init("ru", "Япония")]
    var city = GazetteerRecord(id: "1850147", name: "Tokyo")
    (city.country, city.region, city.types, city.population) = ("JP", "JP.40", ["locality"], 9_733_276)
    city.names = [.init("ru", "Токио")]
    let (_folder, reader) = try LocalNameTests.index(of: records + [city])
    let rows = try reader.autocomplete(AutocompleteRequest(query: "токио", language: "ru")).rows
    #expect(rows.first?.text.text == "Токио, Япония")
    withExtendedLifetime(_folder) {}
  }

  @Test(
    "The name of a region repeats that of a place in it, also with further words or Chinese characters",
    arguments: [
      ("State of Berlin", "Berlin", true), ("Washington, D.C.", "Washington", true), ("宫崎县", "宫崎", true), ("圣地亚哥首都大区", "圣地亚哥", true),
      ("Washingtonville", "Washington", false), ("京都府", "京", false), ("宫城县", "宫崎", false),
    ])
  func repetition(region: String, name: String, repeats: Bool) { #expect(region.repeatsName(name) == repeats) }

  @Test("A row does not show a region whose name differs from the country's only in its suffix or its characters")
  func regionLikeCountry() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city("1", "Taipei", "TW", 2_600_000, [("zh", "台北市"), ("ja", "台北市")], region: "TW.04"),
      TypedTests.area("TW", "Taiwan", [("zh", "台湾"), ("ja", "台湾")]), TypedTests.area("TW.04", "Taiwan Province", [("zh", "臺灣省")]),
    ])
    for language in ["zh", "ja"] {
      let rows = try index.reader.autocomplete(AutocompleteRequest(query: "taipei", language: language)).rows
      #expect(rows.first?.text.text == "台北市, 台湾", "\(language)")
    }
  }

  @Test("The name that names a place in the query's script precedes one that only folds to the same letters")
  func matchedScript() throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Ar Rifā‘", "ri fi na,ริไฟนา", 26.13, 50.56, "BH", "", 300_000)])
    let rows = try index.reader.search(SearchRequest(query: "ริไฟนา", fields: [.name])).rows
    #expect(rows.first?.evidence.otherNames.first == "ริไฟนา")
  }

  @Test("The text beside a name is in the language of the name")
  func surroundings() throws {
    let index = try SmallIndex(
      lines: [SmallIndex.line(1, "Collonge", "", 46.2, 6.2, "CH", "GE", 10)], regions: ["CH.GE\tGenève\tGeneve\t2"])
    let feature = #"""
      {"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[6.2,46.2]},"properties":{"place":"city","population":"180000","name":"Genève","name:de":"Genf","name:fr":"Genève"}}
      {"type":"Feature","id":"n2","geometry":{"type":"Point","coordinates":[8.5,47.3]},"properties":{"place":"city","name":"Zürich","name:de":"Zürich","name:fr":"Zurich"}}
      """#
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(feature.utf8), name: "test"), name: "test", country: "CH")
    let reader = try GazetteerReader(path: index.path)
    func shown(_ query: String, _ language: String?) throws -> String? {
      try reader.autocomplete(AutocompleteRequest(query: query, language: language)).rows.first?.primary?.text
    }
    #expect(try shown("gen", nil) == "Genève")
    #expect(try shown("gen", "de") == "Genf")
    #expect(try shown("zür", nil) == "Zürich")
    #expect(try shown("zur", "fr") == "Zurich")
  }
}
