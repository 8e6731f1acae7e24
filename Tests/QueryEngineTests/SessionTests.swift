import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("Sessions")
struct SessionTests {
  private let session = SessionID()

  /// A service that bills as Google does (providers' reference 1.7).
  private static let billed = Manifest.scripted(
    "Billed",
    prices: PriceTable(
      classes: [
        PriceClass("suggest", micros: 2_830), PriceClass("ids", micros: 0), PriceClass("essentials", micros: 5_000),
        PriceClass("pro", micros: 17_000),
      ],
      calls: [.autocomplete: "suggest", .details: "ids"],
      fieldClasses: [.details: [.formattedAddress: "essentials", .businessStatus: "pro"]]),
    sessions: SessionRule(endings: ["essentials": .first(12), "pro": .none, "ids": .all]))

  private func fixture() -> EngineFixture {
    EngineFixture([
      "billed": .init(manifest: Self.billed) { call, _ in
        if case .details = call { return .places([.named("Berlin", id: "1", [.formattedAddress: "Berlin, Germany"])]) }
        return .suggestions([.city("Berlin", id: "1")])
      }
    ])
  }

  private func tokens(_ fixture: EngineFixture) -> [String?] {
    fixture.calls(to: "billed").map { asked in
      switch asked.call {
      case .autocomplete(let request): request.sessionToken
      case .details(let request): request.sessionToken
      default: nil
      }
    }
  }

  @Test("A higher seq ends the session's older requests immediately, and aborts calls without other callers")
  func seq() {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, number in number == 0 ? .hanging : .suggestions([.city("Berlin")]) }
    ])
    let old = fixture.ask("ber") {
      $0.session = session
      $0.seq = 1
    }
    fixture.simulation.pass(0.05)
    let start = fixture.time.monotonic()
    let new = fixture.ask("berl") {
      $0.session = session
      $0.seq = 2
    }
    fixture.simulation.settle()
    #expect(old.value?.error?.name == .cancelled)
    #expect(fixture.time.monotonic() == start)
    #expect(new.value?.value != nil)
    #expect(fixture.calls(to: "a").first?.wasCancelled == true)
    let overtaken = fixture.answer("be") {
      $0.session = session
      $0.seq = 1
    }
    #expect(overtaken?.error?.name == .cancelled)
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test("A rejected request cancels no earlier request", arguments: [APIError.Name.quotaExceeded, .invalidParams])
  func refused(_ name: APIError.Name) {
    var settings = EngineSettings()
    settings.requestsPerMinute = name == .quotaExceeded ? 1 : nil
    let fixture = EngineFixture(
      settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")], after: 0.1) }])
    let old = fixture.ask("ber") {
      $0.session = session
      $0.seq = 1
    }
    fixture.simulation.settle()
    let new = fixture.answer("berl") {
      $0.session = session
      $0.seq = 2
      if name == .invalidParams { $0.providers = ["nobody"] }
    }
    #expect(new?.error?.name == name)
    #expect(fixture.simulation.finish(old)?.value != nil)
  }

  /// Like Foursquare's rule: a token with unknown savings.
  @Test("A service whose sessions' price is unknown gets one token for all keystrokes, and each of them is counted in full")
  func tokenAlone() {
    var manifest = Self.billed
    manifest.sessions = SessionRule(endings: [:])
    let fixture = EngineFixture([
      "billed": .init(manifest: manifest) { call, _ in
        if case .details = call { return .places([.named("Berlin", id: "1", [.formattedAddress: "Berlin, Germany"])]) }
        return .suggestions([.city("Berlin", id: "1")])
      }
    ])
    for query in ["ber", "berl"] { _ = fixture.answer(query) { $0.session = session } }
    let sent = tokens(fixture)
    #expect(sent.count == 2 && sent[0] != nil && sent[0] == sent[1])
  }

  @Test("Sessions of two users with the same id are separate")
  func privacy() {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")], after: 0.1) }])
    let mine = fixture.ask("ber", user: 1) {
      $0.session = session
      $0.seq = 1
    }
    let theirs = fixture.ask("berl", user: 2) {
      $0.session = session
      $0.seq = 2
    }
    #expect(fixture.simulation.finish(mine)?.value != nil)
    #expect(fixture.simulation.finish(theirs)?.value != nil)
  }

  @Test("Every autocomplete call of a session and the details call that ends it have one token, which is not used again")
  func token() throws {
    let fixture = fixture()
    for text in ["b", "be", "ber"] { _ = fixture.answer(text) { $0.session = session } }
    #expect(fixture.details("billed:1", fields: [.formattedAddress], session: session)?.value != nil)
    let first = tokens(fixture)
    #expect(first.count == 4)
    #expect(Set(first).count == 1)
    #expect(try #require(first.first).map { $0.count == 36 } == true)
    _ = fixture.answer("berl") { $0.session = session }
    #expect(fixture.details("billed:1", fields: [.formattedAddress], session: session)?.value != nil)
    let second = tokens(fixture).dropFirst(4)
    #expect(Set(second).count == 1)
    #expect(Set(second).isDisjoint(with: first))
  }

  @Test("Without a session, or after 180 s without a request, a new token is used")
  func idle() {
    let fixture = fixture()
    _ = fixture.answer("b") { $0.session = session }
    fixture.simulation.pass(181)
    _ = fixture.answer("be") { $0.session = session }
    _ = fixture.answer("ber")
    let tokens = tokens(fixture)
    #expect(tokens[0] != tokens[1])
    #expect(tokens[2] == nil)
  }

  @Test("Sessions of two users have two tokens")
  func users() {
    let fixture = fixture()
    _ = fixture.answer("b", user: 1) { $0.session = session }
    _ = fixture.answer("b", user: 2) { $0.session = session }
    #expect(Set(tokens(fixture)).count == 2)
  }

  @Test("A session is ended in the way that is cheapest by the price table", arguments: [(4, false), (5, true), (12, true)])
  func ending(requests: Int, asksForMore: Bool) throws {
    let fixture = fixture()
    for number in 0..<requests { _ = fixture.answer("b\(number)") { $0.session = session } }
    #expect(fixture.details("billed:1", fields: [.formattedAddress], session: session)?.value != nil)
    guard case .details(let request)? = fixture.calls(to: "billed").last?.call else {
      Issue.record("no details call")
      return
    }
    #expect(request.fields.contains(.businessStatus) == asksForMore)
  }

  @Test("Choosing a row ends the session without a call")
  func select() {
    let fixture = fixture()
    _ = fixture.answer("b") { $0.session = session }
    fixture.select("billed:1", in: session)
    #expect(fixture.engine.sessions.count == 0)
    #expect(fixture.calls(to: "billed").count == 1)
    _ = fixture.answer("be") { $0.session = session }
    #expect(Set(tokens(fixture)).count == 2)
  }

  @Test("Choosing an id of a provider that is not configured is an error, and ends no session")
  func selectUnknown() {
    let fixture = fixture()
    _ = fixture.answer("b") { $0.session = session }
    #expect(fixture.select("biled:1", in: session)?.name == .notFound)
    #expect(fixture.engine.sessions.count == 1)
    #expect(fixture.select("billed:1", in: session) == nil)
  }

  @Test("Sessions are bounded, for one user and in all")
  func bounded() {
    let sessions = Sessions(limits: .init(maxSessions: 20, maxPerUser: 5))
    for number in 0..<100 { _ = sessions.session(SessionID(), of: UInt32(number % 10), at: Double(number)) }
    #expect(sessions.count <= 20)
    let own = (0..<10).map { number in
      let id = SessionID()
      _ = sessions.session(id, of: 7, at: 200 + Double(number))
      return id
    }
    #expect(own.count { sessions.openSession($0, of: 7, at: 210) != nil } == 5)
    #expect(sessions.openSession(own[9], of: 7, at: 210) != nil)
    // Idle sessions end when others are opened, and the caller receives them.
    var ended: [SessionID] = []
    for number in 0..<3 { _ = sessions.session(SessionID(), of: 7, at: 500 + Double(number)) { ended += $0.map(\.id) } }
    #expect(Set(ended) == Set(own[5...]))
  }
}

@Suite("Narrowing of exhaustive answers")
struct NarrowingTests {
  private let session = SessionID()

  private func fixture(narrows: Bool = true, exhaustive: Bool = true, _ rows: [Suggestion] = [.city("Berlin"), .city("Bern")])
    -> EngineFixture
  {
    EngineFixture(["a": .init(manifest: .scripted("A", narrows: narrows)) { _, _ in .suggestions(rows, exhaustive: exhaustive) }])
  }

  private func texts(_ fixture: EngineFixture, _ query: String) -> [String]? {
    fixture.answer(query) { $0.session = session }?.value?.suggestions.map(\.text.text).sorted()
  }

  @Test("One more letter is answered from an exhaustive answer without a call, with matches of the longer text")
  func narrows() throws {
    let fixture = fixture()
    #expect(texts(fixture, "ber") == ["Berlin", "Bern"])
    let result = try #require(fixture.answer("berl") { $0.session = session }?.value)
    #expect(result.suggestions.map(\.text) == [FormattedText("Berlin", matches: [TextRange(start: 0, end: 4)])])
    #expect(result.providers["a"]?.served == .cache)
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test(
    "A call is made where the answer was not exhaustive, the manifest does not allow it, or the text is another one",
    arguments: [(true, false, "berl"), (false, true, "berl"), (true, true, "bi")])
  func asks(narrows: Bool, exhaustive: Bool, second: String) {
    let fixture = fixture(narrows: narrows, exhaustive: exhaustive)
    _ = texts(fixture, "ber")
    _ = texts(fixture, second)
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test("An empty exhaustive answer also answers longer texts")
  func nothing() {
    let fixture = fixture([])
    #expect(texts(fixture, "xyz") == [])
    #expect(texts(fixture, "xyzz") == [])
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("Rows that matched by a name that is not shown are requested again")
  func otherNames() {
    let fixture = fixture([.city("München")])
    #expect(texts(fixture, "mun") == ["München"])
    #expect(texts(fixture, "munich") == ["München"])
    #expect(fixture.calls(to: "a").count == 2)
  }
}
