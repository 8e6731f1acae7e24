import PlacesKit
import PlacesTesting
import RPC
import Testing

@testable import PlacesAPI

@Suite("Keys of replies")
struct ReplyKeyTests {
  /// The key of parameters as they are spelt, and of parameters that were decoded.
  private func scanned(_ params: [UInt8], user: UInt32 = 7) -> (key: ReplyKey, asker: SessionTurn)? {
    Autocomplete.replyKey(of: params.span, user: user).map { ($0.key, $0.turn) }
  }

  private func key(of parameters: Autocomplete.Parameters, user: UInt32 = 7) -> ReplyKey? {
    Autocomplete.replyKey(of: parameters, user: user)
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
  private func read(_ key: ReplyKey) throws -> Autocomplete.Parameters {
    let members = key.bytes.split { $0 < 0x20 }
    let numbers = key.bytes.filter { $0 < 0x20 }
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
      var keys: Set<ReplyKey> = []
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

  @Test("A request whose key would be too long has none, and keys of other users differ")
  func room() {
    let long = Array("{\"query\":\"\(String(repeating: "ü", count: 252))\"}".utf8)
    #expect(scanned(long) == nil)
    let short = Array(#"{"query":"a"}"#.utf8)
    #expect(scanned(short)?.key != scanned(short, user: 8)?.key)
  }

  @Test("Parameters are decoded from their text as from a tree; the first unknown name and a name that stands twice end it")
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
    #expect(failure(#"{"query":"a","qu\u0065ry":"a"}"#) == "a key stands twice in one object")
    #expect(failure(#"{"query":"a","types":{"a":1,"a":2}}"#) == "a key stands twice in one object")
    #expect(failure(#"{"query":["# + (0..<5_000).map { "\($0)" }.joined(separator: ",") + "]}") == "too many values")
    #expect(failure("[]").contains("by name") && failure("").contains("required"))
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
