import PlacesKit
import Testing

@testable import GazetteerIndex

/// Who asks for no language gets the name that people of the place use.
@Suite struct LocalNameTests {
  private func text(_ country: String, _ name: String, _ names: [(String, String)], _ language: String?) -> PlaceText {
    var record = GazetteerRecord(id: "1", name: name)
    record.country = country
    record.names = names.map { .init($0.0, $0.1) }
    var fields = ByteWriter()
    record.encode(into: &fields)
    var stored = ByteWriter()
    StoredPlace.append(source: 1, fields: fields.bytes[...], to: &stored)
    return PlaceText(id: "1", stored: stored.bytes, choice: language.map { LanguageChoice($0) })
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
    "Montréal": [("en", "Montreal"), ("fr", "Montréal")],
    "Nowhere": [("xx", "Nulpunt")],
  ]

  @Test(
    "The local name is the one in the country's language, and of several languages that of the main name",
    arguments: [
      ("DE", "Munich", "München", "de"), ("CH", "Genève", "Genève", "fr"), ("CH", "Geneva", "Genève", "fr"),
      ("CH", "Zurich", "Zürich", "de"), ("BE", "Antwerp", "Antwerpen", "nl"), ("CY", "Nicosia", "Λευκωσία", "el"),
      ("JP", "Tokyo", "東京", "ja"), ("TW", "Taipei", "臺北市", "zh-TW"), ("CA", "Montréal", "Montréal", "fr"),
    ])
  func local(country: String, main: String, shown: String, language: String) throws {
    let text = text(country, main, LocalNameTests.names[main] ?? [], nil)
    #expect(text.name == shown)
    #expect(text.language == language)
    #expect(main == shown || text.others.contains(main))
  }

  @Test("Marks that turn the direction of writing are no part of a name, joiners are")
  func marks() {
    #expect(GazetteerRecord.Name("fa", "كرمانشاه\u{200E}").text == "كرمانشاه")
    #expect(GazetteerRecord.Name("fa", "قائم\u{200C}شهر").text.unicodeScalars.contains("\u{200C}"))
  }

  @Test(
    "Who asks for a language gets it, else the local name, else the main one",
    arguments: [
      ("DE", "Munich", "fr", "Munich"), ("DE", "Munich", "it", "München"), ("CH", "Genève", "de", "Genf"), ("", "Nowhere", "de", "Nowhere"),
      ("QQ", "Nowhere", "xx", "Nulpunt"), ("QQ", "Munich", "", "Munich"),
    ])
  func asked(country: String, main: String, language: String, shown: String) throws {
    #expect(text(country, main, LocalNameTests.names[main] ?? [], language).name == shown)
  }

  @Test("What stands beside a name is in the language of the name")
  func surroundings() throws {
    let index = try SmallIndex(
      lines: [SmallIndex.line(1, "Collonge", "", 46.2, 6.2, "CH", "GE", 10)], regions: ["CH.GE\tGenève\tGeneve\t2"])
    let feature = #"""
      {"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[6.2,46.2]},"properties":{"place":"city","name":"Genève","name:de":"Genf","name:fr":"Genève"}}
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
