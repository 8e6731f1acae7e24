import JSON
import PlacesClient
import Testing

@testable import placesctl

@Suite("Administration commands print text and JSON")
struct AdministrationOutputTests {
  @Test("A free provider without a limit has no zeros in its row")
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

  @Test("Cached answers fit a terminal, each with its query; in a pipe each is one line")
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

  @Test("Entries of a provider that is no longer configured are marked, with the command that deletes them")
  func left() async {
    let outcome = await run(["cache", "stats", "--user", "7"]) { _ in
      let share: JSONObject = ["answers": 1, "places": 2, "choices": 0, "bytes": 10, "hits": 0, "misses": 0]
      var (known, left) = (share, share)
      known["provider"] = "a"
      left["provider"] = "old"
      left["configured"] = false
      return ["providers": [.object(known), .object(left)]]
    }
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[2].hasPrefix("old ") && lines[2].hasSuffix("no longer configured"), "\(outcome.output)")
    #expect(lines[1].hasPrefix("a ") && !lines[1].contains("configured"), "\(outcome.output)")
    #expect(
      outcome.diagnostics.hasSuffix(" no longer configured: placesctl cache purge --provider old --user 7\n"), "\(outcome.diagnostics)")
  }

  @Test("Amounts in one line have the same number of decimals: two, or as many as one of them needs")
  func money() async {
    @Sendable func window(_ micros: JSONValue) -> JSONValue {
      [
        "spent": ["calls": 1, "micros": micros], "reserved": ["calls": 0, "micros": 0], "microsLimit": 5_000_000,
        "endsAt": "2026-12-01T00:00:00Z",
      ]
    }
    let none: JSONValue = ["calls": 0, "micros": 0]
    let outcome = await run(["budget"]) { _ in
      let account: JSONValue = [
        "provider": "a", "currency": "USD", "day": window(2_830), "month": window(1_250_000), "savedByCache": none, "savedBySessions": none,
        "savedByCoalescing": none,
      ]
      return ["providers": [account]]
    }
    for amount in ["0.00283 USD", "1.25000 USD", "5.00000 USD"] { #expect(outcome.output.contains(" \(amount) "), "\(outcome.output)") }
  }

  @Test("A budget of which the user may use a share says so")
  func shareOfBudget() async {
    let none: JSONValue = ["calls": 0, "micros": 0]
    let window: JSONValue = ["spent": none, "reserved": none, "callLimit": 125, "endsAt": "2026-12-01T00:00:00Z"]
    let account: JSONValue = [
      "provider": "a", "currency": "USD", "userShare": 0.25, "day": window, "month": window, "savedByCache": none, "savedBySessions": none,
      "savedByCoalescing": none,
    ]
    let outcome = await run(["budget"]) { _ in ["providers": [account]] }
    #expect(
      outcome.output.hasSuffix("a: a user may use 25 % of each limit; administrators see the whole limits with --all\n"), "\(outcome)")
  }

  @Test("An accepted configuration lists its providers that could not start")
  func inForceWithout() async {
    let outcome = await run(["config", "reload"]) { _ in
      ["reloaded": true, "errors": [], "atNextStart": [], "failed": ["c.toml:1:1: [providers.x] cannot be started: it died"]]
    }
    #expect(outcome.exit == .results && outcome.output == "The new configuration is in force.\n")
    #expect(outcome.diagnostics == "c.toml:1:1: [providers.x] cannot be started: it died\n")
  }

  @Test("After a rejected configuration, the daemon reports that the old one remains in force")
  func refused() async {
    let outcome = await run(["config", "reload"]) { _ in
      ["reloaded": false, "errors": ["c.toml:1:1: unknown key `x`"], "atNextStart": []]
    }
    #expect(outcome.exit == .configuration && outcome.output.isEmpty)
    #expect(outcome.diagnostics == "c.toml:1:1: unknown key `x`\nThe configuration in force was not changed.\n")
  }

  @Test("The budget of an unknown provider is an error and not an empty table")
  func noSuchAccount() async {
    let outcome = await run(["budget", "-p", "gogle"]) { _ in ["providers": []] }
    #expect(outcome.exit == .failed)
    #expect(outcome.diagnostics == "placesctl: no provider named gogle is configured; see placesctl providers list\n")
  }

  @Test("The reason of a failed provider is shown once on a terminal, in full, and in the table otherwise")
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
    let note = "a: it failed too often, until 2026-01-01T00:00:00Z; to call it again now: placesctl providers resume a\n"
    let terminal = await run(["status"], width: 80, isInteractive: true, answer: answer)
    #expect(!terminal.output.contains("too often") && terminal.diagnostics == note)
    let piped = await run(["status"], answer: answer)
    #expect(!piped.diagnostics.contains("too often") && piped.diagnostics.contains("placesctl providers resume a"))
    for words in [["status"], ["status", "--quiet"], ["providers", "list"]] {
      #expect(await run(words, answer: answer).output.contains("it failed too often, until 2026-01-01T00:00:00Z\n"))
    }
  }

  @Test("Counters are shown by name and labels")
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

  @Test("A budget is shown by day and month, with saved and unsettled amounts; of spending in doubt, the least that was spent")
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
        PROVIDER  WINDOW        CALLS          MONEY               RESERVED        LIMIT  ENDS
        google    today       ≥ 1,200  ≥ 3.39600 USD  10 calls, 0.02830 USD  5,000 calls  2026-12-01T00:00:00Z
        google    this month  ≥ 1,200  ≥ 3.39600 USD  10 calls, 0.02830 USD  5,000 calls  2026-12-01T00:00:00Z
        google: saved 7 calls (0.01981 USD) by cache

        """)
    #expect(outcome.diagnostics == "paid calls are off: the ledger was lost\n")
  }
}
