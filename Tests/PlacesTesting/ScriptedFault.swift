/// Faults of a service, as scripts. For each of them a client must return in time, with an error of the right cause and bounded memory.
public enum ScriptedFault: String, CaseIterable, Sendable {
  case hang, stallAfterHeaders, dripHeaders, dripBody
  case tooShort, tooLong, badChunk, badCompression, closesAtOnce, resets, notHTTP
  case endlessBody, endlessChunks, bomb, endlessBomb, endlessHeaders, hugeHeader, interimFlood
  case tooManyRequests, unavailable, redirect, page, empty, truncatedJSON, wrongJSON, deepJSON

  public var script: [ScriptedServer.Step] {
    let chunked = ScriptedServer.Step.head(headers: [("Transfer-Encoding", "chunked")])
    let compressed = ScriptedServer.Step.head(headers: [("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")])
    func chunk(_ bytes: [UInt8]) -> [UInt8] { Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [13, 10] }
    switch self {
    case .hang: return [.wait(30)]
    case .stallAfterHeaders: return [.send(ScriptedServer.Step.head(headers: [("Content-Length", "10")])), .wait(30)]
    case .dripHeaders: return [.drip(ScriptedServer.Step.head(headers: [("X-Long", String(repeating: "x", count: 1_000))]), every: 0.05)]
    case .dripBody:
      return [
        .send(ScriptedServer.Step.head(headers: [("Content-Length", "1000")])), .drip(Array(repeating: 0x20, count: 1_000), every: 0.05),
      ]
    case .tooShort: return [.send(ScriptedServer.Step.head(headers: [("Content-Length", "100")]) + Array("{}".utf8)), .close]
    case .tooLong:
      return [.send(ScriptedServer.Step.head(headers: [("Content-Length", "2")]) + Array("{}{\"more\": true}".utf8)), .close]
    case .badChunk: return [.send(chunked + Array("zz\r\n{}\r\n".utf8)), .close]
    case .badCompression: return [.send(compressed + chunk(Array("this is no gzip".utf8)) + Array("0\r\n\r\n".utf8))]
    case .closesAtOnce: return [.close]
    case .resets: return [.reset]
    case .notHTTP: return [.send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), .close]
    case .endlessBody: return [.send(ScriptedServer.Step.head()), .endless(Array(repeating: 0x20, count: 65_536))]
    case .endlessChunks: return [.send(chunked), .endless(chunk(Array(repeating: 0x20, count: 65_536)))]
    case .bomb: return [.send(compressed + chunk(GzipBomb.bytes(decoding: 1 << 30))), .wait(30)]
    case .endlessBomb: return [.send(compressed + chunk(GzipBomb.start)), .endless(chunk(GzipBomb.more))]
    case .endlessHeaders: return [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .endless(Array("X-More: and more\r\n".utf8))]
    case .hugeHeader: return [.answer(headers: [("X-Huge", String(repeating: "x", count: 90_000))], "{}")]
    case .interimFlood: return [.endless(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))]
    case .tooManyRequests: return [.answer(status: 429, headers: [("Retry-After", "7")], "slow down")]
    case .unavailable: return [.answer(status: 503, headers: [("Content-Type", "text/plain")], "Query took too long to process.")]
    case .redirect: return [.answer(status: 302, headers: [("Location", "http://169.254.169.254/latest/meta-data")], "")]
    case .page: return [.answer(headers: [("Content-Type", "text/html")], "<!DOCTYPE html><html><body>Please log in</body></html>")]
    case .empty: return [.answer("")]
    case .truncatedJSON: return [.answer(#"{"features": [{"type": "Fea"#)]
    case .wrongJSON: return [.answer(#"{"unexpected": [1, null, "two"]}"#)]
    case .deepJSON: return [.answer(String(repeating: "[", count: 100_000))]
    }
  }
}

/// A gzip stream of very few bytes for very many, made by hand: fixed Huffman codes (RFC 1951, 3.2.6) of one letter and then of
/// matches of 258 letters at distance 1, 13 bits each.
public enum GzipBomb {
  /// The header, and a block of 24 bits that any number of `more` continues.
  public static let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + packed([0, 1, 0] + code(0x91, 8) + match)
  /// Whole bytes that decode to 8 × 258 × 64 letters.
  public static let more = packed(Array(repeating: match, count: 8 * 64).flatMap { $0 })

  public static func bytes(decoding count: Int) -> [UInt8] {
    start + Array(repeating: more, count: count / (8 * 258 * 64) + 1).flatMap { $0 }
  }

  private static let match: [UInt8] = code(0b1100_0101, 8) + code(0, 5)

  /// A Huffman code is written with its most significant bit first.
  private static func code(_ value: Int, _ bits: Int) -> [UInt8] {
    (0..<bits).map { UInt8(value >> (bits - 1 - $0) & 1) }
  }

  private static func packed(_ bits: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, bit) in bits.enumerated() {
      if index % 8 == 0 { bytes.append(0) }
      bytes[index / 8] |= bit << (index % 8)
    }
    return bytes
  }
}
