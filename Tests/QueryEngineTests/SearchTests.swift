import PlacesAPI
import PlacesKit
import Synchronization
import Testing

@testable import QueryEngine

@Suite("Search, details and reverse")
struct SearchTests {
  private static func pages(_ count: Int, of size: Int, terms: Terms = .testing) -> EngineFixture.ScriptedProvider {
    .init(manifest: .scripted("Paging", terms: terms, pages: true)) { call, _ in
      guard case .search(let request) = call else { return .places([]) }
      let page = request.pageToken.flatMap(Int.init) ?? 0
      let rows = (0..<size).map { Place.named("Museum of matter \(page * size + $0)", id: "\(page * size + $0)") }
      return .places(rows, next: page + 1 < count ? String(page + 1) : nil)
    }
  }

  @Test("A search without a text calls the providers that support it, with the type, the area and the coordinates")
  func withoutQuery() throws {
    var able = Manifest.scripted("Able")
    able.search?.parameters[.withoutQuery] = .native
    able.typeWords = ["cafe": ["cafe"]]
    var unable = Manifest.scripted("Unable")
    unable.search?.parameters[.withoutQuery] = nil
    let fixture = EngineFixture([
      "a": .init(manifest: able) { _, _ in .places([Place.named("Café One", id: "1")]) },
      "b": .init(manifest: unable) { _, _ in .places([]) },
    ])
    let result = try #require(
      fixture.search("") {
        $0.includedType = "cafe"
        $0.origin = Coordinate(latitude: 52.52, longitude: 13.4)
      }?.value)
    #expect(result.places.count == 1 && result.providers["b"]?.cause == "query")
    guard case .search(let asked)? = fixture.calls(to: "a").first?.call else { Issue.record("not asked"); return }
    #expect(asked.query.isEmpty && asked.includedType == "cafe" && asked.bias != nil && asked.fields.contains(.coordinate))
    #expect(fixture.search("") { $0.includedType = "cafe" }?.error != nil, "an area is missing")
  }

  @Test("A search without a text that no provider supports is an error that says so")
  func noneWithoutQuery() throws {
    var unable = Manifest.scripted("Unable")
    unable.search?.parameters[.withoutQuery] = nil
    let fixture = EngineFixture(["b": .init(manifest: unable) { _, _ in .places([]) }])
    let error = try #require(
      fixture.search("") {
        $0.includedType = "cafe"
        $0.origin = Coordinate(latitude: 52.52, longitude: 13.4)
      }?.error)
    #expect(error.name == .unsupported && error.message.hasPrefix("no enabled provider searches without a text"))
    #expect(error.data["providers"]?[0]?["message"] == "Unable does not search without a text")
    #expect(fixture.calls(to: "b").isEmpty)
  }

  @Test("A place that its provider marks as a partial match is marked in the reply, and no other place is")
  func partialMatch() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in
        var partial = Place.named("Berlin", id: "1")
        partial.partialMatch = true
        return .places([partial, .named("Pizza Berlin", id: "2")])
      }
    ])
    let result = try #require(fixture.search("pizza berlin")?.value)
    #expect(result.places.count == 2)
    for place in result.places { #expect(place.partialMatch == (place.id.native == "1" ? true : nil)) }
  }

  @Test("Pages repeat no row, lose none, and end", arguments: [3, 7, 20])
  func pages(limit: Int) throws {
    let fixture = EngineFixture(["a": Self.pages(3, of: 20)])
    var seen: [PlaceID] = []
    var token: String?
    repeat {
      let page = try #require(
        fixture.search("museum") {
          $0.limit = limit
          $0.pageToken = token
        }?.value)
      seen += page.places.map(\.id)
      token = page.nextPageToken
    } while token != nil && seen.count < 100
    #expect(seen.count == 60)
    #expect(Set(seen).count == 60)
    #expect(fixture.calls(to: "a").count == 3)
  }

  @Test("Rows that were paid for and not shown are on the next pages, even if terms forbid caching them", arguments: [5, 10])
  func paidRows(limit: Int) throws {
    let terms = Terms(
      idsSeconds: nil, coordinatesSeconds: 0, otherSeconds: 0, negativeSeconds: 0, isolation: .user, mixing: .free, source: "test")
    func provider(_ name: String, pages: Bool) -> EngineFixture.ScriptedProvider {
      .init(manifest: .scripted(name, terms: terms, pages: pages)) { call, _ in
        guard case .search(let request) = call else { return .places([]) }
        let page = request.pageToken.flatMap(Int.init) ?? 0
        let rows = (0..<10).map { Place.named("\(name) \(page * 10 + $0)", id: "\(page * 10 + $0)") }
        return .places(rows, next: pages && page == 0 ? "1" : nil)
      }
    }
    let fixture = EngineFixture([
      "f": provider("Gallery", pages: true), "g": provider("Museum", pages: true), "h": provider("Hall", pages: false),
    ])
    var seen: [PlaceID] = []
    var token: String?
    repeat {
      let page = try #require(
        fixture.search("museum") {
          $0.limit = limit
          $0.pageToken = token
        }?.value)
      #expect(page.places.count == min(limit, 50 - seen.count), "a page is filled as long as there are rows")
      seen += page.places.map(\.id)
      token = page.nextPageToken
    } while token != nil && seen.count < 100
    #expect(seen.count == 50 && Set(seen).count == 50)
    #expect(fixture.calls(to: "f").count == 2 && fixture.calls(to: "g").count == 2 && fixture.calls(to: "h").count == 1)
    // Rows whose terms forbid caching are in memory for the token's five minutes only.
    fixture.simulation.pass(SearchPages.lifetime)
    #expect(fixture.engine.pages.count == 0)
  }

  @Test("No row in the circle is lost if the daemon removes the rows outside of it", arguments: [3, 5, 20])
  func circle(limit: Int) throws {
    var manifest = Manifest.scripted("Paging", pages: true)
    manifest.search?.parameters[.restrictionCircle] = .emulated
    let fixture = EngineFixture([
      "a": .init(manifest: manifest) { call, _ in
        guard case .search(let request) = call else { return .places([]) }
        let page = request.pageToken.flatMap(Int.init) ?? 0
        let rows = (page * 20..<page * 20 + 20).map { number in
          // Every third row is two degrees away.
          let point = Coordinate(latitude: number.isMultiple(of: 3) ? 54.5 : 52.5, longitude: 13.4)
          return Place.named("Museum of matter \(number)", id: "\(number)", at: point)
        }
        return .places(rows, next: page == 0 ? "1" : nil)
      }
    ])
    let center = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    var seen: [String] = []
    var token: String?
    repeat {
      let page = try #require(
        fixture.search("museum") {
          ($0.limit, $0.pageToken, $0.restriction) = (limit, token, .circle(center: center, radius: 5_000))
        }?.value)
      seen += page.places.map(\.id.native)
      token = page.nextPageToken
    } while token != nil && seen.count < 100
    #expect(seen.sorted() == (0..<40).filter { !$0.isMultiple(of: 3) }.map(String.init).sorted())
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test("The next page calls only providers that have pages, and reports why the others are skipped")
  func pagingProviders() throws {
    let fixture = EngineFixture([
      "a": Self.pages(2, of: 3),
      "b": .init(manifest: .scripted("B")) { _, _ in .places([.named("Pinakothek", id: "x")]) },
    ])
    let first = try #require(fixture.search("museum")?.value)
    #expect(first.places.count == 4)
    let second = try #require(fixture.search("museum") { $0.pageToken = first.nextPageToken }?.value)
    #expect(second.places.count == 3)
    #expect(second.providers["b"]?.outcome == .skipped)
    #expect(second.providers["b"]?.cause == "page")
    #expect(fixture.calls(to: "b").count == 1)
  }

  @Test("A provider that fails on a page keeps its remaining rows and its page token, and rows have the time at which they were fetched")
  func failingPage() throws {
    let fails = Mutex(false)
    let fixture = EngineFixture([
      "a": Self.pages(3, of: 3),
      "b": .init(manifest: .scripted("B", pages: true)) { call, _ in
        guard case .search(let request) = call else { return .places([]) }
        if fails.withLock({ $0 }) { return .failure(ProviderError(.decode, "not JSON")) }
        let page = request.pageToken.flatMap(Int.init) ?? 0
        let rows = (0..<3).map { Place.named("Gallery \(page * 3 + $0)", id: "\(page * 3 + $0)") }
        return .places(rows, next: page == 0 ? "1" : nil)
      },
    ])
    var seen: [PlaceID] = []
    var token: String?
    for number in 0..<8 {
      fails.withLock { $0 = number == 1 }
      let page = try #require(
        fixture.search("museum gallery") {
          $0.limit = 4
          $0.pageToken = token
          $0.explain = true
        }?.value)
      seen += page.places.map(\.id)
      for row in page.places { #expect(row.provenance?[.name]?.at.hasPrefix("1970") == false) }
      token = page.nextPageToken
      if token == nil { break }
    }
    #expect(seen.count == 15)
    #expect(Set(seen).count == 15)
  }

  @Test("A geocoder's rows that are not addresses are removed, and all pages of its answer cost one call")
  func addresses() throws {
    var manifest = Manifest.scripted("A", pages: true)
    manifest.geocode = Capability(parameters: .all(.native), fields: [.placeID, .name, .types])
    let fixture = EngineFixture([
      "a": .init(manifest: manifest) { call, _ in
        guard case .geocode = call else { return .failure(ProviderError(.unsupported, "no geocoding")) }
        var rows = (1...3).map { Place.named("Aeulestrasse \($0)", id: "\($0)") } + [.named("Aeule", id: "town")]
        for index in rows.indices { rows[index].types = index == 3 ? ["locality"] : ["premise"] }
        return .places(rows)
      }
    ])
    func page(_ token: String?) throws -> PlacesResult {
      try #require(
        fixture.search("aeulestrasse") {
          ($0.includedType, $0.limit, $0.pageToken) = ("street_address", 2, token)
        }?.value)
    }
    let first = try page(nil)
    let second = try page(first.nextPageToken)
    #expect(first.places.map(\.id.native) == ["1", "2"] && second.places.map(\.id.native) == ["3"] && second.nextPageToken == nil)
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("With a stream, the reply begins with the rows that were shown, and does not repeat rows of earlier pages")
  func streaming() throws {
    let fixture = EngineFixture([
      "a": Self.pages(2, of: 3),
      "b": .init(manifest: .scripted("B", pages: true)) { call, _ in
        guard case .search(let request) = call else { return .places([]) }
        return .places([.named("Museum of the sea", id: request.pageToken == nil ? "x" : "y")], next: "1", after: 0.2)
      },
    ])
    func search(_ token: String?) throws -> (shown: [[PlaceRow]], result: PlacesResult) {
      let shown = Mutex<[[PlaceRow]]>([])
      var parameters = Search.Parameters(query: "museum of the sea", fields: [.placeID, .name])
      parameters.stream = true
      parameters.pageToken = token
      let engine = fixture.engine
      let final = parameters
      let result = fixture.simulation.finish(
        fixture.simulation.start {
          try? await engine.search(final, caller: EngineCaller(user: 1_000)) { _, rows, _, _ in shown.withLock { $0.append(rows) } }
        })
      return (shown.withLock { $0 }, try #require(result ?? nil))
    }
    let first = try search(nil)
    let shown = try #require(first.shown.last)
    #expect(shown.map(\.id.text) == ["a:0", "a:1", "a:2"])
    #expect(first.result.places.map(\.id.text) == ["a:0", "a:1", "a:2", "b:x"])
    #expect(first.result.places.map(\.row) == ["r1", "r2", "r3", "r4"] && shown.map(\.row) == ["r1", "r2", "r3"])
    let second = try search(first.result.nextPageToken)
    let earlier = Set(first.result.places.map(\.id))
    #expect(!second.shown.isEmpty)
    for row in second.shown.joined() + second.result.places { #expect(!earlier.contains(row.id)) }
  }

  @Test("If ranked by distance, distances are measured from the origin, and services without an origin get it as the bias")
  func distance() throws {
    let origin = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let elsewhere = try #require(Coordinate(latitude: 48.1, longitude: 11.6))
    var settings = EngineSettings()
    settings.bias = .circle(center: elsewhere, radius: 5_000)
    let fixture = EngineFixture(
      settings: settings,
      [
        "a": .init(manifest: .scripted("A")) { _, _ in .places([.named("Far", at: elsewhere)]) },
        "b": .init(manifest: .scripted("B")) { _, _ in .places([.named("Near", at: origin)]) },
      ])
    let result = fixture.search("museum") {
      $0.rankBy = .distance
      $0.origin = origin
    }
    #expect(result?.value?.places.map { $0.values[.name]?.string } == ["Near", "Far"])
    guard case .search(let asked)? = fixture.calls(to: "a").first?.call else { return #expect(Bool(false), "no provider was called") }
    #expect(asked.bias?.center == origin)
    let biased = fixture.search("theatre") {
      $0.rankBy = .distance
      $0.origin = origin
      $0.bias = .circle(center: elsewhere, radius: 1_000)
    }
    #expect(biased?.value?.places.map { $0.values[.name]?.string } == ["Near", "Far"])
  }

  @Test("A page token is valid for five minutes, for one user and one search")
  func pageToken() throws {
    let fixture = EngineFixture(["a": Self.pages(9, of: 3)])
    let token = try #require(fixture.search("museum")?.value?.nextPageToken)
    func refused(_ user: UInt32 = 1_000, _ query: String = "museum") -> String? {
      fixture.search(query, user: user) { $0.pageToken = token }?.error?.data["parameter"]?.string
    }
    #expect(refused() == nil)
    #expect(refused(1_001) == "pageToken")
    #expect(refused(1_000, "theatre") == "pageToken")
    fixture.simulation.pass(301)
    #expect(refused() == "pageToken")
  }

  @Test("Filters that the service lacks are applied to its rows, and the field they need is not shown")
  func emulated() throws {
    var parameters = [Capability.Parameter: Capability.Support].all(.native)
    parameters[.minRating] = .emulated
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", parameters: parameters)) { _, _ in
        .places([.named("Good", [.rating: 4.5]), .named("Bad", [.rating: 2]), .named("Unknown")])
      }
    ])
    let result = try #require(fixture.search("museum") { $0.minRating = 4 }?.value)
    #expect(result.places.map { $0.values[.name]?.string } == ["Good"])
    #expect(result.places.first?.values[.rating] == nil)
    #expect(result.providers["a"]?.count == 1)
  }

  @Test("Details take fields that the named provider lacks from the row's other free sources that may be blended")
  func filling() throws {
    func fixture(_ mixing: Terms.Mixing, _ prices: PriceTable) -> EngineFixture {
      var terms = Terms.testing
      terms.mixing = mixing
      let place = Coordinate(latitude: 52.5, longitude: 13.4)
      return EngineFixture([
        "a": .init(manifest: .scripted("A", fields: [.placeID, .name])) { call, _ in
          if case .details = call { return .places([.named("Berlin", id: "1")]) }
          return .suggestions([.city("Berlin", id: "1", place)])
        },
        "b": .init(manifest: .scripted("B", terms: terms, prices: prices)) { call, _ in
          if case .details = call { return .places([.named("Berlin", id: "x", [.website: "https://berlin.de", .rating: 5])]) }
          return .suggestions([.city("Berlin", id: "x", place)])
        },
      ])
    }
    func filled(_ mixing: Terms.Mixing, prices: PriceTable = PriceTable()) throws -> Details.Result {
      let fixture = fixture(mixing, prices)
      let session = SessionID()
      let row = try #require(fixture.answer("berlin") { $0.session = session }?.value?.suggestions.first { $0.id?.text == "a:1" })
      // The two rows are merged to one here.
      if row.sources.count < 2 { fixture.engine.shownRows.recordRow(["a:1", "b:x"], for: 1_000) }
      return try #require(fixture.details("a:1", fields: [.name, .website], session: session, explain: true)?.value)
    }
    let free = try filled(.free)
    #expect(free.place.values == [.name: "Berlin", .website: "https://berlin.de"])
    #expect(free.place.id.text == "a:1")
    #expect(free.place.sources.map(\.provider) == ["a", "b"])
    #expect(free.attributions.map(\.text) == ["© A", "© B"])
    #expect(free.place.provenance?[.website]?.provider == "b")
    let never = try filled(.never)
    #expect(never.place.values == [.name: "Berlin"])
    #expect(never.attributions.map(\.text) == ["© A"])
    // A source whose price is not known may cost something, and is not called to supplement a row.
    let unknown = try filled(.free, prices: PriceTable(calls: [.details: "unlisted"]))
    #expect(unknown.place.values == [.name: "Berlin"])
  }

  @Test("An id of a provider that is not configured is not found; a provider without details is reported as unsupported")
  func unknown() {
    var manifest = Manifest.scripted("A")
    manifest.details = nil
    let fixture = EngineFixture(["a": .init(manifest: manifest) { _, _ in .suggestions([]) }])
    #expect(fixture.details("b:1", fields: [.name])?.error?.name == .notFound)
    #expect(fixture.details("a:1", fields: [.name])?.error?.name == .unsupported)
  }

  @Test("Reverse answers in the order of nearness with distances")
  func reverse() throws {
    let here = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let there = try #require(Coordinate(latitude: 52.51, longitude: 13.4))
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .places([.named("There", at: there)]) },
      "b": .init(manifest: .scripted("B")) { _, _ in .places([.named("Here", at: here)]) },
    ])
    let engine = fixture.engine
    let result = fixture.simulation.finish(
      fixture.simulation.start { () -> PlacesResult? in
        try? await engine.reverse(Reverse.Parameters(location: here), caller: EngineCaller(user: 1))
      })
    #expect(result??.places.count == 2)
    #expect(result??.complete == true)
  }
}
