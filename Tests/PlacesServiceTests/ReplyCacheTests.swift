import PlacesAPI
import PlacesTesting
import RPC
import Testing

@testable import QueryEngine
@testable import PlacesService

extension ReplyCache {
  private func key(_ number: Int, _ user: UInt32) -> ReplyKey? {
    Autocomplete.schema.replyKey(of: Array(#"{"query":"q\#(number)"}"#.utf8), user: user)
  }

  fileprivate func store(_ result: [UInt8], for number: Int, user: UInt32 = 7, until: Double = 10, version: UInt64? = nil) {
    guard let key = key(number, user) else { return }
    let reply = CachedReply(result: CachedResult(result), cacheability: Cacheability(expiresAt: until, query: "q", clients: []))
    store(reply, for: key, version: version ?? self.version)
  }

  fileprivate func result(for number: Int, user: UInt32 = 7, at now: Double) -> [UInt8]? {
    reply(at: now) { wanted in
      key(number, user).map { wanted = $0 } != nil
    }?.result.result
  }
}

@Suite("The cache of replies") struct ReplyCacheTests {
  @Test("A reply is returned until it expires")
  func time() {
    let cache = ReplyCache(capacity: 1 << 20)
    cache.store([1, 2], for: 1, user: 7)
    #expect(cache.result(for: 1, at: 9.9) == [1, 2])
    #expect(cache.result(for: 2, at: 9) == nil)
    #expect(cache.result(for: 1, at: 10) == nil)
    #expect(cache.result(for: 1, at: 9) == nil, "an answer that was found expired is removed")
    #expect(cache.bytes == 0)
  }

  @Test("An invalidation removes everything, and rejects replies to requests that were read before it")
  func versions() {
    let cache = ReplyCache(capacity: 1 << 20)
    let old = cache.version
    cache.store([1], for: 1, version: old)
    cache.invalidate(.all)
    #expect(cache.result(for: 1, at: 0) == nil)
    cache.store([1], for: 1, version: old)
    #expect(cache.result(for: 1, at: 0) == nil)
  }

  @Test("The entries of one user can be removed")
  func users() {
    let cache = ReplyCache(capacity: 1 << 20)
    for number in 0..<10 { cache.store([1], for: number, user: UInt32(number % 2)) }
    cache.invalidate(.user(1))
    for number in 0..<10 { #expect((cache.result(for: number, user: UInt32(number % 2), at: 0) != nil) == (number % 2 == 0)) }
  }

  @Test("A reply to a request from before the removal of a user's answers is not stored after it; replies to other users are")
  func late() {
    let cache = ReplyCache(capacity: 1 << 20)
    let old = cache.version
    cache.invalidate(.user(1))
    for user in 1...2 as ClosedRange<UInt32> { cache.store([1], for: 1, user: user, version: old) }
    #expect(cache.result(for: 1, user: 1, at: 0) == nil)
    #expect(cache.result(for: 1, user: 2, at: 0) == [1])
    cache.store([2], for: 1, user: 1)
    #expect(cache.result(for: 1, user: 1, at: 0) == [2])
  }

  @Test("Without memory, nothing is stored")
  func nothing() {
    let cache = ReplyCache(capacity: 0)
    cache.store([1], for: 1)
    #expect(cache.result(for: 1, at: 0) == nil)
    #expect(cache.bytes == 0)
  }

  @Test("Memory is bounded, recently used replies are kept, and a reply that is larger than the cache is not stored")
  func bounds() {
    let cache = ReplyCache(capacity: 40_000)
    cache.store([UInt8](repeating: 1, count: 5_000), for: -1)
    #expect(cache.bytes == 0)
    for number in 0..<1_000 {
      cache.store([UInt8](repeating: 1, count: 200), for: number)
      #expect(cache.bytes <= 40_000)
      #expect(cache.result(for: 0, at: 0) != nil, "used repeatedly, and therefore never removed")
    }
  }

  @Test("Random operations agree with an unbounded dictionary")
  func model() {
    var random = SeededRandom(seed: 5)
    let cache = ReplyCache(capacity: 20_000)
    var model: [Int: (result: [UInt8], until: Double, user: UInt32)] = [:]
    for step in 0..<20_000 {
      let (number, now) = (Int.random(in: 0..<300, using: &random), Double(step) / 100)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        let entry = (
          result: [UInt8(number % 250), UInt8(step % 250)], until: now + Double.random(in: 0...5, using: &random), user: UInt32(number % 3)
        )
        model[number] = entry
        cache.store(entry.result, for: number, user: entry.user, until: entry.until)
      case 8..<19:
        guard let found = cache.result(for: number, user: UInt32(number % 3), at: now) else { continue }
        #expect(found == model[number]?.result)
        #expect((model[number]?.until ?? 0) > now)
      default:
        if step % 7 == 0 {
          cache.invalidate(.all)
          model = [:]
        } else {
          cache.invalidate(.user(1))
          model = model.filter { $0.value.user != 1 }
        }
      }
    }
  }
}
