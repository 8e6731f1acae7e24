import GazetteerIndex
import PlacesKit
import Testing

@Suite struct AwkwardQueryTests {
  @Test(
    "A query finds its place in any script, spelling and order",
    arguments: [
      ("munchen", "2867714"), ("münchen", "2867714"), ("Munich", "2867714"), ("MÜNCHEN", "2867714"), ("Мюнхен", "2867714"),
      ("慕尼黑", "2867714"), ("慕尼", "2867714"), ("mün", "2867714"), ("sao paulo", "3448439"), ("são p", "3448439"), ("saopaulo", "3448439"),
      ("st. louis", "4407066"), ("saint louis", "4407066"), ("st louis", "4407066"), ("NYC", "5128581"), ("new yo", "5128581"),
      ("york new", "5128581"), ("paris texas", "4717560"), ("texas paris", "4717560"), ("paris tex", "4717560"), ("Paris, TX", "4717560"),
      ("paris, france", "2988507"), ("paris tx us", "4717560"), ("springfield, il", "4250542"), ("springfield il us", "4250542"),
      ("san fran us", "5391959"), ("berlin de", "2950159"), ("de berlin", "2950159"), ("berlin us", "5083330"),
      ("berlin new hampshire", "5083330"), ("berln", "2950159"), ("amsterdma", "2759794"), ("los angelse", "5368361"),
      ("smsterdam", "2759794"), ("amstredaam", "2759794"), ("sprngfield illinois", "4250542"), ("2950159", "2950159"),
      ("gazetteer:2950159", "2950159"), ("berlin", "2950159"), ("  berlin  ", "2950159"), ("frisco", "5391959"),
    ])
  func finds(query: String, id: String) throws {
    let index = try SmallIndex.world()
    let first = try #require(try index.ids(query).first { !$0.contains(".") && $0.utf8.count > 2 })
    #expect(first == id)
  }

  @Test("A code at the end of a submitted query is complete, while a longer word may be the beginning of an area's name")
  func code() throws {
    let index = try SmallIndex.world()
    func ids(_ query: String) throws -> [String] { try index.reader.search(SearchRequest(query: query, fields: [])).rows.map(\.id) }
    #expect(try ids("paris te").first == "4717560")
    // IL is Illinois. Île-de-France, which begins with it, is not meant, so Paris in France matches only a part of the query.
    let rows = try index.reader.search(SearchRequest(query: "paris il", fields: [])).rows
    #expect(!rows.isEmpty && rows.allSatisfy { $0.partialMatch == true })
  }

  @Test(
    "Points are recognised in every notation",
    arguments: [
      "52.52, 13.4", "52.52 13.4", "52.52°N 13.4°E", "13.4E 52.52N", "geo:52.52,13.4", "geo:52.52,13.4;u=35", "GEO:52.52,13.4,30?q=x",
      "9F4MGC2M+H4", "9f4mgc2m+h4", "GC2M+H4 Berlin", "GC2M+H4, berlin de",
    ])
  func points(query: String) throws {
    let index = try SmallIndex.world()
    #expect(try index.ids(query).contains("2950159"))
  }

  @Test("A text that only resembles a point is a name", arguments: ["12 13", "1+1", "geo:berlin", "999.5, 13.4", "52.52", "5, rue"])
  func noPoints(query: String) throws {
    let index = try SmallIndex.world()
    #expect(try !index.ids(query).contains("2950159"))
  }

  @Test("A whole name as typed has no rows with typing errors beside it, and the beginning of a name has only better known ones")
  func errorsBelow() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Londn", "", 1, 1, "US", "TX", 10), SmallIndex.line(2, "London", "", 51.5, -0.1, "GB", "ENG", 8_961_989),
    ])
    #expect(try index.ids("londn") == ["1"])
    #expect(
      try SmallIndex(lines: [
        SmallIndex.line(1, "Londnar", "", 1, 1, "US", "TX", 10), SmallIndex.line(2, "London", "", 51.5, -0.1, "GB", "ENG", 8_961_989),
      ]).ids("londn") == ["2", "1"])
  }

  @Test(
    "No query traps, however odd", arguments: ["", " ", "'", "%", "\u{0}", "a\u{301}", "+", "++", "geo:", ",,,,", "🦆", "\u{FFFD}", "٣٤٥"])
  func odd(query: String) throws {
    let index = try SmallIndex.world()
    _ = try index.ids(query)
    _ = try index.reader.search(SearchRequest(query: query, fields: [.name]))
  }

  @Test("A query of many words ends in time without rows") func manyWords() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids(String(repeating: "berlin paris ", count: 19)).isEmpty)
  }
}

@Suite struct AnswerTests {
  @Test("The secondary text has the region, and the country if it is not the user's")
  func secondary() throws {
    let index = try SmallIndex.world()
    var request = AutocompleteRequest(query: "paris tex", language: "en")
    #expect(try index.reader.autocomplete(request).rows.first?.secondary?.text == "Texas, United States")
    request.region = "US"
    #expect(try index.reader.autocomplete(request).rows.first?.secondary?.text == "Texas")
  }

  @Test("Matches count code points of their text")
  func matches() throws {
    let index = try SmallIndex.world()
    let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "sao pa")).rows.first)
    #expect(row.primary == FormattedText("São Paulo", matches: [TextRange(start: 0, end: 3), TextRange(start: 4, end: 6)]))
    #expect(row.text.matches == row.primary?.matches)
  }

  @Test("Matches in the text beside the name are highlighted")
  func secondaryMatches() throws {
    let index = try SmallIndex.world()
    let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "paris texas", region: "US")).rows.first)
    #expect(row.secondary == FormattedText("Texas", matches: [TextRange(start: 0, end: 5)]))
    #expect(row.text == FormattedText("Paris, Texas", matches: [TextRange(start: 0, end: 5), TextRange(start: 7, end: 12)]))
  }

  @Test("A row has the evidence for matching it with other sources")
  func evidence() throws {
    let index = try SmallIndex.world()
    let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "munich")).rows.first)
    #expect(row.evidence.country == "DE")
    #expect(row.evidence.region == "Bavaria")
    #expect(row.evidence.equivalents == ["geonames:2867714"])
    #expect(row.evidence.otherNames.contains("München"))
    #expect(row.types == ["locality"])
    #expect(row.attributions.isEmpty)
  }

  @Test("The query ends at the caret")
  func inputOffset() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids("berlin xyz") { $0.inputOffset = 6 }.contains("2950159"))
  }

  @Test("A request without the kind place returns no rows") func kinds() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids("berlin") { $0.kinds = [.query] }.isEmpty)
  }

  @Test("Details of an area are found by its code and its GeoNames id")
  func details() throws {
    let index = try SmallIndex.world()
    let fields: Set<PlaceField> = [.name, .formattedAddress, .coordinate, .plusCode, .types, .addressComponents]
    let berlin = try #require(try index.reader.details(DetailsRequest(id: "2950159", fields: fields, language: "en")))
    #expect(berlin.name == "Berlin")
    #expect(berlin.values[.plusCode] == ["global": "9F4MGCF6+JC"])
    #expect(berlin.formattedAddress == "Berlin, Germany")
    let texas = try index.reader.details(DetailsRequest(id: "4736286", fields: [.name]))
    #expect(texas?.id == "US.TX")
    #expect(texas == (try index.reader.details(DetailsRequest(id: "US.TX", fields: [.name]))))
    #expect(try index.reader.details(DetailsRequest(id: "1", fields: [.name])) == nil)
  }

  @Test("Reverse returns the nearest places first, also across the antimeridian")
  func reverse() throws {
    let index = try SmallIndex.world()
    let near = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let rows = try index.reader.reverse(ReverseRequest(location: near, types: ["locality"], fields: [.name])).rows
    #expect(rows.map(\.id) == ["2950159"])
    let sea = try SmallIndex(lines: [
      SmallIndex.line(1, "West", "", 0, 179.99, "FJ", "01", 10), SmallIndex.line(2, "East", "", 0, -179.98, "FJ", "01", 10),
    ])
    let middle = try #require(Coordinate(latitude: 0, longitude: -180))
    let both = try sea.reader.reverse(ReverseRequest(location: middle, types: ["locality"], fields: [])).rows
    #expect(both.map(\.id) == ["1", "2"])
  }
}
