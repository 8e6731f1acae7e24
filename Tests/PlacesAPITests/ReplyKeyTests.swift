import PlacesKit
import PlacesTesting
import Testing

@testable import PlacesAPI
@testable import RPC

@Suite("Keys of replies")
struct ReplyKeyTests {
  /// The key of the request that has these params, which are JSON apart from duplicate keys.
  private func scanned(_ params: [UInt8], user: UInt32 = 7) -> (key: ReplyKey, turn: SessionTurn)? {
    let text = Array(#"{"jsonrpc":"2.0","method":"m","params":"#.utf8) + params + Array(#","id":1}"#.utf8)
    let (outline, alone) = (RequestOutline(), Autocomplete.schema.replyKey(of: params, user: user))
    guard outline.scan(text.span, depth: 64) == text.count else {
      // Unusual params, or too many.
      #expect(alone == nil || text.count > RequestOutline.maximumBytes)
      return nil
    }
    var key = ReplyKey()
    let turn = Autocomplete.schema.read(&key, from: text.span, outline, user: user)
    #expect((turn == nil ? nil : key) == alone, "the params alone have the same key")
    return turn.map { (key, $0) }
  }

  @Test("A good request has a key, from which its parameters can be read, unless its spelling is unusual", arguments: ParameterCase.good)
  func keys(_ row: ParameterCase) throws {
    let parameters = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
    guard let found = scanned(Array(row.params.utf8)) else {
      #expect(parameters.cache != .standard || row.params.contains("\\u") || row.params.utf8.count > 504, "\(row.params)")
      return
    }
    #expect(try decidesSame(read(found.key), parameters), "\(row.params)")
    #expect(found.turn.session == parameters.session && found.turn.seq == parameters.seq && parameters.cache == .standard)
    #expect(found.key != scanned(Array(row.params.utf8), user: 8)?.key)
  }

  @Test("Parameters that are refused have no key that a good request has", arguments: ParameterCase.bad)
  func badKeys(_ row: ParameterCase) throws {
    guard (try? JSONValue(parsing: row.params)) != nil, let found = scanned(Array(row.params.utf8)) else { return }
    #expect(throws: (any Error).self) { try read(found.key) }
  }

  /// A key, read as parameters.
  private func read(_ key: ReplyKey) throws -> Autocomplete.Parameters {
    let params = try key.bytes.split(separator: 0xFF).map { part in
      (key: Autocomplete.schema.fields[Int(part[part.startIndex])].name, value: try JSONValue(parsing: Array(part.dropFirst())))
    }
    return try Autocomplete.schema.decode(.object(JSONObject(params)))
  }

  private func decidesSame(_ one: Autocomplete.Parameters, _ other: Autocomplete.Parameters) -> Bool {
    Autocomplete.schema.canonical(one) == Autocomplete.schema.canonical(other)
  }

  @Test("The key of damaged parameters is nil, that of their meaning, or one that no valid request has")
  func damaged() throws {
    var (random, refused, good) = (SeededRandom(seed: 8), 0, 0)
    for _ in 0..<10_000 {
      var bytes = Array(RandomParameters(&random).spelling(&random).utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(Array("{}[]\",:\\01\u{0}\u{7F}".utf8).randomElement(using: &random) ?? 0, at: index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(Int.random(in: 0...20, using: &random)), at: index)
        }
      }
      let parsed: JSONValue?
      // Only texts that are JSON apart from duplicate keys are scanned.
      do throws(JSONError) { parsed = try JSONValue(parsing: bytes) } catch {
        guard error.reason == .duplicateKey, case .text? = onlyFrame(of: bytes) else { continue }
        parsed = nil
      }
      let found = scanned(bytes)
      guard let parsed, let meant = try? Autocomplete.schema.decode(parsed) else {
        refused += 1
        if let found { #expect(throws: (any Error).self, "\(String(decoding: bytes, as: UTF8.self))") { try read(found.key) } }
        continue
      }
      guard let found else { continue }
      good += 1
      #expect(try decidesSame(read(found.key), meant), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(found.turn.session == meant.session && found.turn.seq == meant.seq && meant.cache == .standard)
    }
    #expect(refused > 200 && good > 500)
  }

  private func onlyFrame(of bytes: [UInt8]) -> FrameBuffer.Frame? {
    var buffer = FrameBuffer()
    buffer.append(bytes)
    let frame = buffer.next()
    return frame == .text(bytes) ? frame : nil
  }

  @Test("Requests that differ in the order of their parameters, white space, session, deadline and stream have one key")
  func spellings() throws {
    var random = SeededRandom(seed: 6)
    for _ in 0..<500 {
      let request = RandomParameters(&random)
      var keys: [ReplyKey: [UInt8]] = [:]
      for _ in 0..<4 {
        let found = try #require(scanned(Array(request.spelling(&random, sameValues: true).utf8)))
        keys[found.key] = Autocomplete.schema.canonical(try read(found.key))
      }
      #expect(keys.count == 1)
    }
  }

  @Test("A request whose key would be too long has none, and keys of other users differ")
  func room() {
    let long = Array("{\"query\":\"\(String(repeating: "ü", count: 252))\"}".utf8)
    #expect(scanned(long) == nil)
    let short = Array(#"{"query":"a"}"#.utf8)
    #expect(scanned(short)?.key != scanned(short, user: 8)?.key)
  }

  @Test("Parameters are decoded from their text as from a tree; the first unknown or repeated name ends the decoding")
  func text() throws {
    var random = SeededRandom(seed: 9)
    for _ in 0..<300 {
      let text = RandomParameters(&random).spelling(&random)
      #expect(try Autocomplete.schema.decode(text: Array(text.utf8).span) == Autocomplete.schema.decode(JSONValue(parsing: text)))
    }
    func failure(_ text: String) -> String {
      do throws(ParameterError) {
        _ = try Autocomplete.schema.decode(text: Array(text.utf8).span)
        return ""
      } catch {
        switch error {
        case .parameter(let error): return error.message
        case .json(let error): return error.reason.rawValue
        }
      }
    }
    #expect(failure(#"{"a":1,"query":1}"#).contains("`a` is not a parameter"))
    #expect(failure("{\"\(String(repeating: "k", count: 100_000))\":1}").contains("is not a parameter"))
    #expect(failure(#"{"query":"a","qu\u0065ry":"a"}"#) == "an object has the same key twice")
    #expect(failure(#"{"query":"a","types":{"a":1,"a":2}}"#) == "an object has the same key twice")
    #expect(failure(#"{"query":["# + (0..<5_000).map { "\($0)" }.joined(separator: ",") + "]}") == "too many values")
    #expect(failure("[]").contains("by name") && failure("").contains("required"))
  }
}

/// A request with some parameters, each with several spellings.
struct RandomParameters {
  private var members: [(String, [String])] = []

  init(_ random: inout SeededRandom) {
    let queries = [
      ["\"berl\"", "\" berl\"", "\"be\\u0072l\""], ["\"münch\"", "\"m\\u00fcnch\"", "\"mu\u{308}nch\""], ["\"慕尼\"", "\"\\u6155尼\""],
    ]
    members.append(("query", queries.randomElement(using: &random) ?? []))
    let others: [(String, [String])] = [
      ("limit", ["7", "7.0", "70e-1"]), ("language", ["\"de\"", "\"DE\"", "\"d\\u0065\""]), ("region", ["\"CH\"", "\"ch\""]),
      ("countries", ["[\"DE\",\"AT\"]", "[\"at\",\"de\"]", "[ \"AT\" , \"DE\", \"DE\" ]"]),
      ("kinds", ["[\"place\"]", "[\"place\",\"place\"]"]),
      ("origin", ["{\"latitude\":1.5,\"longitude\":2}", "{\"longitude\":2.0,\"latitude\":15e-1}"]), ("explain", ["true"]),
      ("types", ["[\"cafe\",\"bar\"]", "[\"bar\",\"cafe\"]"]),
      ("bias", [ParameterCase.circle, "{ \"circle\" : {\"radius\":5e2,\"center\":{\"longitude\":2,\"latitude\":1}}}"]),
    ]
    for other in others where Bool.random(using: &random) { members.append(other) }
  }

  /// - Parameter sameValues: true to spell values that decide the answer always in the same way.
  func spelling(_ random: inout SeededRandom, sameValues: Bool = false) -> String {
    var spelt = members.map { "\"\($0.0)\":\((sameValues ? $0.1.first : $0.1.randomElement(using: &random)) ?? "")" }
    let defaults = ["\"stream\":false", "\"cache\":\"default\"", "\"deadlineMs\":\(Int.random(in: 10...30_000, using: &random))"]
    for member in defaults where Bool.random(using: &random) { spelt.append(member) }
    if Bool.random(using: &random) {
      spelt.append("\"session\":\"\(SessionID())\",\"seq\":\(Int.random(in: 0...99, using: &random))")
    }
    return "{" + spelt.shuffled(using: &random).joined(separator: [",", " , ", ",\n"].randomElement(using: &random) ?? ",") + "}"
  }
}
