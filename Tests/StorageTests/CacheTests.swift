import Dispatch
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

@Suite("The cache")
struct CacheTests {
  @Test("returns an answer from memory, and from disk after a restart", arguments: [false, true])
  func restart(crash: Bool) async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    #expect(bench.cache.store(answer("Berlin"), for: key("ber", terms), under: terms))
    #expect(bench.cache.lookup(key("ber", terms))?.answer == answer("Berlin"))
    await bench.flush()
    await bench.restart(crash: crash)
    #expect(bench.cache.lookup(key("ber", terms)) == nil)
    #expect(await bench.cache.find(key("ber", terms))?.answer == answer("Berlin"))
    #expect(bench.cache.lookup(key("ber", terms))?.answer == answer("Berlin"), "found once, it is in memory")
    #expect(await bench.cache.find(key("bern", terms)) == nil)
    #expect(bench.log.lines.isEmpty)
  }

  @Test("counts misses, even if the disk is not searched", arguments: [false, true])
  func misses(onDisk: Bool) async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    #expect(await bench.cache.find(key("ber", terms), onDisk: onDisk) == nil)
    bench.cache.store(answer("Berlin"), for: key("ber", terms), under: terms, onDisk: onDisk)
    #expect(await bench.cache.find(key("ber", terms), onDisk: onDisk) != nil)
    let share = await bench.cache.statistics(.all)?.first
    #expect(share?.misses == 1 && share?.hits == 1)
  }

  @Test("stores every kind of answer unchanged")
  func roundTrip() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    var place = Place(
      id: "x/y", values: [.name: "Café", .rating: 4.5, .coordinate: ["latitude": 1.25, "longitude": -2], .types: ["cafe"]],
      location: Coordinate(latitude: 1.25, longitude: -2), language: "fr", importance: 0.5,
      attributions: [Attribution(text: "©", url: "https://example.org")])
    place.evidence.otherNames = ["Kaffeehaus"]
    let answers: [(ProviderCall, Answer)] = [
      (.search(SearchRequest(query: "q", fields: [.name, .rating])), .places(Page(rows: [place], exhaustive: true, next: "token"))),
      (.geocode(SearchRequest(query: "q", fields: [.name, .rating])), .places(Page(rows: []))),
      (.details(DetailsRequest(id: "x/y", fields: [.name])), .place(place)),
      (.details(DetailsRequest(id: "z", fields: [.name])), .notFound),
      (.reverse(ReverseRequest(location: LifetimeTests.here, fields: [.name])), .places(Page(rows: []))),
    ]
    for (call, answer) in answers {
      bench.cache.store(answer, for: AnswerKey(provider: "p", terms: terms, call: call, partition: .user(1)), under: terms)
    }
    await bench.flush()
    await bench.restart()
    for (call, answer) in answers {
      let key = AnswerKey(provider: "p", terms: terms, call: call, partition: .user(1))
      #expect(await bench.cache.find(key)?.answer == answer)
    }
  }

  @Test("ignores the session token and the order of fields in a key")
  func canonical() {
    let terms = terms(1)
    var request = AutocompleteRequest(query: "a", sessionToken: "secret")
    let first = AnswerKey(provider: "p", terms: terms, call: .autocomplete(request), partition: .everybody)
    request.sessionToken = "other"
    #expect(first == AnswerKey(provider: "p", terms: terms, call: .autocomplete(request), partition: .everybody))
    let fields = PlaceField.allCases
    let keys = [Set(fields), Set(fields.reversed())].map {
      AnswerKey(provider: "p", terms: terms, call: .details(DetailsRequest(id: "1", fields: $0)), partition: .user(2)).canonical
    }
    #expect(keys[0] != nil && keys[0] == keys[1])
  }

  @Test("writes every member of a request except the session token into the key on disk")
  func membersOfKeys() throws {
    let point = try #require(Coordinate(latitude: 1, longitude: 2))
    let area = Area.circle(center: point, radius: 3)
    let search = SearchRequest(
      query: "q", fields: [.name], includedType: "cafe", minRating: 4, priceLevels: [.inexpensive], rankBy: .distance, pageToken: "p",
      language: "de", region: "LI", bias: area, restriction: area, origin: point, countries: ["LI"])
    let autocomplete = AutocompleteRequest(
      query: "q", language: "de", region: "LI", bias: area, restriction: area, origin: point, types: ["cafe"],
      collection: .cities, countries: ["LI"], inputOffset: 1, endsWord: true, sessionToken: "s")
    let reverse = ReverseRequest(
      location: point, radius: 3, types: ["cafe"], collection: .cities, fields: [.name], language: "de")
    let details = DetailsRequest(id: "i", fields: [.name], language: "de", region: "LI", sessionToken: "s")
    let calls: [(ProviderCall, Any)] = [
      (.autocomplete(autocomplete), autocomplete), (.search(search), search), (.reverse(reverse), reverse), (.details(details), details),
    ]
    for (call, request) in calls {
      let key = AnswerKey(provider: "p", terms: terms(1), call: call, partition: .everybody)
      let object = try JSONValue(parsing: try #require(key.canonical)).object
      for member in Mirror(reflecting: request).children.compactMap(\.label) where member != "sessionToken" {
        #expect(object?[member] != nil, "\(call.kind) lacks \(member)")
      }
    }
  }

  @Test("serves no answer after its lifetime, and stale answers only if the terms allow it")
  func expiry() async throws {
    let bench = try CacheBench()
    let (plain, lenient) = (terms(100), terms(100, stale: 50))
    bench.cache.store(answer("a"), for: key("a", plain), under: plain)
    bench.cache.store(answer("b"), for: key("b", lenient), under: lenient)
    bench.cache.store(answer(), for: key("c", lenient), under: lenient)
    await bench.flush()
    bench.time.advance(by: 99)
    #expect(await bench.cache.find(key("a", plain))?.isStale == false)
    #expect(await bench.cache.find(key("c", lenient)) == nil, "an empty answer is stored for a minute, and is never stale")
    bench.time.advance(by: 1)
    #expect(await bench.cache.find(key("a", plain)) == nil)
    #expect(await bench.cache.find(key("b", lenient))?.isStale == true)
    bench.time.advance(by: 50)
    #expect(await bench.cache.find(key("b", lenient)) == nil)
  }

  @Test("stores nothing for longer if the clock is set back, during a run or between runs")
  func clock() async throws {
    let bench = try CacheBench()
    let terms = terms(3_600)
    bench.cache.store(answer("a"), for: key("a", terms), under: terms)
    await bench.flush()
    bench.time.setWall(bench.time.wall() - 86_400)
    bench.time.advance(by: 3_599)
    #expect(await bench.cache.find(key("a", terms)) != nil)
    bench.time.advance(by: 1)
    #expect(await bench.cache.find(key("a", terms)) == nil)
    await bench.cache.expire()
    bench.cache.store(answer("b"), for: key("b", terms), under: terms)
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.find(key("b", terms)) == nil)
    #expect(bench.log.lines.contains { $0.contains("the clock was set back") })
  }

  @Test("stores nothing if the terms forbid it, nothing under terms other than the key's, and no session data on disk")
  func without() async throws {
    let bench = try CacheBench()
    let nothing = Terms.nothing
    #expect(!bench.cache.store(answer("a"), for: key("a", nothing, .session("1/s")), under: nothing))
    #expect(!bench.cache.store(answer("a"), for: key("a", nothing), under: terms(100)))
    let session = terms(100, isolation: .session)
    bench.cache.store(answer("secret canary"), for: key("a", session, .session("1/s")), under: session)
    await bench.flush()
    #expect(try !bench.diskHolds("secret canary"))
    #expect(await bench.cache.find(key("a", session, .session("1/s"))) != nil)
    #expect(await bench.cache.find(key("a", session, .session("1/t"))) == nil)
    bench.cache.endSession("s", of: 1)
    #expect(await bench.cache.find(key("a", session, .session("1/s"))) == nil)
  }

  @Test("removes exactly the data of a session when the session ends")
  func sessions() async throws {
    let bench = try CacheBench()
    let (own, shared) = (terms(100, isolation: .session), terms(100))
    for name in ["1/s", "1/t", "2/s"] { bench.cache.store(answer(name), for: key("a", own, .session(name)), under: own) }
    bench.cache.store(answer("everybody's"), for: key("a", shared), under: shared)
    for (ended, left) in [("s", ["1/t", "2/s"]), ("u", ["1/t", "2/s"]), ("t", ["2/s"])] {
      bench.cache.endSession(ended, of: 1)
      #expect(["1/s", "1/t", "2/s"].filter { bench.cache.lookup(key("a", own, .session($0))) != nil } == left)
    }
    bench.cache.endSession("s", of: 2)
    #expect(bench.cache.lookup(key("a", own, .session("2/s"))) == nil)
    #expect(bench.cache.lookup(key("a", shared)) != nil)
  }

  @Test("removes expired data from the disk")
  func physical() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000, ids: 1_000)
    for number in 0..<50 {
      bench.cache.store(answer("Canary Wharf \(number)"), for: key("Canary Wharf \(number)", terms), under: terms)
    }
    bench.cache.store(
      Place(id: "1", values: [.name: "Canary Wharf"]), for: PlaceKey(provider: "p", id: "1", language: "en", partition: .everybody),
      under: terms)
    let short = self.short
    for number in 0..<50 { bench.cache.store(answer("Plover"), for: key("plover \(number)", short), under: short) }
    await bench.flush()
    #expect(try bench.diskHolds("Canary Wharf"))
    bench.time.advance(by: 1_000)
    let removal = try #require(await bench.cache.expire())
    #expect(removal.answers == 50 && removal.places == 1)
    #expect(try !bench.diskHolds("Canary Wharf"))
    #expect(try bench.diskHolds("Plover"))
  }
  private var short: Terms { terms(5_000) }

  @Test("purges a provider, a user or everything, including pending writes")
  func purge() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000)
    func fill() async {
      for provider in ["p", "q"] {
        for user in 1...2 as ClosedRange<UInt32> {
          bench.cache.store(answer("Heron \(provider)\(user)"), for: key("heron", provider: provider, terms, .user(user)), under: terms)
          bench.cache.store(
            Place(id: "1", values: [.name: .string("Heron \(provider)\(user)")]),
            for: PlaceKey(provider: provider, id: "1", language: nil, partition: .user(user)),
            under: terms)
          bench.cache.store(UserChoice(user: user, prefix: "her", place: "\(provider):1", weight: 1, at: 1), under: terms)
        }
      }
    }
    await fill()
    #expect(await bench.cache.purge(CacheScope(provider: "p", user: 1)) == RemovedEntries(answers: 1, places: 1, choices: 1))
    await fill()
    await bench.flush()
    #expect(await bench.cache.statistics(CacheScope(user: 1))?.map { [$0.answers, $0.places, $0.choices] } == [[1, 1, 1], [1, 1, 1]])
    #expect(await bench.cache.statistics(CacheScope(provider: "q"))?.map { [$0.answers, $0.places, $0.choices] } == [[2, 2, 2]])
    #expect(await bench.cache.purge(CacheScope(provider: "q")) == RemovedEntries(answers: 2, places: 2, choices: 2))
    #expect(try ["p1", "p2", "q1", "q2"].filter { try bench.diskHolds("Heron \($0)") } == ["p1", "p2"])
    #expect(await bench.cache.find(key("heron", provider: "q", terms, .user(1))) == nil)
    #expect(await bench.cache.find(key("heron", provider: "p", terms, .user(1))) != nil)
    #expect(await bench.cache.choices(of: 1)?.map(\.place) == ["p:1"])
    #expect(await bench.cache.purge(CacheScope(user: 2)) == RemovedEntries(answers: 1, places: 1, choices: 1))
    #expect(try ["p1", "p2"].filter { try bench.diskHolds("Heron \($0)") } == ["p1"])
    #expect(await bench.cache.purge(.all) == RemovedEntries(answers: 1, places: 1, choices: 1))
    #expect(try !bench.diskHolds("Heron"))
    #expect(await bench.cache.choices(of: 1)?.isEmpty == true)
  }

  @Test("an answer that is read from disk during a purge is not in memory afterwards")
  func readDuringPurge() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000)
    bench.cache.store(answer("Heron"), for: key("heron", terms), under: terms)
    await bench.flush()
    await bench.restart()
    let cache = bench.cache
    let gate = DispatchSemaphore(value: 0)
    cache.writer.executor.perform { gate.wait() }
    async let purged = cache.purge(.all)
    try await waitUntil { cache.purgeCount == 1 }
    #expect(await cache.find(key("heron", terms)) != nil, "it is still on disk")
    gate.signal()
    #expect(await purged == RemovedEntries(answers: 1, places: 0))
    #expect(cache.lookup(key("heron", terms)) == nil)
    #expect(await cache.find(key("heron", terms)) == nil)
  }

  @Test("an older answer that is read from disk does not replace one that was stored during the read")
  func newerDuringRead() async throws {
    let bench = try CacheBench()
    let terms = terms(600)
    let key = key("berl", terms)
    let old = try #require(StoredAnswer(answer("Berlin"), under: terms, at: bench.cache.now))
    bench.time.advance(by: 1)
    let purgeCount = bench.cache.purgeCount
    bench.cache.store(answer("Berlin", "Bern"), for: key, under: terms)
    #expect(bench.cache.remember(old, for: key, readAfter: purgeCount)?.answer == answer("Berlin", "Bern"))
    #expect(bench.cache.lookup(key)?.answer == answer("Berlin", "Bern"))
  }

  @Test("does not store an answer to a request that was sent before a purge")
  func askedBeforePurge() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000)
    let before = bench.cache.purgeCount
    #expect(await bench.cache.purge(CacheScope(provider: "p", user: 1)) != nil)
    func store(_ provider: String, _ user: UInt32, unlessPurgedSince purgeCount: Int) -> Bool {
      bench.cache.store(
        Place(id: "1", values: [.name: "Heron"]), for: PlaceKey(provider: provider, id: "1", language: nil, partition: .user(user)),
        under: terms, unlessPurgedSince: purgeCount)
      return bench.cache.store(
        answer("Heron"), for: key("heron", provider: provider, terms, .user(user)), under: terms, unlessPurgedSince: purgeCount)
    }
    #expect(!store("p", 1, unlessPurgedSince: before))
    await bench.flush()
    #expect(try !bench.diskHolds("Heron"))
    #expect(bench.cache.lookup(key("heron", provider: "p", terms, .user(1))) == nil)
    #expect(store("q", 1, unlessPurgedSince: before) && store("p", 2, unlessPurgedSince: before), "another share was purged")
    #expect(store("p", 1, unlessPurgedSince: bench.cache.purgeCount))
    for user in 10..<100 as Range<UInt32> { _ = await bench.cache.purge(CacheScope(user: user)) }
    #expect(!store("p", 10, unlessPurgedSince: before), "also after many purges of others")
  }

  @Test("a failed read is not reported as no choices")
  func unread() async throws {
    let cache = Cache(path: "/nonexistent/cache.db", diskBytes: 1 << 20, memoryBytes: 1 << 20, time: ManualTime(), log: { _, _ in })
    #expect(await cache.choices(of: 1) == nil)
  }

  @Test("reports statistics and lists entries, for all users or for one")
  func statistics() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000)
    bench.cache.store(answer("a", "b"), for: key("one", terms, .user(1)), under: terms)
    bench.time.advance(by: 1)
    bench.cache.store(answer("c"), for: key("two", terms, .user(2)), under: terms)
    await bench.flush()
    _ = await bench.cache.find(key("one", terms, .user(1)))
    _ = await bench.cache.find(key("none", terms, .user(1)))
    let all = try #require(await bench.cache.statistics(.all))
    #expect(all.count == 1 && all.first?.answers == 2 && all.first?.hits == 1 && all.first?.misses == 1 && (all.first?.bytes ?? 0) > 100)
    #expect(await bench.cache.statistics(CacheScope(user: 2))?.first?.answers == 1)
    let list = try #require(await bench.cache.list(.all, limit: 10))
    #expect(list.map(\.rows) == [1, 2] && list.map(\.partition) == [.user(2), .user(1)])
    #expect(list.first?.key.contains("\"query\":\"two\"") == true && list.first?.call == .autocomplete)
    #expect(await bench.cache.list(.all, limit: 1)?.count == 1)
    #expect(await bench.cache.list(.all, containing: "\"query\":\"one\"", limit: 1)?.map(\.rows) == [2])
    #expect(await bench.cache.list(.all, containing: "ONE", limit: 10)?.isEmpty == true)
    #expect(await bench.cache.list(CacheScope(user: 2), containing: "one", limit: 10)?.isEmpty == true)
    bench.cache.store(answer("d"), for: key("three", provider: "m", terms, .user(1)), under: terms, onDisk: false)
    let inMemory = await bench.cache.statistics(.all)?.first { $0.provider == "m" }
    #expect(inMemory?.answers == 1 && (inMemory?.bytes ?? 0) > 0, "the entries that a purge would count are counted")
  }
}
