import Foundation
import JSON
import PlacesTesting
import Testing

extension ProgramRun {
  /// `placesctl` with the daemon of the test's home.
  fileprivate init(_ words: [String], in home: Home) async throws {
    try await self.init("placesctl", words, environment: ["PLACES_SOCKET": home.socket, "PLACES_CONFIG": home.configuration])
  }
}

@Suite("placesctl beside a daemon")
struct CommandTests {
  private static let photon = """
    [providers.photon]
    plugin = "photon"
    base_url = "http://127.0.0.1:9"
    allow_private_addresses = true
    """

  @Test(
    "config check finds what a daemon would refuse, with file and line",
    arguments: [
      ("[providers.x]\nplugin = \"nosuch\"\nenabled = true", "[providers.x] cannot be started: "),
      ("[providers.x]\ncommand = [\"/nope\"]\nenabled = true", "[providers.x] cannot be started: "),
      ("[providers.google]\nplugin = \"google\"\nenabled = true", "[providers.google] needs a key"),
      ("[providers.photon]\nplugin = \"photon\"\nenabled = true\nfrob = 1", "unknown key `providers.photon.frob`"),
      ("[providers.pelias]\nplugin = \"pelias\"\nenabled = true", "[providers.pelias] needs `base_url`"),
      (photon + "\nenabled = true\nprices = { nosuch = { per_thousand = 1 } }", "unknown price class `providers.photon.prices.nosuch`"),
    ])
  func check(_ provider: String, _ problem: String) async throws {
    let home = try Home(providers: provider)
    let ran = try await ProgramRun(["config", "check"], in: home)
    #expect(ran.exit == 6)
    #expect(ran.diagnostics.contains("placesd.toml:") && ran.diagnostics.contains(problem), "\(ran)")
    #expect(try await DaemonProcess(home, arguments: ["--check", "--config", home.configuration]).exitCode() == 6)
  }

  @Test("A money budget without any priced call is reported by config check and in the log, also after a reload")
  func idleBudget() async throws {
    let home = try Home(providers: CommandTests.photon + "\nenabled = true")
    try await withDaemon(home) { daemon in
      try await daemon.connect().ready("photon")
      try home.configure(providers: CommandTests.photon + "\nenabled = true\nbudget.money_per_day = 1")
      let checked = try await ProgramRun(["config", "check"], in: home)
      #expect(checked.exit == 0 && checked.diagnostics.contains("a budget of money, which limits nothing"), "\(checked)")
      #expect(try await ProgramRun(["config", "reload"], in: home).exit == 0)
      #expect(home.log.contains("a budget of money, which limits nothing"))
    }
  }

  @Test("A point can be written in each notation wherever one is expected")
  func notations() async throws {
    try await withDaemon(Home()) { daemon in
      _ = try await daemon.connect()
      for point in [
        "48.137,11.575", "48.137 11.575", "geo:48.137,11.575", "48°08′13″N 11°34′30″E", "8FWH4HPG+RX", "4HPG+RX Munich", "Munich", "慕尼黑",
        "https://www.openstreetmap.org/#map=15/48.137/11.575", "https://www.google.com/maps/@48.137,11.575,15z",
      ] {
        for words in [
          ["reverse", point], ["suggest", "--within", "\(point),2000", "m"], ["search", "--within", "\(point),2000", "munich"],
          ["suggest", "--near", point, "m"], ["suggest", "--origin", point, "munich"],
        ] {
          let ran = try await ProgramRun(words + ["--jsonl"], in: daemon.home)
          let first = try? JSONValue(parsing: String(ran.output.prefix { $0 != "\n" }))
          #expect(ran.exit == 0 && first?["id"] == "gazetteer:2867714", "\(words): \(ran)")
          guard words.contains("--near") || words.contains("--origin") else { continue }
          #expect(first?["distance"]?.double.map { $0 < 1_000 } == true, "\(words): \(ran)")
        }
      }
    }
  }

  @Test("status waits for providers that start, and shows no wrong currency meanwhile")
  func slowStart() async throws {
    let script = """
      import json, sys
      open(sys.argv[1]).read()
      manifest = {"plugin": "own", "name": "Own", "version": "1", "summary": "Nothing.", "autocomplete": {},
                  "terms": {"source": "ours", "isolation": "system"}, "hosts": ["places.example"],
                  "prices": {"currency": "EUR", "classes": [{"name": "call", "micros": 15600}], "calls": {"autocomplete": "call"}}}
      for line in sys.stdin:
          message = json.loads(line)
          result = {"protocol": {"major": 1, "minor": 0}, "manifest": manifest} if message["method"] == "initialize" else {}
          if "id" in message: print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
      """
    let home = try Home()
    try home.folder.write(script, to: "own.py")
    let gate = home.folder.file("gate")
    try #require(mkfifo(gate, 0o600) == 0)
    let command = "command = [\"/usr/bin/python3\", \"\(home.folder.file("own.py"))\", \"\(gate)\"]"
    try home.configure(providers: "[providers.own]\n\(command)\nenabled = true\nbudget = { money_per_day = 1, user_share = 1 }")
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      #expect(try await ProgramRun(["status"], in: home).exit == 3)
      let early = try await ProgramRun(["budget", "-p", "own", "--json"], in: home)
      #expect(early.output.contains(/"currency": ?"XXX"/), "\(early)")
      let shown = try await ProgramRun(["budget", "-p", "own"], in: home)
      #expect(shown.output.contains(" 1.00 ") && shown.diagnostics.hasPrefix("own: the currency is known once it runs"), "\(shown)")
      #expect(try await ProgramRun(["status", "--wait", "20ms"], in: home).exit == 3)
      async let waiting = ProgramRun(["status", "--wait", "60"], in: home)
      // The provider waits for a writer of the pipe, and reads its end.
      close(
        try await eventually("the provider's wait") {
          let writer = open(gate, O_WRONLY | O_NONBLOCK)
          return writer < 0 ? nil : writer
        })
      let waited = try await waiting
      #expect(waited.exit == 0, "\(waited)")
      #expect(try await ProgramRun(["budget", "-p", "own"], in: home).output.contains("1.00 EUR"))
    }
  }

  @Test("config check reports everything at once: unreadable values, every provider, and disabled providers")
  func checkTellsAll() async throws {
    let home = try Home(
      providers: """
        [providers.a]
        plugin = "nosuch"
        enabled = true
        weight = 99
        [providers.b]
        plugin = "photon"
        frob = 1
        [providers.c]
        plugin = "google"
        [providers.d]
        command = ["/nope"]
        [providers.e]
        plugin = "pelias"
        enabled = true
        base_url = "nonsense"
        [providers.f]
        plugin = "nosuch"
        """)
    let ran = try await ProgramRun(["config", "check"], in: home)
    #expect(ran.exit == 6)
    let expected = [
      "[providers.a] cannot be started: ", "`providers.a.weight` must be ", "unknown key `providers.b.frob`",
      "`providers.e.base_url` must be ", "[providers.f] cannot be started: ", "5 problems\n",
    ]
    for expected in expected { #expect(ran.diagnostics.contains(expected), "\(ran)") }
  }

  @Test("A disabled provider's plugin shows its manifest, and config check includes a provider that a command enabled")
  func switched() async throws {
    let home = try Home(providers: CommandTests.photon)
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      let shown = try await ProgramRun(["providers", "show", "photon"], in: home)
      #expect(shown.output.contains("disabled") && shown.output.contains("terms") && shown.output.contains("OpenStreetMap"), "\(shown)")
      #expect(shown.output.contains("asks          http://127.0.0.1:9\n") && !shown.output.contains("photon.komoot.io\n"), "\(shown)")
      #expect(try await ProgramRun(["config", "check"], in: home).output.contains("\nEnabled providers: gazetteer.\n"))
      #expect(try await ProgramRun(["providers", "enable", "photon"], in: home).exit == 0)
      #expect(
        try await ProgramRun(["config", "check"], in: home).output.contains("\nEnabled providers: gazetteer, photon (by command).\n"))
      let value = try await ProgramRun(["config", "show", "--origin"], in: home).output.split(separator: "\n").first {
        $0.hasPrefix("providers.photon.enabled")
      }
      #expect(
        value?.hasPrefix("providers.photon.enabled = true ") == true && value?.hasSuffix("/state/switches.json") == true, "\(value ?? "")")
      let running = try await ProgramRun(["providers", "show", "photon"], in: home)
      #expect(running.output.contains("asks          http://127.0.0.1:9\n"), "\(running)")
      let unknown = try await ProgramRun(["providers", "show", "google"], in: home)
      #expect(unknown.exit == 4)
      #expect(unknown.diagnostics.contains("providers.d/google.toml"), "\(unknown)")
    }
  }

  @Test("A check of the whole index finds damage that its header does not show")
  func wholeIndex() async throws {
    let home = try Home()
    let check = ["gazetteer", "info", "--index", home.index, "--check"]
    let sound = try await ProgramRun(check, in: home)
    #expect(sound.exit == 0 && sound.output.hasSuffix("The whole file was read: it is intact.\n"), "\(sound)")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: home.index))
    bytes[bytes.count - 100] ^= 1
    try bytes.write(to: URL(fileURLWithPath: home.index))
    let unseen = try await ProgramRun(check.dropLast(), in: home)
    #expect(unseen.exit == 0, "\(unseen)")
    let damaged = try await ProgramRun(check, in: home)
    #expect(damaged.exit == 4 && damaged.diagnostics.contains(" is damaged, in 1 fault: "), "\(damaged)")
    let advice = "\nReplace it with: placesctl gazetteer build --index \(home.index)\nThen import again: geonames\n"
    #expect(damaged.diagnostics.hasSuffix(advice), "\(damaged)")
    let told = try JSONValue(parsing: try await ProgramRun(check + ["--json"], in: home).output)
    #expect(told["damage"]?.array?.count == 1, "\(told.text)")
    let page = try #require(bytes.range(of: Data("Suva".utf8))).lowerBound / 8192 * 8192
    bytes.replaceSubrange(page..<page + 8192, with: Data(repeating: 0xFF, count: 8192))
    try bytes.write(to: URL(fileURLWithPath: home.index))
    let worse = try await ProgramRun(check, in: home)
    #expect(worse.diagnostics.contains(" faults, such as: ") && !worse.diagnostics.contains("***"), "\(worse)")
  }

  @Test("If the file of disabled providers is damaged, remote providers stay disabled until a command enables them, and status says so")
  func lostSwitches() async throws {
    let home = try Home()
    let state = home.index.replacing("/gazetteer.db", with: "")
    let photon = "[providers.photon]\nplugin = \"photon\"\nenabled = true\nbase_url = \"http://127.0.0.1:9\"\n"
    try home.configure(providers: photon + "allow_private_addresses = true")
    try #"{"version":1,"enabled":{"photon":fa"#.write(toFile: state + "/switches.json", atomically: true, encoding: .utf8)
    for _ in 0..<2 {
      try await withDaemon(home) { daemon in
        _ = try await daemon.connect()
        let status = try await ProgramRun(["status", "--wait", "60"], in: home)
        #expect(status.exit == 3 && status.output.contains("photon") && status.output.contains("failed"), "\(status)")
        #expect(status.output.contains("placesctl providers enable photon"), "\(status)")
        #expect(try await ProgramRun(["suggest", "suva"], in: home).output.contains("Suva"))
      }
    }
    let checked = try await ProgramRun(["config", "check"], in: home)
    #expect(checked.output.contains("\nEnabled providers: gazetteer.\n"), "\(checked)")
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      let disabled = try await ProgramRun(["providers", "disable", "photon"], in: home)
      #expect(disabled.output == "photon: disabled: a command disabled it\n")
      let status = try await ProgramRun(["status"], in: home)
      #expect(status.exit == 0, "\(status)")
    }
  }

  @Test("Enabling a provider that cannot start fails immediately, with the reason, its state and advice; before, it has no row in budget")
  func enableInVain() async throws {
    let home = try Home(providers: "[providers.google]\nplugin = \"google\"")
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      let budget = try await ProgramRun(["budget"], in: home)
      #expect(!budget.output.contains("google"), "\(budget)")
      let named = try await ProgramRun(["budget", "--provider", "google"], in: home)
      #expect(named.output.contains("google"), "\(named)")
      let ran = try await ProgramRun(["providers", "enable", "google"], in: home)
      #expect(ran.exit == 4 && ran.output.hasPrefix("google: failed: ") && ran.output.contains("needs a key"), "\(ran)")
      #expect(
        ran.diagnostics == """
          After you fix this, start it again with: placesctl config reload
          Until then it is enabled but does not run; to undo this command: placesctl providers reset google

          """, "\(ran)")
    }
  }

  @Test("A lost ledger is reported once, with the providers that need it and the command that allows paid calls again")
  func lostLedger() async throws {
    let home = try Home(providers: CommandTests.photon + "\nenabled = true\nbudget.calls_per_day = 5")
    try FileManager.default.createDirectory(atPath: home.folder.file("state"), withIntermediateDirectories: true)
    // The mark of a ledger that is gone.
    try home.folder.write("7\n", to: "state/ledger.db.mark")
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      try await daemon.logged("paid calls are off")
      let told = try await ProgramRun(["budget"], in: home)
      #expect(told.diagnostics.components(separatedBy: "paid calls are off").count == 2, "\(told)")
      #expect(told.diagnostics.contains("`placesctl budget confirm ID`"), "\(told)")
      let free = try await ProgramRun(["budget", "--provider", "gazetteer"], in: home)
      #expect(free.diagnostics.isEmpty, "\(free)")
      let uncounted = try await ProgramRun(["budget", "confirm", "gazetteer"], in: home)
      #expect(uncounted.exit != 0 && uncounted.diagnostics.contains("is free and has no limit"), "\(uncounted)")
      #expect(try await ProgramRun(["budget", "confirm", "photon"], in: home).exit == 0)
      #expect(try await ProgramRun(["budget"], in: home).diagnostics.isEmpty)
    }
  }

  @Test("status and the log report a gazetteer without an index, and its recovery when an index is built")
  func withoutIndex() async throws {
    let home = try Home()
    let aside = home.index + ".aside"
    try #require(rename(home.index, aside) == 0)
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      try await daemon.logged("provider gazetteer cannot answer: ")
      let bare = try await ProgramRun(["status"], in: home)
      #expect(bare.exit == 3 && bare.output.contains("failed"), "\(bare)")
      #expect((bare.output + bare.diagnostics).contains("gazetteer build"), "\(bare)")
      try #require(rename(aside, home.index) == 0)
      #expect(try await ProgramRun(["status"], in: home).exit == 0)
    }
  }

  @Test("status and the log report a gazetteer with a damaged index, until it is replaced")
  func damagedIndex() async throws {
    let home = try Home()
    let sound = try Data(contentsOf: URL(fileURLWithPath: home.index))
    // The first displayed names are in the table of places, which is read for requests with a language.
    let page = try #require(sound.range(of: Data("Suva".utf8))).lowerBound / 8192 * 8192
    try #require(page > 0)
    var damaged = sound
    damaged.replaceSubrange(page..<page + 8192, with: Data(repeating: 0xFF, count: 8192))
    try damaged.write(to: URL(fileURLWithPath: home.index))
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      #expect(try await ProgramRun(["status"], in: home).exit == 0)
      #expect(try await client.suggest("suva", ["language": "en"]).report("gazetteer")?["cause"] == "data")
      try await daemon.logged("cannot be used (database disk image is malformed)")
      let bare = try await ProgramRun(["status"], in: home)
      #expect(bare.exit == 3 && bare.output.contains("failed"), "\(bare)")
      #expect((bare.output + bare.diagnostics).contains("gazetteer build"), "\(bare)")
      try sound.write(to: URL(fileURLWithPath: home.index), options: .atomic)
      #expect(try await ProgramRun(["status"], in: home).exit == 0)
    }
  }

  @Test("The time of an index has the same format as all times in JSON output")
  func indexTimes() async throws {
    let told = try await ProgramRun(["gazetteer", "info", "--json"], in: Home())
    #expect(told.output.contains(/"built": ?"20[0-9-]{8}T[0-9:]{8}Z"/) && told.output.contains(/"imported": ?"20[0-9-]{8}T/), "\(told)")
  }

  @Test("Output that cannot be written is reported as lost")
  func full() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "'\(try DaemonProcess.programs)/placesctl' --version > /dev/full"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 4)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.hasPrefix("placesctl: the output could not be written: "), "\(text)")
  }

  /// The limit on the file's size is 512 bytes (or 1,024, depending on the shell), which is less than the file needs.
  @Test("A new description that cannot be written whole is not left behind")
  func incompleteDescription() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 1; exec '\(try DaemonProcess.programs)/placesctl' plugin new '\(folder.file("example"))'",
    ]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 4)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("example.toml: File too large"), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("example.toml")))
  }

  @Test("At debug a request is logged with its outcome and the time, and never with its text")
  func debug() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      _ = try await client.suggest("berl")
      _ = try await client.call("places.nonsense")
      try await daemon.logged("<7>places.autocomplete: ")
      try await daemon.logged("<7>an unknown method: method_not_found in ")
      let lines = home.log.split(separator: "\n")
      #expect(lines.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z <\d>.*/) != nil }, "\(home.log)")
      #expect(!home.log.contains("berl") && !home.log.contains("nonsense"))
    }
  }
}
