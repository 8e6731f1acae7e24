import Foundation
import JSON
import PlacesClient
import PlacesTesting
import Testing

@testable import placesctl

@Suite("Exit codes report the outcome")
struct ExitTests {
  @Test(
    "Answers",
    arguments: [
      (suggestions([row("a")]), ExitCode.results), (suggestions([]), .noResults), (suggestions([row("a")], complete: false), .partial),
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
      (.refused(.init(code: -32004, message: "m")), .noResults), (.refused(.init(code: -32602, message: "m")), .usage),
      (.refused(.init(code: -32005, message: "m")), .failed), (.refused(.init(code: -32008, message: "m")), .failed),
      (.refused(.init(code: -31000, message: "m")), .failed), (.unreadable("x"), .failed),
    ])
  func errors(_ error: ClientError, _ exit: ExitCode) async {
    let outcome = await run(["suggest", "x"]) { _ throws(ClientError) in throw error }
    #expect(outcome.exit == exit)
    #expect(outcome.output == "")
    #expect(outcome.diagnostics.hasPrefix("placesctl: "))
  }

  @Test("If no daemon runs, the error says how to start one")
  func unreachable() async {
    let outcome = await run(["status"]) { _ throws(ClientError) in
      throw .unreachable(sockets: ["/a", "/b"], reason: "No such file or directory")
    }
    #expect(outcome.diagnostics.hasPrefix("placesctl: no daemon answers at /a or /b: No such file or directory\nStart "))
    #expect(
      StartAdvice.advice(sockets: ["/a", "/b"], program: "/usr/bin/placesctl").first?.contains("systemctl start placesd.socket") == true)
    let lost = StartAdvice.advice(sockets: ["/run/user/7/placesd/placesd.sock", "/b"], program: "/usr/bin/placesctl", runtime: nil)
    #expect(
      lost.last
        == "XDG_RUNTIME_DIR is not set here; if your own daemon runs with it set, its socket is not /run/user/7/placesd/placesd.sock.")
    #expect(StartAdvice.advice(sockets: ["/a", "/b"], program: "/x/.build/release/placesctl", runtime: "/run").count == 1)
    #expect(StartAdvice.advice(sockets: ["/a"], program: "/usr/bin/placesctl", runtime: nil).count == 1)
    #expect(StartAdvice.advice(sockets: ["/a"], program: "/usr/bin/placesctl") == ["Start one there with: placesd --socket /a"])
    #expect(
      StartAdvice.advice(sockets: ["/x/.build/run/placesd.sock"], program: "/x/.build/release/placesctl") == [
        "Start one from this source tree with: make run"
      ])
    #expect(
      StartAdvice.advice(sockets: ["/a"], program: "/x/.build/release/placesctl") == [
        "Start one there with: /x/.build/release/placesd --socket /a", "The one that make run starts is at /x/.build/run/placesd.sock.",
      ])
  }

  @Test("A command that asks no daemon says that --socket has no effect")
  func unusedSocket() async {
    #expect(await run(["completion", "bash", "--socket", "/s"]).diagnostics == "--socket has no effect: completion asks no daemon\n")
    #expect(await run(["completion", "bash"]).diagnostics == "")
  }

  @Test("For a socket without permission, the advice lists the users who may open it")
  func forbidden() async throws {
    let folder = try TemporaryFolder()
    let socket = try folder.write("", to: "placesd.sock")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: socket)
    let outcome = await run(["status"]) { _ throws(ClientError) in throw .forbidden(socket: socket, reason: "Permission denied") }
    let (owner, isRoot) = (SocketPermissionAdvice.userName(geteuid()), geteuid() == 0)
    func alone(_ verb: String) -> String { isRoot ? "only \(owner) may \(verb) it" : "only \(owner) and root may \(verb) it" }
    #expect(outcome.exit == .unreachable)
    #expect(
      outcome.diagnostics == """
        placesctl: no permission to open \(socket): Permission denied
        It belongs to \(owner); \(alone("open")).

        """)
    try manager.setAttributes([.posixPermissions: 0o660], ofItemAtPath: socket)
    let group = SocketPermissionAdvice.groupName(getegid())
    let users = "\(owner) and the members of the group \(group)\(isRoot ? "" : " and root")"
    #expect(SocketPermissionAdvice.advice(socket: socket) == ["It belongs to \(owner); only \(users) may open it."])
    let parent = String(socket.dropLast("/placesd.sock".count))
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: parent)
    #expect(
      SocketPermissionAdvice.advice(socket: socket) { $0 != parent } == ["The folder \(parent) belongs to \(owner); \(alone("enter"))."])
    #expect(SocketPermissionAdvice.advice(socket: "/nowhere/s") { _ in true } == [])
  }

  @Test("An empty answer is reported with the providers that the filters excluded")
  func nothing() async {
    let answer: @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in
      suggestions(
        [], complete: false,
        providers: [
          [
            "provider": "a", "outcome": "skipped", "count": 0, "latencyMs": 0, "cause": "country",
            "message": "A cannot filter by `countries`",
          ],
          ["provider": "b", "outcome": "skipped", "count": 0, "latencyMs": 0, "cause": "terms", "message": "B must not"],
          report("c", "timeout"),
        ])
    }
    let outcome = await run(["suggest", "x"], answer: answer)
    #expect(outcome.diagnostics == "c: timeout\na: skipped: A cannot filter by --country\nnothing found by the providers that answered\n")
    #expect(outcome.exit == .partial)
    #expect(await run(["suggest", "x"]) { _ in suggestions([]) }.diagnostics == "nothing found\n")
    let advised = await run(["suggest", "x"]) { _ in
      suggestions(
        [], providers: [report("g", "empty", message: "name the town")])
    }
    #expect(advised.diagnostics == "g: name the town\nnothing found\n")
    let kept = await run(["cache", "list"]) { _ in ["entries": []] }
    #expect(kept.output == "" && kept.diagnostics == "no such answer is stored on disk\n")
  }

  @Test("A provider's reason names the command's options, in an error and beside an answer", arguments: [true, false])
  func options(isError: Bool) async {
    let reports = [
      report("a", "skipped", message: "a search without a text needs `bias`, `restriction` or `origin`"),
      report("b", "skipped", message: "B cannot filter by `includedType`"),
      report("c", "skipped", message: "C does not return the field that `openNow` needs"),
      report("d", "skipped", message: "filtering costs more; `allowPrice` permits it"),
    ].map { report -> JSONValue in
      var object = report.object ?? [:]
      object["cause"] = "area"
      return .object(object)
    }
    let outcome = await run(["search", "--type", "country"]) { _ throws(ClientError) in
      guard isError else { return ["places": [], "providers": .array(reports), "attributions": [], "complete": true] }
      let message = "no enabled provider can serve this request; data.providers gives the reason for each"
      throw .refused(.init(code: -32006, message: message, data: ["providers": .array(reports)]))
    }
    let reasons = [
      "a search without a text needs --near, --within or --origin", "B cannot filter by --type",
      "C does not return the field that --open-now needs", "filtering costs more; --allow-price permits it",
    ]
    for reason in reasons { #expect(outcome.diagnostics.contains(reason + "\n"), "\(outcome.diagnostics)") }
  }

  @Test("Fields requested by name are columns in the table of places, those of a tier are not")
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

  @Test("Fields requested by name that no provider returned are listed")
  func unknownFields() async {
    let outcome = await run(["details", "a:1", "--fields", "id,website,openingHours"]) { _ in
      ["place": ["id": "a:1", "row": "r1", "name": "x", "sources": [], "attributions": []], "providers": [], "attributions": []]
    }
    #expect(outcome.diagnostics == "not known: website, openingHours\n")
  }

  @Test("Enabling a provider that cannot start is a failure")
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

  @Test("The error for a quota that is used up says when to retry, and which command shows the limits")
  func quota() async {
    func said(_ data: JSONValue) async -> String {
      await run(["suggest", "x"]) { _ throws(ClientError) in throw .refused(.init(code: -32007, message: "m", data: data)) }.diagnostics
    }
    #expect(
      await said(["retryAfterMs": 12_000])
        == "placesctl: m\nTry again in 12 s.\nThe quota is requests_per_minute in the daemon's configuration.\n")
    #expect(
      await said(["retryAfterMs": 7_200_000, "providers": [report("google", "over_budget")]])
        == "placesctl: m\nTry again in 2 h 0 min.\nSee: placesctl budget\n")
  }

  @Test("If all providers failed, the error lists each provider's cause")
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
    let broke = ClientError.Refusal(code: -32001, message: "m", data: ["providers": [report("google", "over_budget", message: "used up")]])
    #expect(
      await run(["suggest", "x"]) { _ throws(ClientError) in throw .refused(broke) }.diagnostics
        == "placesctl: m\ngoogle: used up\nSee: placesctl budget\n")
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
    #expect(outcome.diagnostics == "google: too many (again in 2 min)\nphoton: timeout\n")
    #expect(await run(["suggest", "x", "-q"], answer: answer).diagnostics == "")
  }
}
