import Google
import Foursquare
import Nominatim
import Pelias
import Photon
import PlacesKit
import PlacesTesting
import Testing
import Text
import XML

@testable import Geocoders

@Suite("Common parts of open geocoders") struct GeocodersTests {
  @Test func `Open data blends, coordinates stay thirty days and other fields seven, and other services' data blends with nothing`() {
    for manifest in [Nominatim.manifest, Photon.manifest, Pelias.manifest] {
      #expect(manifest.terms.mixing == .free, "\(manifest.plugin)")
      #expect(manifest.terms.coordinatesSeconds == 2_592_000.0, "\(manifest.plugin)")
      #expect(manifest.terms.otherSeconds == 604_800.0, "\(manifest.plugin)")
    }
    for manifest in [Google.manifest, Foursquare.manifest] { #expect(manifest.terms.mixing == .never, "\(manifest.plugin)") }
  }

  @Test func `Every type that a tag stands for is in the type table, and every tag leads back`() {
    for type in PlaceType.all {
      // A whole key, or an ancestor's tag, may also find places of other types.
      for tag in OpenStreetMapTypes.tags(for: type) where tag.value != "*" {
        let related = [type] + type.ancestors
        #expect(OpenStreetMapTypes.types(tag.key, tag.value).contains { $0.isKind(of: related) }, "\(type.rawValue) \(tag)")
      }
    }
    for word in OpenStreetMapTypes.words.keys { #expect(PlaceType(rawValue: word).isKnown, "\(word)") }
    for type in OpenStreetMapTypes.worship.values { #expect(type.isKnown) }
    #expect(OpenStreetMapTypes.words.count > 100)
  }

  @Test(arguments: [
    ("amenity", "restaurant", ["restaurant", "food"]), ("shop", "yarn", ["store"]), ("highway", "residential", ["route"]),
    ("highway", "bus_stop", ["bus_stop"]), ("highway", "crossing", []), ("boundary", "protected_area", ["nature_preserve"]),
    ("place", "village", ["locality"]), ("amenity", "unheard_of", []), ("", "", []),
    ("shop", "*", ["store"]),
  ]) func `Tags become types, most specific first`(key: String, value: String, types: [String]) {
    #expect(OpenStreetMapTypes.types(key, value).map(\.rawValue) == types)
  }

  @Test(
    arguments: [
      ("N", JSONValue.integer(1), "node/1"), ("node", "1", "node/1"), ("W", 38_862_723, "way/38862723"), ("Relation", 5.0, "relation/5"),
      ("X", 1, nil), ("N", 0, nil), ("N", -1, nil), ("N", "1x", nil), ("N", nil, nil), ("N", "99999999999999999999", nil), ("N", 1.5, nil),
      (nil, 1, nil),
    ] as [(String?, JSONValue?, String?)]) func `Ids of objects are read in every spelling`(
      kind: String?, number: JSONValue?, expected: String?
    )
  {
    let id = OpenStreetMapID(kind: kind, number: number)
    #expect(id?.description == expected)
    if let id { #expect(OpenStreetMapID(id.description) == id) }
  }

  @Test(arguments: ["", "node", "node/", "/1", "n/1", "node/1/2", "node/-1", "node/+", "way/ 1"])
  func `A text that is not an id is rejected`(text: String) {
    #expect(OpenStreetMapID(text) == nil)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (52.5, "52.5"), (-0.00001, "-0.00001"), (13.239480000000001, "13.23948"), (180, "180"),
      (-179.9999999, "-179.9999999"),
      (1e-9, "0"), (.infinity, "360"), (0.1 + 0.2, "0.3"),
    ] as [(Double, String)]) func `Degrees have no exponent and at most seven decimals`(value: Double, text: String)
  { #expect(degrees(value) == text) }

  @Test(
    arguments: [
      ("Berlin", "Berlin"), ("Österreich", "Österreich"), (" Berlin", "Berlin"), ("Berlin\u{A0}", "Berlin"), ("\u{3000}東京\n", "東京"),
      ("\t \u{2003}", nil), ("", nil), (String(repeating: "x", count: 1_001), String(repeating: "x", count: 1_000)),
      ("a" + String(repeating: "é", count: 999) + "z", "a" + String(repeating: "é", count: 999)),
    ] as [(String, String?)]) func `A text stands without the white space around it and within bounds, and an empty one is none`(
      text: String, kept: String?
    )
  {
    #expect(JSONValue.string(text).filledString == kept)
  }

  @Test func `A position that is not a number is no position`() {
    #expect(Coordinate(latitude: "1.5", longitude: 2) != nil)
    for bad in ["nan", "inf", "", "1,5", "0x10p1000", nil, .null, true, [], 91] as [JSONValue?] {
      #expect(Coordinate(latitude: bad, longitude: 2) == nil)
    }
    #expect(Coordinate(point: ["type": "Point", "coordinates": [181, 0]]) == nil)
    #expect(Coordinate(point: ["type": "Point", "coordinates": [1]]) == nil)
    #expect(Rectangle(south: 2, west: 0, north: 1, east: 1) == nil)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Saturday, 28-Nov-26 12:00:00 GMT", 1_795_867_200),
      ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ] as [(String, Double)]) func `Dates of HTTP are read`(text: String, seconds: Double)
  { #expect(HTTPDate.seconds(text) == seconds) }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37 CET", "Sunday, 06-Nov-1994 08:49:37 GMT", "06-Nov-94 08:49:37 GMT", "Sun Nov 08:49:37 1994",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
  ])
  func `A text that is not a date is rejected`(text: String) { #expect(HTTPDate.seconds(text) == nil) }

  @Test(
    arguments: [
      (["retry-after": "120"], 120), (["retry-after": "-5"], nil), (["retry-after": "9999999999"], 86_400), (["retry-after": "0"], 5),
      (["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT", "date": "Sun, 06 Nov 1994 08:49:00 GMT"], 37), (["retry-after": "soon"], nil),
      (["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT", "date": "Sun, 06 Nov 1994 08:49:38 GMT"], nil),
      ([:], nil),
      (["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
    ] as [([String: String], Double?)]) func `How long to wait is read as seconds or as a date`(headers: [String: String], seconds: Double?)
  {
    #expect(reply("", status: 429, headers: headers).retryAfterSeconds == seconds)
  }

  @Test func `A service that received too many requests is not called for some seconds, other services for as long as they ask`() {
    let headers = ["retry-after": "1"]
    #expect([403, 429, 503].map { reply("", status: $0, headers: headers).retryAfterSeconds } == [5, 5, 1])
    #expect(reply("", status: 503, headers: ["retry-after": "0"]).retryAfterSeconds == 0)
  }

  @Test func `A wrong address is told by the setting that holds it`() {
    for status in [301, 404] {
      let named = thrown { () throws(ProviderError) in try reply("", status: status).checkStatus(of: "It", at: "url") }
      #expect(named?.cause == .http && named?.message.contains(" url") == true && named?.message.contains("base_url") == false)
      let plain = thrown { () throws(ProviderError) in try reply("", status: status).json(from: "It") }
      #expect(plain?.cause == .http && plain?.message.contains("base_url") == true)
    }
  }

  @Test func `Labels leave out what repeats and the reader's own country`() {
    var parts = AddressParts()
    #expect(parts.label() == nil)
    parts.country = "Germany"
    parts.countryCode = "DE"
    #expect(parts.label(region: "DE") == "Germany")
    parts.state = "Berlin"
    parts.city = "Berlin"
    #expect(parts.label() == "Berlin, Germany")
    parts.postcode = "10117"
    parts.street = "Unter den Linden"
    parts.houseNumber = "77"
    #expect(parts.label(region: "DE") == "Unter den Linden 77, 10117 Berlin")
    parts.name = "Adlon"
    var town = AddressParts()
    (town.name, town.city, town.postcode, town.country) = ("Schaan", "Schaan", "9494", "Liechtenstein")
    #expect(town.label() == "Schaan, Liechtenstein")
    parts.state = nil
    #expect(parts.label(region: "FR") == "Adlon, Unter den Linden 77, 10117 Berlin, Germany")
    #expect(parts.components.array?.count == 5)
  }
}

@Suite("XML and charsets") struct ReadingTests {
  @Test func `A document becomes a tree`() throws {
    let root = try XMLElement(parsing: Array("<?xml version=\"1.0\"?><a x=\"1 &amp; 2\"><b/>t&#252;<b y='z'>u</b><![CDATA[<v>]]></a>".utf8))
    #expect(
      root
        == XMLElement(
          name: "a", attributes: ["x": "1 & 2"],
          children: [XMLElement(name: "b"), XMLElement(name: "b", attributes: ["y": "z"], text: "u")], text: "tü<v>"))
  }

  @Test(arguments: [
    "", " ", "<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<a>&nbsp;</a>", "<!DOCTYPE a><a/>",
    #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>"#,
    #"<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>"#, String(repeating: "<a>", count: 40), "<a>\u{0}</a>", "text",
    "<a>" + String(repeating: "<b/>", count: 30_000) + "</a>",
  ]) func `A document that is malformed, too large or declares a document type is rejected`(text: String) {
    #expect(throws: XMLError.self) { try XMLElement(parsing: Array(text.utf8)) }
  }

  @Test func `A document larger than allowed is not looked at, and bytes that are no UTF-8 are refused`() {
    #expect(throws: XMLError.self) { try XMLElement(parsing: Array(repeating: 0x20, count: 3 << 20)) }
    #expect(throws: XMLError.self) { try XMLElement(parsing: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) }
    #expect(throws: XMLError.self) { try XMLElement(parsing: Array("<a/>".utf8), encoding: "klingon") }
  }

  @Test(
    arguments: [
      ("utf-8", Array("é".utf8), "é"), ("UTF8", [0xC3], nil), ("iso-8859-1", [0xE9, 0x80], "é€"), ("windows-1251", [0xCC], "М"),
      ("Shift_JIS", [0x93, 0x8C], "東"),
      ("EUC-JP", [0xC5, 0xEC], "東"), ("gb18030", [0xB6, 0xAB], "东"), ("koi8-r", [0xED], "М"), ("us-ascii", [0x41], "A"),
      ("us-ascii", [0xFF], nil),
      ("", [0x41], nil), ("klingon", [0x41], nil), ("../x", [0x41], nil), ("Shift_JIS", [0x93], nil), ("windows-1251", [], ""),
    ] as [(String, [UInt8], String?)]) func `Bytes are read in the charset named, or not at all`(
      charset: String, bytes: [UInt8], text: String?
    )
  {
    #expect(Charset.decode(bytes, charset: charset) == text)
  }

  @Test(arguments: [
    ("https://x.org", "https://x.org", []), ("HTTP://X.Org:80/a%20b/", "http://x.org", ["a b", ""]),
    ("https://x.org:8443/a//b?x=1&y", "https://x.org:8443", ["a", "", "b"]),
    ("http://[::1]:99/", "http://[::1]:99", []), ("https://x.org?q={query}", "https://x.org", []),
  ]) func `Service addresses are taken apart`(text: String, origin: String, path: [String]) throws {
    let url = try #require(ServiceURL(text))
    #expect(url.origin == origin)
    #expect(url.path == path)
  }
}
