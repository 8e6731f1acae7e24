import Dispatch
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

@Suite("Kept places and choices")
struct PlaceAndUseTests {
  static let key = PlaceKey(provider: "google", id: "ChIJ1", language: "en", partition: .user(1))

  @Test("each field lives as long as the terms let its kind of data, with the time it was told")
  func fields() async throws {
    let bench = try CacheBench()
    // Google's terms: ids for ever, coordinates for 30 days, nothing else.
    let terms = terms(0, ids: .some(nil), coordinates: 30 * 86_400, isolation: .user)
    let place = Place(
      id: "ChIJ1", values: [.name: "Secret Name", .coordinate: ["latitude": 1, "longitude": 2], .placeID: "google:ChIJ1"],
      types: [], location: Coordinate(latitude: 1, longitude: 2))
    bench.cache.keep(place, for: PlaceAndUseTests.key, under: terms)
    await bench.flush()
    let stored = bench.time.wall()
    #expect(try !bench.diskHolds("Secret Name"))
    let kept = try #require(await bench.cache.place(PlaceAndUseTests.key))
    #expect(kept.place.name == nil && kept.place.location == place.location)
    #expect(kept.times == [.coordinate: stored, .placeID: stored])
    bench.time.advance(by: 30 * 86_400)
    #expect(await bench.cache.place(PlaceAndUseTests.key)?.times == [.placeID: stored])
    #expect(await bench.cache.place(PlaceAndUseTests.key)?.place.location == nil)
  }

  @Test("later answers add to earlier ones, field by field, and are nobody else's")
  func adds() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    var place = Place(id: "ChIJ1", values: [.name: "Old"], language: "en", importance: 0.5)
    place.evidence.country = "DE"
    bench.cache.keep(place, for: PlaceAndUseTests.key, under: terms)
    bench.time.advance(by: 10)
    bench.cache.keep(Place(id: "ChIJ1", values: [.name: "New", .rating: 4]), for: PlaceAndUseTests.key, under: terms)
    await bench.flush()
    let kept = try #require(await bench.cache.place(PlaceAndUseTests.key))
    #expect(kept.place.name == "New" && kept.place.rating == 4 && kept.place.evidence.country == "DE")
    #expect(kept.place.importance == 0.5 && kept.place.language == "en")
    for other in [
      PlaceKey(provider: "google", id: "ChIJ1", language: "en", partition: .user(2)),
      PlaceKey(provider: "google", id: "ChIJ1", language: "de", partition: .user(1)),
      PlaceKey(provider: "google", id: "ChIJ2", language: "en", partition: .user(1)),
    ] { #expect(await bench.cache.place(other) == nil) }
  }

  @Test("nothing of a place outlives its id, and nothing is kept where ids may not be")
  func ids() async throws {
    let bench = try CacheBench()
    let place = Place(id: "ChIJ1", values: [.name: "Name"])
    bench.cache.keep(place, for: PlaceAndUseTests.key, under: terms(100, ids: 0))
    await bench.flush()
    #expect(await bench.cache.place(PlaceAndUseTests.key) == nil)
    bench.cache.keep(place, for: PlaceAndUseTests.key, under: terms(100, ids: 10))
    await bench.flush()
    bench.time.advance(by: 10)
    #expect(await bench.cache.place(PlaceAndUseTests.key) == nil)
  }

  @Test("a place is found as soon as it is kept, by who waits for that no longer than he likes", .timeLimit(.minutes(1)))
  func atOnce() async throws {
    let bench = try CacheBench()
    let cache = bench.cache
    await cache.writer.open()
    let other = PlaceKey(provider: "google", id: "ChIJ2", language: "en", partition: .user(1))
    cache.keep(Place(id: "ChIJ1", values: [.name: "Name"]), for: PlaceAndUseTests.key, under: terms(100))
    #expect(await cache.place(other) == nil)
    #expect(cache.inbox.count == 1, "what nobody asks for is not written before its time")
    #expect(await cache.place(PlaceAndUseTests.key)?.place.name == "Name")
    let gate = DispatchSemaphore(value: 0)
    async let held: Void = cache.writer.hold(until: gate)
    cache.keep(Place(id: "ChIJ2", values: [.name: "Other"]), for: other, under: terms(100))
    let lookup = Task { await cache.place(other) }
    lookup.cancel()
    #expect(await lookup.value == nil)
    gate.signal()
    await held
    #expect(await cache.place(other)?.place.name == "Other")
  }

  @Test("a place is found also while it is being written", .timeLimit(.minutes(1)))
  func whileWritten() async throws {
    let bench = try CacheBench()
    let cache = bench.cache
    await cache.writer.open()
    cache.keep(Place(id: "ChIJ1", values: [.name: "Name"]), for: PlaceAndUseTests.key, under: terms(100))
    // Somebody else has the file to himself, so that the writer comes as far as its first line.
    let other = try Database(bench.folder.file("cache.db"), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    async let drained: Void = cache.writer.drain()
    while cache.inbox.count > 0 { await Task.yield() }
    #expect(cache.inbox.holds(PlaceAndUseTests.key))
    async let found = cache.place(PlaceAndUseTests.key)
    try other.execute("ROLLBACK")
    #expect(await found?.place.name == "Name")
    await drained
    #expect(!cache.inbox.holds(PlaceAndUseTests.key))
  }

  @Test("of one user's choices the latest thousand are kept, however many he makes, and everybody else's")
  func mostUses() async throws {
    let bench = try CacheBench()
    bench.cache.keep(UsedPlace(user: 2, prefix: "old", place: "p:1", weight: 1, at: 0), under: terms(nil))
    for number in 1...1_200 {
      bench.cache.keep(UsedPlace(user: 1, prefix: "\(number)", place: "p:1", weight: 1, at: Double(number)), under: terms(nil))
      if number % 600 == 0 { await bench.flush() }
    }
    #expect(await bench.cache.statistics(CacheShare(user: 1))?.map(\.choices) == [1_000])
    #expect(await bench.cache.statistics(CacheShare(user: 2))?.map(\.choices) == [1])
    let uses = try #require(await bench.cache.uses(of: 1))
    #expect(uses.first?.prefix == "1200" && uses.last?.prefix == "201")
  }

  @Test("A user's choices of one place, or all of them, are removed for good, also those that were just made")
  func forgetting() async throws {
    let bench = try CacheBench()
    for (user, place) in [(1 as UInt32, "p:1"), (1, "p:2"), (2, "p:1")] {
      bench.cache.keep(UsedPlace(user: user, prefix: "ber", place: place, weight: 1, at: 1), under: terms(nil))
    }
    #expect(await bench.cache.forgetUses(of: 1, place: "p:1") == 1)
    #expect(await bench.cache.uses(of: 1)?.map(\.place) == ["p:2"])
    #expect(await bench.cache.forgetUses(of: 1, place: nil) == 1)
    await bench.restart()
    #expect(await bench.cache.uses(of: 1)?.isEmpty == true)
    #expect(await bench.cache.uses(of: 2)?.map(\.place) == ["p:1"])
  }

  @Test("choices are remembered per user, the latest first, and only where ids may be kept")
  func uses() async throws {
    let bench = try CacheBench()
    let free = terms(nil)
    for (prefix, place, at) in [("ber", "p:1", 1.0), ("bern", "p:2", 2), ("ber", "p:1", 3)] {
      bench.cache.keep(UsedPlace(user: 1, prefix: prefix, place: place, weight: at, at: at), under: free)
    }
    bench.cache.keep(UsedPlace(user: 1, prefix: "x", place: "p:3", weight: 1, at: 9), under: terms(10, ids: 0))
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.uses(of: 1)?.map(\.place) == ["p:1", "p:2"])
    #expect(await bench.cache.uses(of: 1)?.first?.weight == 3)
    #expect(await bench.cache.uses(of: 2)?.isEmpty == true)
    bench.time.advance(by: 181 * 86_400)
    #expect(await bench.cache.uses(of: 1)?.isEmpty == true)
  }
}
