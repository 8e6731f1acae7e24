import PlacesKit
import PlacesTesting
import Testing

@testable import Storage

@Suite("Properties of the cache")
struct CachePropertyTests {
  /// The answers that the cache may serve for each key, and until when. After a crash an earlier answer may return.
  private struct Model {
    struct Kept {
      var answer: Answer
      var freshUntil: Double
      var allowedUntil: Double
    }
    var kept: [AnswerKey: [Kept]] = [:]
  }

  static let terms: [(provider: String, terms: Terms)] = [
    ("short", made(50)), ("long", made(5_000, stale: 500)), ("user", made(800, isolation: .user)),
    ("session", made(800, isolation: .session)), ("none", Terms.nothing), ("negative", made(400, negative: 30)),
  ]
  private static func made(
    _ seconds: Double, negative: Double = 0, stale: Double = 0, isolation: Terms.Isolation = .system
  ) -> Terms {
    Terms(
      idsSeconds: seconds, coordinatesSeconds: seconds, otherSeconds: seconds, negativeSeconds: negative, staleSeconds: stale,
      isolation: isolation, source: "test")
  }

  @Test("never serves an answer after its lifetime, after a purge, or to another user", arguments: 0..<8)
  func property(seed: Int) async throws {
    for round in 0..<(isProving ? 20 : 1) {
      var random = SeededRandom(seed: UInt64(seed + 100 * round))
      let bench = try CacheBench(memoryBytes: 20_000)
      await bench.flush()
      var model = Model()
      var found = 0
      // The elapsed time, independent of the clock.
      var now = 0.0
      for step in 0..<500 {
        let (provider, terms) = CachePropertyTests.terms[Int.random(in: 0..<CachePropertyTests.terms.count, using: &random)]
        let user = UInt32.random(in: 1...2, using: &random)
        let session = Bool.random(using: &random) ? "s" : "t"
        let partition: Partition =
          switch terms.isolation {
          case .system: .everybody
          case .user: .user(user)
          case .session: .session("\(user)/\(session)")
          }
        let key = key("q\(Int.random(in: 0..<2, using: &random))", provider: provider, terms, partition)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35:
          let fresh = Bool.random(using: &random) ? answer() : answer("user \(user) step \(step)")
          if bench.cache.store(fresh, for: key, under: terms) {
            let lifetime = fresh.isNegative ? terms.negativeSeconds : (terms.otherSeconds ?? 0)
            let end = now + lifetime
            model.kept[key, default: []].append(
              .init(answer: fresh, freshUntil: end, allowedUntil: end + (fresh.isNegative ? 0 : terms.staleSeconds)))
          }
        case 35..<80:
          guard let answer = await bench.cache.find(key) else { continue }
          found += 1
          let isRight = model.kept[key, default: []].contains {
            answer.answer == $0.answer && now < $0.allowedUntil && answer.isStale == (now >= $0.freshUntil)
          }
          #expect(isRight, "step \(step): \(answer) at \(now)")
        case 80..<88:
          let seconds = Double.random(in: 0...60, using: &random)
          bench.time.advance(by: seconds)
          now += seconds
        case 88..<91: await bench.flush()
        case 91..<93: await bench.cache.expire()
        case 93:
          let share = CacheScope(provider: Bool.random(using: &random) ? provider : nil, user: Bool.random(using: &random) ? user : nil)
          #expect(await bench.cache.purge(share) != nil)
          model.kept = model.kept.filter { !share.contains(provider: $0.key.provider, partition: $0.key.partition) }
        case 94:
          // The clock is set, by a small or a large amount.
          bench.time.setWall(bench.time.wall() + Double.random(in: -5_000...0, using: &random))
        case 95: bench.cache.endSession("s", of: user)
        default:
          await bench.flush()
          // A crash loses the recorded time since the last run of expiry, at most ten minutes.
          await bench.cache.expire()
          await bench.restart(crash: Bool.random(using: &random))
        }
      }
      #expect(found > 30, "too little was found to prove anything")
    }
  }

  @Test("the memory cache behaves like a plain list", arguments: 0..<10)
  func memory(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var cache = MemoryCache<Int, Int>(limit: 1_000)
    var list: [(key: Int, value: Int, bytes: Int)] = []
    for step in 0..<3_000 {
      let key = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let bytes = Int.random(in: 0...260, using: &random)
        cache.insert(step, for: key, bytes: bytes)
        list.removeAll { $0.key == key }
        if bytes <= 250 { list.append((key, step, bytes)) }
        while list.reduce(0, { $0 + $1.bytes }) > 1_000 { list.removeFirst() }
      case 5..<8:
        let value = cache.find(key)
        #expect(value == list.first { $0.key == key }?.value)
        if let index = list.firstIndex(where: { $0.key == key }) { list.append(list.remove(at: index)) }
      case 8:
        cache.remove(key)
        list.removeAll { $0.key == key }
      default:
        let removed = cache.removeAll { key, _ in key % 7 == step % 7 }
        let before = list.count
        list.removeAll { $0.key % 7 == step % 7 }
        #expect(removed == before - list.count)
      }
      #expect(cache.count == list.count && cache.bytes == list.reduce(0) { $0 + $1.bytes })
    }
  }

  @Test("the checksum of a row is standard CRC-32C")
  func checksum() {
    var checksum = Checksum()
    checksum.add("123456789".utf8)
    #expect(checksum.value == 0xE306_9283)
  }
}
