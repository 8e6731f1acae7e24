import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

@Suite struct FeatureTests {
  @Test("Every type of the exceptions is in the type table, except for establishment")
  func knownTypes() {
    let types = [TagTypes.exceptions.values.flatMap(\.self), TagTypes.typesOfAnyValue.values.flatMap(\.self)].joined()
    for type in Set(types) where type != "establishment" { #expect(type.isKnown, "\(type.rawValue)") }
  }

  @Test(
    "A feature's types, most specific first, are those of its first tag that describes a place",
    arguments: [
      (["leisure": "nature_reserve"], ["nature_preserve"]), (["leisure": "something"], ["park"]), (["leisure": "no"], nil),
      (["amenity": "fast_food", "cuisine": "kebab;pizza"], ["kebab_shop", "pizza_restaurant", "fast_food_restaurant", "food"]),
      (["amenity": "place_of_worship", "religion": "christian", "building": "church"], ["church", "place_of_worship"]),
      (["building": "chapel", "name": "x"], ["church", "place_of_worship"]), (["building": "chapel"], nil), (["building": "yes"], nil),
      (["public_transport": "platform", "highway": "bus_stop"], ["bus_stop"]), (["place": "region"], ["administrative_area_level_1"]),
      (["shop": "something"], ["store"]),
      (["amenity": "restaurant", "cuisine": "steak;steak_house;regional"], ["steak_house", "restaurant", "food"]),
      (["leisure": "sports_hall"], ["sports_complex"]), (["highway": "construction"], nil),
      (["tourism": "information", "information": "board"], nil),
    ] as [([String: String], [String]?)])
  func types(tags: [String: String], types: [String]?) {
    let properties = JSONObject(tags.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) })
    #expect(Tags(properties).types?.map(\.rawValue) == types)
  }

  /// A town, some houses and shops around it.
  private func town() throws -> SmallIndex {
    let index = try SmallIndex(
      lines: [SmallIndex.line(3_042_030, "Vaduz", "", 47.1415, 9.5215, "LI", "11", 5197)], regions: ["LI.11\tVaduz\tVaduz\t3042031"])
    let features: [(String, String, String)] = [
      ("n1", "9.5228,47.1395", #""name":"Kunstmuseum","tourism":"museum","addr:street":"Städtle","addr:housenumber":"32""#),
      (
        "n2", "9.5222,47.1380", #""name":"Landesmuseum","name:en":"National Museum","tourism":"museum","website":"https://landesmuseum.li""#
      ),
      ("n3", "9.5210,47.1410", #""name":"Schlossapotheke","amenity":"pharmacy","opening_hours":"Mo-Fr 08:00-18:00","wheelchair":"yes""#),
      ("w4", "9.5200,47.1400", #""addr:street":"Queen Street","addr:housenumber":"3191/17","addr:city":"Vaduz","addr:postcode":"9490""#),
      ("w5", "9.5190,47.1390", #""addr:street":"Kamehameha Highway","addr:housenumber":"47-380","building":"yes""#),
      ("a6", "9.5180,47.1385", #""name":"Städtle","highway":"pedestrian""#),
      ("n7", "9.5181,47.1386", #""name":"Städtle","highway":"residential""#),
      ("n8", "9.5170,47.1370", #""amenity":"bench""#),
      ("n9", "9.5170,47.1370", #""name":"Nothing to search for","power":"pole""#),
    ]
    let text =
      features.map { id, point, tags in
        "\u{1E}{\"type\":\"Feature\",\"id\":\"\(id)\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(point)]},\"properties\":{\(tags)}}\n"
      }.joined() + "\u{1E}{\"type\":\"Feature\"\n" + "\u{1E}{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"name\":\"x\"}}\n"
    let report = try GazetteerBuilder(path: index.path).importFeatures(
      MemorySource(Array(text.utf8), name: "test"), name: "town", country: "LI")
    #expect(report.taken == 7)
    #expect(report.unnamed == 1)
    #expect(report.unknown == 1)
    #expect(report.badRecords.map(\.line) == [10, 11])
    return index
  }

  private func feature(_ properties: String, _ geometry: String = #"{"type":"Point","coordinates":[1,1]}"#) -> String {
    "{\"type\":\"Feature\",\"id\":\"n1\",\"geometry\":\(geometry),\"properties\":{\"amenity\":\"cafe\",\(properties)}}"
  }

  @Test(
    "A name that is not a string is a damaged record with a reason",
    arguments: [
      (#""name":["Adler"]"#, "the name is not a string"), (#""name":true"#, "the name is not a string"),
      (#""NAME":"Adler""#, "the name has the key NAME; it must be name"),
      (#""name":null,"Name":"Adler""#, "the name has the key Name; it must be name"),
    ])
  func wrongName(properties: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let text = feature(#""name":"Sound""#) + "\n" + feature(properties)
    let report = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "test")
    #expect(report.taken == 1 && report.unnamed == 0)
    #expect(report.badRecords.map { "\($0.line) \($0.reason)" } == ["2 \(reason)"])
  }

  @Test("A shape across the antimeridian has its centre there; one around the globe has it at Greenwich; a closed line is a shape")
  func antimeridian() throws {
    let folder = try TemporaryFolder()
    func centre(_ ring: String, _ type: String = "Polygon") throws -> Double? {
      let text = feature(#""name":"Shape""#, "{\"type\":\"\(type)\",\"coordinates\":\(type == "Polygon" ? "[\(ring)]" : ring)}")
      let source = MemorySource(Array(text.utf8), name: "test")
      _ = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(source, name: "test")
      let reader = try GazetteerReader(path: folder.file("g.db"))
      return try reader.details(DetailsRequest(id: "osm:node/1", fields: [.coordinate]))?.location?.longitude
    }
    #expect(try centre("[[179,-17],[-177,-17],[-177,-16],[179,-16],[179,-17]]") == -179)
    #expect(try centre("[[177,-17],[-179,-17],[-179,-16],[177,-16],[177,-17]]") == 179)
    #expect(try centre("[[-180,-60],[180,-60],[180,-90],[-180,-90],[-180,-60]]") == 0)
    for type in ["Polygon", "LineString"] { #expect(try centre("[[10,50],[12,50],[12,51],[10,51],[10,50]]", type) == 11) }
    #expect(try centre("[[10,50],[12,50],[12,51],[10,51]]", "LineString") == 12)
  }

  @Test("The name of an import is a short word", arguments: ["", "two words", "line\nbreak", "ä", String(repeating: "x", count: 65)])
  func nameOfData(name: String) throws {
    let folder = try TemporaryFolder()
    #expect(throws: GazetteerError.self) {
      try GazetteerBuilder(path: folder.file("g.db")).importFeatures(
        MemorySource(Array(feature(#""name":"x""#).utf8), name: "t"), name: name)
    }
  }

  @Test(
    "Houses are found by their numbers in any notation",
    arguments: [
      ("3191/17 queen street", "osm:way/4"), ("queen street 3191/17", "osm:way/4"), ("3191/17 queen", "osm:way/4"),
      ("queen street 3191/17 vaduz", "osm:way/4"), ("47-380 kamehameha", "osm:way/5"), ("kamehameha highway 47-380", "osm:way/5"),
    ])
  func houses(query: String, id: String) throws {
    let index = try town()
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.id == id)
  }

  @Test(
    "Addresses have the order of the country",
    arguments: [("US", "17 Main Street"), ("LI", "Main Street 17"), ("HK", "17 Main Street")])
  func order(country: String, line: String) throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Town", "", 1, 1, country, "", 10)])
    let tags = #""addr:street":"Main Street","addr:housenumber":"17""#
    let text = ["\(tags),\"building\":\"yes\"", "\(tags),\"name\":\"Kiosk\",\"shop\":\"kiosk\""].enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[1,1]},"properties":{\#(tags)}}"#
    }
    let source = MemorySource(Array(text.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "town", country: country)
    let reader = try GazetteerReader(path: index.path)
    let house = try #require(try reader.details(DetailsRequest(id: "osm:node/1", fields: [.name])))
    #expect(house.name == line)
    #expect(house.evidence.address == line)
    let shop = try #require(try reader.autocomplete(AutocompleteRequest(query: "kiosk")).rows.first)
    #expect(shop.secondary?.text.hasPrefix("\(line), ") == true)
  }

  @Test(
    "Category words find places near the named place",
    arguments: [
      ("museum vaduz", ["osm:node/1", "osm:node/2"]), ("museums in vaduz", ["osm:node/1", "osm:node/2"]),
      ("pharmacy near vaduz", ["osm:node/3"]), ("vaduz apotheke", ["osm:node/3"]), ("museum", ["osm:node/1", "osm:node/2"]),
    ])
  func kinds(query: String, ids: [String]) throws {
    let index = try town()
    let reader = try GazetteerReader(path: index.path)
    let found = try reader.search(SearchRequest(query: query, fields: [.name], limit: ids.count)).rows.map(\.id)
    #expect(Set(found) == Set(ids))
  }

  @Test(
    "Typed category words find places if no name begins with them",
    arguments: [("pharmacy near vad", ["osm:node/3"]), ("apotheke vaduz", ["osm:node/3"]), ("museums", ["osm:node/1", "osm:node/2"])])
  func kindsWhileTyping(query: String, ids: [String]) throws {
    let index = try town()
    let reader = try GazetteerReader(path: index.path)
    #expect(try Set(reader.autocomplete(AutocompleteRequest(query: query)).rows.compactMap(\.id)) == Set(ids))
    #expect(try reader.autocomplete(AutocompleteRequest(query: query, types: ["cafe"])).rows.isEmpty)
  }

  @Test("A named feature of other data is a place whatever its properties; one of OpenStreetMap of an unknown kind is counted")
  func kindsOfOthers() throws {
    func feature(_ tags: String, _ more: String = "") -> String {
      #"{"type":"Feature",\#(more)"geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#(tags)}}"#
    }
    let folder = try TemporaryFolder()
    let builder = GazetteerBuilder(path: folder.file("gazetteer.db"))
    let others = [feature(#""name":"My Shop","kind":"shop""#), feature(#""name":"Other Thing""#), feature(#""kind":"shop""#)]
    let report = try builder.importFeatures(MemorySource(Array(others.joined(separator: "\n").utf8), name: "a"), name: "a")
    #expect([report.taken, report.unnamed, report.unknown] == [2, 1, 0])
    let reader = try GazetteerReader(path: folder.file("gazetteer.db"))
    #expect(try reader.autocomplete(AutocompleteRequest(query: "my sh")).rows.map(\.types) == [["establishment"]])
    let poles = [feature(#""name":"Pole 1","power":"pole""#, #""id":"n1","#), feature(#""name":"A","barrier":"gate","highway":"gate""#)]
    do throws(GazetteerError) {
      _ = try builder.importFeatures(MemorySource(Array(poles.joined(separator: "\n").utf8), name: "poles"), name: "b")
      Issue.record("poles are no places")
    } catch {
      #expect(error.message == "poles: contains no place (its named features are of unknown kinds); the index was not changed")
    }
  }

  @Test(
    "Ids in osmium's format are OpenStreetMap ids only if the feature has its tags",
    arguments: [
      (#""name":"My Shop","category":"shop""#, false), (#""name":"My Shop","name:de":"Mein Laden""#, false),
      (#""name":"My Shop","shop":"kiosk""#, true), (#""addr:street":"Street","addr:housenumber":"1""#, true),
    ])
  func ids(tags: String, isOpenStreetMaps: Bool) throws {
    let folder = try TemporaryFolder()
    let text = #"{"type":"Feature","id":"w2","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#(tags)}}"#
    _ = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "test")
    let reader = try GazetteerReader(path: folder.file("g.db"))
    #expect(try (reader.details(DetailsRequest(id: "osm:way/2", fields: [])) != nil) == isOpenStreetMaps)
    #expect(try reader.info().places == 1)
  }

  @Test("Details have the values of the tags and OpenStreetMap's credit")
  func details() throws {
    let index = try town()
    let reader = try GazetteerReader(path: index.path)
    let fields: Set<PlaceField> = [.name, .formattedAddress, .openingHours, .wheelchairAccessibleEntrance, .website, .addressComponents]
    let pharmacy = try #require(try reader.details(DetailsRequest(id: "osm:node/3", fields: fields)))
    #expect(pharmacy.values[.openingHours]?["text"] == "Mo-Fr 08:00-18:00")
    #expect(pharmacy.values[.wheelchairAccessibleEntrance] == true)
    #expect(pharmacy.attributions.map(\.text) == ["© OpenStreetMap contributors"])
    #expect(pharmacy.evidence.locality == "Vaduz")
    #expect(pharmacy.evidence.equivalents == ["osm:node/3"])
    let museum = try #require(try reader.details(DetailsRequest(id: "osm:node/2", fields: fields, language: "en")))
    #expect(museum.name == "National Museum")
    #expect(museum.values[.website] == "https://landesmuseum.li")
    let house = try #require(try reader.details(DetailsRequest(id: "osm:node/1", fields: fields)))
    #expect(house.formattedAddress == "Städtle 32, Vaduz, Liechtenstein")
  }

  @Test("Data without OpenStreetMap features has no credit, unless the import names one")
  func credits() throws {
    let own = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{"name":"Zone A"}}"#
    for (credit, shown) in [(nil, []), (Attribution(text: "© ACME"), ["© ACME"])] as [(Attribution?, [String])] {
      let folder = try TemporaryFolder()
      let source = MemorySource(Array(own.utf8), name: "test")
      _ = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(source, name: "own", attribution: credit)
      let row = try GazetteerReader(path: folder.file("g.db")).autocomplete(AutocompleteRequest(query: "zone a")).rows.first
      #expect(row?.attributions.map(\.text) == shown)
    }
  }

  @Test(
    "A feature is OpenStreetMap's if its id is possible there and the credit does not name another source",
    arguments: [
      ("n1", nil, "osm:node/1"), ("a2", nil, "osm:way/1"), ("a3", nil, "osm:relation/1"), ("relation/7", nil, "osm:relation/7"),
      ("a1", nil, nil), ("a0", nil, nil), ("n-1", nil, nil), ("w+2", nil, nil), ("r0", nil, nil), ("node/x", nil, nil),
      ("village 3", nil, nil),
      ("n1", "© ACME", nil), ("n1", "© Kosmos Verlag", nil), ("n1", "© OSM", "osm:node/1"), ("n1", "", nil),
      ("n1", "© OpenStreetMap contributors, by way of ACME", "osm:node/1"),
    ] as [(String, String?, String?)])
  func makers(id: String, credit: String?, expected: String?) throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{"name":"Hollow","place":"village"}}"#
    _ = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(
      MemorySource(Array(text.utf8), name: "test"), name: "own", attribution: credit.map { Attribution(text: $0) })
    let row = try #require(try GazetteerReader(path: folder.file("g.db")).autocomplete(AutocompleteRequest(query: "hollow")).rows.first)
    #expect(expected == nil ? row.id?.hasPrefix("feature:") == true : row.id == expected)
    #expect(row.types == ["locality"])
    let shown = credit ?? (expected == nil ? "" : GazetteerSource.openStreetMapCredit.text)
    #expect(row.attributions.map(\.text) == (shown.isEmpty ? [] : [shown]))
  }

  @Test("A street in many segments is one row, and types are filtered exactly")
  func types() throws {
    let index = try town()
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.autocomplete(AutocompleteRequest(query: "städtle", types: ["route"])).rows.map(\.id) == ["osm:node/7"])
    #expect(try reader.autocomplete(AutocompleteRequest(query: "vaduz", collection: .cities)).rows.map(\.id) == ["3042030"])
  }

  @Test("Pages do not repeat rows")
  func pages() throws {
    let index = try town()
    let reader = try GazetteerReader(path: index.path)
    let first = try reader.search(SearchRequest(query: "museum", fields: [], limit: 1))
    let second = try reader.search(SearchRequest(query: "museum", fields: [], limit: 1, pageToken: first.next))
    #expect(first.rows.count == 1 && second.rows.count == 1)
    #expect(first.rows.first?.id != second.rows.first?.id)
  }

  @Test(
    "A truncated input leaves the index unchanged; a complete one is imported with or without a final line break",
    arguments: ["\u{1E}", ""])
  func cutOff(separator: String) throws {
    let folder = try TemporaryFolder()
    let builder = GazetteerBuilder(path: folder.file("g.db"))
    func feature(_ id: Int) -> String {
      separator + #"{"type":"Feature","id":"n\#(id)","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":"#
        + #"{"name":"A \#(id)","place":"village"}}"#
    }
    func take(_ text: String) throws -> BuildReport { try builder.importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "t") }
    let whole = [feature(1), feature(2)].joined(separator: "\n")
    #expect(try take(whole).taken == 2)
    #expect(try take(whole + "\n").taken == 2)
    for length in [1, 20, 60] {
      #expect(throws: GazetteerError.self) { try take(String(whole.dropLast(length))) }
      #expect(try GazetteerReader(path: folder.file("g.db")).info().places == 2)
    }
    // A line that is whole and wrong is skipped.
    #expect(try take(whole + "\n" + separator + "{\n").bad == 1)
  }
}
