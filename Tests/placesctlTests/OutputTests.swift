import JSON
import PlacesClient
import Testing

@testable import placesctl

@Suite("Answers are printed for people and for programs")
struct OutputTests {
  @Test("A list: text, type, distance, sources, credits")
  func list() async {
    let outcome = await run(["suggest", "ber"]) { _ in
      suggestions([
        row("Berlin, Germany", matches: [(0, 3)], distance: 832), row("Bern, Switzerland", distance: 752_400),
      ])
    }
    #expect(
      outcome.output == """
        Berlin, Germany    locality   832 m  gazetteer
        Bern, Switzerland  locality  752 km  gazetteer
        GeoNames (CC BY 4.0)

        """)
    #expect(outcome.exit == .results)
  }

  @Test("On a terminal matches are bold, and nothing else is where colour is off")
  func bold() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      suggestions([row("Saõ Paulo", matches: [(0, 3), (4, 5)])])
    }
    let outcome = await run(["suggest", "sao p"], width: 80, colour: true, answer: answer)
    #expect(outcome.output.hasPrefix("\u{1B}[1mSaõ\u{1B}[0m \u{1B}[1mP\u{1B}[0maulo"))
    #expect(!(await run(["suggest", "sao p"], width: 80, answer: answer)).output.contains("\u{1B}"))
  }

  @Test("Foreign text cannot steer the terminal, and ranges stay right")
  func neutral() async {
    let outcome = await run(["suggest", "x"], width: 80, colour: true) { _ in
      suggestions([row("\u{1B}[2Jab\u{202E}c\nd", matches: [(4, 6)])])
    }
    #expect(outcome.output.hasPrefix("\u{FFFD}[2J\u{1B}[1mab\u{1B}[0m\u{FFFD}c\u{FFFD}d"))
    #expect(outcome.output.split(separator: "\n").count == 2)
  }

  @Test("Long rows are cut to the terminal's width, wide letters counted as wide", arguments: [30, 40, 60, 100])
  func width(_ width: Int) async {
    let outcome = await run(["suggest", "x"], width: width) { _ in
      suggestions([
        row("北京市朝阳区建国门外大街一号国贸写字楼", sources: [("gazetteer", 1), ("google", 2), ("photon", 1)]),
        row("Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, Wales, United Kingdom", type: "administrative_area_level_3"),
      ])
    }
    for line in outcome.output.split(separator: "\n").dropLast() {
      #expect(Width.of(String(line)) <= width, "\(line)")
      #expect(width > 60 || line.contains("…"))
    }
  }

  @Test("--json is the daemon's document on one line, --jsonl one row on a line")
  func json() async throws {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in suggestions([row("a"), row("b")]) }
    let document = await run(["suggest", "x", "--json"], answer: answer).output
    #expect(try JSONValue(parsing: document)["suggestions"]?.array?.count == 2)
    let lines = await run(["suggest", "x", "--jsonl"], answer: answer).output.split(separator: "\n")
    #expect(try lines.map { try JSONValue(parsing: String($0))["text"]?["text"]?.string } == ["a", "b"])
  }

  @Test("The explanation stands under its row")
  func explain() async {
    let explanation: JSONValue = [
      "match": "prefix", "score": 2.5, "parts": [["name": "text", "value": 2.0], ["name": "prominence", "value": 0.5]],
      "merges": [["first": "gazetteer:1", "second": "google:x", "probability": 0.987, "reasons": [["name": "name", "value": 4.2]]]],
      "maybe": [],
      "fields": [
        ["field": "text", "provider": "google", "at": "2026-01-01T00:00:00Z"],
        ["field": "types", "provider": "a", "at": "2026-01-01T00:00:00Z"],
        ["field": "location", "provider": "google", "at": "2026-01-01T00:00:00Z"],
      ],
    ]
    let outcome = await run(["suggest", "x", "--explain"]) { _ in suggestions([row("Berlin", explain: explanation)]) }
    #expect(
      outcome.output == """
        Berlin  locality  gazetteer
            match prefix, score 2.500 (text 2.000, prominence 0.500)
            same: gazetteer:1 and google:x, probability 0.987 (name 4.200)
            text, location from google at 2026-01-01T00:00:00Z
            types from a at 2026-01-01T00:00:00Z
        GeoNames (CC BY 4.0)

        """)
  }

  @Test("Comparing puts providers side by side, with lines between what was joined")
  func compare() async {
    let outcome = await run(["suggest", "ber", "--compare"], width: 75) { asked in
      switch asked.params["providers"]?[0]?.string {
      case "a": return suggestions([row("Berlin", sources: [("a", 1)]), row("Bern", sources: [("a", 2)])])
      case "b": return suggestions([row("Bergen", sources: [("b", 1)])])
      case "c": return suggestions([row("Berlin, DE", sources: [("c", 1)])])
      default:
        return suggestions(
          [
            row("Berlin", sources: [("a", 1), ("c", 1)]), row("Bergen", sources: [("b", 1)]), row("Bern", sources: [("a", 2)]),
          ], providers: [report("a", "ok"), report("b", "ok"), report("c", "ok"), report("d", "skipped")])
      }
    }
    #expect(
      outcome.output == """
            a                       b                       c
         1  1. Berlin ───────────────────────────────────── 1. Berlin, DE
         2                          1. Bergen
         3  2. Bern
        GeoNames (CC BY 4.0)

        """)
    // Nobody pays a second time for what the columns show.
    #expect(outcome.asked.map { $0.params["cache"] } == [nil, "only", "only", "only"])
    #expect(outcome.asked.allSatisfy { $0.params["limit"] == nil })
  }

  @Test("What each of several providers said is looked up as the daemon asked them", arguments: [(["a", "b"], 10), (["a"], 3)])
  func compareFewer(asked: [String], limit: Int) async {
    let outcome = await run(["suggest", "ber", "--compare", "-n", "3"], width: 50) { _ in
      suggestions([row("Berlin", sources: [("a", 1)])], providers: asked.map { report($0, "ok") })
    }
    #expect(outcome.asked.first?.params["limit"] == 3)
    // Ten is the default.
    #expect(outcome.asked.dropFirst().allSatisfy { ($0.params["limit"] ?? 10) == .integer(Int64(limit)) })
  }

  @Test("Comparing shows nobody's text as another's: of a provider whose terms keep nothing, the rank alone")
  func compareNotKept() async {
    let outcome = await run(["suggest", "ber", "--compare"], width: 50) { asked in
      asked.params["providers"] == nil
        ? suggestions([row("Berlin", sources: [("a", 1), ("b", 4)])], providers: [report("a", "ok"), report("b", "ok")]) : suggestions([])
    }
    #expect(
      outcome.output == """
            a                       b
         1  1. Berlin ───────────── 4. not kept
        GeoNames (CC BY 4.0)

        """)
  }

  @Test("Details print every field on a line of its own")
  func details() async {
    let outcome = await run(["details", "gazetteer:1"]) { _ in
      [
        "place": [
          "id": "gazetteer:1", "row": "r1", "name": "Vaduz", "coordinate": ["latitude": 47.14151, "longitude": 9.52154],
          "types": ["locality", "administrative_area_level_3"], "rating": 4.5,
          "openingHours": ["periods": [], "weekdayText": ["Monday: closed", "Tuesday: 9–17"]],
          "sources": [["provider": "gazetteer", "id": "gazetteer:1", "rank": 1]], "attributions": [],
        ], "providers": [], "attributions": [["provider": "gazetteer", "text": "GeoNames"]],
      ]
    }
    #expect(
      outcome.output == """
        id            gazetteer:1
        name          Vaduz
        coordinate    47.141510,9.521540
        types         locality, administrative_area_level_3
        rating        4.5
        openingHours  Monday: closed
                      Tuesday: 9–17
        sources       gazetteer:1
        GeoNames

        """)
  }

  @Test("A text of which only a part names a place is said to be nothing found")
  func resolvePart() async {
    let provider: JSONValue = [
      "id": "a", "name": "A", "plugin": "a", "version": "1", "state": "ready", "leavesMachine": false, "calls": ["search"],
      "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
    ]
    let outcome = await run(["resolve", "kölnn", "am", "rhein", "--json"]) { asked in
      guard asked.method == "places.search" else { return ["providers": [provider]] }
      return [
        "places": [["id": "a:1", "row": "r1", "name": "Rhein", "sources": [], "attributions": [], "explain": ["match": "part"]]],
        "providers": [], "attributions": [], "complete": true,
      ]
    }
    #expect(outcome.output == "")
    #expect(outcome.diagnostics == "nothing found: only a part of “kölnn am rhein” is the name of a place, “Rhein” (a:1)\n")
    #expect(outcome.exit == .none)
  }

  @Test("A text that was taken for another name is said to be so", arguments: ["exact", "fuzzy", "other"])
  func resolve(_ match: String) async {
    let outcome = await run(["resolve", "schaan", "--fields", "name"]) { asked in
      guard asked.method == "places.search" else { return ["providers": []] }
      return [
        "places": [
          ["id": "a:1", "row": "r1", "name": "Shaanxi", "sources": [], "attributions": [], "explain": ["match": .string(match)]]
        ],
        "providers": [], "attributions": [], "complete": true,
      ]
    }
    #expect(outcome.diagnostics == (match == "exact" ? "" : "“schaan” was taken for “Shaanxi”\n"))
    #expect(outcome.exit == .results)
  }

  @Test("Of a provider that is free and without a limit no zeros are shown, which would count nothing")
  func uncounted() async {
    let none: JSONValue = ["calls": 0, "micros": 0]
    let window: JSONValue = ["spent": none, "reserved": none, "endsAt": "2026-12-01T00:00:00Z"]
    let outcome = await run(["budget"]) { _ in
      let account: JSONValue = [
        "provider": "gazetteer", "currency": "USD", "day": window, "month": window, "savedByCache": none, "savedBySessions": none,
        "savedByCoalescing": none, "uncounted": true,
      ]
      return ["providers": [account]]
    }
    #expect(outcome.output == "gazetteer: free and without a limit; calls are not counted here, but by: placesctl status\n")
  }

  @Test("A log's levels are words on a terminal, and the numbers of syslog in a pipe")
  func log() async {
    let lines: JSONValue = [
      "2026-01-01T00:00:00.000Z <3>provider a could not be brought up", "2026-01-01T00:00:01.000Z <7>places.autocomplete: ok",
      "2026-01-01T00:00:02.000Z \u{1B}[2J<9>", "x",
    ]
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in ["level": "debug", "lines": lines] }
    #expect(
      await run(["log"], answer: answer).output == """
        2026-01-01T00:00:00.000Z <3>provider a could not be brought up
        2026-01-01T00:00:01.000Z <7>places.autocomplete: ok
        2026-01-01T00:00:02.000Z \u{FFFD}[2J<9>
        x

        """)
    #expect(
      await run(["log"], width: 80, answer: answer).output == """
        2026-01-01T00:00:00.000Z  error    provider a could not be brought up
        2026-01-01T00:00:01.000Z  debug    places.autocomplete: ok
        2026-01-01T00:00:02.000Z  \u{FFFD}[2J<9>
        x

        """)
    #expect(await run(["log"], width: 80, colour: true, answer: answer).output.contains("\u{1B}[31merror    \u{1B}[0mprovider a"))
  }

  @Test("Kept answers fit a terminal, each with what was asked; in a pipe each is one line")
  func kept() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      let key =
        #"{"provider":"photon","terms":1597635880,"user":0,"call":"autocomplete","query":"berl","limit":10,"language":"de","kinds":["place"]}"#
      let entry: JSONValue = [
        "provider": "photon", "call": "autocomplete", "key": .string(key), "user": 0, "rows": 2, "bytes": 872,
        "storedAt": "2026-11-22T07:22:37Z", "expiresAt": "2026-11-29T07:22:37Z",
      ]
      return ["entries": [entry]]
    }
    #expect(
      await run(["cache", "list"], width: 80, answer: answer).output == """
        PROVIDER  CALL          USER  ROWS   SIZE  STORED            EXPIRES
        photon    autocomplete  0        2  872 B  2026-11-22 07:22  2026-11-29 07:22
            "berl", kinds ["place"], language de, limit 10

        """)
    let lines = await run(["cache", "list"], answer: answer).output.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains("2026-11-22T07:22:37Z") && lines[1].hasSuffix(#""kinds":["place"]}"#))
  }

  @Test("A provider that is not configured is no empty account")
  func noSuchAccount() async {
    let outcome = await run(["budget", "-p", "gogle"]) { _ in ["providers": []] }
    #expect(outcome.exit == .failed)
    #expect(outcome.diagnostics == "placesctl: no provider named gogle is configured; see placesctl providers list\n")
  }

  @Test("Why a provider does not work is told once on one terminal, in full, and in the table where nobody would read it else")
  func ailing() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { asked throws(ClientError) in
      guard asked.method == "providers.list" else {
        return [
          "name": "placesd", "version": "1", "protocol": ["major": 1, "minor": 0], "capabilities": [],
          "limits": ["requestBytes": 1, "replyBytes": 1, "depth": 1, "batch": 1, "inFlight": 1, "unreadBytes": 1],
          "defaults": ["limit": 10, "deadlineMs": 1000], "suggestedDebounceMs": 0, "minimumLetters": 1,
        ]
      }
      let provider: JSONValue = [
        "id": "a", "name": "A", "plugin": "a", "version": "1", "state": "suspended", "reason": "it failed too often",
        "until": "2026-01-01T00:00:00Z", "leavesMachine": true, "calls": ["search"],
        "counters": ["sent": 0, "succeeded": 0, "failed": 9, "timedOut": 0, "saved": 0],
      ]
      return ["providers": [provider]]
    }
    let note = "a: it failed too often until 2026-01-01T00:00:00Z; ask it again at once with: placesctl providers resume a\n"
    let terminal = await run(["status"], width: 80, isInteractive: true, answer: answer)
    #expect(!terminal.output.contains("too often") && terminal.diagnostics == note)
    for words in [["status"], ["status", "--quiet"], ["providers", "list"]] {
      #expect(await run(words, answer: answer).output.contains("it failed too often until 2026-01-01T00:00:00Z\n"))
    }
  }

  @Test("Counters are shown by name and by what they are of")
  func metrics() async {
    let outcome = await run(["metrics"]) { _ in
      [
        "b_calls": [["provider": "x", "outcome": "sent", "value": 3], ["outcome": "failed", "provider": "x", "value": 0]],
        "a_connections": 1,
      ]
    }
    #expect(
      outcome.output == """
        NAME           OF        VALUE
        a_connections                1
        b_calls        x sent        3
        b_calls        x failed      0

        """)
  }

  @Test("A purse is shown by day and month, with what was saved and what is in doubt")
  func budget() async {
    let window: JSONValue = [
      "spent": ["calls": 1200, "micros": 3_396_000], "reserved": ["calls": 10, "micros": 28_300], "callLimit": 5000,
      "endsAt": "2026-12-01T00:00:00Z",
    ]
    let none: JSONValue = ["calls": 0, "micros": 0]
    let outcome = await run(["budget"]) { _ in
      [
        "providers": [
          [
            "provider": "google", "currency": "USD", "day": window, "month": window, "savedByCache": ["calls": 7, "micros": 19_810],
            "savedBySessions": none, "savedByCoalescing": none, "needsConfirmation": "the ledger was lost",
          ]
        ]
      ]
    }
    #expect(
      outcome.output == """
        PROVIDER  WINDOW      CALLS         MONEY                RESERVED        LIMIT  ENDS
        google    today       1,200  3.396000 USD  10 calls, 0.028300 USD  5,000 calls  2026-12-01T00:00:00Z
        google    this month  1,200  3.396000 USD  10 calls, 0.028300 USD  5,000 calls  2026-12-01T00:00:00Z
        google: saved 7 calls (0.019810 USD) by cache

        """)
    #expect(outcome.diagnostics == "paid calls are off: the ledger was lost\n")
  }
}

@Suite("Exit codes tell the shell what happened")
struct ExitTests {
  @Test(
    "Answers",
    arguments: [
      (suggestions([row("a")]), ExitCode.results), (suggestions([]), .none), (suggestions([row("a")], complete: false), .partial),
      (suggestions([], complete: false), .partial),
    ])
  func answers(_ answer: JSONValue, _ exit: ExitCode) async {
    #expect(await run(["suggest", "x"]) { _ in answer }.exit == exit)
  }

  @Test(
    "Errors",
    arguments: [
      (ClientError.unreachable(sockets: ["/s"], reason: "gone"), ExitCode.unreachable), (.connectionLost, .unreachable),
      (.timeLimit(seconds: 3), .deadline), (.refused(.init(code: -32002, message: "m")), .deadline),
      (.refused(.init(code: -32001, message: "m")), .failed), (.refused(.init(code: -32006, message: "m")), .failed),
      (.refused(.init(code: -32004, message: "m")), .none), (.refused(.init(code: -32602, message: "m")), .usage),
      (.refused(.init(code: -32005, message: "m")), .failed), (.refused(.init(code: -32008, message: "m")), .failed),
      (.refused(.init(code: -31000, message: "m")), .failed), (.unreadable("x"), .failed),
    ])
  func errors(_ error: ClientError, _ exit: ExitCode) async {
    let outcome = await run(["suggest", "x"]) { _ throws(ClientError) in throw error }
    #expect(outcome.exit == exit)
    #expect(outcome.output == "")
    #expect(outcome.diagnostics.hasPrefix("placesctl: "))
  }

  @Test("No daemon: how to start one")
  func unreachable() async {
    let outcome = await run(["status"]) { _ throws(ClientError) in
      throw .unreachable(sockets: ["/a", "/b"], reason: "No such file or directory")
    }
    #expect(outcome.diagnostics.hasPrefix("placesctl: no daemon answers at /a or /b: No such file or directory\nStart "))
    #expect(
      Starting.advice(sockets: ["/a", "/b"], program: "/usr/bin/placesctl").first?.contains("systemctl start placesd.socket") == true)
    let lost = Starting.advice(sockets: ["/run/user/7/placesd/placesd.sock", "/b"], program: "/usr/bin/placesctl", runtime: nil)
    #expect(
      lost.last
        == "XDG_RUNTIME_DIR is not set here; where a daemon of yours runs with it, its socket is not /run/user/7/placesd/placesd.sock.")
    #expect(Starting.advice(sockets: ["/a", "/b"], program: "/x/.build/release/placesctl", runtime: "/run").count == 1)
    #expect(Starting.advice(sockets: ["/a"], program: "/usr/bin/placesctl", runtime: nil).count == 1)
    #expect(Starting.advice(sockets: ["/a"], program: "/usr/bin/placesctl") == ["Start one there with: placesd --socket /a"])
    #expect(
      Starting.advice(sockets: ["/x/.build/run/placesd.sock"], program: "/x/.build/release/placesctl") == [
        "Start one from this source tree with: make run"
      ])
    #expect(
      Starting.advice(sockets: ["/a"], program: "/x/.build/release/placesctl") == [
        "Start one there with: /x/.build/release/placesd --socket /a", "The one that make run starts is at /x/.build/run/placesd.sock.",
      ])
  }

  @Test("Nothing found is said, with the providers that were not asked because of what was asked for")
  func nothing() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      suggestions(
        [], complete: false,
        providers: [
          [
            "provider": "a", "outcome": "skipped", "count": 0, "latencyMs": 0, "cause": "country",
            "message": "A cannot filter by countries",
          ],
          ["provider": "b", "outcome": "skipped", "count": 0, "latencyMs": 0, "cause": "terms", "message": "B must not"],
          report("c", "timeout"),
        ])
    }
    let outcome = await run(["suggest", "x"], answer: answer)
    #expect(outcome.diagnostics == "c: timeout\na: skipped: A cannot filter by country\nnothing found by the providers that answered\n")
    #expect(outcome.exit == .partial)
    #expect(await run(["suggest", "x"]) { _ in suggestions([]) }.diagnostics == "nothing found\n")
    let kept = await run(["cache", "list"]) { _ in ["entries": []] }
    #expect(kept.output == "" && kept.diagnostics == "no such answer is kept on disk\n")
  }

  @Test("Fields that were asked for by name stand in the table of places, those of a tier do not")
  func fields() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      [
        "places": [
          [
            "id": "a:1", "row": "r1", "name": "Vaduz", "coordinate": ["latitude": 47.14151, "longitude": 9.52154], "rating": 4.5,
            "sources": [], "attributions": [],
          ],
          ["id": "a:2", "row": "r2", "name": "Schaan", "rating": 3, "group": "g1", "sources": [], "attributions": []],
        ], "providers": [], "attributions": [], "complete": true,
      ]
    }
    let outcome = await run(["search", "x", "-f", "rating,name,coordinate"], answer: answer)
    #expect(
      outcome.output == """
        Vaduz     4.5  47.141510,9.521540  a:1
        ~ Schaan  3                        a:2

        """)
    #expect(await run(["search", "x", "-f", "advanced"], answer: answer).output == "Vaduz     a:1\n~ Schaan  a:2\n")
  }

  @Test("Fields that were asked for by name and that nobody knows are named")
  func unknownFields() async {
    let outcome = await run(["details", "a:1", "--fields", "id,website,openingHours"]) { _ in
      ["place": ["id": "a:1", "row": "r1", "name": "x", "sources": [], "attributions": []], "providers": [], "attributions": []]
    }
    #expect(outcome.diagnostics == "not known: website, openingHours\n")
  }

  @Test("A provider that could not be switched on is no success")
  func enable() async {
    let outcome = await run(["providers", "enable", "google"]) { _ in
      [
        "provider": [
          "id": "google", "name": "google", "plugin": "google", "version": "", "state": "failed", "reason": "no key", "leavesMachine": true,
          "calls": [], "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
        ]
      ]
    }
    #expect(outcome.output == "google: failed: no key\n")
    #expect(outcome.exit == .failed)
  }

  @Test("All failed: what each provider said")
  func allFailed() async {
    let refusal = ClientError.Refusal(
      code: -32001, message: "No provider answered.",
      data: ["providers": [report("google", "suspended", message: "HTTP 429"), report("photon", "error", message: "connection refused")]])
    let outcome = await run(["suggest", "x"]) { _ throws(ClientError) in throw .refused(refusal) }
    #expect(
      outcome.diagnostics == """
        placesctl: No provider answered.
        google: HTTP 429
        photon: connection refused
        See: placesctl status

        """)
  }

  @Test("Some failed: rows on standard output, the reasons on standard error, silence with -q")
  func someFailed() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      suggestions(
        [row("a")], complete: false,
        providers: [
          report("google", "rate_limited", message: "too many", detail: "rateLimitExceeded", retryAfterMs: 90_000),
          report("photon", "timeout"),
          report("pelias", "skipped"),
        ])
    }
    let outcome = await run(["suggest", "x"], answer: answer)
    #expect(outcome.diagnostics == "google: too many [rateLimitExceeded] (again in 2 min)\nphoton: timeout\n")
    #expect(await run(["suggest", "x", "-q"], answer: answer).diagnostics == "")
  }
}
