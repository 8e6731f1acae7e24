import Dispatch
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

@Suite("The cache and its disk")
struct CacheDiskTests {
  @Test("stays within its size on disk, and lets the least recently used go first")
  func size() async throws {
    let bench = try CacheBench(diskBytes: 1 << 20, memoryBytes: 0)
    let terms = terms(1e6)
    let long = String(repeating: "long ", count: 400)
    bench.cache.keep(answer("used again and again"), for: key("favourite", terms), under: terms)
    for number in 0..<1_000 {
      bench.cache.keep(answer(long), for: key("\(number)", terms), under: terms)
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

  @Test("stays within its size also where many users choose much")
  func sizeOfChoices() async throws {
    let bench = try CacheBench(diskBytes: 1 << 20, memoryBytes: 0)
    let long = "p:" + String(repeating: "long", count: 100)
    for user in 1...8 as ClosedRange<UInt32> {
      for number in 0..<900 {
        bench.cache.keep(UsedPlace(user: user, prefix: "\(number)", place: long, weight: 1, at: Double(user)), under: terms(nil))
      }
      await bench.flush()
    }
    await bench.cache.expire()
    #expect(await bench.cache.uses(of: 8)?.count == 900)
    #expect(await bench.cache.uses(of: 1)?.isEmpty == true, "the oldest go first")
    #expect(bytes(of: bench) <= (1 << 20) + (1 << 18))
  }

  @Test("lets what has expired go before anything that has not, however lately it was used")
  func expiredFirst() async throws {
    let bench = try CacheBench(diskBytes: 1 << 20, memoryBytes: 0)
    let (short, long) = (terms(5_000, stale: 1e6), terms(1e6))
    let text = String(repeating: "long ", count: 400)
    bench.cache.keep(answer("long-lived"), for: key("oldest", long), under: long)
    await bench.flush()
    bench.time.advance(by: 1)
    for number in 0..<200 { bench.cache.keep(answer(text), for: key("\(number)", short), under: short) }
    await bench.flush()
    bench.time.advance(by: 6_000)
    for number in 200..<350 { bench.cache.keep(answer(text), for: key("\(number)", long), under: long) }
    await bench.flush()
    #expect(await bench.cache.find(key("oldest", long)) != nil)
    #expect(await bench.cache.find(key("200", long)) != nil)
    #expect(await bench.cache.find(key("199", short)) == nil)
  }

  @Test("drops the newest when the disk cannot keep up, and says so")
  func bounded() async throws {
    let bench = try CacheBench(memoryBytes: 0)
    let terms = terms(100)
    for number in 0..<1_100 { bench.cache.keep(answer("a"), for: key("\(number)", terms), under: terms) }
    #expect(bench.cache.inbox.count == 1_024)
    await bench.flush()
    #expect(await bench.cache.find(key("1023", terms)) != nil)
    #expect(await bench.cache.find(key("1024", terms)) == nil)
    #expect(bench.log.lines.contains { $0.contains("76 answers were not kept") })
  }

  @Test("runs until it is cancelled, and leaves nothing unwritten")
  func running() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    let runner = Task { [cache = bench.cache] in await cache.run() }
    for number in 0..<100 { bench.cache.keep(answer("a"), for: key("\(number)", terms), under: terms) }
    runner.cancel()
    await runner.value
    await bench.restart()
    for number in 0..<100 { #expect(await bench.cache.find(key("\(number)", terms)) != nil) }
  }

  @Test("what the disk certainly does not have is not looked for there, and what it has is found", .timeLimit(.minutes(1)))
  func certainlyNotThere() async throws {
    let bench = try CacheBench(memoryBytes: 0)
    let terms = terms(100)
    for number in 0..<1_000 { bench.cache.keep(answer("a"), for: key("\(number)", terms), under: terms) }
    await bench.flush()
    for _ in 0..<2 {
      for number in 0..<1_000 { #expect(await bench.cache.find(key("\(number)", terms)) != nil) }
      let (cache, isReleased) = (bench.cache, DispatchSemaphore(value: 0))
      // The reader's thread stands still: whoever asks it waits.
      cache.reader.executor.perform { isReleased.wait() }
      #expect(await cache.find(key("never asked", terms)) == nil)
      isReleased.signal()
      await bench.restart()
    }
  }

  @Test("answers gather for a moment before they are written, and a survey sees them all the same", .timeLimit(.minutes(1)))
  func gathering() async throws {
    let bench = try CacheBench()
    let (terms, cache) = (terms(100), bench.cache)
    let runner = Task { await cache.run() }
    while bench.time.sleepers < 1 { await Task.yield() }
    cache.keep(answer("a"), for: key("a", terms), under: terms)
    while bench.time.sleepers < 2 { await Task.yield() }
    #expect(cache.inbox.count == 1)
    bench.time.advance(by: Cache.gathering)
    while cache.inbox.count > 0 { await Task.yield() }
    cache.keep(answer("b"), for: key("b", terms), under: terms)
    #expect(await cache.list(.all, limit: 9)?.count == 2)
    runner.cancel()
    await runner.value
  }

  @Test("who is cancelled waits no longer for the disk, and a survey of everything holds up no lookup")
  func slowDisk() async throws {
    let bench = try CacheBench()
    let terms = terms(100)
    bench.cache.keep(answer("Heron"), for: key("heron", terms), under: terms)
    await bench.flush()
    await bench.restart()
    let cache = bench.cache
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let isReleased = DispatchSemaphore(value: 0)
    // The reader's thread stands still, as when the disk does.
    cache.reader.executor.perform { isReleased.wait() }
    let lookup = Task {
      let found = await cache.find(key("heron", terms))
      end.yield()
      return found
    }
    #expect(await cache.list(.all, limit: 9)?.count == 1, "the survey has a connection of its own")
    lookup.cancel()
    for await _ in ends { break }
    #expect(await lookup.value == nil)
    isReleased.signal()
    #expect(await cache.find(key("heron", terms)) != nil)
  }

  @Test("who surveys, purges or expires waits for a disk that stands still no longer than people do", .timeLimit(.minutes(1)))
  func standstill() async throws {
    let bench = try CacheBench()
    let terms = terms(1_000)
    bench.cache.keep(answer("Heron"), for: key("heron", terms), under: terms)
    await bench.flush()
    await bench.restart()
    let (cache, time) = (bench.cache, bench.time)
    let gate = DispatchSemaphore(value: 0)
    async let held: Void = cache.writer.hold(until: gate)
    func isGivenUp<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) async -> Bool {
      let task = Task { await work() }
      while time.sleepers == 0 { await Task.yield() }
      time.advance(by: Cache.patience)
      return await task.value == nil
    }
    #expect(await isGivenUp { await cache.statistics(.all) })
    #expect(await isGivenUp { await cache.list(.all, limit: 1) })
    #expect(await isGivenUp { await cache.expire() })
    #expect(await cache.find(key("heron", terms)) != nil, "nobody wanted it gone")
    #expect(await isGivenUp { await cache.purge(.all) })
    #expect(await cache.find(key("heron", terms)) == nil, "what shall be gone is not given, though it is still there")
    gate.signal()
    await held
    #expect(await cache.statistics(.all)?.allSatisfy { $0.answers == 0 } == true)
    #expect(try !bench.diskHolds("Heron"))
    cache.keep(answer("Ibis"), for: key("ibis", terms), under: terms)
    await bench.flush()
    #expect(await cache.list(.all, limit: 9)?.count == 1, "then it is read again")
  }
}
