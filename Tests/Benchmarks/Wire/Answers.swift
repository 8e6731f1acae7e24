import Linux
import RPC
import Synchronization

/// Answers every request with the same text. The answer to params that were sent before comes from the cache.
final class Answers: RequestHandler {
  private let result: [UInt8]
  private let cached = Mutex<[UInt64: CachedResult]>([:])

  /// - Parameter size: the approximate size of a reply in bytes. The members around the result take about 40 of them.
  init(size: Int) {
    result = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: size - 40) + Array("\"".utf8)
  }

  func cachedReply(to text: Span<UInt8>, _ outline: RequestOutline, maxBytes: Int, user: UInt32) -> CachedResult? {
    let key = Answers.key(text.extracting(outline.params))
    return cached.withLock { $0[key] }
  }

  func reply(to request: Request, context: RequestContext) async -> Reply {
    let params = request.params ?? []
    let key = Answers.key(params.span)
    cached.withLock { $0[key] = CachedResult(result) }
    return .result(result)
  }

  /// FNV-1a (Fowler, Noll and Vo 1991): good enough to find an answer in a benchmark.
  private static func key(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
