import Dispatch
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

@Suite("The cache and its disk")
struct CacheDiskTests {
  @Test("stays within its size on disk and evicts the least recently used entries first")
  func size() async throws {
    let bench = try CacheBench(diskBytes: 1 << 20, memoryBytes: 0)
    let terms = terms(1e6)
    let long = String(repeating: "long ", count: 400)
    bench.cache.store(answer("used again and again"), for: key("favourite", terms), under: terms)
    for number in 0..<1_000 {
      bench.cache.store(answer(long), for: key("\(number)", terms), under: terms)
      if number % 50 == 0 {
        bench.time.advance(by: 4_000)
        await bench.flush()
        _ = await bench.cache.find(key("favourite", terms))
      }
    }
    await bench.flush()
    await bench.cache.expire()
    #expect(await bench.cache.find(key("favourite", terms)) != nil)
    #expect(await bench.cache.find(key("1", terms)) == nil)
    #expect(await bench.cache.find(key("999", terms)) != nil)
    #expect(bytes(of: bench) <= (1 << 20) + (1 << 18))
  }

  private func bytes(of bench: CacheBench) -> Int {
    Files.names(in: bench.folder.path).reduce(0) { sum, name in
      sum + ((try? Files.read(bench.folder.file(name), limit: 1 << 24))??.count ?? 0)
    }
  }

  @Test("stays within its size if many users make many choices")
  func sizeOfChoices() async throws {
    let bench = try CacheBench(diskBytes: 1 << 20, memoryBytes: 0)
    let long = "p:" + String(repeating: "long", count: 100)
    for user in 1...8 as ClosedRange<UInt32> {
      for number in 0..<900 {
        bench.cache.store(UserChoice(user: user, prefix: "\(number)", place: long, weight: 1, at: Double(user)), under: terms(nil))
      }
      await bench.flush()
    }
    await bench.cache.expire()
    #expect(await bench.cache.choices(of: 8)?.count == 900)
    #expect(await bench.cache.choices(of: 1)?.isEmpty == true, "the oldest choices are evicted first")
    #expect(bytes(of: bench) <= (1 << 20) + (1 << 18))
  }

  @Test("evicts expired entries first, even if they were used recently")
  func expiredFirst() async throws {
    let bench = try CacheBench(diskBytes: 1 << 20, memoryBytes: 0)
    let (short, long) = (terms(5_000, stale: 1e6), terms(1e6))
    let text = String(repeating: "long ", count: 400)
    bench.cache.store(answer("long-lived"), for: key("oldest", long), under: long)
    await bench.flush()
    bench.time.advance(by: 1)
    for number in 0..<200 { bench.cache.store(answer(text), for: key("\(number)", short), under: short) }
    await bench.flush()
    bench.time.advance(by: 6_000)
    for number in 200..<350 { bench.cache.store(answer(text), for: key("\(number)", long), under: long) }
    await bench.flush()
    #expect(await bench.cache.find(key("oldest", long)) != nil)
    #expect(await bench.cache.find(key("200", long)) != nil)
    #expect(await bench.cache.find(key("199", short)) == nil)
  }

  @Test("drops and logs the newest writes if the disk is too slow")
  func bounded() async throws {
    let bench = try CacheBench(memoryBytes: 0)
    let terms = terms(100)
    for number in 0..<1_100 { bench.cache.store(answer("a"), for: key("\(number)", terms), under: terms) }
    #expect(bench.cache.inbox.count == 1_024)
    await bench.flush()
    #expect(await bench.cache.find(key("1023", terms)) != nil)
    #expect(await bench.cache.find(key("1024", terms)) == nil)
    #expect(bench.log.lines.contains { $0.contains("76 answers were not stored") })
  }

  @Test("writes everything that is pending when it is cancelled")
  func running() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    let runner = Task { [cache = bench.cache] in await cache.run() }
    for number in 0..<100 { bench.cache.store(answer("a"), for: key("\(number)", terms), under: terms) }
    runner.cancel()
    await runner.value
    await bench.restart()
    for number in 0..<100 { #expect(await bench.cache.find(key("\(number)", terms)) != nil) }
  }

  @Test("does not search the disk for answers that are certainly not there", .timeLimit(.minutes(1)))
  func certainlyNotThere() async throws {
    let bench = try CacheBench(memoryBytes: 0)
    let terms = terms(100)
    for number in 0..<1_000 { bench.cache.store(answer("a"), for: key("\(number)", terms), under: terms) }
    await bench.flush()
    for _ in 0..<2 {
      for number in 0..<1_000 { #expect(await bench.cache.find(key("\(number)", terms)) != nil) }
      let (cache, isReleased) = (bench.cache, DispatchSemaphore(value: 0))
      // The reader's thread is blocked: a read would wait.
      cache.reader.executor.perform { isReleased.wait() }
      #expect(await cache.find(key("never asked", terms)) == nil)
      isReleased.signal()
      await bench.restart()
    }
  }

  @Test("collects writes for a moment, and a survey includes them", .timeLimit(.minutes(1)))
  func gathering() async throws {
    let bench = try CacheBench()
    let (terms, cache) = (terms(100), bench.cache)
    let runner = Task { await cache.run() }
    try await waitUntil { bench.time.sleepers == 1 }
    cache.store(answer("a"), for: key("a", terms), under: terms)
    try await waitUntil { bench.time.sleepers == 2 }
    #expect(cache.inbox.count == 1)
    bench.time.advance(by: Cache.writeDelay)
    try await waitUntil { cache.inbox.count == 0 }
    cache.store(answer("b"), for: key("b", terms), under: terms)
    #expect(await cache.list(.all, limit: 9)?.count == 2)
    runner.cancel()
    await runner.value
  }

  @Test("a cancelled lookup stops waiting for the disk, and a survey does not delay lookups")
  func slowDisk() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    bench.cache.store(answer("Heron"), for: key("heron", terms), under: terms)
    await bench.flush()
    await bench.restart()
    let cache = bench.cache
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let isReleased = DispatchSemaphore(value: 0)
    // The reader's thread is blocked, as by a hung disk.
    cache.reader.executor.perform { isReleased.wait() }
    let lookup = Task {
      let found = await cache.find(key("heron", terms))
      end.yield()
      return found
    }
    #expect(await cache.list(.all, limit: 9)?.count == 1, "surveys have their own connection")
    lookup.cancel()
    for await _ in ends { break }
    #expect(await lookup.value == nil)
    isReleased.signal()
    #expect(await cache.find(key("heron", terms)) != nil)
  }

  @Test("surveys, purges and expiry stop waiting for a hung disk after the time limit", .timeLimit(.minutes(1)))
  func standstill() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000)
    bench.cache.store(answer("Heron"), for: key("heron", terms), under: terms)
    await bench.flush()
    await bench.restart()
    let (cache, time) = (bench.cache, bench.time)
    let gate = DispatchSemaphore(value: 0)
    cache.writer.executor.perform { gate.wait() }
    func timesOut<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) async throws -> Bool {
      let task = Task { await work() }
      try await waitUntil { time.sleepers == 1 }
      time.advance(by: Cache.diskTimeout)
      return await task.value == nil
    }
    #expect(try await timesOut { await cache.statistics(.all) })
    #expect(try await timesOut { await cache.list(.all, limit: 1) })
    #expect(try await timesOut { await cache.expire() })
    #expect(await cache.find(key("heron", terms)) != nil, "it was not purged")
    #expect(try await timesOut { await cache.purge(.all) })
    #expect(await cache.find(key("heron", terms)) == nil, "a purged answer is not served, although it is still on disk")
    gate.signal()
    #expect(await cache.statistics(.all)?.allSatisfy { $0.answers == 0 } == true)
    #expect(try !bench.diskHolds("Heron"))
    cache.store(answer("Ibis"), for: key("ibis", terms), under: terms)
    await bench.flush()
    #expect(await cache.list(.all, limit: 9)?.count == 1, "afterwards the disk is read again")
  }
}
