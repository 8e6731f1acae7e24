import PlacesKit
import Testing

@testable import GazetteerIndex

/// The answer to coordinates and Plus Codes: the point itself, then the places around it.
@Suite struct PointRowTests {
  @Test(
    "The first row is the point itself, with an id that contains it",
    arguments: [
      ("52.52, 13.4", "geo:52.52,13.4", "52.52, 13.4"), ("geo:52.52,13.4;u=35", "geo:52.52,13.4", "52.52, 13.4"),
      ("geo:0,0?z=9&q=52.52,13.4(Berlin)", "geo:52.52,13.4", "52.52, 13.4"),
      ("geo:0,0?q=52.52%2C13.4%28Berlin%29", "geo:52.52,13.4", "52.52, 13.4"), ("geo:1,2?q=52.52,13.4", "geo:1,2", "1, 2"),
      ("33.9S 151.2E", "geo:-33.9,151.2", "-33.9, 151.2"), ("-0.00000001, 0.5", "geo:0,0.5", "0, 0.5"),
      ("9f4mgc2m+h4", "pluscode:9F4MGC2M+H4", "9F4MGC2M+H4"), ("GC2M+H4 Berlin", "pluscode:9F4MGC2M+H4", "GC2M+H4"),
      ("9F4MGC00+", "pluscode:9F4MGC00+", "9F4MGC00+"), ("52,52 13,405", "geo:52.52,13.405", "52.52, 13.405"),
      ("N47.14 E9.52", "geo:47.14,9.52", "47.14, 9.52"), ("47°08'24\"N 9°31'12\"E", "geo:47.14,9.52", "47.14, 9.52"),
      ("9°31.2′E, 47°8.4′N", "geo:47.14,9.52", "47.14, 9.52"), ("S 33°54' E 151°12'", "geo:-33.9,151.2", "-33.9, 151.2"),
      ("https://www.openstreetmap.org/#map=15/47.14/9.52", "geo:47.14,9.52", "47.14, 9.52"),
      ("https://www.openstreetmap.org/?mlat=47.14&mlon=9.52#map=15/47.2/9.6", "geo:47.14,9.52", "47.14, 9.52"),
      ("https://www.google.com/maps/@47.14,9.52,15z", "geo:47.14,9.52", "47.14, 9.52"),
      ("https://maps.google.com/?q=47.14,-9.52", "geo:47.14,-9.52", "47.14, -9.52"),
      ("https://www.google.com/maps/place/Vaduz/@47.2,9.6,13z/data=!3d47.14!4d9.52", "geo:47.14,9.52", "47.14, 9.52"),
    ])
  func first(query: String, id: String, name: String) throws {
    let reader = try SmallIndex.world().reader
    let row = try #require(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first)
    #expect(row.id == id)
    #expect(row.primary?.text == name)
    #expect(row.types == (id.hasPrefix("pluscode:") ? ["plus_code"] : []))
    let place = try #require(try reader.search(SearchRequest(query: query, fields: [.coordinate])).rows.first)
    #expect(place.id == id)
    #expect(place.location == row.location)
    let details = try #require(try reader.details(DetailsRequest(id: id, fields: [.name, .coordinate, .plusCode, .formattedAddress])))
    #expect(details.id == id)
    #expect(details.location == row.location)
  }

  @Test("A point in a large city is in that city, and not in a suburb whose centre is nearer")
  func city() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Paris", "", 48.8534, 2.3488, "FR", "", 2_138_551),
      SmallIndex.line(2, "Neuilly", "", 48.8846, 2.2697, "FR", "", 61_300),
    ])
    let row = try #require(try index.reader.autocomplete(AutocompleteRequest(query: "48.8584,2.2945")).rows.first)
    #expect(row.text.text.contains("Paris"), "\(row.text.text)")
  }

  @Test(
    "A text that is almost a point is not one",
    arguments: [
      "52,52", "1,2 3,4,5", "350 S 200 E", "12.5", "3-5 Main", "1.5-2.5", "E 5", "0,0",
      "https://www.openstreetmap.org/", "https://x.org/#map=15/91/0",
      "ftp://x.org/#map=15/47/9",
    ])
  func nearlyPoints(query: String) throws {
    if let point = PointQuery(query) { Issue.record("\(point)") }
  }

  @Test(
    "Coordinates are parsed in every notation",
    arguments: [
      ("(52.52, 13.4)", "52.52, 13.4"), ("[52.52;13.4]", "52.52, 13.4"), ("51.5, −0.12", "51.5, -0.12"), ("52.52,13.4,12z", "52.52, 13.4"),
      ("５２.５２, １３.４", "52.52, 13.4"), ("33,87 S; 151,21 E", "-33.87, 151.21"), ("52,52; 13,4", "52.52, 13.4"),
      ("S 33 52.8 E 151 12.6", "-33.88, 151.21"), ("52 31 12 N 13 24 36 E", "52.52, 13.41"), ("lat 52.52 lon 13.4", "52.52, 13.4"),
      ("latitude: 52.52, longitude: 13.4", "52.52, 13.4"), ("lat=52.52&lng=-13.4", "52.52, -13.4"),
      ("55° 45' с.ш. 37° 36' в.д.", "55.75, 37.6"), ("52.52 Nord, 13.4 Ost", "52.52, 13.4"), ("47°8'24''N 9°31'12''E", "47.14, 9.52"),
      ("52° 31,2' N 13° 24,6' O", "52.52, 13.41"), ("9° 31.2' E 47° 8.4' N", "47.14, 9.52"), ("52.5° 13.4°", "52.5, 13.4"),
      ("52 N 13 E", "52, 13"), ("52.52 deg N 13.4 deg W", "52.52, -13.4"),
    ])
  func spellings(query: String, name: String) throws {
    guard case .point(let point) = PointQuery(query) else {
      Issue.record("no point")
      return
    }
    #expect(PointPlace(point).name == name)
  }

  @Test("O means east in German and west in French", arguments: [("de", 13.4), ("fr-CA", -13.4), ("pt", -13.4), ("nl", 13.4)])
  func sides(language: String, longitude: Double) throws {
    let point = try #require(Coordinate(latitude: 52.52, longitude: longitude))
    guard case .point(point) = PointQuery("52,52 N 13,4 O", language: language) else {
      Issue.record("another point")
      return
    }
  }

  @Test(
    "Coordinates out of range find nothing",
    arguments: ["47°61'N 9°31'E", "47°08'N", "47°08'N 9°31'N", "95.5, 13.4", "S 95 52.1 E 151 12.5", "33.5 N 34.5 S", "1.5 2.5 3.5"])
  func nowhere(query: String) throws { #expect(try SmallIndex.world().ids(query) == []) }

  @Test("One number with a degree sign may be a name", arguments: ["54° Nord", "54°", "12 min"])
  func names(query: String) throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, query, "", 54, 9, "DE", "01", 10)])
    #expect(try index.ids(query) == ["1"])
  }

  @Test("The nearest town is beside the point, and the towns around follow")
  func surroundings() throws {
    let reader = try SmallIndex.world().reader
    let rows = try reader.autocomplete(AutocompleteRequest(query: "52.5, 13.4", language: "en")).rows
    #expect(rows.first?.text.text == "52.5, 13.4, Berlin, Germany")
    #expect(rows.first?.secondary?.text == "Berlin, Germany")
    #expect(rows.first?.location == Coordinate(latitude: 52.5, longitude: 13.4))
    #expect(rows.dropFirst().first?.id == "2950159")
    let sea = try #require(try reader.autocomplete(AutocompleteRequest(query: "0.5, -30.5")).rows.first)
    #expect(sea.secondary == nil)
    #expect(sea.text.text == "0.5, -30.5")
  }

  @Test("A filter applies to the point")
  func filters() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids("52.5, 13.4") { $0.types = ["locality"] }.first == "2950159")
    #expect(try index.ids("52.5, 13.4") { $0.countries = ["DE"] }.first == "geo:52.5,13.4")
    #expect(try index.ids("52.5, 13.4") { $0.countries = ["FR"] } == [])
    #expect(try index.ids("52.5, 13.4") { $0.collection = .geocode }.first == "geo:52.5,13.4")
    #expect(try index.ids("52.5, 13.4") { $0.collection = .cities }.first == "2950159")
    #expect(try index.ids("52.5, 13.4") { $0.limit = 1 } == ["geo:52.5,13.4"])
    let corner = try #require(Coordinate(latitude: 40, longitude: 0))
    #expect(try index.ids("52.5, 13.4") { $0.restriction = .circle(center: corner, radius: 50_000) } == [])
  }

  @Test("Pages of places around a point repeat nothing")
  func pages() throws {
    let reader = try SmallIndex.world().reader
    let first = try reader.search(SearchRequest(query: "52.5, 13.4", fields: [], limit: 1))
    let second = try reader.search(SearchRequest(query: "52.5, 13.4", fields: [], limit: 1, pageToken: first.next))
    #expect(first.rows.map(\.id) == ["geo:52.5,13.4"])
    #expect(second.rows.map(\.id) == ["2950159"])
  }

  @Test("An invalid point has no details", arguments: ["geo:", "geo:91,0", "pluscode:GC2M+H4", "pluscode:", "geo:a,b"])
  func unknown(id: String) throws {
    #expect(try SmallIndex.world().reader.details(DetailsRequest(id: id, fields: [.name])) == nil)
  }

  @Test("Among areas at the same distance the smallest comes first")
  func reverse() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Vaduz", "", 47.14, 9.52, "LI", "11", 5197),
        SmallIndex.line(2, "Oberland", "", 47.14, 9.52, "LI", "11", 900_000, code: "A\tADM2"),
      ], regions: ["LI.11\tUnterland\tUnterland\t3042031"])
    let near = try #require(Coordinate(latitude: 47.14, longitude: 9.52))
    #expect(try index.reader.reverse(ReverseRequest(location: near, fields: [])).rows.map(\.id) == ["1", "2", "LI.11", "LI"])
  }
}
