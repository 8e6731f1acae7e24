import Foundation
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import Gazetteer

@Suite struct GazetteerProviderTests {
  private struct NoStorage: ProviderStorage {
    func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
    func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
  }

  private func provider(
    _ folders: [String], index: String? = nil, log: @escaping @Sendable (LogLevel, String) -> Void = { _, _ in }
  ) async throws -> GazetteerProvider {
    try await GazetteerProvider(
      context: ProviderContext(
        id: "gazetteer", settings: index.map { ["index": .string($0)] } ?? [:],
        http: { (_) throws(ProviderError) in throw ProviderError(.connect, "no network in this test") }, storage: NoStorage(),
        log: log, dataDirectories: folders, now: { 0 }))
  }

  @Test("Without an index every call fails with an error that names a remedy; an index that is built later is found")
  func missing() async throws {
    let empty = try TemporaryFolder()
    let late = try TemporaryFolder()
    let provider = try await provider([empty.path, late.path])
    let error = await #expect(throws: ProviderError.self) { try await provider.autocomplete(AutocompleteRequest(query: "b")) }
    #expect(error?.cause == .data)
    #expect(error?.message.contains("placesctl gazetteer build") == true)
    let index = try SmallIndex.world()
    try FileManager.default.copyItem(atPath: index.path, toPath: late.file("gazetteer.db"))
    #expect(try await provider.autocomplete(AutocompleteRequest(query: "munich")).rows.first?.id == "2867714")
  }

  @Test("If nothing is found and the index has neither streets nor businesses, the error says how to add them")
  func advice() async throws {
    let towns = try SmallIndex.world()
    let provider = try await provider([], index: towns.path)
    let typing = await #expect(throws: ProviderError.self) { try await provider.autocomplete(AutocompleteRequest(query: "qqq")) }
    let submitted = await #expect(throws: ProviderError.self) { try await provider.search(SearchRequest(query: "qqq", fields: [])) }
    for error in [typing, submitted] {
      #expect(error?.cause == .notFound && error?.message.contains("placesctl gazetteer import") == true)
      #expect(error?.message.contains("postcodes") == true)
    }
    #expect(try await provider.autocomplete(AutocompleteRequest(query: "🍕")).rows.isEmpty)
    // Out of range, too few and too many: the message fits each of them.
    for query in ["91.5, 200", "lat 95 lon 13.4", "47°08'N", "1.5 2.5 3.5"] {
      let error = await #expect(throws: ProviderError.self) { try await provider.autocomplete(AutocompleteRequest(query: query)) }
      #expect(error?.cause == .notFound && error?.message.contains("not a point on Earth: a point has one latitude, from -90") == true)
    }
    let airport = SmallIndex.line(1, "Heathrow Airport", "", 51.47, -0.46, "GB", "ENG", 0, code: "S\tAIRP")
    let more = try SmallIndex(lines: [airport])
    let other = try await self.provider([], index: more.path)
    #expect(try await other.autocomplete(AutocompleteRequest(query: "qqq")).rows.isEmpty)
  }

  @Test("A new index file is used from the next call on")
  func replaced() async throws {
    let first = try SmallIndex(lines: [SmallIndex.line(1, "Alpha", "", 1, 1, "DE", "", 10)])
    let second = try SmallIndex(lines: [SmallIndex.line(2, "Alpha", "", 1, 1, "DE", "", 10)])
    let provider = try await provider([], index: first.path)
    #expect(try await provider.autocomplete(AutocompleteRequest(query: "alpha")).rows.map(\.id) == ["1"])
    #expect(rename(second.path, first.path) == 0)
    #expect(try await provider.autocomplete(AutocompleteRequest(query: "alpha")).rows.map(\.id) == ["2"])
  }

  @Test("A query ends at its caller's deadline, and the index answers the next one")
  func late() async throws {
    let index = try SmallIndex.world()
    let provider = try await provider([], index: index.path)
    // One query alone is over before anybody looks at the time.
    let error = await CallDeadline.$current.withValue(0) {
      await #expect(throws: ProviderError.self) {
        for _ in 0..<10_000 { _ = try await provider.autocomplete(AutocompleteRequest(query: "s")) }
      }
    }
    #expect(error?.cause == .timeout)
    #expect(try await provider.autocomplete(AutocompleteRequest(query: "munich")).rows.first?.id == "2867714")
  }

  @Test("An index that is damaged is a data error") func damaged() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(repeating: "no index ", count: 50), to: "gazetteer.db")
    let provider = try await provider([], index: path)
    let error = await #expect(throws: ProviderError.self) { try await provider.probe() }
    #expect(error?.cause == .data)
  }

  @Test("Damage that a call finds is reported by the next probe until the file is replaced, and logged once")
  func provesDamaged() async throws {
    let index = try SmallIndex.world()
    let file = URL(fileURLWithPath: index.path)
    let sound = try Data(contentsOf: file)
    let page = try #require(sound.range(of: Data("Suva".utf8))).lowerBound / 8192 * 8192
    var damaged = sound
    damaged.replaceSubrange(page..<page + 8192, with: Data(repeating: 0xFF, count: 8192))
    try damaged.write(to: file)
    let lines = Mutex<[String]>([])
    let provider = try await provider([], index: index.path) { _, line in lines.withLock { $0.append(line) } }
    #expect(try await provider.probe() != nil)
    for _ in 0..<2 {
      // Requests without a language use a separate cache of rows.
      let request = AutocompleteRequest(query: "suva", language: "en")
      await #expect(throws: ProviderError.self) { try await provider.autocomplete(request) }
      #expect(await #expect(throws: ProviderError.self) { try await provider.probe() }?.cause == .data)
    }
    #expect(lines.withLock { $0 }.count == 1)
    #expect(lines.withLock { $0 }.first?.contains("suva") == false)
    try sound.write(to: file, options: .atomic)
    #expect(try await provider.probe() != nil)
  }

  @Test("Ids in answers have the instance's name, and unknown ids are not found")
  func ids() async throws {
    let index = try SmallIndex.world()
    let provider = try await provider([], index: index.path)
    let place = try await provider.details(DetailsRequest(id: "2950159", fields: [.placeID]))
    #expect(place.values[.placeID] == "gazetteer:2950159")
    let error = await #expect(throws: ProviderError.self) { try await provider.details(DetailsRequest(id: "0", fields: [])) }
    #expect(error?.cause == .notFound)
  }

  @Test("Concurrent calls share the index") func concurrent() async throws {
    let index = try SmallIndex.world()
    let provider = try await provider([], index: index.path)
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<64 { group.addTask { try await provider.autocomplete(AutocompleteRequest(query: "paris")).rows.compactMap(\.id) } }
      for try await ids in group { #expect(ids.first == "2988507") }
    }
  }
}
