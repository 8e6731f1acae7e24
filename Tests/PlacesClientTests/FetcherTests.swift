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
  func answer() throws -> Autocomplete.Result { try Autocomplete.Result(bytes: suggestions("Berlin").bytes) }

  @Test("A pause first, then the question; the answer is shown")
  func pause() throws {
    var machine = machine()
    #expect(machine.handle(.typed("berl"), now: 10) == [.show(.waiting(text: "berl")), .sleep(turn: 1, until: 10.2)])
    #expect(machine.handle(.woke(turn: 1), now: 10.2) == [.ask(turn: 1, text: "berl", session: first, seq: 1)])
    let answer = try answer()
    let shown = machine.handle(.answered(turn: 1, .success(answer)), now: 10.3)
    #expect(shown == [.show(.suggestions(answer.suggestions, text: "berl", isFinal: true, answer: answer))])
  }

  @Test("Letters typed meanwhile put the question off; an older alarm asks nothing")
  func overtakenAlarm() {
    var machine = machine()
    _ = machine.handle(.typed("be"), now: 0)
    #expect(machine.handle(.typed("ber"), now: 0.1) == [.show(.waiting(text: "ber")), .sleep(turn: 2, until: 0.1 + 0.2)])
    #expect(machine.handle(.woke(turn: 1), now: 0.2) == [])
    #expect(machine.handle(.woke(turn: 2), now: 0.3) == [.ask(turn: 2, text: "ber", session: first, seq: 1)])
  }

  @Test("An overtaken answer is dropped, also a failed one")
  func overtakenAnswer() throws {
    var machine = machine()
    _ = machine.handle(.typed("be"), now: 0)
    _ = machine.handle(.woke(turn: 1), now: 0.2)
    _ = machine.handle(.typed("ber"), now: 0.3)
    #expect(machine.handle(.answered(turn: 1, .success(try answer())), now: 0.4) == [])
    #expect(machine.handle(.answered(turn: 1, .failure(.connectionLost)), now: 0.4) == [])
    #expect(machine.handle(.partial(turn: 1, []), now: 0.4) == [])
  }

  @Test("Too few letters, and none, are idle", arguments: ["", " ", "b", " b "])
  func tooShort(_ text: String) {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    #expect(machine.handle(.typed(text), now: 1) == [.show(.idle)])
    #expect(machine.handle(.woke(turn: 1), now: 2) == [])
  }

  @Test("A space at the end asks nothing again")
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
    func asked(_ text: String, _ turn: Int, now: Double) -> FetcherMachine.Action? {
      _ = machine.handle(.typed(text), now: now)
      return machine.handle(.woke(turn: turn), now: now).first
    }
    let one = asked("a", 1, now: 0)
    let two = asked("ab", 2, now: 1)
    #expect(made.withLock { $0.count } == 1)
    #expect(one == .ask(turn: 1, text: "a", session: made.withLock { $0[0] }, seq: 1))
    #expect(two == .ask(turn: 2, text: "ab", session: made.withLock { $0[0] }, seq: 2))
    #expect(machine.handle(.ended, now: 2) == [.show(.idle)])
    let three = asked("c", 4, now: 3)
    #expect(three == .ask(turn: 4, text: "c", session: made.withLock { $0[1] }, seq: 1))
    let four = asked("cd", 5, now: 183)
    #expect(four == .ask(turn: 5, text: "cd", session: made.withLock { $0[2] }, seq: 1))
  }

  @Test("What may pass is tried again with growing pauses, five times at most")
  func retries() {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    var pauses: [Double?] = []
    for turn in 1...6 {
      _ = machine.handle(.woke(turn: turn), now: 0)
      if case .show(.failed(_, _, let pause))? = machine.handle(.answered(turn: turn, .failure(.connectionLost)), now: 0).first {
        pauses.append(pause)
      }
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, nil])
    #expect(machine.handle(.retry, now: 1).count == 2)
  }

  @Test("What cannot pass is not tried again; the daemon's own pause is kept")
  func refusals() {
    var machine = machine()
    _ = machine.handle(.typed("berlin"), now: 0)
    _ = machine.handle(.woke(turn: 1), now: 0)
    let unsupported = ClientError.refused(.init(code: -32006, message: "m"))
    #expect(
      machine.handle(.answered(turn: 1, .failure(unsupported)), now: 0)
        == [.show(.failed(unsupported, text: "berlin", retryAfter: nil))])
    _ = machine.handle(.typed("bern"), now: 0)
    _ = machine.handle(.woke(turn: 2), now: 0)
    let overloaded = ClientError.refused(.init(code: -32008, message: "m", data: ["retryAfterMs": 300]))
    #expect(
      machine.handle(.answered(turn: 2, .failure(overloaded)), now: 5)
        == [.show(.failed(overloaded, text: "bern", retryAfter: 0.3)), .sleep(turn: 3, until: 5.3)])
  }
}

@Suite("The fetcher runs")
struct FetcherRunTests {
  @Test("Typing fast asks once, for the last text, with the daemon's own pause")
  func fast() async throws {
    let time = ManualTime()
    let daemon = ScriptedDaemon { asked, _ in .result(asked.method == "service.info" ? info : suggestions("Berlin")) }
    let fetcher = AutocompleteFetcher(client: PlacesClient(dialer: daemon, time: time))
    await withTaskGroup { group in
      group.addTask(name: "fetcher") { await fetcher.run() }
      for text in ["b", "be", "ber", "berl"] { fetcher.type(text) }
      var states = fetcher.states.makeAsyncIterator()
      var shown: FetcherState?
      while true {
        shown = await states.next()
        if case .waiting? = shown {
          while time.sleepers == 0 { await Task.yield() }
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
    let questions = daemon.asked.filter { $0.method == "places.autocomplete" }
    #expect(questions.map { $0.params["query"] } == ["berl"])
    #expect(questions.first?.params["seq"] == 1)
    #expect(questions.first?.params["session"]?.string.flatMap { SessionID($0) } != nil)
  }

  @Test("Choosing a row is reported in the session that it was suggested in")
  func selecting() async throws {
    let daemon = ScriptedDaemon { asked, _ in
      asked.method == "service.info" ? .result(info) : .result(asked.method == "places.select" ? [:] : suggestions("Berlin"))
    }
    let fetcher = AutocompleteFetcher(client: PlacesClient(dialer: daemon), pause: 0)
    try await withThrowingTaskGroup { group in
      group.addTask(name: "fetcher") { await fetcher.run() }
      fetcher.type("berl")
      for await state in fetcher.states {
        guard case .suggestions(let rows, _, true, _) = state, let row = rows.first else { continue }
        // The session is noted right behind the answer.
        try await fetcher.select(row)
        break
      }
      group.cancelAll()
    }
    let session = daemon.asked.first { $0.method == "places.autocomplete" }?.params["session"]
    #expect(session != nil)
    #expect(daemon.asked.last == .init(method: "places.select", params: ["session": session ?? .null, "id": "gazetteer:1"]))
  }
}
