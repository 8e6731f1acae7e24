import Foundation
import JSON
import PlacesKit
import Testing

@testable import ServiceDescriptions

@Suite("The descriptions in etc/services") struct ServiceTests {
  @Test("Each is sound, verified, and has answers to be tested with", arguments: ServiceCase.shipped)
  func sound(service: String) throws {
    let description = try ServiceCase.description(service)
    #expect(description.verified != nil)
    #expect(description.manifest.summary.hasSuffix("."))
    #expect(try ServiceCase.cases(of: service).count >= 12)
  }

  @Test(
    "Each request has the expected bytes, and each answer the expected rows or error", arguments: ServiceCase.shipped + ["photon"])
  func answers(service: String) async throws {
    let description = try ServiceCase.description(service)
    for entry in try ServiceCase.cases(of: service) {
      let outcome = await entry.run(description)
      if let sends = entry.sends { #expect(outcome.sent == sends, "\(service): \(entry.name)") }
      #expect(outcome.rows == entry.rows, "\(service): \(entry.name)")
      #expect(outcome.error == entry.error, "\(service): \(entry.name)")
    }
  }

  @Test(
    "The answers include rows of every call, an empty one, a damaged one, and every error that the file describes",
    arguments: ServiceCase.shipped)
  func coverage(service: String) throws {
    let description = try ServiceCase.description(service)
    let cases = try ServiceCase.cases(of: service)
    for call in description.calls { #expect(cases.contains { $0.call == call && $0.rows?.isEmpty == false }, "no rows of \(call)") }
    #expect(cases.contains { $0.rows?.isEmpty == true }, "no empty answer")
    let errors = Set(cases.compactMap { $0.error?.split(separator: " ").first.map(String.init) })
    #expect(errors.isSuperset(of: ["http", "decode"]))
    #expect(!description.usesKey || errors.contains("credentials"), "no refused key")
    for rule in description.errors {
      if let cause = rule.cause { #expect(errors.contains(cause.rawValue), "no answer of the rule in line \(rule.origin.line)") }
    }
  }

  @Test("An error rule with `is` and `contains` fits a value that fulfils both")
  func bothConditions() throws {
    let errors = "[[errors]]\npath = \"$.code\"\nis = [\"Quota exceeded\", \"Other\"]\ncontains = \"QUOTA\"\ncause = \"quota\"\n[types]"
    let text = MistakeTests.sound.replacing("[types]", with: errors)
    let description = try #require(ServiceDescription.read(Array(text.utf8), service: "t", file: "t.toml").description)
    let rule = try #require(description.errors.first)
    func fits(_ code: String) -> Bool {
      let answer: JSONValue = ["code": .string(code)]
      return rule.fits(400, answer)
    }
    #expect(fits("Quota exceeded"))
    #expect(!fits("Other"), "it does not contain quota")
    #expect(!fits("No quota"), "it is neither of the texts")
  }

  @Test("Terms name their document by its link", arguments: ServiceCase.shipped)
  func terms(service: String) throws {
    let source = try ServiceCase.description(service).manifest.terms.source
    #expect(source.contains("https://"), "\(source)")
  }

  @Test("There are descriptions of these services")
  func services() {
    let services = [
      "2gis", "amap", "amazon", "azure", "baidu", "ban", "dadata", "esri", "geoapify", "geocode-earth", "geonames", "here",
      "kakao", "kartverket", "locationiq", "mapbox", "maptiler", "naver-maps", "naver-search", "open-meteo", "opencage",
      "os-names", "overpass", "pdok", "radar", "stadia", "swisstopo", "tomtom", "wikidata", "yandex-geocoder", "yandex-suggest",
    ]
    #expect(ServiceCase.shipped == services)
  }
}
