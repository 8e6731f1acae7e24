import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PlacesClient

@Suite("The fetcher asks for the newest text only")
struct FetcherMachineTests {
  let first = SessionID()

  func machine() -> FetcherMachine { FetcherMachine(pause: 0.2, minimumLetters: 2) { [first] in first } }
  func answer() throws -> Autocomplete.Result { try Autocomplete.Result(json: suggestions("Berlin").bytes) }

  /// A complete answer with a place of each name, whose id is its name.
  func answer(_ names: [String]) throws -> Autocomplete.Result {
    let rows = names.map { row($0, id: "gazetteer:\($0)") }
    let json: JSONValue = ["suggestions": .array(rows), "providers": [], "attributions": [], "complete": true, "revision": 1]
    return try Autocomplete.Result(json: json.bytes)
  }

  @Test("A pause first, then the question; the answer is shown")
  func pause() throws {
    var machine = machine()
    #expect(machine.handle(.typed("berl"), now: 10) == [.show(.waiting(text: "berl")), .sleep(turn: 1, until: 10.2)])
    #expect(machine.handle(.pauseEnded(turn: 1), now: 10.2) == [.ask(turn: 1, text: "berl", session: first, seq: 1)])
    let answer = try answer()
    let shown = machine.handle(.answered(turn: 1, .success(answer)), now: 10.3)
    #expect(shown == [.show(.suggestions(answer.suggestions, text: "berl", isFinal: true, answer: answer))])
  }

  @Test("Further typing postpones the request; an older timer sends nothing")
  func overtakenAlarm() {
    var machine = machine()
    _ = machine.handle(.typed("be"), now: 0)
    #expect(machine.handle(.typed("ber"), now: 0.1) == [.show(.waiting(text: "ber")), .sleep(turn: 2, until: 0.1 + 0.2)])
    #expect(machine.handle(.pauseEnded(turn: 1), now: 0.2) == [])
    #expect(machine.handle(.pauseEnded(turn: 2), now: 0.3) == [.ask(turn: 2, text: "ber", session: first, seq: 1)])
  }

  @Test("An outdated answer is dropped, and so is an outdated failure")
  func overtakenAnswer() throws {
    var machine = machine()
    _ = machine.handle(.typed("be"), now: 0)
    _ = machine.handle(.pauseEnded(turn: 1), now: 0.2)
    _ = machine.handle(.typed("ber"), now: 0.3)
    #expect(machine.handle(.answered(turn: 1, .success(try answer())), now: 0.4) == [])
    #expect(machine.handle(.answered(turn: 1, .failure(.connectionLost)), now: 0.4) == [])
    #expect(machine.handle(.partial(turn: 1, try answer()), now: 0.4) == [])
  }

  @Test("A partial answer is shown with its credits")
  func partial() throws {
    let google = AttributionRow(provider: "google", text: "Google Maps")
    let partial = Partial(request: 1, revision: 1, suggestions: try answer().suggestions, providers: [], attributions: [google])
    let known = try #require(Autocomplete.Result(partial))
    #expect(known.attributions == [google] && !known.complete)
    var machine = machine()
    _ = machine.handle(.typed("berl"), now: 0)
    _ = machine.handle(.pauseEnded(turn: 1), now: 0.2)
    let shown = FetcherState.suggestions(known.suggestions, text: "berl", isFinal: false, answer: known)
    #expect(machine.handle(.partial(turn: 1, known), now: 0.3) == [.show(shown)])
  }

  @Test("Providers on this machine are asked before the pause; their late answer is dropped")
  func local() throws {
    var machine = machine()
    _ = machine.handle(.settingsReceived(pause: nil, minimumLetters: 1, localProviders: ["gazetteer"]), now: 0)
    let actions = machine.handle(.typed("berl"), now: 10)
    let request = FetcherMachine.Action.askLocally(turn: 1, text: "berl", providers: ["gazetteer"])
    #expect(actions == [.show(.waiting(text: "berl")), request, .sleep(turn: 1, until: 10.2)])
    let answer = try answer()
    let shown = FetcherState.suggestions(answer.suggestions, text: "berl", isFinal: false, answer: answer)
    #expect(machine.handle(.answeredLocally(turn: 1, answer), now: 10.01) == [.show(shown)])
    #expect(machine.handle(.pauseEnded(turn: 1), now: 10.2) == [.ask(turn: 1, text: "berl", session: first, seq: 1)])
    #expect(machine.handle(.answeredLocally(turn: 1, answer), now: 10.21) == [])
    _ = machine.handle(.settingsReceived(pause: 0, minimumLetters: 1, localProviders: ["gazetteer"]), now: 11)
    #expect(machine.handle(.typed("berli"), now: 12) == [.show(.waiting(text: "berli")), .sleep(turn: 2, until: 12)])
  }

  @Test("Rows that are shown keep their order when the answer of all providers comes, and when it becomes complete")
  func order() throws {
    var machine = machine()
    _ = machine.handle(.settingsReceived(pause: nil, minimumLetters: 1, localProviders: ["gazetteer"]), now: 0)
    _ = machine.handle(.typed("san"), now: 10)
    func names(_ event: FetcherMachine.Event) throws -> [String] {
      let actions = machine.handle(event, now: 11)
      guard case .show(.suggestions(let rows, text: _, isFinal: _, answer: _)) = try #require(actions.first) else { return [] }
      return rows.map(\.text.text)
    }
    #expect(try names(.answeredLocally(turn: 1, answer(["a", "b", "c"]))) == ["a", "b", "c"])
    _ = machine.handle(.pauseEnded(turn: 1), now: 10.2)
    #expect(try names(.partial(turn: 1, answer(["c", "x", "a"]))) == ["a", "x", "c"])
    #expect(try names(.answered(turn: 1, .success(answer(["c", "x", "a", "b"])))) == ["a", "x", "c", "b"])
    _ = machine.handle(.typed("sant"), now: 12)
    _ = machine.handle(.pauseEnded(turn: 2), now: 12.2)
    #expect(try names(.answered(turn: 2, .success(answer(["c", "a"])))) == ["c", "a"], "another text is another list")
  }

  @Test("Of any two lists, shown rows keep their order, and all other rows their positions", arguments: 0..<200)
  func anyOrder(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let names = (0..<12).map(String.init)
    let shown = try answer(Array(names.shuffled(using: &random).prefix(.random(in: 0...8, using: &random)))).suggestions
    let new = try answer(Array(names.shuffled(using: &random).prefix(.random(in: 0...10, using: &random)))).suggestions
    let kept = new.keepingOrder(of: shown)
    #expect(Set(kept) == Set(new) && kept.count == new.count)
    #expect(kept.filter(shown.contains) == shown.filter(new.contains))
    for (before, after) in zip(new, kept) where !shown.contains(before) { #expect(before == after) }
  }

  @Test(
    "A request to the providers on this machine is cancelled when the text changes, at the end of the pause, and before it starts again")
  func localCancelled() throws {
    var machine = machine()
    _ = machine.handle(.settingsReceived(pause: nil, minimumLetters: 1, localProviders: ["gazetteer"]), now: 0)
    _ = machine.handle(.typed("b"), now: 1)
    #expect(machine.handle(.typed("be"), now: 1.1).first == .cancelLocal)
    #expect(machine.handle(.pauseEnded(turn: 2), now: 1.3) == [.cancelLocal, .ask(turn: 2, text: "be", session: first, seq: 1)])
    _ = machine.handle(.typed("ber"), now: 2)
    #expect(machine.handle(.typed(""), now: 2.1) == [.cancelLocal, .cancel, .show(.idle)])
    _ = machine.handle(.typed("bern"), now: 3)
    let asked = FetcherMachine.Action.askLocally(turn: 6, text: "bern", providers: ["gazetteer", "photon"])
    let informed = FetcherMachine.Event.settingsReceived(pause: nil, minimumLetters: 1, localProviders: ["gazetteer", "photon"])
    #expect(machine.handle(informed, now: 3.1) == [.cancelLocal, asked, .sleep(turn: 6, until: 3.2)])
    #expect(machine.handle(informed, now: 3.1) == [], "nothing has changed")
    _ = machine.handle(.answeredLocally(turn: 6, try answer()), now: 3.15)
    #expect(machine.handle(.typed("berne"), now: 3.16).first == .show(.waiting(text: "berne")), "what was answered needs no cancelling")
  }

  @Test("A text that is typed a minute later requests the daemon's settings again, once")
  func settings() {
    var machine = FetcherMachine(pause: 0.2, minimumLetters: 1, now: 100) { [first] in first }
    #expect(!machine.handle(.typed("b"), now: 159).contains(.readSettings))
    #expect(machine.handle(.typed("be"), now: 160).last == .readSettings)
    #expect(!machine.handle(.typed("ber"), now: 161).contains(.readSettings))
  }

  @Test("Too few letters, and none, are idle", arguments: ["", " ", "b", " b "])
  func tooShort(_ text: String) {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    #expect(machine.handle(.typed(text), now: 1) == [.show(.idle)])
    #expect(machine.handle(.pauseEnded(turn: 1), now: 2) == [])
  }

  @Test("Erasing the text cancels its request, once")
  func erased() throws {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    _ = machine.handle(.pauseEnded(turn: 1), now: 0.2)
    #expect(machine.handle(.typed(""), now: 1) == [.cancel, .show(.idle)])
    #expect(machine.handle(.typed("b"), now: 1) == [.show(.idle)])
    _ = machine.handle(.typed("bern"), now: 2)
    _ = machine.handle(.pauseEnded(turn: 4), now: 2.2)
    _ = machine.handle(.answered(turn: 4, .success(try answer())), now: 2.3)
    #expect(machine.handle(.typed(""), now: 3) == [.show(.idle)], "what was answered needs no cancelling")
  }

  @Test("The daemon's pause applies when it arrives; the owner's pause takes precedence")
  func informed() {
    var machine = machine()
    #expect(machine.handle(.settingsReceived(pause: nil, minimumLetters: 3), now: 0) == [])
    #expect(machine.handle(.typed("be"), now: 0) == [.show(.idle)])
    #expect(machine.handle(.typed("ber"), now: 0) == [.show(.waiting(text: "ber")), .sleep(turn: 2, until: 0.2)])
    #expect(
      machine.handle(.settingsReceived(pause: 0.5, minimumLetters: 3), now: 0.1) == [.sleep(turn: 3, until: 0.5)], "the text waits on")
    #expect(machine.handle(.pauseEnded(turn: 2), now: 0.2) == [])
    #expect(machine.handle(.typed("berl"), now: 1) == [.show(.waiting(text: "berl")), .sleep(turn: 4, until: 1.5)])
  }

  @Test("A choice that did not reach the daemon keeps the session; text typed after a choice starts another one")
  func choices() {
    let made = Mutex<[SessionID]>([])
    var machine = FetcherMachine(pause: 0, minimumLetters: 1) {
      let session = SessionID()
      made.withLock { $0.append(session) }
      return session
    }
    func received(_ text: String, _ turn: Int) -> FetcherMachine.Action? {
      _ = machine.handle(.typed(text), now: 0)
      return machine.handle(.pauseEnded(turn: turn), now: 0).first
    }
    _ = received("a", 1)
    let first = made.withLock { $0[0] }
    #expect(machine.handle(.chosen, now: 0) == [.cancel])
    #expect(machine.currentSession == first, "for a second attempt")
    // The request that the choice interrupted is sent again.
    #expect(
      machine.handle(.sessionContinued(first), now: 0) == [.show(.waiting(text: "a")), .ask(turn: 3, text: "a", session: first, seq: 2)])
    #expect(received("ab", 4) == .ask(turn: 4, text: "ab", session: first, seq: 3))
    _ = machine.handle(.chosen, now: 0)
    #expect(received("abc", 6) == .ask(turn: 6, text: "abc", session: made.withLock { $0[1] }, seq: 1))
    #expect(machine.handle(.sessionEnded(first), now: 0) == [], "who types on is not stopped")
    #expect(machine.handle(.sessionContinued(first), now: 0) == [])
    #expect(machine.currentSession == made.withLock { $0[1] })
  }

  @Test("A trailing space does not send another request")
  func space() {
    var machine = machine()
    _ = machine.handle(.typed("san"), now: 0)
    #expect(machine.handle(.typed("san "), now: 1) == [])
    #expect(machine.handle(.typed("san f"), now: 2).count == 2)
  }

  @Test("Numbers rise within a session; choosing ends it, and so does idling")
  func sessions() {
    let made = Mutex<[SessionID]>([])
    var machine = FetcherMachine(pause: 0, minimumLetters: 1) {
      let session = SessionID()
      made.withLock { $0.append(session) }
      return session
    }
    func received(_ text: String, _ turn: Int, now: Double) -> FetcherMachine.Action? {
      _ = machine.handle(.typed(text), now: now)
      return machine.handle(.pauseEnded(turn: turn), now: now).first
    }
    let one = received("a", 1, now: 0)
    let two = received("ab", 2, now: 1)
    #expect(made.withLock { $0.count } == 1)
    #expect(one == .ask(turn: 1, text: "a", session: made.withLock { $0[0] }, seq: 1))
    #expect(two == .ask(turn: 2, text: "ab", session: made.withLock { $0[0] }, seq: 2))
    #expect(machine.handle(.sessionEnded(made.withLock { $0[0] }), now: 2) == [.cancel, .show(.idle)])
    let three = received("c", 4, now: 3)
    #expect(three == .ask(turn: 4, text: "c", session: made.withLock { $0[1] }, seq: 1))
    let four = received("cd", 5, now: 183)
    #expect(four == .ask(turn: 5, text: "cd", session: made.withLock { $0[2] }, seq: 1))
  }

  @Test("A temporary failure is retried with growing pauses, at most five times")
  func retries() {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    var pauses: [Double?] = []
    for turn in 1...6 {
      _ = machine.handle(.pauseEnded(turn: turn), now: 0)
      if case .show(.failed(_, _, let pause))? = machine.handle(.answered(turn: turn, .failure(.connectionLost)), now: 0).first {
        pauses.append(pause)
      }
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, nil])
    #expect(machine.handle(.retry, now: 1).count == 2)
  }

  @Test("A permanent failure is not retried; the daemon's own pause is used")
  func refusals() {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    _ = machine.handle(.pauseEnded(turn: 1), now: 0)
    let unsupported = ClientError.refused(.init(code: -32006, message: "m"))
    #expect(
      machine.handle(.answered(turn: 1, .failure(unsupported)), now: 0)
        == [.show(.failed(unsupported, text: "berlin", retryAfter: nil))])
    _ = machine.handle(.typed("bern"), now: 0)
    _ = machine.handle(.pauseEnded(turn: 2), now: 0)
    let overloaded = ClientError.refused(.init(code: -32008, message: "m", data: ["retryAfterMs": 300]))
    #expect(
      machine.handle(.answered(turn: 2, .failure(overloaded)), now: 5)
        == [.show(.failed(overloaded, text: "bern", retryAfter: 0.3)), .sleep(turn: 3, until: 5.3)])
  }

  @Test("After an exhausted quota, the client retries only if the daemon names a time")
  func quota() {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    _ = machine.handle(.pauseEnded(turn: 1), now: 0)
    let later = ClientError.refused(.init(code: -32007, message: "m", data: ["retryAfterMs": 60_000]))
    #expect(
      machine.handle(.answered(turn: 1, .failure(later)), now: 5)
        == [.show(.failed(later, text: "berlin", retryAfter: 60)), .sleep(turn: 2, until: 65)])
    _ = machine.handle(.pauseEnded(turn: 2), now: 65)
    let over = ClientError.refused(.init(code: -32007, message: "m"))
    #expect(
      machine.handle(.answered(turn: 2, .failure(over)), now: 65) == [.show(.failed(over, text: "berlin", retryAfter: nil))])
  }
}

@Suite("The fetcher runs")
struct FetcherRunTests {
  @Test("Fast typing sends one request, for the last text, after the daemon's pause")
  func fast() async throws {
    let time = ManualTime()
    let daemon = ScriptedDaemon { received, _ in .result(received.method == "service.info" ? info : suggestions("Berlin")) }
    let fetcher = AutocompleteFetcher(client: PlacesClient(dialer: daemon, time: time))
    await withTaskGroup { group in
      group.addTask(name: "fetcher") { await fetcher.run() }
      for text in ["b", "be", "ber", "berl"] { fetcher.type(text) }
      var states = fetcher.states.makeAsyncIterator()
      var shown: FetcherState?
      while true {
        shown = await states.next()
        if case .waiting? = shown {
          try? await waitUntil { time.sleepers > 0 }
          time.advance(by: 0.2)
        }
        if case .suggestions? = shown { break }
      }
      group.cancelAll()
      guard case .suggestions(let rows, text: "berl", isFinal: true, answer: _)? = shown else {
        Issue.record("\(String(describing: shown))")
        return
      }
      #expect(rows.map(\.text.text) == ["Berlin"])
    }
    let questions = daemon.received.filter { $0.method == "places.autocomplete" }
    #expect(questions.map { $0.params["query"] } == ["berl"])
    #expect(questions.first?.params["seq"] == 1)
    #expect(questions.first?.params["session"]?.string.flatMap { SessionID($0) } != nil)
  }

  @Test("During the daemon's pause, only the providers on this machine are queried", .timeLimit(.minutes(1)))
  func localFirst() async throws {
    let time = ManualTime()
    let provider: @Sendable (String, Bool) -> JSONValue = { id, leaves in
      [
        "id": .string(id), "name": "", "plugin": "", "version": "", "state": "ready", "leavesMachine": .boolean(leaves), "calls": [],
        "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
      ]
    }
    let daemon = ScriptedDaemon { received, _ in
      switch received.method {
      case "service.info": .result(info)
      case "providers.list": .result(["providers": [provider("gazetteer", false), provider("google", true)]])
      default: .result(suggestions("Berlin"))
      }
    }
    let fetcher = AutocompleteFetcher(client: PlacesClient(dialer: daemon, time: time))
    await withTaskGroup { group in
      group.addTask(name: "fetcher") { await fetcher.run() }
      fetcher.type("ber")
      for await state in fetcher.states { if case .suggestions(_, text: "ber", isFinal: false, answer: _) = state { break } }
      group.cancelAll()
    }
    let questions = daemon.received.filter { $0.method == "places.autocomplete" }
    #expect(questions.allSatisfy { $0.params["providers"] == ["gazetteer"] } && !questions.isEmpty)
  }

  @Test("Choosing a row is reported in the session that it was suggested in")
  func selecting() async throws {
    let daemon = ScriptedDaemon { received, _ in
      received.method == "service.info" ? .result(info) : .result(received.method == "places.select" ? [:] : suggestions("Berlin"))
    }
    let fetcher = AutocompleteFetcher(client: PlacesClient(dialer: daemon), pause: 0)
    try await withThrowingTaskGroup { group in
      group.addTask(name: "fetcher") { await fetcher.run() }
      fetcher.type("berl")
      for await state in fetcher.states {
        guard case .suggestions(let rows, _, true, _) = state, let row = rows.first else { continue }
        // The session is recorded right after the answer.
        try await fetcher.select(row)
        break
      }
      group.cancelAll()
    }
    let session = daemon.received.first { $0.method == "places.autocomplete" }?.params["session"]
    #expect(session != nil)
    #expect(daemon.received.last == .init(method: "places.select", params: ["session": session ?? .null, "id": "gazetteer:1"]))
  }

  /// Runs a fetcher against a daemon until the body is through.
  private func with(_ daemon: ScriptedDaemon, _ body: (AutocompleteFetcher) async throws -> Void) async throws {
    let fetcher = AutocompleteFetcher(client: PlacesClient(dialer: daemon, backoff: .none), pause: 0)
    try await withThrowingTaskGroup { group in
      group.addTask(name: "fetcher") { await fetcher.run() }
      defer { group.cancelAll() }
      try await body(fetcher)
    }
  }

  private func suggested(_ fetcher: AutocompleteFetcher) async -> SuggestionRow? {
    for await state in fetcher.states { if case .suggestions(let rows, _, true, _) = state { return rows.first } }
    return nil
  }

  @Test("A daemon that does not answer daemon.info does not delay typing", .timeLimit(.minutes(1)))
  func silentInfo() async throws {
    let daemon = ScriptedDaemon { received, _ in received.method == "service.info" ? .never : .result(suggestions("Berlin")) }
    try await with(daemon) { fetcher in
      fetcher.type("berl")
      #expect(await suggested(fetcher)?.text.text == "Berlin")
    }
  }

  @Test("Erasing the text cancels its request in the daemon", .timeLimit(.minutes(1)))
  func erased() async throws {
    let daemon = ScriptedDaemon { received, _ in received.method == "service.info" ? .result(info) : .never }
    try await with(daemon) { fetcher in
      fetcher.type("berl")
      await daemon.wait(for: 2)
      fetcher.type("")
      try? await waitUntil { daemon.cancelled > 0 }
    }
    #expect(daemon.cancelled == 1)
  }

  @Test("Rejected details can be requested again in the same session, and typing continues in it", .timeLimit(.minutes(1)))
  func refusedDetails() async throws {
    let daemon = ScriptedDaemon { received, _ in
      switch received.method {
      case "service.info": .result(info)
      case "places.details": .error(.refused(.init(code: -32008, message: "m")))
      default: .result(suggestions("Berlin"))
      }
    }
    try await with(daemon) { fetcher in
      fetcher.type("berl")
      let row = try #require(await suggested(fetcher))
      for _ in 0..<2 {
        await #expect(throws: ClientError.self) { try await fetcher.details(row, fields: [.name]) }
      }
      fetcher.type("berli")
      _ = await suggested(fetcher)
    }
    let received = daemon.received.filter { $0.method != "service.info" }
    #expect(received.map(\.method) == ["places.autocomplete", "places.details", "places.details", "places.autocomplete"])
    #expect(received.first?.params["session"] != nil)
    #expect(Set(received.map { $0.params["session"] }).count == 1)
  }
}
