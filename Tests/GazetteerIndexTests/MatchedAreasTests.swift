import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

@Suite("Words around a name: its country, its region, the kind of settlement")
struct AskedAreasTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(
      lines: [
        SmallIndex.line(4_930_956, "Boston", "", 42.358, -71.06, "US", "MA", 650_000),
        SmallIndex.line(6_252_001, "United States", "USA,US,America", 39.76, -98.5, "US", "00", 327_000_000, code: "A\tPCLI"),
        SmallIndex.line(524_901, "Moscow", "Москва", 55.752, 37.616, "RU", "48", 10_381_222),
        SmallIndex.line(551_487, "Kazan", "Казань", 55.788, 49.122, "RU", "73", 1_243_500),
        SmallIndex.line(540_103, "Krasnogorsk", "Красногорск,Москва-Г", 55.82, 37.33, "RU", "47", 175_000),
        SmallIndex.line(703_448, "Kyiv", "Київ", 50.454, 30.523, "UA", "12", 2_952_301),
        SmallIndex.line(1_850_147, "Tokyo", "東京", 35.69, 139.692, "JP", "40", 9_733_276),
        SmallIndex.line(1_852_083, "Shinjuku", "新宿区,新宿", 35.694, 139.703, "JP", "40", 348_452),
        SmallIndex.line(1_852_140, "Shibuya", "渋谷", 35.66, 139.7, "JP", "40", 243_883),
        SmallIndex.line(2_451_185, "Segu", "Ségou,Сегу", 13.43, -6.22, "ML", "05", 300_000),
        SmallIndex.line(1_861_060, "Japan", "日本", 35.69, 139.75, "JP", "00", 126_529_100, code: "A\tPCLI"),
        SmallIndex.line(1_850_144, "Tokyo Prefecture", "東京都", 35.68, 139.69, "JP", "40", 13_942_856, code: "A\tADM1"),
      ],
      regions: ["US.MA\tMassachusetts\tMassachusetts\t6254926"])
  }

  @Test("A row has the typed words for areas that it does not show", arguments: ["boston, ma, usa", "usa ma boston"])
  func told(query: String) throws {
    let reader = try AskedAreasTests.index().reader
    let row = try #require(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first)
    #expect(row.evidence.otherNames.contains { $0.hasPrefix("Boston, ") && $0.contains("ma") && $0.contains("usa") })
    let place = try #require(try reader.search(SearchRequest(query: query, fields: [])).rows.first)
    #expect(place.evidence.otherNames == row.evidence.otherNames)
    let plain = try #require(try reader.autocomplete(AutocompleteRequest(query: "boston")).rows.first)
    #expect(plain.evidence.otherNames == [])
  }

  @Test(
    "A word for town before a name is not part of the name",
    arguments: [
      ("г. Москва", "524901"), ("г.Казань", "551487"), ("Россия, г. Москва", "524901"), ("город Казань", "551487"), ("м. Київ", "703448"),
      ("гор.Москва", "524901"), ("г Моск", "524901"), ("Россия г Москва", "524901"),
    ])
  func settlements(query: String, id: String) throws { #expect(try AskedAreasTests.index().ids(query).first == id) }

  @Test(
    "A row has the typed name if that is the whole of another name and only a part of the shown one", arguments: ["irvin", "shiraz port"])
  func wholeOtherName(query: String) throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Irvine", "Aa,Bb,Cc,Dd,Ee,Irvin", 33.67, -117.82, "US", "", 307_670),
      SmallIndex.line(2, "Shiraz", "Aa,Bb,Cc,Dd,Ee,Shiraz Port", 29.6, 52.5, "IR", "", 1_200_000),
    ])
    for rows in [query, query + " "] {
      let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: rows)).rows.first)
      #expect(row.evidence.otherNames.first?.lowercased() == query)
    }
  }

  @Test("Another name without a language is evidence for a large town only", arguments: [(2_600, false), (237_000, true)])
  func confusable(population: Int, isEvidence: Bool) throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Gowanda", "Aa,Bb,Cc,Dd,Ee,Persia", 42.46, -78.94, "US", "NY", population)])
    let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "persia")).rows.first)
    #expect(row.evidence.otherNames.contains("Persia") == isEvidence)
  }

  @Test("A row has the typed words for its kind of settlement, and a point has the whole query")
  func kinds() throws {
    let reader = try AskedAreasTests.index().reader
    let town = try #require(try reader.search(SearchRequest(query: "г. Москва", fields: [])).rows.first)
    #expect(town.evidence.otherNames.contains("Moscow, g"), "\(town.evidence.otherNames)")
    let point = try #require(try reader.search(SearchRequest(query: "52,52 N 13,4 O", fields: [])).rows.first)
    #expect(point.evidence.otherNames == ["52,52 N 13,4 O"])
  }

  @Test(
    "A word that may be a name remains",
    arguments: ["г.", "Город", "с", "Москва", "Санкт-Петербург", "ул. Ленина", "Moscow g.", "Красное Село Россия"])
  func kept(query: String) { #expect(SettlementPrefixes.removed(from: query) == query) }

  @Test(
    "In Chinese and Japanese a place follows its areas without a space",
    arguments: [
      ("東京都新宿区", "1852083"), ("東京都渋谷区", "1852140"), ("日本東京", "1850147"), ("日本東京都新宿区", "1852083"), ("新宿区", "1852083"), ("東京都北区", "JP.40"),
    ])
  func unspaced(query: String, id: String) throws { #expect(try AskedAreasTests.index().ids(query).first == id) }

  @Test("Typed characters mean a place with these characters before one with the same reading")
  func ownCharacters() throws { #expect(try AskedAreasTests.index().ids("渋谷").first == "1852140") }

  /// An index as an older package of Debian's makes it.
  private static func older(
    _ path: String, _ regions: [(code: String, name: String, other: String)], towns: [(id: String, name: String, region: String)] = []
  ) throws {
    var build = try IndexBuild(path: path, source: .debian, time: ManualTime(), progress: { _ in }, isCancelled: { false })
    for region in regions {
      var record = GazetteerRecord(id: region.code, name: region.name)
      (record.country, record.areaCode) = (String(region.code.prefix(2)), region.code)
      record.types = [region.code == record.country ? "country" : "administrative_area_level_1"]
      record.names = [.init("en", region.name), .init("vi", region.other)]
      try build.stage(record)
    }
    for town in towns {
      var record = GazetteerRecord(id: town.id, name: town.name)
      (record.country, record.region, record.types) = (String(town.region.prefix(2)), town.region, ["locality"])
      record.location = Coordinate(latitude: 20, longitude: 100)
      try build.stage(record)
    }
    try build.finish()
  }

  @Test("If the codes of regions changed, the newer names are used; otherwise the older ones remain as other names")
  func renumbered() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("gazetteer.db")
    try AskedAreasTests.older(
      path, [("VN.01", "An Giang", "An Giang"), ("VN.44", "Hanoi", "Hà Nội"), ("RU.29", "Kemerovo Oblast", "Kemerovo")])
    let hanoi = SmallIndex.line(1_581_130, "Hanoi", "", 21.0245, 105.841, "VN", "01", 8_053_663)
    let dump = try folder.write(hanoi + "\n", to: "dump.txt")
    let names = try folder.write(
      "VN.01\tHanoi\tHanoi\t1581129\nVN.44\tQuang Tri\tQuang Tri\t13494350\nRU.29\tKuzbass\tKuzbass\t1503900\n", to: "regions.txt")
    _ = try GazetteerBuilder(path: path).importGeoNames(dump, regions: names)
    let reader = try GazetteerReader(path: path)
    let fields: Set<PlaceField> = [.name]
    #expect(try reader.details(DetailsRequest(id: "1581130", fields: fields, language: "en"))?.evidence.region == "Hanoi")
    #expect(try reader.details(DetailsRequest(id: "VN.44", fields: fields, language: "vi"))?.name == "Quang Tri")
    #expect(try reader.details(DetailsRequest(id: "RU.29", fields: fields, language: "vi"))?.name == "Kemerovo")
  }

  @Test("If most towns changed their code and newer names are missing, older names of regions are dropped; a country keeps its name")
  func renumberedWithoutNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("gazetteer.db")
    try AskedAreasTests.older(
      path,
      [("VN.01", "An Giang", "An Giang"), ("VN.44", "Ha Noi", "Hà Nội"), ("RU.29", "Kuzbass", "Kemerovo"), ("VN", "Vietnam", "Việt Nam")],
      towns: [("1", "Hanoi", "VN.44"), ("2", "Long Xuyen", "VN.01"), ("3", "Kemerovo", "RU.29"), ("4", "Yurga", "RU.29")])
    let before = try GazetteerReader(path: path).details(DetailsRequest(id: "1", fields: [], language: "en"))
    #expect(before?.evidence.region == "Ha Noi")
    let lines = [
      SmallIndex.line(1, "Hanoi", "", 20, 100, "VN", "01", 8_053_663), SmallIndex.line(3, "Kemerovo", "", 20, 100, "RU", "29", 500_000),
      SmallIndex.line(4, "Yurga", "", 20, 100, "RU", "30", 80_000),
    ]
    let dump = try folder.write(lines.joined(separator: "\n") + "\n", to: "dump.txt")
    _ = try GazetteerBuilder(path: path).importGeoNames(dump)
    let reader = try GazetteerReader(path: path)
    func region(of id: String) throws -> String? {
      try reader.details(DetailsRequest(id: id, fields: [], language: "en"))?.evidence.region
    }
    #expect(try region(of: "1") == nil && region(of: "3") == "Kuzbass")
    #expect(try reader.details(DetailsRequest(id: "VN", fields: [.name], language: "en"))?.name == "Vietnam")
  }
}
