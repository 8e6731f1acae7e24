import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

/// Typed texts, and the rows they mean.
@Suite struct TypedTests {
  static func city(
    _ id: String, _ name: String, _ country: String, _ population: Int, _ names: [(String, String)] = [], region: String = "",
    at location: (Double, Double)? = nil
  ) -> GazetteerRecord {
    var record = GazetteerRecord(id: id, name: name)
    (record.country, record.region, record.population, record.types) = (country, region, population, ["locality"])
    record.location = location.flatMap { Coordinate(latitude: $0.0, longitude: $0.1) }
    record.names = names.map { .init($0.0, $0.1) }
    return record
  }

  static func area(_ code: String, _ name: String, _ names: [(String, String)] = []) -> GazetteerRecord {
    var record = GazetteerRecord(id: code, name: name)
    (record.country, record.areaCode) = (String(code.prefix(2)), code)
    record.types = [code.utf8.count == 2 ? "country" : "administrative_area_level_1"]
    record.names = names.map { .init($0.0, $0.1) }
    return record
  }

  private static func ids(_ index: (folder: TemporaryFolder, reader: GazetteerReader), _ query: String, _ language: String? = nil) throws
    -> [String]
  {
    try index.reader.autocomplete(AutocompleteRequest(query: query, language: language)).rows.compactMap(\.id)
  }

  @Test("A space ends a word, and a prefix within one word precedes one across two")
  func spaces() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Lapu-Lapu City", "", 10.3, 124, "PH", "", 400_000),
      SmallIndex.line(2, "La Paz", "", -16.5, -68.1, "BO", "", 800_000),
      SmallIndex.line(3, "Lapovo", "", 44, 21, "RS", "", 2_000_000), SmallIndex.line(4, "Portland", "", 45.5, -122.6, "US", "", 600_000),
      SmallIndex.line(5, "Port Louis", "", -20, 57, "MU", "", 150_000), SmallIndex.line(6, "San Antonio", "", 29, -98, "US", "", 1_500_000),
      SmallIndex.line(7, "Sanaa", "", 15, 44, "YE", "", 900_000),
    ])
    #expect(try index.ids("la p").first == "2")
    #expect(try index.ids("lap").first == "3")
    #expect(try index.ids("port").first == "4")
    #expect(try index.ids("port ") == ["5", "4"])
    #expect(try index.ids("port") { $0.endsWord = true } == ["5", "4"])
    #expect(try index.ids("sana") == ["7", "6"])
    #expect(try index.ids("sanantonio") == ["6"])
  }

  @Test("A prefix of a city's own name finds it in another language, and a prefix that several languages share")
  func ownNames() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city("1", "Vienna", "AT", 1_700_000, [("de", "Wien"), ("en", "Vienna")]),
      TypedTests.city("2", "Wiesbaden", "DE", 280_000), TypedTests.city("3", "Wielun", "PL", 24_000),
      TypedTests.city("4", "Beijing", "CN", 18_000_000, [("sv", "Peking"), ("da", "Peking"), ("cs", "Peking"), ("hu", "Peking")]),
      TypedTests.city("5", "Pekanbaru", "ID", 900_000), TypedTests.city("6", "Lima", "PE", 7_000_000, [("sv", "Pekima")]),
    ])
    #expect(try TypedTests.ids(index, "wie", "en") == ["2", "1", "3"])
    #expect(try TypedTests.ids(index, "vie", "en") == ["1"])
    #expect(try TypedTests.ids(index, "pek", "en") == ["5", "4"])
  }

  @Test("A whole name precedes longer names, except those of large cities and, with a bias, those nearby")
  func wholeNames() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Cooper City", "", 26.06, -80.27, "US", "", 34_000),
      SmallIndex.line(2, "Coop", "", 47.14, 9.52, "LI", "", 0, code: "S\tHTL"),
      SmallIndex.line(3, "Coopers Inn", "", 52.52, 13.4, "DE", "", 0, code: "S\tHTL"),
      SmallIndex.line(4, "Lond", "", 44, 21, "RS", "", 60), SmallIndex.line(5, "London", "", 51.5, -0.1, "GB", "", 8_900_000),
      SmallIndex.line(6, "Londonderry", "", 55, -7.3, "GB", "", 85_000),
    ])
    let berlin = Coordinate(latitude: 52.52, longitude: 13.4).map { Area.circle(center: $0, radius: 5_000) }
    #expect(try index.ids("coop") == ["2", "1", "3"])
    #expect(try index.ids("coop") { $0.bias = berlin } == ["3", "2", "1"])
    #expect(try index.ids("coope").first == "1")
    #expect(try index.ids("lond") == ["5", "4", "6"])
  }

  @Test("A country's code in capitals means the country, and three other letters do unless they begin the name of a better known place")
  func countryCodes() throws {
    var country = TypedTests.area("LU", "Grand Duchy")
    country.population = 600_000
    func index(withCityOf population: Int) throws -> (folder: TemporaryFolder, reader: GazetteerReader) {
      try LocalNameTests.index(of: [country, TypedTests.city("1", "Luxor", "EG", population)])
    }
    for query in ["LUX", "lux", "LU"] { #expect(try TypedTests.ids(index(withCityOf: 500_000), query, "en") == ["LU", "1"], "\(query)") }
    for (query, first) in [("LUX", "LU"), ("lux", "1"), ("LU", "LU"), ("lu", "1")] {
      #expect(try TypedTests.ids(index(withCityOf: 20_000_000), query, "en").first == first, "\(query)")
    }
  }

  @Test("A code in capitals is the airport before its city, and the city if the index has no airport")
  func airportCodes() throws {
    let munich = SmallIndex.line(1, "Munich", "MUC", 48.1, 11.6, "DE", "", 1_260_000)
    let airport = SmallIndex.line(2, "Munich International Airport", "EDDM,MUC", 48.35, 11.79, "DE", "", 0, code: "S\tAIRP")
    for (lines, ids) in [([munich], ["1"]), ([munich, airport], ["2", "1"])] {
      #expect(try SmallIndex(lines: lines).ids("MUC") == ids)
    }
    let index = try SmallIndex(lines: [munich, airport])
    #expect(try index.ids("EDDM") == ["2"] && index.ids("muc").first == "1")
  }

  @Test("The only town of its name beside a number like its country's postcodes matches the whole text")
  func unknownPostcodes() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Berlin", "", 52.5, 13.4, "DE", "", 3_400_000), SmallIndex.line(2, "Berlin", "", 44.5, -71.2, "GB", "", 9_000),
      SmallIndex.line(3, "Neustadt", "", 49.4, 8.1, "DE", "", 50_000), SmallIndex.line(4, "Neustadt", "", 53.6, 10, "DE", "", 12_000),
    ])
    func rows(_ query: String) throws -> [Place] { try index.reader.search(SearchRequest(query: query, fields: [.name])).rows }
    for query in ["10115 berlin", "Berlin 10115", "berlin germany 10115"] {
      let found = try rows(query)
      #expect(found.first?.id == "1" && found.first?.partialMatch != true, "\(query)")
      #expect(found.dropFirst().allSatisfy { $0.partialMatch == true }, "\(query)")
      #expect(found.first?.evidence.otherNames.first?.hasSuffix("10115") == true, "\(query)")
    }
    for query in ["1011 berlin", "10115 20115 berlin", "10115 neustadt"] {
      let found = try rows(query)
      #expect(!found.isEmpty && found.allSatisfy { $0.partialMatch == true }, "\(query)")
      // Merging would take a number among the names of a row for its postcode.
      #expect(found.allSatisfy { !$0.evidence.otherNames.contains { $0.hasSuffix("115") } }, "\(query)")
    }
    // The other town of the name counts even if one row is wanted.
    let only = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "10115 neustadt", limit: 1)).rows.first)
    #expect(!only.evidence.otherNames.contains { $0.hasSuffix("115") })
  }

  @Test("Other names that differ only in their endings are a name that several languages have in common")
  func spellingsInManyLanguages() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Sydney", "Sidney,Sidnei,Sidnej,Sidnejus,Sidneo,Victoria", -33.87, 151.2, "AU", "", 5_000_000),
      SmallIndex.line(2, "Sidney", "", 40.28, -84.16, "US", "", 20_000), SmallIndex.line(3, "Victoria", "", 40.3, -84.2, "US", "", 20_000),
    ])
    #expect(try index.ids("sidney") == ["1", "2"])
    #expect(try index.ids("sidn") == ["2", "1"])
    #expect(try index.ids("victoria").first == "3")
  }

  @Test("A region precedes a town of its name that is hardly better known, and follows one that is clearly better known")
  func regionsAndTowns() throws {
    /// A town whose importance is this multiple of the region's.
    func town(_ name: String, _ factor: Double, of region: GazetteerRecord) -> GazetteerRecord {
      var town = TypedTests.city("1", name, "IN", 1_000)
      while town.importance < factor * region.importance { town.population += town.population / 50 }
      return town
    }
    for (factor, first) in [(1.06, "ID.02"), (1.08, "1")] {
      var region = TypedTests.area("ID.02", "Bali")
      region.population = 3_000_000
      let index = try LocalNameTests.index(of: [region, town("Bali", factor, of: region)])
      #expect(try TypedTests.ids(index, "bali", "en").first == first)
    }
  }

  @Test("One or two letters before an area are no prefix of a name, but may be a whole name")
  func prefixBeforeArea() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.area("MD", "Moldova", [("cs", "Moldavsko"), ("en", "Moldova")]), TypedTests.city("1", "Strășeni", "MD", 21_000),
      TypedTests.city("2", "Bălți", "MD", 150_000, [("en", "BZ")]),
    ])
    #expect(try !TypedTests.ids(index, "st mol", "en").contains("1"))
    #expect(try !TypedTests.ids(index, "st moldova", "en").contains("1"))
    #expect(try TypedTests.ids(index, "moldova st", "en").contains("1"))
    #expect(try !TypedTests.ids(index, "moldova s", "en").contains("1"))
    let longer = try TypedTests.ids(index, "stră mol", "en")
    #expect(longer.first == "1", "\(longer)")
    #expect(try TypedTests.ids(index, "bz mol", "en") == ["2"])
  }

  @Test("Letters with the correct accent find the same places as without, those spelled so first")
  func accents() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city("1", "Rio de Janeiro", "BR", 6_000_000, [("pt", "Rio de Janeiro"), ("es", "Río de Janeiro")]),
      TypedTests.city("2", "Río Cuarto", "AR", 150_000, [("es", "Río Cuarto")]), TypedTests.city("3", "Riobamba", "EC", 120_000),
      TypedTests.city("4", "Tehran", "IR", 7_000_000, [("fr", "Téhéran")]), TypedTests.city("5", "Tenerife", "ES", 900_000),
      TypedTests.city("6", "San Jose", "US", 900_000, [("es", "San José")]), TypedTests.city("7", "San José", "CR", 330_000),
    ])
    #expect(try TypedTests.ids(index, "río", "es") == ["1", "2", "3"])
    #expect(try TypedTests.ids(index, "té", "fr") == ["4", "5"])
    #expect(try TypedTests.ids(index, "san josé", "en") == ["6", "7"])
    #expect(try TypedTests.ids(index, "rió", "es").first == "1")
  }

  @Test("One word of a longer name in a language that was not requested means nothing")
  func otherWords() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city("1", "Paris", "FR", 2_000_000), TypedTests.area("FI.02", "Southwest Finland", [("et", "Päris-Soome")]),
    ])
    #expect(try TypedTests.ids(index, "paris", "en") == ["1"])
    #expect(try TypedTests.ids(index, "paris soome", "en") == ["FI.02"])
  }

  @Test("A prefix of a name before an area is worth less than the prefix of a whole name")
  func prefixInArea() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city("1", "The Hague", "NL", 470_000, [("nl", "Den Haag")]), TypedTests.city("2", "Dengzhou", "HA", 1_600_000),
      TypedTests.area("HA", "Henan"),
    ])
    #expect(try TypedTests.ids(index, "den ha", "en") == ["1", "2"])
  }

  @Test("An unfinished word is an area after a whole name; after a prefix, names that begin with all of the words come first")
  func unfinishedArea() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "San Francisco", "", 37.775, -122.419, "US", "", 864_816),
      SmallIndex.line(2, "Sannois", "", 48.97, 2.25, "FR", "", 27_000),
      SmallIndex.line(3, "Paris", "", 48.853, 2.349, "FR", "", 2_138_551),
      SmallIndex.line(4, "Paris Frontier", "", 40, -90, "US", "", 900_000),
    ])
    let paris = Coordinate(latitude: 48.85, longitude: 2.35).map { Area.circle(center: $0, radius: 20_000) }
    func ids(_ query: String) throws -> [String] { try index.ids(query) { $0.bias = paris } }
    for query in ["san fr", "san fra"] { #expect(try ids(query) == ["1", "2"], "\(query)") }
    #expect(try ids("paris fr").first == "3")
    for query in ["sannois f", "sannois fr", "sannois france", "sanno fr", "fr sanno"] { #expect(try ids(query).first == "2", "\(query)") }
  }

  @Test("With a bias, places of a category in walking distance precede names elsewhere")
  func categories() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Schoolfield", "", 30, -87, "US", "", 900_000),
      SmallIndex.line(2, "Burg Gutenberg", "", 47.065, 9.5, "LI", "", 0, code: "S\tCSTL"),
      SmallIndex.line(3, "Primarschule", "", 47.066, 9.501, "LI", "", 0, code: "S\tSCH"),
      SmallIndex.line(4, "Ferne Schule", "", 47.2, 9.5, "LI", "", 0, code: "S\tSCH"),
      SmallIndex.line(5, "Castleford", "", 53.7, -1.3, "GB", "", 40_000),
    ])
    let around = Area.circle(center: try #require(Coordinate(latitude: 47.065, longitude: 9.5)), radius: 1000)
    #expect(try index.ids("school") { $0.bias = around }.prefix(2) == ["3", "1"])
    #expect(try index.ids("castle") { $0.bias = around } == ["2", "5"])
    #expect(try index.ids("castle") == ["5"])
  }

  @Test("With a bias, places of a category in the region precede unknown places elsewhere, and a railway station is no bus stop")
  func fartherCategories() throws {
    func feature(_ id: Int, _ name: String, _ tags: String, _ latitude: Double) -> String {
      #"{"type":"Feature","id":"n\#(id)","properties":{"name":"\#(name)",\#(tags)},"geometry":{"type":"Point","coordinates":[9.5,\#(latitude)]}}"#
    }
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Atmakur", "", 15.88, 78.58, "IN", "", 40_000), SmallIndex.line(2, "Busan", "", 35.1, 129, "KR", "", 3_600_000),
      SmallIndex.line(3, "Busto", "", 45.6, 8.8, "IT", "", 80_000), SmallIndex.line(9, "Postmasburg", "", -28.3, 23.1, "ZA", "", 30_000),
    ])
    let features = [
      feature(4, "Volksbank", #""amenity":"atm""#, 47.1), feature(5, "Zentrum", #""highway":"bus_stop""#, 47.066),
      feature(6, "Schaan-Vaduz", #""railway":"station""#, 47.07), feature(7, "Rathaus", #""amenity":"toilets""#, 47.067),
      feature(8, "Hauptstelle", #""amenity":"post_office""#, 47.068), feature(10, "Toilette am Bach", #""amenity":"toilets""#, 47.11),
      feature(11, "Parkplatz", #""amenity":"toilets""#, 47.09),
    ]
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "map", country: "LI")
    let reader = try GazetteerReader(path: index.path)
    let around = Area.circle(center: try #require(Coordinate(latitude: 47.065, longitude: 9.5)), radius: 1000)
    func ids(_ query: String) throws -> [String] {
      try reader.autocomplete(AutocompleteRequest(query: query, bias: around)).rows.compactMap(\.id)
    }
    #expect(try ids("atm") == ["osm:node/4", "1"])
    #expect(try ids("bus") == ["osm:node/5", "2", "3"])
    #expect(try ids("bahnhof") == ["osm:node/6"])
    // A name that contains the word does not put a place of the category before a nearer one.
    for word in ["wc", "toilet"] { #expect(try ids(word) == ["osm:node/7", "osm:node/11", "osm:node/10"]) }
    #expect(try ids("post").first == "osm:node/8")
  }

  /// An index of a town, Vaduz, and features in and around it.
  private func index(of features: [(id: Int, name: String, tag: String, latitude: Double)]) throws -> GazetteerReader {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Vaduz", "", 47.14, 9.5, "LI", "", 5_000)])
    let lines = features.map { feature in
      #"{"type":"Feature","id":"n\#(feature.id)","properties":{"name":"\#(feature.name)",\#(feature.tag)},"#
        + #""geometry":{"type":"Point","coordinates":[9.5,\#(feature.latitude)]}}"#
    }
    _ = try GazetteerBuilder(path: index.path).importFeatures(
      MemorySource(Array(lines.joined(separator: "\n").utf8), name: "test"), name: "map", country: "LI")
    return try GazetteerReader(path: index.path)
  }

  private func ids(_ reader: GazetteerReader, _ query: String, near latitude: Double? = nil) throws -> [Int] {
    var request = AutocompleteRequest(query: query)
    if let latitude { request.bias = .circle(center: try #require(Coordinate(latitude: latitude, longitude: 9.5)), radius: 1_000) }
    return try reader.autocomplete(request).rows.compactMap { $0.id.flatMap { Int($0.drop { !$0.isNumber }) } }
  }

  @Test("Near a point, places of a category precede other places whose names begin with its word, and fill the list")
  func categoriesBeforeBeginnings() throws {
    let reader = try index(of: [
      (10, "Bahnhofplatz", #""highway":"bus_stop""#, 47.141), (11, "Schaan", #""railway":"station""#, 47.17),
      (12, "Post", #""amenity":"restaurant""#, 47.142), (13, "Hauptstelle", #""amenity":"post_office""#, 47.171),
    ])
    #expect(try ids(reader, "bahnhof", near: 47.14) == [11, 10])
    // A place near the point that is called so may be meant.
    #expect(try ids(reader, "post", near: 47.14) == [12, 13])
    var stations: [(id: Int, name: String, tag: String, latitude: Double)] = []
    for number in 0..<9 {
      let name = number == 8 ? "Tankstelle am See" : "Avia \(number)"
      stations.append((20 + number, name, #""amenity":"fuel""#, 47.17 + Double(number) / 200))
    }
    let found = try ids(index(of: stations), "tankstelle", near: 47.14)
    #expect(found == Array(20...28))
  }

  @Test("Places of a category in a town precede places whose names have both words")
  func categoryInTown() throws {
    let reader = try index(of: [
      (10, "Schloss", #""historic":"castle""#, 47.139), (11, "New Castle Vaduz", #""amenity":"restaurant""#, 47.141),
      (12, "Castle Vad", #""amenity":"restaurant""#, 47.142),
    ])
    for query in ["castle vaduz", "vaduz castle"] {
      let found = try ids(reader, query)
      #expect(found == [10, 11, 12], "\(query)")
    }
    // A place that is called so precedes them, and the beginning of a town's name does not name the town.
    #expect(try ids(reader, "castle vad") == [12, 11])
  }

  @Test("A place that the map has twice, once with a word for its type in the name, is one row")
  func repeatedPlaces() throws {
    let reader = try index(of: [
      (10, "Schaan-Vaduz", #""railway":"station""#, 47.16), (11, "Bahnhof Schaan-Vaduz", #""railway":"station""#, 47.1602),
      (12, "Hotel Meierhof", #""tourism":"hotel""#, 47.13), (13, "Hotel Meierhof", #""tourism":"hotel""#, 47.1303),
      (14, "Meierhof", #""tourism":"hotel""#, 47.1304), (15, "Hotel Meierhof", #""tourism":"hotel""#, 47.19),
      (16, "Meierhof", #""amenity":"restaurant""#, 47.13),
    ])
    #expect(try ids(reader, "schaan-vaduz").count == 1)
    #expect(try Set(ids(reader, "meierhof")).subtracting([12, 13, 14]) == [15, 16])
    #expect(try ids(reader, "meierhof").count == 3)
  }

  @Test("Two spellings of a hospital's name at one address, and the buildings of a hotel, are one row; practices and shops are not")
  func repeatedAddresses() throws {
    func address(_ number: Int) -> String { #""addr:street":"Heiligkreuz","addr:housenumber":"\#(number)""# }
    let reader = try index(of: [
      (10, "Liechtensteinisches Landeshospital", #""amenity":"hospital",\#(address(25))"#, 47.13),
      (11, "Liechtensteinisches Landesspital", #""amenity":"hospital",\#(address(25))"#, 47.1301),
      (12, "Meierhof", #""tourism":"hotel",\#(address(1))"#, 47.14), (13, "Meierhof", #""tourism":"hotel",\#(address(3))"#, 47.1401),
      (14, "Denner", #""shop":"supermarket",\#(address(5))"#, 47.14), (15, "Denner", #""shop":"supermarket",\#(address(7))"#, 47.1401),
      (16, "Boots", #""amenity":"pharmacy",\#(address(5))"#, 47.14), (17, "Boots", #""amenity":"pharmacy",\#(address(7))"#, 47.1401),
      (18, "Praxis Anna Meier", #""amenity":"doctors",\#(address(9))"#, 47.14),
      (19, "Praxis Hanna Meier", #""amenity":"doctors",\#(address(9))"#, 47.1401),
    ])
    for (query, count) in [("liechtensteinisches", 1), ("meierhof", 1), ("denner", 2), ("boots", 2), ("praxis", 2)] {
      #expect(try ids(reader, query).count == count, "\(query)")
    }
  }

  @Test("Labels do not repeat themselves, have common short names, and one script")
  func labels() throws {
    let index = try LocalNameTests.index(
      of: [
        TypedTests.area("CN", "China", [("zh", "中国"), ("en", "China")]), TypedTests.area("CN.22", "Beijing Municipality", [("zh", "北京市")]),
        TypedTests.area("ID", "Indonesia"), TypedTests.area("ID.02", "Bali", [("id", "Provinsi Bali")]),
        TypedTests.area("TW", "Taiwan", [("zh", "台湾")]), TypedTests.area("DE", "Germany", [("zh", "德国")]),
        TypedTests.area("DE.09", "Saarland", [("zh", "薩爾蘭")]),
      ].map { $0 }
        + [
          ("1", "Beijing", "CN.22"), ("2", "Denpasar", "ID.02"), ("3", "Taipei", "TW"), ("4", "Saarbrücken", "DE.09"),
        ].map { id, name, region in
          var city = TypedTests.city(id, name, String(region.prefix(2)), 1_000_000)
          if region.utf8.count > 2 { city.region = region }
          if id == "1" { city.names = [.init("zh", "北京")] }
          if id == "3" { city.names = [.init("zh", "台北")] }
          if id == "4" { city.names = [.init("zh", "薩爾布呂肯")] }
          return city
        })
    func text(_ query: String, _ language: String?) throws -> String? {
      try index.reader.autocomplete(AutocompleteRequest(query: query, language: language)).rows.first?.text.text
    }
    #expect(try text("beijing", "en") == "Beijing, China")
    #expect(try text("beijing", "zh-Hans") == "北京, 中国")
    #expect(try text("denpasar", "id") == "Denpasar, Bali, Indonesia")
    #expect(try text("taipei", "zh-Hant") == "台北, 台灣")
    #expect(try text("saarbrücken", "zh-Hans") == "萨尔布吕肯, 萨尔兰, 德国")
    #expect(try text("saarbrücken", "zh-Hant") == "薩爾布呂肯, 薩爾蘭, 德國")
  }

  @Test("A region has ISO's name for it if GeoNames' is that and a generic word, and never another region's")
  func shortNames() {
    let iso = ["Virginia", "West Virginia", "Maine"]
    func shortened(_ name: String) -> String {
      var area = TypedTests.area("US.XX", name, [("en", name)])
      area.shorten(toOneOf: iso)
      #expect(area.names.first?.text == area.name)
      return area.name
    }
    #expect(
      ["State of Maine", "West Virginia", "State of West Virginia", "Texas"].map(shortened) == [
        "Maine", "West Virginia", "West Virginia", "Texas",
      ])
  }

  @Test("If a row shows a different name, the typed name is the first of its other names")
  func alias() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city(
        "1", "Beijing", "CN", 18_000_000, [("fr", "Pékin"), ("sv", "Peking"), ("da", "Peking"), ("cs", "Peking"), ("hu", "Peking")])
    ])
    let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "peking", language: "en")).rows.first)
    #expect(row.evidence.otherNames.first == "Peking")
    let german = try LocalNameTests.index(of: [
      TypedTests.city("1", "Munich", "DE", 1_260_391, [("de", "München"), ("fr", "Munich")]),
      TypedTests.area("DE", "Germany", [("de", "Deutschland"), ("en", "Germany")]),
    ])
    for (query, language, name) in [
      ("Muenchen, Germany", nil, "Muenchen, germany"), ("Germany Muenchen", nil, "Muenchen, germany"),
      ("Muenchen, Germany", "en", "Muenchen"),
      ("Muenchen", "en", "Muenchen"), ("München, Germany", nil, "München, germany"),
    ] {
      let row = try #require(try german.reader.autocomplete(AutocompleteRequest(query: query, language: language)).rows.first)
      #expect(row.evidence.otherNames.first == name, "\(query) \(language ?? "")")
    }
  }
}
