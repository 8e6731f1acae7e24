import QueryEngine
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import RPC
@testable import PlacesService

/// A local service that counts how often it is asked.
private final class Counting: PlaceService {
  let calls = Mutex(0)
  let manifest: Manifest

  init(otherSeconds: Double? = nil) {
    manifest = Manifest(
      plugin: "counting", name: "Counting", version: "1", summary: "Counts.",
      autocomplete: Capability(parameters: [:], maximumRows: 50),
      terms: Terms(
        idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: otherSeconds, negativeSeconds: 60, isolation: .system, mixing: .free,
        source: "test"),
      attributions: [Attribution(text: "Test")])
  }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let number = calls.withLock { calls in
      calls += 1
      return calls
    }
    if request.query == "broken" { throw ProviderError(.http, "the service failed") }
    return Page(rows: request.query == "nothing" ? [] : [Suggestion(kind: .place, id: "\(number)", text: FormattedText(request.query))])
  }
}

private struct World {
  let service: Counting
  let engine: Engine
  let known: KnownAnswers
  let time = ManualTime()

  init(otherSeconds: Double? = nil, requestsPerMinute: Int? = nil, sharesAnswers: Bool = false) {
    service = Counting(otherSeconds: otherSeconds)
    var settings = EngineSettings()
    settings.requestsPerMinute = requestsPerMinute
    let provider = ProviderInstance(id: "a", service: service, answersAtOnce: true, sharesAnswers: sharesAnswers)
    engine = Engine(providers: [provider], settings: settings, time: time)
    known = KnownAnswers(engine: engine, capacity: 1 << 20)
  }

  func short(_ params: String, user: UInt32 = 7) -> String? {
    request(#"{"jsonrpc":"2.0","id":1,"method":"places.autocomplete","params":\#(params)}"# + "\n", user: user)?.result
  }

  /// The result and the id of a whole text's reply.
  func request(_ text: String, user: UInt32 = 7, limits: Limits = Limits()) -> (result: String, id: String)? {
    let bytes = Array(text.utf8)
    return known.reply(in: bytes.span, from: 0, limits: limits, user: user, at: engine.now).map {
      (String(decoding: $0.result.result, as: UTF8.self), String(decoding: bytes[$0.id], as: UTF8.self))
    }
  }

  func long(_ params: String, user: UInt32 = 7) async throws -> String {
    let parameters = try Autocomplete.schema.decode(try JSONValue(parsing: params))
    return String(decoding: try await known.answer(parameters, user: user, partial: nil), as: UTF8.self)
  }
}

/// An answer without what says how it came.
private func essence(_ text: String) throws -> Autocomplete.Result {
  var result = try Autocomplete.Result(bytes: Array(text.utf8))
  for index in result.providers.indices {
    result.providers[index].latencyMs = 0
    result.providers[index].served = nil
  }
  result.revision = 0
  return result
}

@Suite("The short road") struct KnownAnswersTests {
  @Test("An answer is given again, in every spelling of the question, and is what the long road gave")
  func again() async throws {
    let world = World()
    #expect(world.short(#"{"query":"berl"}"#) == nil)
    let long = try await world.long(#"{"query":"berl"}"#)
    for spelling in [
      #"{"query":"berl"}"#, #"{ "limit" : 1e1, "query" : "berl" }"#,
      #"{"query":"berl","kinds":["query","place"],"deadlineMs":77,"stream":true}"#,
      #"{"session":"00000000-0000-4000-8000-00000000000a","seq":3,"query":" berl "}"#,
    ] {
      let short = try #require(world.short(spelling))
      #expect(try essence(short) == essence(long))
      #expect(short.contains(#""served":"cache""#))
    }
    #expect(world.service.calls.withLock { $0 } == 1)
  }

  @Test("A request that is worded like others has its own id, session and number, and its place in the session")
  func wordings() async throws {
    let world = World()
    let long = try await world.long(#"{"query":"berl"}"#)
    let session = "00000000-0000-4000-8000-00000000000"
    func text(_ id: String, _ digit: Int, _ seq: String) -> String {
      #"{"id":\#(id),"method":"places.autocomplete","params":{"session":"\#(session)\#(digit)","query":"berl","seq": \#(seq)},"jsonrpc":"2.0"}"#
        + "\n"
    }
    // The first is met, the second noted, and those behind it are found by their wording.
    for (number, id) in ["1", "12", "\"a\"", "\"\\u0062\"", "1e1", "123456"].enumerated() {
      let reply = try #require(world.request(text(id, number, "\(number + 1)")))
      #expect(reply.id == id)
      #expect(try essence(reply.result) == essence(long))
    }
    #expect(world.request(text("7", 1, "1")) == nil, "a lower number than its session had")
    #expect(world.request(text("7", 1, "3")) != nil)
    #expect(world.request(text("7", 9, "1"), user: 8) == nil, "another user")
    for (id, seq) in [
      ("null", "1"), ("-1", "1"), ("01", "1"), ("[]", "1"), ("\"a", "1"), ("1", "-1"), ("1", "01"), ("1", "1.5"), ("1", "\"1\""),
      ("1", "99999999999999999"),
    ] {
      let isKnown = id == "null" || id == "-1"
      #expect((world.request(text(id, 9, seq)) != nil) == isKnown, "\(id) \(seq)")
    }
    var limits = Limits()
    limits.idBytes = 5
    #expect(world.request(text("123456", 8, "1"), limits: limits) == nil)
    #expect(world.request(text("12345", 8, "1"), limits: limits) != nil)
  }

  @Test("What stands behind a request has no part in how it is worded", arguments: 0..<24)
  func wordingEnds(spaces: Int) throws {
    // However many bytes are left of the last eight that are looked at.
    let first = #"{"jsonrpc":"2.0","id":1,"method":"m"}"# + String(repeating: " ", count: spaces) + "\n"
    let bytes = Array((first + #"{"id":2,"jsonrpc":"2.0","session":3,"seq":4,"method":"m"}"# + "\n").utf8)
    let wording = Wording(of: bytes.span, from: 0)
    #expect(wording.map { Array(bytes[$0.id]) } == [UInt8(ascii: "1")] && wording?.end == first.utf8.count - 1)
  }

  @Test("Where one letter of a request differs, or one is lost, the road by its wording finds what the road by its parts finds")
  func wordingsDiffer() async throws {
    let (world, other) = (World(), World())
    for query in ["berl", "bern", "id", "seq"] {
      for world in [world, other] { _ = try await world.long(#"{"query":"\#(query)"}"#) }
    }
    var random = SeededRandom(seed: 11)
    func texts(_ number: Int) -> [[UInt8]] {
      [
        #"{"jsonrpc":"2.0","id":5,"method":"places.autocomplete","params":{"query":"berl","limit":10}}"#,
        #"{"id": "x", "params": {"seq": \#(number), "session": "00000000-0000-4000-8000-00000000000a", "query":"id"}, "method":"places.autocomplete","jsonrpc":"2.0"}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"places.autocomplete","params":{"query":"seq","kinds":["query","place"],"deadlineMs":800}}"#,
      ].map { Array($0.utf8) }
    }
    let letters = Array("\"{}[]:,\\ 0159idseqon\u{0}\n\r\t\u{e9}".utf8)
    for number in 1...3 {
      for text in texts(number) { #expect(world.request(String(decoding: text, as: UTF8.self) + "\n") != nil) }
    }
    var known = 0
    for number in 4..<4_000 {
      var text = texts(number).randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[index] = letters.randomElement(using: &random) ?? 0
        case 1: text.remove(at: index)
        default: text.insert(letters.randomElement(using: &random) ?? 0, at: index)
        }
      }
      let line = String(decoding: text, as: UTF8.self)
      // Without its line break a text has no wording.
      let (worded, parted) = (world.request(line + "\n"), other.request(line))
      known += worded == nil ? 0 : 1
      #expect(worded?.id == parted?.id && worded?.result == parted?.result, "\(line)")
    }
    #expect(known > 100)
  }

  @Test("One user's answers are not another's, nor does the time of an answer tell of them")
  func users() async throws {
    let world = World()
    _ = try await world.long(#"{"query":"berl"}"#, user: 1)
    #expect(world.short(#"{"query":"berl"}"#, user: 2) == nil)
    #expect(world.short(#"{"query":"berl"}"#, user: 1) != nil)
  }

  @Test("What terms do not allow to keep is never given again", arguments: [(0.0, 0.0, false), (10, 9.9, true), (10, 10, false)])
  func terms(seconds: Double, later: Double, known: Bool) async throws {
    let world = World(otherSeconds: seconds)
    _ = try await world.long(#"{"query":"berl"}"#)
    world.time.advance(by: later)
    #expect((world.short(#"{"query":"berl"}"#) != nil) == known)
  }

  @Test("Failures are never given again, and what must be asked anew always goes the long road")
  func neverShort() async throws {
    let world = World()
    await #expect(throws: APIError.self) { try await world.long(#"{"query":"broken"}"#) }
    #expect(world.short(#"{"query":"broken"}"#) == nil)
    _ = try await world.long(#"{"query":"berl"}"#)
    for params in [
      #"{"query":"berl","cache":"refresh"}"#, #"{"query":"berl","cache":"bypass"}"#, #"{"query":"berl","cache":"only"}"#,
      #"{"query":"berl","explain":true}"#, #"{"query":"berl","limit":5}"#, #"{"query":"berl","nonsense":1}"#, #"{"query":"berl","seq":1}"#,
      #"{"query":"berl","limit":"10"}"#, #"{"query":"berl","query":"berl"}"#, #"["berl"]"#, "", "{",
    ] { #expect(world.short(params) == nil, "\(params)") }
  }

  @Test("A new state of things, or a user's own choice, forgets")
  func forgetting() async throws {
    let world = World()
    _ = try await world.long(#"{"query":"berl"}"#)
    world.known.forget(user: 8)
    #expect(world.short(#"{"query":"berl"}"#) != nil)
    world.known.forget(user: 7)
    #expect(world.short(#"{"query":"berl"}"#) == nil)
    _ = try await world.long(#"{"query":"berl"}"#)
    world.known.forget()
    #expect(world.short(#"{"query":"berl"}"#) == nil)
  }

  @Test("What is asked anew takes the place of what was known, for everybody where answers are shared", arguments: [false, true])
  func refreshing(shared: Bool) async throws {
    let world = World(sharesAnswers: shared)
    for user: UInt32 in [7, 8] { _ = try await world.long(#"{"query":"berl"}"#, user: user) }
    _ = try await world.long(#"{"query":"berl","cache":"bypass"}"#)
    #expect(world.short(#"{"query":"berl"}"#) != nil, "what is not kept changes nothing")
    _ = try await world.long(#"{"query":"berl","cache":"refresh"}"#)
    #expect(world.short(#"{"query":"berl"}"#) == nil)
    #expect((world.short(#"{"query":"berl"}"#, user: 8) == nil) == shared)
    _ = try await world.long(#"{"query":"berl"}"#)
    await #expect(throws: APIError.self) { try await world.long(#"{"query":"broken","cache":"refresh"}"#) }
    #expect(world.short(#"{"query":"berl"}"#) == nil, "an answer that comes too late for its request is kept, too")
    _ = try await world.long(#"{"query":"berl"}"#)
    await #expect(throws: APIError.self) { try await world.long(#"{"query":"berl","cache":"refresh","providers":["none"]}"#) }
    #expect(world.short(#"{"query":"berl"}"#) != nil, "nobody was asked")
  }

  @Test("A known answer is no longer than a reply may be, by each way on which it is found")
  func length() async throws {
    let world = World()
    _ = try await world.long(#"{"query":"berl"}"#)
    let text = #"{"jsonrpc":"2.0","id":1,"method":"places.autocomplete","params":{"query":"berl"}}"# + "\n"
    let reply = #"{"jsonrpc":"2.0","id":1,"result":}"#.utf8.count + (try #require(world.request(text))).result.utf8.count
    var limits = Limits()
    limits.replyBytes = reply + 32
    for _ in 0..<4 { #expect(world.request(text, limits: limits) != nil) }
    limits.replyBytes = reply - 1
    for _ in 0..<4 { #expect(world.request(text, limits: limits) == nil) }
    #expect(world.known.hits == 5, "what was not given is not counted")
  }

  @Test("Repeated answers count against the user's quota, and take their turn in the session")
  func checks() async throws {
    let world = World(requestsPerMinute: 4)
    _ = try await world.long(#"{"query":"berl"}"#)
    let session = #""session":"00000000-0000-4000-8000-00000000000a""#
    #expect(world.short(#"{"query":"berl",\#(session),"seq":5}"#) != nil)
    #expect(world.short(#"{"query":"berl",\#(session),"seq":4}"#) == nil, "an older request than one that was answered")
    #expect(world.short(#"{"query":"berl"}"#) != nil)
    #expect(world.short(#"{"query":"berl"}"#) != nil)
    #expect(world.short(#"{"query":"berl"}"#) == nil, "the fifth request of a minute")
  }
}
