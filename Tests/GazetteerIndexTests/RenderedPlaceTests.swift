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
    let locale = recent.number(of: .init(language: "en", region: nil))
    let ranks = 1...UInt32(4 * RenderedPlaceCache.capacity)
    for rank in ranks {
      recent.insert(place(rank), rank, for: locale)
      #expect(recent.place(rank, for: locale)?.row(matching: []).id == "\(rank)")
    }
    let kept = ranks.filter { recent.place($0, for: locale) != nil }
    #expect((RenderedPlaceCache.capacity / 2...RenderedPlaceCache.capacity).contains(kept.count))
    #expect(kept.allSatisfy { recent.place($0, for: locale)?.row(matching: []).id == "\($0)" })
  }

  @Test("Locales never share places")
  func locales() {
    let recent = RenderedPlaceCache()
    let first = recent.number(of: .init(language: "en", region: nil))
    recent.insert(place(1), 1, for: first)
    #expect(recent.number(of: .init(language: "en", region: nil)) == first)
    let others = (0..<1_000).map { recent.number(of: .init(language: "\($0)", region: "US")) }
    #expect(Set(others).count == others.count)
    #expect(others.allSatisfy { recent.place(1, for: $0) == nil })
  }

  private func place(_ rank: UInt32) -> RenderedPlace {
    let row = Suggestion(kind: .place, id: "\(rank)", text: FormattedText("A"))
    return RenderedPlace(row, name: "A", choice: LanguageChoice(nil))
  }
}
