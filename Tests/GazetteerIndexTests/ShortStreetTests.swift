import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

@Suite("Abbreviated streets")
struct ShortStreetTests {
  private static func feature(_ id: Int, _ tags: String, _ longitude: Double, _ latitude: Double) -> String {
    """
    {"type":"Feature","id":"n\(id)","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},"properties":{\(tags)}}
    """
  }

  private static func town(_ id: Int, _ name: String, _ place: String, _ longitude: Double, _ latitude: Double) -> String {
    feature(id, #""place":"\#(place)","name":"\#(name)""#, longitude, latitude)
  }

  private static func street(_ id: Int, _ name: String, _ town: String, _ longitude: Double, _ latitude: Double) -> String {
    feature(id, #""highway":"residential","name":"\#(name)","addr:city":"\#(town)""#, longitude, latitude)
  }

  private static func index() throws -> (folder: TemporaryFolder, reader: GazetteerReader) {
    let features = [
      town(1, "London", "city", -0.12, 51.5), street(2, "Rose Street", "London", -0.124, 51.512),
      street(3, "Abbey Road", "London", -0.18, 51.535),
      feature(4, #""addr:street":"Rose Street","addr:housenumber":"12","addr:city":"London","building":"yes""#, -0.1241, 51.5121),
      town(5, "New York", "city", -74, 40.7), street(6, "5th Avenue", "New York", -73.98, 40.75),
      town(7, "Paris", "city", 2.35, 48.85), street(8, "Boulevard Saint-Germain", "Paris", 2.34, 48.853),
      street(9, "Avenue Foch", "Paris", 2.28, 48.872), street(10, "Place Vendôme", "Paris", 2.33, 48.867),
      town(11, "St Albans", "town", -0.33, 51.75), town(12, "Saint-Denis", "town", 2.36, 48.94),
      town(13, "Sainte-Marie", "town", -61.7, 16.3),
      // If a word matches exactly, no correction is tried.
      street(14, "Rose Street Lane", "Edinburgh", -3.2, 55.95), town(15, "Mont St Michel", "village", -1.51, 48.63),
      street(16, "Second Street", "London", -0.2, 51.6), street(17, "West 42nd Street", "New York", -73.98, 40.755),
      street(18, "East 42nd Street", "New York", -73.97, 40.752), street(19, "St James's Street", "London", -0.137, 51.506),
      feature(20, #""addr:street":"Abbey Road","addr:housenumber":"3","addr:city":"London","building":"yes""#, -0.181, 51.5351),
      feature(21, #""addr:street":"5th Avenue","addr:housenumber":"350","addr:city":"New York","building":"yes""#, -73.985, 40.748),
      street(22, "11th Street", "New York", -73.99, 40.73), street(23, "Twelfth Avenue", "London", -0.21, 51.61),
      street(24, "West Second Street", "New York", -73.99, 40.72), town(25, "Saint Rose", "city", -90.3, 29.9),
    ]
    let folder = try TemporaryFolder()
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(source, name: "test")
    return (folder, try GazetteerReader(path: folder.file("g.db")))
  }

  @Test("An unfinished German abbreviation means the whole street before other names that begin with it, and a code is not a street")
  func german() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Kostanjevica na Krki", "Landstraß", 45.84, 15.42, "SI", "", 700),
      SmallIndex.line(2, "Stuttgart", "STR", 48.78, 9.18, "DE", "01", 589_793),
      SmallIndex.line(3, "Landstrasse", "", 47.16, 9.5, "LI", "", 0, code: "R\tST"),
    ])
    let features = [#""addr:street":"Hauptstrasse","addr:housenumber":"1","addr:city":"Triesen""#]
    let lines = features.map {
      #"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#($0)}}"#
    }
    let source = MemorySource(Array(lines.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "map", country: "LI")
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.autocomplete(AutocompleteRequest(query: "landstr")).rows.compactMap(\.id) == ["3", "1"])
    #expect(try reader.autocomplete(AutocompleteRequest(query: "strasse ")).rows.isEmpty)
  }

  @Test(
    "An abbreviated street is found, and Saint in a name remains",
    arguments: [
      ("rose st", 2), ("st rose", 25),
      ("rose st london", 2), ("rose st, london", 2), ("rose st 12", 4), ("12 rose st london", 4), ("abbey rd", 3),
      ("abbey rd. london", 3), ("5th ave", 6), ("5th ave new york", 6), ("bd saint germain", 8), ("blvd st germain paris", 8),
      ("bd st. germain", 8), ("boulevard saint germain", 8), ("av foch paris", 9), ("pl vendome paris", 10), ("st albans", 11),
      ("st denis", 12), ("ste marie", 13), ("mont st michel", 15), ("mont saint michel", 15),
      ("fifth ave", 6), ("fifth avenue", 6), ("fifth ave new york", 6), ("2nd st", 16), ("2nd street", 16), ("second st london", 16),
      ("350 fifth ave", 21), ("350 fifth avenue new york", 21), ("eleventh st", 22), ("12th ave", 23), ("12th avenue london", 23),
      ("w 42 st", 17), ("w 42nd st", 17), ("w. 42nd street", 17), ("west 42 street new york", 17), ("e 42 st", 18), ("st james st", 19),
      ("w 2 st", 24), ("w 2nd st", 24), ("2 st", 16), ("12 ave", 23),
      ("st james's st", 19), ("abbey road 3", 20), ("abbey rd 3 london", 20),
    ])
  func found(query: String, id: Int) throws {
    let (folder, reader) = try Self.index()
    defer { withExtendedLifetime(folder) {} }
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.id == "osm:node/\(id)")
    #expect(try reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == "osm:node/\(id)")
  }

  @Test("A street precedes places in an area that begins with the abbreviation, and hides no place of that name")
  func streetsBeforeAreas() throws {
    func town(_ id: Int, _ name: String, _ population: Int) -> String {
      SmallIndex.line(id, name, "", 47.3 + Double(id) / 100, 15.9, "AT", "06", population)
    }
    let index = try SmallIndex(
      lines: [
        town(1, "Rosental", 1700), town(2, "Rosenau", 1200), town(3, "Rosegg", 1800), town(4, "Rose Station", 900),
        town(12, "Firstberg", 1000), town(13, "Firstau", 1000), town(14, "Firsting", 1000),
      ],
      regions: ["AT.06\tSteiermark\tSteiermark\t11"])
    let features = [
      Self.town(5, "London", "city", -0.12, 51.5), Self.street(6, "Rose Street", "London", -0.124, 51.512),
      Self.street(7, "1st Street", "London", -0.13, 51.52),
    ]
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "test")
    let reader = try GazetteerReader(path: index.path)
    func ids(_ query: String) throws -> [String?] { try reader.autocomplete(AutocompleteRequest(query: query)).rows.map(\.id) }
    #expect(try ids("rose st") == ["osm:node/6", "4", "3", "1", "2"])
    #expect(try reader.search(SearchRequest(query: "rose st", fields: [])).rows.contains { $0.id == "osm:node/6" })
    #expect(try ids("first st").first == "osm:node/7")
    #expect(try ids("rose ste") == ["3", "1", "2", "4"])
    // If the street does not exist, only the area matches: a different street in an area of that name does not.
    #expect(try ids("rosen st") == ["1", "2"])
    withExtendedLifetime(index) {}
  }

  @Test("A place in an area of which the abbreviation is the code precedes a street if its whole name was typed")
  func areaCodes() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Rosema", "", 0.33, 6.73, "ST", "", 5000), SmallIndex.line(2, "Rose", "", 0.2, 6.6, "ST", "", 5000),
    ])
    let source = MemorySource(Array(Self.street(6, "Rose Street", "London", -0.124, 51.512).utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "test", country: "GB")
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.autocomplete(AutocompleteRequest(query: "rose st")).rows.compactMap(\.id) == ["2", "osm:node/6", "1"])
  }

  @Test("A place in a street or town of the name is not a street of the name, and shops hide no street")
  func namedStreets() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Vienna", "", 48.2, 16.4, "AT", "06", 1_700_000),
        SmallIndex.line(2, "Viennau", "", 47.3, 15.9, "AT", "06", 1200),
      ],
      regions: ["AT.06\tSteiermark\tSteiermark\t11"])
    let shops = (20..<32).map { Self.feature($0, #""shop":"bakery","name":"Rose Street Bakery","addr:city":"London""#, -0.12, 51.5) }
    let features =
      [Self.street(3, "Main Street", "Vienna", 16.41, 48.21), Self.street(6, "Rose Street", "London", -0.124, 51.512)]
      + [Self.town(5, "London", "city", -0.12, 51.5)] + shops
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "test")
    let reader = try GazetteerReader(path: index.path)
    func ids(_ query: String, _ limit: Int) throws -> [String?] {
      try reader.autocomplete(AutocompleteRequest(query: query, limit: limit)).rows.map(\.id)
    }
    #expect(try ids("vienna st", 5).first != "osm:node/3")
    #expect(try ids("rose st", 2).contains("osm:node/6"))
    withExtendedLifetime(index) {}
  }

  /// Towns of the GeoNames dump, in their states, and streets in them.
  private static func unitedStates() throws -> (index: SmallIndex, reader: GazetteerReader) {
    func line(_ id: Int, _ name: String, _ latitude: Double, _ longitude: Double, _ state: String, _ population: Int) -> String {
      SmallIndex.line(id, name, "", latitude, longitude, "US", state, population)
    }
    let index = try SmallIndex(
      lines: [
        line(1, "Saint Paul", 44.94, -93.09, "MN", 311_000), line(2, "South St. Paul", 44.89, -93.03, "MN", 20_000),
        line(3, "St. Louis", 38.63, -90.2, "MO", 315_000), line(4, "East St. Louis", 38.62, -90.15, "IL", 26_000),
        line(5, "Hartford", 41.76, -72.69, "CT", 121_000), line(6, "Vernon", 41.82, -72.48, "CT", 30_000),
      ],
      regions: ["US.CT\tConnecticut\tConnecticut\t11", "US.MN\tMinnesota\tMinnesota\t12", "US.MO\tMissouri\tMissouri\t13"])
    let features = [
      street(21, "Summit Avenue", "Saint Paul", -93.13, 44.941), street(22, "Grand Avenue", "St. Paul", -93.14, 44.94),
      street(23, "Elm Street", "Hartford", -72.68, 41.762), street(24, "Elm Street", "Vernon", -72.481, 41.821),
      street(25, "Rose Court", "Hartford", -72.69, 41.763), street(26, "Oak Street", "Saint Paul", -93.1, 44.95),
      street(27, "North Main Street", "Hartford", -72.685, 41.77), street(28, "Saint Clair Avenue", "Saint Paul", -93.15, 44.93),
    ]
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "test")
    return (index, try GazetteerReader(path: index.path))
  }

  @Test(
    "St is Saint beside the word of a street and after an initial, and Ct is Connecticut after it",
    arguments: [
      ("e st louis", "4"), ("e. st. louis", "4"),
      ("summit ave st paul", "osm:node/21"), ("summit ave, st. paul", "osm:node/21"), ("summit avenue st paul", "osm:node/21"),
      ("summit ave saint paul", "osm:node/21"), ("st paul summit ave", "osm:node/21"), ("grand ave st paul", "osm:node/22"),
      ("grand ave saint paul", "osm:node/22"), ("elm st hartford ct", "osm:node/23"), ("elm st, vernon, ct", "osm:node/24"),
      ("rose ct hartford", "osm:node/25"), ("rose ct hartford ct", "osm:node/25"), ("oak st st paul", "osm:node/26"),
      ("n. main st hartford", "osm:node/27"), ("n main st", "osm:node/27"), ("st clair ave st paul", "osm:node/28"),
    ])
  func eitherReading(query: String, id: String) throws {
    let (index, reader) = try Self.unitedStates()
    defer { withExtendedLifetime(index) {} }
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.id == id)
    #expect(try reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == id)
  }

  @Test("The initial of a town named after a saint is a prefix", arguments: ["s st paul", "s. st. paul"])
  func initial(query: String) throws {
    let (index, reader) = try Self.unitedStates()
    defer { withExtendedLifetime(index) {} }
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.contains { $0.id == "2" })
    #expect(try reader.search(SearchRequest(query: query, fields: [])).rows.contains { $0.id == "2" })
  }
}
