import Dispatch
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

@Suite("Stored places and choices")
struct PlaceAndChoiceTests {
  static let key = PlaceKey(provider: "google", id: "ChIJ1", language: "en", partition: .user(1))

  @Test("each field is stored for as long as the terms allow for its class of data, with the time at which it was returned")
  func fields() async throws {
    let bench = try CacheBench()
    // Google's terms: ids without limit, coordinates for 30 days, nothing else.
    let terms = terms(0, ids: .some(nil), coordinates: 30 * 86_400, isolation: .user)
    let place = Place(
      id: "ChIJ1", values: [.name: "Secret Name", .coordinate: ["latitude": 1, "longitude": 2], .placeID: "google:ChIJ1"],
      types: [], location: Coordinate(latitude: 1, longitude: 2))
    bench.cache.store(place, for: PlaceAndChoiceTests.key, under: terms)
    await bench.flush()
    let stored = bench.time.wall()
    #expect(try !bench.diskHolds("Secret Name"))
    let kept = try #require(await bench.cache.place(PlaceAndChoiceTests.key))
    #expect(kept.place.name == nil && kept.place.location == place.location)
    #expect(kept.times == [.coordinate: stored, .placeID: stored])
    bench.time.advance(by: 30 * 86_400)
    #expect(await bench.cache.place(PlaceAndChoiceTests.key)?.times == [.placeID: stored])
    #expect(await bench.cache.place(PlaceAndChoiceTests.key)?.place.location == nil)
  }

  @Test("later answers add fields to earlier ones, separately for each user")
  func adds() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    var place = Place(id: "ChIJ1", values: [.name: "Old"], language: "en", importance: 0.5)
    place.evidence.country = "DE"
    bench.cache.store(place, for: PlaceAndChoiceTests.key, under: terms)
    bench.time.advance(by: 10)
    bench.cache.store(Place(id: "ChIJ1", values: [.name: "New", .rating: 4]), for: PlaceAndChoiceTests.key, under: terms)
    await bench.flush()
    let kept = try #require(await bench.cache.place(PlaceAndChoiceTests.key))
    #expect(kept.place.name == "New" && kept.place.rating == 4 && kept.place.evidence.country == "DE")
    #expect(kept.place.importance == 0.5 && kept.place.language == "en")
    for other in [
      PlaceKey(provider: "google", id: "ChIJ1", language: "en", partition: .user(2)),
      PlaceKey(provider: "google", id: "ChIJ1", language: "de", partition: .user(1)),
      PlaceKey(provider: "google", id: "ChIJ2", language: "en", partition: .user(1)),
    ] { #expect(await bench.cache.place(other) == nil) }
  }

  @Test("no part of a place is stored for longer than its id, and nothing is stored if ids may not be")
  func ids() async throws {
    let bench = try CacheBench()
    let place = Place(id: "ChIJ1", values: [.name: "Name"])
    bench.cache.store(place, for: PlaceAndChoiceTests.key, under: terms(100, ids: 0))
    await bench.flush()
    #expect(await bench.cache.place(PlaceAndChoiceTests.key) == nil)
    bench.cache.store(place, for: PlaceAndChoiceTests.key, under: terms(100, ids: 10))
    await bench.flush()
    bench.time.advance(by: 10)
    #expect(await bench.cache.place(PlaceAndChoiceTests.key) == nil)
  }

  @Test("a place is found immediately after it was stored, and a cancelled lookup stops waiting", .timeLimit(.minutes(1)))
  func atOnce() async throws {
    let bench = try CacheBench()
    let cache = bench.cache
    await cache.writer.open()
    let other = PlaceKey(provider: "google", id: "ChIJ2", language: "en", partition: .user(1))
    cache.store(Place(id: "ChIJ1", values: [.name: "Name"]), for: PlaceAndChoiceTests.key, under: terms(100))
    #expect(await cache.place(other) == nil)
    #expect(cache.inbox.count == 1, "other writes are not written early")
    #expect(await cache.place(PlaceAndChoiceTests.key)?.place.name == "Name")
    let gate = DispatchSemaphore(value: 0)
    cache.writer.executor.perform { gate.wait() }
    cache.store(Place(id: "ChIJ2", values: [.name: "Other"]), for: other, under: terms(100))
    let lookup = Task { await cache.place(other) }
    lookup.cancel()
    #expect(await lookup.value == nil)
    gate.signal()
    #expect(await cache.place(other)?.place.name == "Other")
  }

  @Test("a place is found while it is being written", .timeLimit(.minutes(1)))
  func whileWritten() async throws {
    let bench = try CacheBench()
    let cache = bench.cache
    await cache.writer.open()
    cache.store(Place(id: "ChIJ1", values: [.name: "Name"]), for: PlaceAndChoiceTests.key, under: terms(100))
    // Another connection holds the write lock, so that the writer waits at its first statement.
    let other = try Database(bench.folder.file("cache.db"), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    async let drained: Void = cache.writer.writePending()
    try await waitUntil { cache.inbox.count == 0 }
    #expect(cache.inbox.containsWrite(of: PlaceAndChoiceTests.key))
    async let found = cache.place(PlaceAndChoiceTests.key)
    try other.execute("ROLLBACK")
    #expect(await found?.place.name == "Name")
    await drained
    #expect(!cache.inbox.containsWrite(of: PlaceAndChoiceTests.key))
  }

  @Test("the latest thousand choices of a user are stored, independently of other users")
  func maxChoicesPerUser() async throws {
    let bench = try CacheBench()
    bench.cache.store(UserChoice(user: 2, prefix: "old", place: "p:1", weight: 1, at: 0), under: terms(nil))
    for number in 1...1_200 {
      bench.cache.store(UserChoice(user: 1, prefix: "\(number)", place: "p:1", weight: 1, at: Double(number)), under: terms(nil))
      if number % 600 == 0 { await bench.flush() }
    }
    #expect(await bench.cache.statistics(CacheScope(user: 1))?.map(\.choices) == [1_000])
    #expect(await bench.cache.statistics(CacheScope(user: 2))?.map(\.choices) == [1])
    let uses = try #require(await bench.cache.choices(of: 1))
    #expect(uses.first?.prefix == "1200" && uses.last?.prefix == "201")
  }

  @Test("the choices of a user for one place, or all of them, are removed from the disk, including pending writes")
  func forgetting() async throws {
    let bench = try CacheBench()
    for (user, place) in [(1 as UInt32, "p:1"), (1, "p:2"), (2, "p:1")] {
      bench.cache.store(UserChoice(user: user, prefix: "ber", place: place, weight: 1, at: 1), under: terms(nil))
    }
    #expect(await bench.cache.forgetChoices(of: 1, place: "p:1") == 1)
    #expect(await bench.cache.choices(of: 1)?.map(\.place) == ["p:2"])
    #expect(await bench.cache.forgetChoices(of: 1, place: nil) == 1)
    await bench.restart()
    #expect(await bench.cache.choices(of: 1)?.isEmpty == true)
    #expect(await bench.cache.choices(of: 2)?.map(\.place) == ["p:1"])
  }

  @Test("choices are stored per user, latest first, and only if ids may be stored")
  func uses() async throws {
    let bench = try CacheBench()
    let free = terms(nil)
    for (prefix, place, at) in [("ber", "p:1", 1.0), ("bern", "p:2", 2), ("ber", "p:1", 3)] {
      bench.cache.store(UserChoice(user: 1, prefix: prefix, place: place, weight: at, at: at), under: free)
    }
    bench.cache.store(UserChoice(user: 1, prefix: "x", place: "p:3", weight: 1, at: 9), under: terms(10, ids: 0))
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.choices(of: 1)?.map(\.place) == ["p:1", "p:2"])
    #expect(await bench.cache.choices(of: 1)?.first?.weight == 3)
    #expect(await bench.cache.choices(of: 2)?.isEmpty == true)
    bench.time.advance(by: 181 * 86_400)
    #expect(await bench.cache.choices(of: 1)?.isEmpty == true)
  }
}
