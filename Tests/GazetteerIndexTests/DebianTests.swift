import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

/// Imports from Debian's packages; skipped if they are not installed.
@Suite(.enabled(if: DebianData.installed() != nil, "libgeonames0 is not installed"))
struct DebianTests {
  /// Read once, since that takes seconds without optimisation.
  static let records = Result { try #require(DebianData.installed()).records() }

  @Test("The Debian packages contain every city, region and country with ids and names")
  func records() throws {
    let records = try DebianTests.records.get()
    #expect(records.filter { $0.types == ["locality"] }.count == 24_361 + 6)
    #expect(records.filter { $0.types == ["country"] }.count == 225 + 21)
    // Monaco's single region has the code 00 and is the same as the country.
    #expect(records.filter { $0.types == ["administrative_area_level_1"] }.count == 2681)
    let munich = try #require(records.first { $0.id == "2867714" })
    #expect(munich.names.contains(.init("de", "München")) && munich.names.contains(.init("ru", "Мюнхен")))
    #expect(munich.region == "DE.02")
    let texas = try #require(records.first { $0.id == "US.TX" })
    #expect(texas.name == "Texas")
    let states = try #require(records.first { $0.id == "US" })
    #expect(states.names.contains(.init("fr", "États-Unis")))
    let ontario = try #require(records.first { $0.country == "CA" && $0.name == "Ontario" })
    #expect(ontario.otherNames.contains("ON"))
    for (code, name) in [
      ("DE.15", "Thuringia"), ("CH.GE", "Geneva"), ("CN.11", "Hunan"), ("TR.68", "Ankara"), ("RU.73", "Tatarstan"),
      ("US.DC", "District of Columbia"), ("US.WV", "West Virginia"), ("ID.38", "South Sulawesi"), ("ID.31", "North Sulawesi"),
      ("MX.09", "Mexico City"), ("SE.28", "Västra Götaland County"), ("SL.04", "Western Area"), ("ES.55", "Castille and León"),
    ] {
      let region = try #require(records.first { $0.id == code })
      #expect(region.name == name)
    }
    // A catalog has two spellings in one name.
    let taiwan = try #require(records.first { $0.id == "TW.04" })
    #expect(taiwan.names.filter { $0.language == "zh" }.map(\.text) == ["臺灣省", "台灣省"])
  }

  @Test("Damaged resources and catalogs are errors")
  func damaged() throws {
    #expect(throws: GazetteerError.self) { try GResource.file(endingIn: "cities.compiled", in: Array("GVariant".utf8), path: "x") }
    #expect(MessageCatalog([]) == nil)
    #expect(MessageCatalog(Array(repeating: 0xde, count: 64)) == nil)
    #expect(DebianCity.all(in: [1, 2, 3, 200]) == nil)
  }
}
