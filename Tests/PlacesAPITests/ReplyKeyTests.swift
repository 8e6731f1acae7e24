import PlacesKit
import PlacesTesting
import RPC
import Testing

@testable import PlacesAPI

@Suite("Keys of replies")
struct ReplyKeyTests {
  /// The key of parameters as they are spelt, and of parameters that were decoded.
  private func scanned(_ params: [UInt8], user: UInt32 = 7) -> (key: [UInt8], asker: Asker)? {
    var found: (key: [UInt8], asker: Asker)?
    Autocomplete.withReplyKey(of: params.span, user: user) { found = ($0.bytes, $1) }
    return found
  }

  private func key(of parameters: Autocomplete.Parameters, user: UInt32 = 7) -> [UInt8]? {
    var key: [UInt8]?
    Autocomplete.withReplyKey(of: parameters, user: user) { key = $0.bytes }
    return key
  }

  @Test("The key that is scanned from bytes is that of the parameters", arguments: ParameterCase.good)
  func keys(_ row: ParameterCase) throws {
    let parameters = try Autocomplete.schema.decode(JSONValue(parsing: row.params))
    guard let found = scanned(Array(row.params.utf8)) else {
      #expect(parameters.cache != .standard || row.params.contains("\\u") || key(of: parameters) == nil, "\(row.params)")
      return
    }
    #expect(found.key == key(of: parameters))
    #expect(found.asker.session == parameters.session && found.asker.seq == parameters.seq && parameters.cache == .standard)
    #expect(found.key != key(of: parameters, user: 8))
  }

  @Test("Parameters that are refused have no key that a good request has", arguments: ParameterCase.bad)
  func badKeys(_ row: ParameterCase) throws {
    guard let found = scanned(Array(row.params.utf8)) else { return }
    #expect(throws: InvalidParameter.self) { try read(found.key) }
  }

  /// A key, read as parameters.
  private func read(_ key: [UInt8]) throws -> Autocomplete.Parameters {
    let members = key.dropLast(4).split { $0 < 0x20 }
    let numbers = key.dropLast(4).filter { $0 < 0x20 }
    let params = try zip(numbers, members).map { number, value in
      (key: Autocomplete.schema.fields[Int(number) - 1].name, value: try JSONValue(parsing: Array(value)))
    }
    return try Autocomplete.schema.decode(.object(JSONObject(params)))
  }

  @Test("Damaged parameters have no key, or that of what they mean, or one that no good request has")
  func damaged() throws {
    var (random, refused, good) = (SeededRandom(seed: 8), 0, 0)
    for _ in 0..<6_000 {
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
      let found = scanned(bytes)
      guard let json = try? JSONValue(parsing: bytes), let meant = try? Autocomplete.schema.decode(json) else {
        refused += 1
        if let found { #expect(throws: (any Error).self, "\(String(decoding: bytes, as: UTF8.self))") { try read(found.key) } }
        continue
      }
      guard let found else { continue }
      good += 1
      #expect(found.key == key(of: meant), "\(String(decoding: bytes, as: UTF8.self))")
      #expect(found.asker.session == meant.session && found.asker.seq == meant.seq && meant.cache == .standard)
    }
    #expect(refused > 1_000 && good > 500)
  }

  @Test("Random spellings of one request have one key")
  func spellings() throws {
    var random = SeededRandom(seed: 6)
    for _ in 0..<500 {
      let request = RandomParameters(&random)
      var keys: Set<[UInt8]> = []
      for _ in 0..<4 {
        let text = request.spelling(&random)
        let found = try #require(scanned(Array(text.utf8)), "\(text)")
        let parameters = try Autocomplete.schema.decode(JSONValue(parsing: text))
        #expect(found.key == key(of: parameters), "\(text)")
        keys.insert(found.key)
      }
      #expect(keys.count == 1)
    }
  }

  @Test("A key has room for so much and no more, and is told from those that differ in one byte")
  func room() {
    ReplyKey.withRoom { key in
      let filled = key.append([UInt8](repeating: 1, count: ReplyKey.capacity - 1))
      let (refused, taken, full) = (key.append(number: 10), key.append(number: 4), key.append(user: 1))
      #expect(filled && !refused && taken && !full)
      #expect(key.count == ReplyKey.capacity && key.bytes.last == UInt8(ascii: "4"))
    }
    ReplyKey.withRoom { key in
      var (hashes, words) = (Set<UInt64>(), [[UInt64]]())
      for number in 0..<100 {
        _ = key.append(number: number)
        hashes.insert(key.hash(seed: 1))
        let (same, others) = (key.equals(key.words), words.contains { key.equals($0) })
        #expect(same && !others)
        words.append(key.words)
      }
      #expect(hashes.count == 100)
    }
  }
}

/// A request with some parameters, each of which can be spelt in several ways.
struct RandomParameters {
  private var members: [(String, [String])] = []

  init(_ random: inout SeededRandom) {
    let queries = [
      ["\"berl\"", "\" berl \"", "\"be\\u0072l\""], ["\"münch\"", "\"m\\u00fcnch\"", "\"mu\u{308}nch\""], ["\"慕尼\"", "\"\\u6155尼\""],
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

  func spelling(_ random: inout SeededRandom) -> String {
    var spelt = members.map { "\"\($0.0)\":\($0.1.randomElement(using: &random) ?? "")" }
    let defaults = [
      "\"stream\":false", "\"cache\":\"default\"", "\"deadlineMs\":\(Int.random(in: 10...30_000, using: &random))", "\"providers\":[]",
    ]
    for member in defaults where Bool.random(using: &random) { spelt.append(member) }
    if Bool.random(using: &random) {
      spelt.append("\"session\":\"\(SessionID())\",\"seq\":\(Int.random(in: 0...99, using: &random))")
    }
    return "{" + spelt.shuffled(using: &random).joined(separator: [",", " , ", ",\n"].randomElement(using: &random) ?? ",") + "}"
  }
}
