import PlacesKit
import Testing

@testable import GazetteerIndex

/// Rows that are made from places shown before.
@Suite struct PresentedPlaceTests {
  @Test("Rows from the cache equal rows that were just read")
  func sameAnswer() throws {
    let index = try SmallIndex.world()
    for _ in 0..<2 {
      for query in ["b", "ber", "berlin germany", "san fran", "paris texas", "münchen", "louis st", "52.5, 13.4", "muc"] {
        for (language, region) in [(nil, nil), ("en", nil), ("de", "DE"), ("en", "US"), ("ru", "us")] as [(String?, String?)] {
          let request = AutocompleteRequest(query: query, language: language, region: region)
          let fresh = try GazetteerReader(path: index.path).autocomplete(request)
          #expect(!fresh.rows.isEmpty)
          #expect(try index.reader.autocomplete(request) == fresh, "\(query) in \(language ?? "-")-\(region ?? "-")")
        }
      }
    }
  }

  @Test("Fields are in the requested language, whatever language the cache has the place in")
  func fields() throws {
    let index = try SmallIndex.world()
    for language in ["de", "en", nil, "fr", "de"] {
      let request = DetailsRequest(id: "2950159", fields: [.formattedAddress, .addressComponents], language: language)
      #expect(try index.reader.details(request) == GazetteerReader(path: index.path).details(request))
    }
  }

  @Test("A new place is in the cache, and the cache is bounded")
  func bound() {
    let recent = RenderedPlaceCache()
    let keys = (1...UInt32(4 * RenderedPlaceCache.capacity)).map { RenderedPlaceCache.Key(rank: $0, language: "en") }
    for key in keys {
      recent.insert(place(key.rank), for: key)
      #expect(recent[key]?.row(matching: []).id == "\(key.rank)")
    }
    let kept = keys.filter { recent[$0] != nil }
    #expect((RenderedPlaceCache.capacity / 2...RenderedPlaceCache.capacity).contains(kept.count))
    #expect(kept.allSatisfy { recent[$0]?.row(matching: []).id == "\($0.rank)" })
  }

  @Test("Languages and regions never share places")
  func locales() {
    let recent = RenderedPlaceCache()
    recent.insert(place(1), for: .init(rank: 1, language: "en"))
    #expect(recent[.init(rank: 1, language: "en")] != nil)
    #expect(recent[.init(rank: 1)] == nil && recent[.init(rank: 1, language: "en", region: "US")] == nil)
    #expect((0..<1_000).allSatisfy { recent[.init(rank: 1, language: "\($0)", region: "US")] == nil })
  }

  private func place(_ rank: UInt32) -> RenderedPlace {
    let row = Suggestion(kind: .place, id: "\(rank)", text: FormattedText("A"))
    return RenderedPlace(row, name: "A", secondaryLanguages: LanguageChoice(nil))
  }
}
