import PlacesAPI
import Testing

@testable import placesctl

@Suite("Without --lang, the language of answers is the locale's")
struct LocaleTests {
  @Test(
    "A locale's name becomes a language tag, or none",
    arguments: [
      ("de_AT.UTF-8", "de-AT"), ("pt_BR", "pt-BR"), ("fr", "fr"), ("nds_DE@euro", "nds-DE"), ("es_419.UTF-8", "es-419"),
      ("sr_RS@latin", "sr-Latn-RS"), ("sr_RS.UTF-8@cyrillic", "sr-Cyrl-RS"), ("C", nil), ("POSIX", nil), ("C.UTF-8", nil), ("", nil),
      ("german", nil), ("de_", nil), ("_DE", nil), ("de_AT_x", nil), ("12_AT", nil), (".UTF-8", nil), ("@euro", nil), ("d\u{0}e", nil),
    ])
  func tag(locale: String, language: String?) throws {
    #expect(Locale.language { $0 == "LANG" ? locale : nil } == language)
    if let language { _ = try Autocomplete.schema.decode(["query": "b", "language": .string(language)]) }
  }

  @Test("LC_ALL precedes LC_MESSAGES, which precedes LANG; an empty one does not count, C does")
  func precedence() {
    func language(_ variables: [String: String]) -> String? { Locale.language { variables[$0] } }
    #expect(language(["LC_ALL": "fr_FR", "LC_MESSAGES": "de_DE", "LANG": "en_US"]) == "fr-FR")
    #expect(language(["LC_ALL": "", "LC_MESSAGES": "de_DE", "LANG": "en_US"]) == "de-DE")
    #expect(language(["LC_ALL": "C", "LANG": "en_US"]) == nil)
    #expect(language([:]) == nil)
  }

  @Test(
    "It is sent by every command that takes --lang, which goes before it",
    arguments: [
      ("suggest b", "de-AT"), ("suggest b --lang fr", "fr"), ("search b", "de-AT"), ("details gazetteer:1 -l fr", "fr"),
      ("reverse 1,2", "de-AT"),
      ("status", nil),
    ])
  func sent(line: String, language: String?) async {
    let outcome = await run(line.split(separator: " ").map(String.init), language: "de-AT")
    #expect(outcome.asked.first?.params["language"]?.string == language, "\(outcome)")
  }
}
