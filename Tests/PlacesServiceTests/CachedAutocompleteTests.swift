import QueryEngine
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import RPC
@testable import PlacesService

/// A local service that counts its calls.
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

private struct ServiceFixture {
  let service: Counting
  let engine: Engine
  let cached: CachedAutocomplete
  let time = ManualTime()

  init(otherSeconds: Double? = nil, requestsPerMinute: Int? = nil, sharesAnswers: Bool = false) {
    service = Counting(otherSeconds: otherSeconds)
    var settings = EngineSettings()
    settings.requestsPerMinute = requestsPerMinute
    let provider = ProviderInstance(id: "a", service: service, answersImmediately: true, sharesAnswers: sharesAnswers)
    engine = Engine(providers: [provider], settings: settings, time: time)
    cached = CachedAutocomplete(engine: engine, capacity: 1 << 20)
  }

  /// The cached result, or nil.
  func short(_ params: String, user: UInt32 = 7, maxBytes: Int = .max) -> String? {
    let text = Array(params.utf8)
    return cached.cachedReply(to: text.span, RequestOutline(params: text.span), maxBytes: maxBytes, user: user, at: engine.now)
      .map { String(decoding: $0.result, as: UTF8.self) }
  }

  func long(_ params: String, user: UInt32 = 7) async throws -> String {
    let parameters = try Autocomplete.schema.decode(try JSONValue(parsing: params))
    return String(decoding: try await cached.answer(parameters, text: Array(params.utf8), user: user, partial: nil), as: UTF8.self)
  }
}

/// An answer without the members that show how it was served.
private func essence(_ text: String) throws -> Autocomplete.Result {
  var result = try Autocomplete.Result(json: Array(text.utf8))
  for index in result.providers.indices {
    result.providers[index].latencyMs = 0
    result.providers[index].served = nil
  }
  result.revision = 0
  return result
}

@Suite("Cached autocomplete") struct CachedAutocompleteTests {
  @Test("A cached reply equals the engine's answer, also for another order of the parameters, another session or another deadline")
  func again() async throws {
    let fixture = ServiceFixture()
    #expect(fixture.short(#"{"query":"berl"}"#) == nil)
    let long = try await fixture.long(#"{"query":"berl"}"#)
    for spelling in [
      #"{"query":"berl"}"#, #"{ "deadlineMs" : 100, "query" : "berl" }"#, #"{"query":"berl","deadlineMs":77,"stream":true}"#,
      #"{"session":"00000000-0000-4000-8000-00000000000a","seq":3,"query":"berl"}"#,
    ] {
      let short = try #require(fixture.short(spelling))
      #expect(try essence(short) == essence(long))
      #expect(short.contains(#""served":"cache""#))
    }
    #expect(fixture.service.calls.withLock { $0 } == 1)
  }

  @Test("A user does not get another user's answers, and the latency does not reveal them")
  func users() async throws {
    let fixture = ServiceFixture()
    _ = try await fixture.long(#"{"query":"berl"}"#, user: 1)
    #expect(fixture.short(#"{"query":"berl"}"#, user: 2) == nil)
    #expect(fixture.short(#"{"query":"berl"}"#, user: 1) != nil)
  }

  @Test("An answer that the terms forbid storing is not repeated", arguments: [(0.0, 0.0, false), (10, 9.9, true), (10, 10, false)])
  func terms(seconds: Double, later: Double, known: Bool) async throws {
    let fixture = ServiceFixture(otherSeconds: seconds)
    _ = try await fixture.long(#"{"query":"berl"}"#)
    fixture.time.advance(by: later)
    #expect((fixture.short(#"{"query":"berl"}"#) != nil) == known)
  }

  @Test("Failures are not repeated, and requests that bypass the cache always reach the engine")
  func neverShort() async throws {
    let fixture = ServiceFixture()
    await #expect(throws: APIError.self) { try await fixture.long(#"{"query":"broken"}"#) }
    #expect(fixture.short(#"{"query":"broken"}"#) == nil)
    _ = try await fixture.long(#"{"query":"berl"}"#)
    for params in [
      #"{"query":"berl","cache":"refresh"}"#, #"{"query":"berl","cache":"bypass"}"#, #"{"query":"berl","cache":"only"}"#,
      #"{"query":"berl","explain":true}"#, #"{"query":"berl","limit":5}"#, #"{"query":"berl","nonsense":1}"#, #"{"query":"berl","seq":1}"#,
      #"{"query":"berl","limit":"10"}"#, #"{"query":"berl","query":"berl"}"#, #"["berl"]"#, "", "{",
    ] { #expect(fixture.short(params) == nil, "\(params)") }
  }

  @Test("A change of the data or a choice of the user invalidates cached replies")
  func forgetting() async throws {
    let fixture = ServiceFixture()
    _ = try await fixture.long(#"{"query":"berl"}"#)
    fixture.cached.replyCache.invalidate(.user(8))
    #expect(fixture.short(#"{"query":"berl"}"#) != nil)
    fixture.cached.replyCache.invalidate(.user(7))
    #expect(fixture.short(#"{"query":"berl"}"#) == nil)
    _ = try await fixture.long(#"{"query":"berl"}"#)
    fixture.cached.replyCache.invalidate(.all)
    #expect(fixture.short(#"{"query":"berl"}"#) == nil)
  }

  @Test("A refreshed reply replaces the cached one, for all users if answers are shared", arguments: [false, true])
  func refreshing(shared: Bool) async throws {
    let fixture = ServiceFixture(sharesAnswers: shared)
    for user: UInt32 in [7, 8] { _ = try await fixture.long(#"{"query":"berl"}"#, user: user) }
    _ = try await fixture.long(#"{"query":"berl","cache":"bypass"}"#)
    #expect(fixture.short(#"{"query":"berl"}"#) != nil, "an override that is not stored has no effect")
    _ = try await fixture.long(#"{"query":"berl","cache":"refresh"}"#)
    #expect(fixture.short(#"{"query":"berl"}"#) == nil)
    #expect((fixture.short(#"{"query":"berl"}"#, user: 8) == nil) == shared)
    _ = try await fixture.long(#"{"query":"berl"}"#)
    await #expect(throws: APIError.self) { try await fixture.long(#"{"query":"broken","cache":"refresh"}"#) }
    #expect(fixture.short(#"{"query":"berl"}"#) == nil, "an answer that is too late for its request is stored, too")
    _ = try await fixture.long(#"{"query":"berl"}"#)
    await #expect(throws: APIError.self) { try await fixture.long(#"{"query":"berl","cache":"refresh","providers":["none"]}"#) }
    #expect(fixture.short(#"{"query":"berl"}"#) != nil, "no provider was called")
  }

  @Test("A cached reply above the size limit is neither sent nor counted")
  func length() async throws {
    let fixture = ServiceFixture()
    _ = try await fixture.long(#"{"query":"berl"}"#)
    let bytes = #",\"result\":}\n"#.utf8.count - 2 + (try #require(fixture.short(#"{"query":"berl"}"#))).utf8.count
    #expect(fixture.short(#"{"query":"berl"}"#, maxBytes: bytes) != nil)
    #expect(fixture.short(#"{"query":"berl"}"#, maxBytes: bytes - 4) == nil)
    #expect(fixture.cached.replyCache.hits == 2)
  }

  @Test("Repeated answers count against the user's quota, and have their place in the session")
  func checks() async throws {
    let fixture = ServiceFixture(requestsPerMinute: 4)
    _ = try await fixture.long(#"{"query":"berl"}"#)
    let session = #""session":"00000000-0000-4000-8000-00000000000a""#
    #expect(fixture.short(#"{"query":"berl",\#(session),"seq":5}"#) != nil)
    #expect(fixture.short(#"{"query":"berl",\#(session),"seq":4}"#) == nil, "an older request than one that was answered")
    #expect(fixture.short(#"{"query":"berl"}"#) != nil)
    #expect(fixture.short(#"{"query":"berl"}"#) != nil)
    #expect(fixture.short(#"{"query":"berl"}"#) == nil, "the fifth request of a minute")
  }
}
