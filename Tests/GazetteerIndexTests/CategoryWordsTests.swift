import PlacesKit
import PlacesTesting
import Testing
import Text

@testable import GazetteerIndex

@Suite("Category words")
struct TypeWordsTests {
  @Test(
    "The common category words of eight languages are recognised, with the words between them and a town",
    arguments: [
      ("pharmacy near schaan", "pharmacy", "schaan"), ("Apotheke in Vaduz", "pharmacy", "vaduz"),
      ("pharmacie à Nice", "pharmacy", "a nice"),
      ("farmacia cerca de Sevilla", "pharmacy", "sevilla"), ("apteka Kraków", "pharmacy", "krakow"), ("apotheek Gent", "pharmacy", "gent"),
      ("Supermarkt Schaan", "supermarket", "schaan"), ("supermarché Lyon", "supermarket", "lyon"), ("Geldautomat", "atm", ""),
      ("caixa eletrônico Lisboa", "atm", "lisboa"), ("gare de Lyon", "train_station", "de lyon"),
      ("dworzec Gdańsk", "train_station", "gdansk"),
      ("stazione vicino a Roma", "train_station", "roma"), ("U-Bahn Köln", "subway_station", "koln"),
      ("Bäckerei Eschen", "bakery", "eschen"),
      ("boulangerie près de Nice", "bakery", "nice"), ("Jugendherberge", "hostel", ""), ("szpital Łódź", "hospital", "lodz"),
      ("vigili del fuoco", "fire_station", ""), ("correos Madrid", "post_office", "madrid"), ("kerk bij Delft", "church", "delft"),
      ("praia", "", "praia"), ("rio tinto", "", "rio tinto"),
    ])
  func words(query: String, type: String, rest: String) {
    let match = CategoryWords.split(Folding.words(of: query))
    #expect(match?.types.first?.rawValue ?? "" == type)
    if let match { #expect(match.otherWords.joined(separator: " ") == rest) }
  }

  @Test("Every category word has known types and is in one line")
  func table() {
    var seen: Set<Substring> = []
    for line in CategorySynonyms.lines.split(separator: "\n") {
      let sides = line.split(separator: "=")
      #expect(sides.count == 2, "\(line)")
      for type in sides.last?.split(separator: " ") ?? [] { #expect(PlaceType(rawValue: String(type)).isKnown, "\(type)") }
      for word in sides.first?.split(separator: " ") ?? [] {
        #expect(seen.insert(word).inserted, "\(word) stands in two lines")
        #expect(Folding.words(of: String(word)) == [String(word)], "\(word) is not as words fold")
      }
    }
  }

  @Test("A place with the whole name precedes places of a category")
  func nameFirst() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Château-Thierry", "", 49.04, 3.4, "FR", "", 14_000), SmallIndex.line(2, "Thierry", "", 43, 1, "FR", "", 900),
      SmallIndex.line(3, "Castle of Thierry", "", 43.01, 1, "FR", "", 0, code: "S\tCSTL"),
    ])
    func ids(_ query: String) throws -> [String] { try index.reader.search(SearchRequest(query: query, fields: [])).rows.map(\.id) }
    #expect(try ids("château thierry").first == "1")
    #expect(try ids("castle near thierry").first == "3")
    #expect(try ids("castillo cerca de thierry").first == "3")
  }

  @Test("A submitted category near a point does not mean a far place whose name only begins with the word")
  func notPrefix() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Pizzano", "", 44, 11, "IT", "", 900), SmallIndex.line(2, "Bar", "", 42.1, 19.1, "ME", "", 40_000),
      SmallIndex.line(3, "Barnim", "", 52.6, 13.6, "DE", "", 900),
    ])
    let berlin = Area.circle(center: try #require(Coordinate(latitude: 52.5, longitude: 13.4)), radius: 10_000)
    func ids(_ query: String, near bias: Area?) throws -> [String] {
      try index.reader.search(SearchRequest(query: query, fields: [], bias: bias)).rows.map(\.id)
    }
    #expect(try ids("pizza", near: berlin) == [])
    #expect(try ids("pizza", near: nil) == ["1"])
    #expect(try Set(ids("bar", near: berlin)) == ["2", "3"])
  }

  @Test("The beginning of a category's word shows its places nearby before far places whose names begin with it, but after large cities")
  func unfinishedCategory() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Kunsthaus", "", 47.141, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(2, "Museros", "", 39.6, -0.3, "ES", "", 5_000), SmallIndex.line(3, "Musea", "", 10, 10, "NG", "", 3_000_000),
    ])
    func ids(_ query: String, isNear: Bool = true) throws -> [String] {
      var request = AutocompleteRequest(query: query)
      if isNear { request.bias = .circle(center: try #require(Coordinate(latitude: 47.14, longitude: 9.52)), radius: 1_000) }
      return try index.reader.autocomplete(request).rows.compactMap(\.id)
    }
    #expect(try ids("muse") == ["3", "1", "2"])
    #expect(try ids("mus") == ["3", "2"])
    #expect(try ids("museu") == ["1"])
    #expect(try ids("muse", isNear: false) == ["3", "2"])
  }

  @Test("The beginning of a category's second word shows its places nearby, unless it makes a plural", arguments: ["bus s", "bus sta"])
  func unfinishedSecondWord(query: String) throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Bus Stansfield", "", 39.6, -0.3, "GB", "", 5_000),
      SmallIndex.line(2, "Park Slope", "", 40, -0.3, "US", "", 5_000),
      SmallIndex.line(3, "Porto", "", 41, -8.6, "PT", "", 3_000_000),
    ])
    let features = [#""name":"Postplatz","amenity":"bus_station""#, #""name":"Filiale","amenity":"post_office""#]
    let text = features.enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[9.52,47.141]},"properties":{\#(tags)}}"#
    }.joined(separator: "\n")
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map", country: "LI")
    let reader = try GazetteerReader(path: index.path)
    func ids(_ query: String) throws -> [String] {
      var request = AutocompleteRequest(query: query)
      request.bias = .circle(center: try #require(Coordinate(latitude: 47.14, longitude: 9.52)), radius: 1_000)
      return try reader.autocomplete(request).rows.compactMap(\.id)
    }
    #expect(try ids(query) == ["osm:node/1", "1"])
    // A city whose name is similar to the letters matches by chance.
    #expect(try ids("post o") == ["osm:node/2", "3"])
    #expect(try ids(query + " ").first != "osm:node/1")
    #expect(CategoryWords.types(beginningWith: ["park", "s"]) == nil)
  }

  @Test("A submitted query means the places with this whole name before places whose names begin with it")
  func wholeNames() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Cooper City", "", 26, -80, "US", "", 30_000), SmallIndex.line(2, "Coop", "", 47, 9, "CH", "", 0),
    ])
    #expect(try index.reader.search(SearchRequest(query: "coop", fields: [])).rows.map(\.id) == ["2", "1"])
  }

  @Test("A well-known place stays among the first three while a further word begins")
  func placeBeforeLastWord() throws {
    let index = try SmallIndex(
      lines: [SmallIndex.line(1, "Zürich", "", 47.37, 8.55, "CH", "", 400_000)]
        + ["Höngg", "Hard", "Hirslanden"].enumerated().map { index, name in
          SmallIndex.line(index + 2, "Zürich \(name)", "", 47.4, 8.5, "CH", "", 20_000 - index)
        })
    func ids(_ query: String) throws -> [String] { try index.reader.autocomplete(AutocompleteRequest(query: query)).rows.compactMap(\.id) }
    let found = try ids("zürich h")
    #expect(found == ["2", "3", "1", "4"])
    #expect(try ids("zürich hard") == ["3"])
  }

  @Test(
    "A well-known place precedes guesses while a further word begins, and precedes a name without the typed space",
    arguments: [
      ("amsterdam ce", "1"), ("amsterdam cen", "1"), ("los agn", "3"), ("san jo", "4"), ("sanjo", "5"), ("la paz", "6"),
    ])
  func beforeGuesses(query: String, first: String) throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Amsterdam", "", 52.37, 4.89, "NL", "", 740_000),
      SmallIndex.line(2, "Amsterdam", "", 42.9, -74.2, "US", "", 18_000),
      SmallIndex.line(3, "Los Angeles", "", 34, -118, "US", "", 4_000_000), SmallIndex.line(9, "Los", "", 61.7, 15.2, "SE", "", 400),
      SmallIndex.line(4, "San José", "", 9.9, -84, "CR", "", 335_000), SmallIndex.line(5, "Sanjō", "", 37.6, 138.9, "JP", "", 100_000),
      SmallIndex.line(6, "La Paz", "", -16.5, -68.1, "BO", "", 800_000), SmallIndex.line(7, "La Pazita", "", 1, 1, "BO", "", 900_000),
    ])
    let found = try index.reader.autocomplete(AutocompleteRequest(query: query)).rows.compactMap(\.id)
    #expect(found.first == first)
    #expect(Set(found).count == found.count)
  }

  @Test("A category's word with typing errors means the category if no place matches all words")
  func mistyped() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Vaduz", "", 47.14, 9.52, "LI", "11", 5_000),
      SmallIndex.line(2, "Landesmuseum", "", 47.141, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(3, "Musseum", "", 10, 10, "NG", "", 3_000_000),
    ])
    func first(_ query: String) throws -> [String?] {
      [
        try index.reader.search(SearchRequest(query: query, fields: [])).rows.first?.id,
        try index.reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.id,
      ]
    }
    #expect(try first("muesum vaduz") == ["2", "2"])
    #expect(try first("musseum") == ["3", "3"])
    #expect(try first("xuseum vaduz") == ["1", "1"])
  }

  @Test("If the words beside a category name no place with such places, three near the bias precede it, unless it is a large city")
  func brand() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Hut", "", 48.3, 22.3, "UA", "", 2_000), SmallIndex.line(2, "Metropolis", "", 10, 10, "NG", "", 3_000_000),
      ]
        + (3...6).map {
          SmallIndex.line($0, "Landesmuseum \($0)", "", 47.14 + Double($0) / 10_000, 9.52, "LI", "11", 0, code: "S\tMUS")
        })
    let bias = Area.circle(center: try #require(Coordinate(latitude: 47.14, longitude: 9.52)), radius: 1_000)
    let cases = [
      ("museum hut", ["3", "4", "5", "1", "6"]), ("museum metropolis", ["2", "3", "4", "5", "6"]), ("museum near hut", ["1"]),
    ]
    for (query, ids) in cases {
      let found = try index.reader.search(SearchRequest(query: query, fields: [], bias: bias)).rows
      #expect(found.map(\.id) == ids && found.allSatisfy { $0.partialMatch == true })
      var typed = AutocompleteRequest(query: query)
      typed.bias = bias
      #expect(try index.reader.autocomplete(typed).rows.map(\.id) == ids)
    }
    #expect(try index.reader.search(SearchRequest(query: "museum hut", fields: [])).rows.map(\.id) == ["1"])
  }

  @Test("A whole word for a category is not a misspelt name")
  func notMisspelt() throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Hotal", "", 49, 3, "FR", "", 14_000)])
    for (query, ids) in [("hotel", []), ("hotall", ["1"])] {
      #expect(try index.reader.search(SearchRequest(query: query, fields: [])).rows.map(\.id) == ids)
      #expect(try index.reader.autocomplete(AutocompleteRequest(query: query), currentFile: nil).rows.map(\.id) == ids)
    }
  }
}
