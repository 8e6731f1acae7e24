import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

/// Providers in other languages: the example that is shipped, and some that break the protocol.
@Suite(.timeLimit(.minutes(2)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct ForeignTests {
  static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("etc/examples/provider.py").path

  private func server(_ answer: HTTPResponse) -> ContextFactory {
    { _ in
      .with { request throws(ProviderError) in
        guard request.path == ["search"], request.query.first == .init("q", "ber"), request.host == nil else {
          throw ProviderError(.http, "not what was agreed")
        }
        return answer
      }
    }
  }

  private func run(_ script: String) -> InstanceDescription {
    InstanceDescription(id: "x", source: .command(["/usr/bin/python3", script]))
  }

  static let body = Array(
    """
    [{"id": "1", "name": "Berlin", "country": "DE", "latitude": 52.5, "longitude": 13.4},
     {"id": "2", "name": "Bern", "country": "CH", "latitude": 46.9, "longitude": 7.4}]
    """.utf8)

  @Test("The example has at most as many lines as its first line states")
  func short() throws {
    #expect(try String(contentsOfFile: Self.example, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
  }

  @Test("The example answers with the rows of its server, and applies its setting")
  func example() async throws {
    try await withHosting { hosting, _ in
      let all = try await hosting.start(run(Self.example), context: server(HTTPResponse(status: 200, body: Self.body)))
      let page = try await all.service.autocomplete(AutocompleteRequest(query: "ber"))
      #expect(page.rows.map(\.text.text) == ["Berlin", "Bern"])
      #expect(page.rows.first?.location == Coordinate(latitude: 52.5, longitude: 13.4))
      #expect(page.exhaustive)
      #expect(all.service.manifest.terms.idsSeconds == nil && all.service.manifest.terms.coordinatesSeconds == 3_600)
      var swiss = run(Self.example)
      swiss.settings = ["country": "CH"]
      let some = try await hosting.start(swiss, context: server(HTTPResponse(status: 200, body: Self.body)))
      #expect(try await some.service.say("ber") == "Bern")
    }
  }

  @Test(
    "The example's server failing is a typed error",
    arguments: [
      (503, "[]", .http), (401, "", .http), (404, "", .http), (422, "", .badRequest), (429, "", .rateLimit),
      (200, "{", .decode), (200, "[{}]", .decode), (200, "[1]", .decode),
    ] as [(Int, String, ProviderError.Cause)])
  func exampleErrors(status: Int, body: String, cause: ProviderError.Cause) async throws {
    try await withHosting { hosting, _ in
      let answer = HTTPResponse(status: status, headers: [.init("retry-after", "7")], body: Array(body.utf8))
      let provider = try await hosting.start(run(Self.example), context: server(answer))
      let error = await #expect(throws: ProviderError.self) { try await provider.service.say("ber") }
      #expect(error?.cause == cause && error?.retryAfterSeconds == (status == 200 ? nil : 7))
      let other = await #expect(throws: ProviderError.self) { try await provider.service.say("other") }
      #expect(other == ProviderError(.http, "not what was agreed"))
      let missing = await #expect(throws: ProviderError.self) {
        try await provider.service.search(SearchRequest(query: "x", fields: [.name]))
      }
      #expect(missing?.cause == .unsupported)
      #expect(provider.status.restarts == 0)
    }
  }

  @Test("The example answers cancelled requests, also those that wait behind another")
  func exampleCancelled() async throws {
    try await withHosting { hosting, _ in
      let (fetches, signal) = AsyncStream.makeStream(of: Void.self)
      let (answers, answer) = AsyncStream.makeStream(of: Void.self)
      let provider = try await hosting.start(run(Self.example)) { _ in
        .with { _ throws(ProviderError) in
          signal.yield()
          for await _ in answers { break }
          return HTTPResponse(status: 200, body: Self.body)
        }
      }
      let service = provider.service
      async let first = service.say("ber")
      for await _ in fetches { break }
      _ = await withTimeLimit(0.02, clock: SystemTime(), task: "second") { try? await service.say("bern") }
      // Longer than a provider may owe an answer to a cancelled call.
      #expect(try await remains(for: 350) { provider.status.restarts == 0 })
      answer.yield()
      #expect(try await first == "Berlin")
      #expect(provider.status.restarts == 0)
    }
  }

  @Test(
    "The error of a program that ends before it received any data includes its output; later output may contain a query and stays in its log"
  )
  func lastErrorLine() async throws {
    try await withHosting { hosting, _ in
      func start(_ script: String) async throws(ProviderStartError) {
        _ = try await hosting.start(
          InstanceDescription(
            id: "x", source: .command(["/usr/bin/python3", "-c", script]), isolation: .process, settings: ["word": "s3cret"]),
          context: server(HTTPResponse(status: 200, body: [])))
      }
      let early = await #expect(throws: ProviderStartError.self) { try await start("import frobnication") }
      #expect(early?.message.contains("ended itself with status 1 (ModuleNotFoundError: No module named 'frobnication')") == true)
      #expect(early?.logLines.last?.hasSuffix("Z ModuleNotFoundError: No module named 'frobnication'") == true)
      let late = await #expect(throws: ProviderStartError.self) {
        try await start(
          """
          import sys, json
          manifest = {"plugin": "p", "name": "P", "version": "1", "summary": "s", "autocomplete": {}, "terms": {"source": "test"},
            "settings": [{"name": "word", "kind": "string", "summary": "s"}]}
          id = json.loads(sys.stdin.readline())["id"]
          print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"protocol": {"major": 1, "minor": 0}, "manifest": manifest}}), flush=True)
          sys.exit(sys.stdin.readline())
          """)
      }
      #expect(late?.message.contains("ended itself with status 1 while it started") == true, "\(late?.message ?? "")")
      #expect(late?.message.contains("s3cret") == false)
      #expect(late?.logLines.count == 1 && late?.logLines.first?.contains("s3cret") == true, "\(late?.logLines ?? [])")
    }
  }

  static let greeting = """
    import sys, json, os, socket, subprocess, threading
    def say(text): sys.stdout.write(text + "\\n"); sys.stdout.flush()
    def result(id, value): say(json.dumps({"jsonrpc": "2.0", "id": id, "result": value}))
    manifest = {"plugin": "p", "name": "P", "version": "1", "summary": "s", "autocomplete": {}, "terms": {"source": "test"}}
    def row(text): return {"rows": [{"kind": "query", "text": {"text": text}}]}
    result(json.loads(sys.stdin.readline())["id"], {"protocol": {"major": 1, "minor": 0}, "manifest": manifest})
    result(json.loads(sys.stdin.readline())["id"], {})
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request: continue
        id, query = request["id"], request["params"].get("query")
        if query == "you": result(id, row("hello you")); continue

    """

  @Test(
    "Who breaks the protocol loses that answer and is started again",
    arguments: [
      ("say('hello')", "not JSON"), ("say('{}')", "without \"jsonrpc\""), ("say('[1]')", "without \"jsonrpc\""),
      (
        "say(json.dumps({'jsonrpc': '2.0', 'id': {'k%06d' % i: 0 for i in range(99000)}, 'method': 'storage.get', 'params': {'key': 'k'}}))",
        "neither a whole number nor a string"
      ),
      ("say(json.dumps({'jsonrpc': '2.0', 'id': 1}))", "neither request, notification nor reply"), ("say('x' * 5000000)", "longer than"),
      ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "not JSON"), ("say('[' * 100000)", "not JSON"),
      (
        "for i in range(100000): say('{\"jsonrpc\": \"2.0\", \"method\": \"log\", \"params\": {\"message\": \"x\"}}')",
        "unsolicited messages"
      ),
      ("for i in range(100000): result(99, 1)", "unsolicited messages"), ("os.close(1); threading.Event().wait()", "closed its output"),
      ("os._exit(7)", "ended itself with status 7"), ("os.abort()", "signal 11"),
      ("subprocess.run(['/bin/true'])", "ended itself with status 1"), ("x = bytearray(1 << 30)", "ended itself with status 1"),
    ])
  func violations(code: String, reason: String) async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(Self.greeting + "    " + code + "\n", to: "provider.py")
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(run(script)) { _ in .silent }
      #expect(try await provider.service.say("you") == "hello you")
      let error = await #expect(throws: ProviderError.self) { try await provider.service.say("break it") }
      #expect(error?.cause == .plugin)
      try await waitUntil { provider.status.restarts != 0 }
      #expect(provider.status.lastEnd?.contains(reason) == true, "\(provider.status.lastEnd ?? "none")")
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  @Test(
    "A wrong answer is that answer's error, and the process lives on",
    arguments: [
      "result(id, {'rows': 1})", "result(id, None)", "result(id, row(7))", "say(json.dumps({'jsonrpc': '2.0', 'id': id, 'error': {}}))",
    ])
  func wrongAnswers(code: String) async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(Self.greeting + "    " + code + "\n", to: "provider.py")
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(run(script)) { _ in .silent }
      let error = await #expect(throws: ProviderError.self) { try await provider.service.say("wrong") }
      #expect(error?.cause == .plugin)
      #expect(try await provider.service.say("you") == "hello you")
      #expect(provider.status.restarts == 0)
    }
  }

  @Test(
    "What a foreign provider must not do fails in its cage",
    arguments: [
      "socket.socket()", "socket.create_connection(('127.0.0.1', 1))", "open('/etc/passwd')", "open('/tmp/x', 'w')", "os.fork()",
      "os.kill(os.getppid(), 9)", "os.execv('/bin/true', ['true'])", "os.listdir('/home')", "os.setuid(0) or os.chroot('/')",
    ])
  func cage(code: String) async throws {
    let folder = try TemporaryFolder()
    let attempt = """
          try:
              \(code)
              result(id, row("done"))
          except OSError as error: result(id, row("refused" if error.errno in (1, 13) else str(error)))
      """
    let script = try folder.write(Self.greeting + attempt + "\n", to: "provider.py")
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(run(script)) { _ in .silent }
      #expect(try await provider.service.say("try") == "refused")
    }
  }

  @Test(
    "A provider's script cannot read a key file in its directory, nor the directory",
    arguments: ["open(key).read()", "os.listdir(os.path.dirname(key))"])
  func keyBeside(code: String) async throws {
    let folder = try TemporaryFolder()
    let key = try folder.write("secret", to: "key")
    let attempt = """
          key = "\(key)"
          try: result(id, row("read " + str(\(code))))
          except PermissionError: result(id, row("refused"))
      """
    let script = try folder.write(Self.greeting + attempt + "\n", to: "provider.py")
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(run(script)) { _ in .silent }
      #expect(try await provider.service.say("try") == "refused")
      var open = run(script)
      open.readablePaths = [folder.path]
      let other = try await hosting.start(open) { _ in .silent }
      #expect(try await other.service.say("try")?.hasPrefix("read ") == true, "what it may read, it can")
    }
  }

  @Test("Without Landlock a command runs only if the configuration allows it, and the log states the consequence once")
  func unconfined() async throws {
    try await withHosting(hasLandlock: false) { hosting, lines in
      let refused = await #expect(throws: ProviderStartError.self) { try await hosting.start(run(Self.example)) { _ in .silent } }
      #expect(refused?.message.contains("no Landlock") == true && refused?.message.contains("allow_unconfined = true") == true)
      #expect(lines.all.isEmpty)
      var allowed = run(Self.example)
      allowed.allowUnconfined = true
      for id in ["a", "b"] {
        allowed.id = id
        let provider = try await hosting.start(allowed) { _ in .silent }
        #expect(provider.status.state == .running)
      }
      #expect(
        lines.all == ["a error: this kernel has no Landlock: the processes of providers may read every file that the daemon may read"])
    }
  }

  @Test("Rows beyond the declared number and long texts are cut on receipt")
  func cut() async throws {
    let folder = try TemporaryFolder()
    let flood = """
          text = {"text": "é" * 1200, "matches": [{"start": 0, "end": 4}, {"start": 990, "end": 1001}]}
          rows = [{"kind": "query", "text": text, "evidence": {"otherNames": ["x"] * 110}}] * 20
          result(id, {"rows": rows, "exhaustive": True})
      """
    let script = try folder.write(
      Self.greeting.replacing(#""autocomplete": {}"#, with: #""autocomplete": {"maximumRows": 7}"#) + flood + "\n", to: "provider.py")
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(run(script)) { _ in .silent }
      let page = try await provider.service.autocomplete(AutocompleteRequest(query: "flood"))
      #expect(page.rows.count == 7 && !page.exhaustive)
      let row = try #require(page.rows.last)
      #expect(row.text == FormattedText(String(repeating: "é", count: 1_000), matches: [TextRange(start: 0, end: 4)]))
      #expect(row.evidence.otherNames == Array(repeating: "x", count: 100))
    }
  }

  @Test(
    "Who does not shake hands properly is refused with the reason",
    arguments: [
      (#"{"protocol": {"major": 2, "minor": 0}}"#, "speaks version 2 of the provider protocol, this daemon 1"),
      (#"{}"#, "did not report its version"), (#"{"protocol": {"major": 1, "minor": 0}}"#, "did not return its manifest"),
      (#"{"protocol": {"major": 1, "minor": 0}, "manifest": {"plugin": 1}}"#, "returned an invalid manifest: plugin must be a string"),
      (
        #"{"protocol": {"major": 1, "minor": 0}, "manifest": {"name": "\#(String(repeating: "x", count: 65_536))"}}"#,
        "returned a manifest of more than 64 KiB"
      ),
    ])
  func handshake(answer: String, reason: String) async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      """
      import sys, json
      id = json.loads(sys.stdin.readline())["id"]
      print(json.dumps({"jsonrpc": "2.0", "id": id, "result": json.loads('\(answer)')}), flush=True)
      sys.stdin.read()
      """, to: "provider.py")
    try await withHosting { hosting, _ in
      let error = await #expect(throws: ProviderStartError.self) { try await hosting.start(run(script)) { _ in .silent } }
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }

  @Test("A process without a handshake is killed after the limit, and its standard error can be read")
  func silent() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("import sys\nprint('cannot find my map', file=sys.stderr)\nsys.stdin.read()\n", to: "provider.py")
    var policy = LifeCycle.Policy()
    policy.firstStartLimit = 0.3
    try await withHosting(policy: policy) { hosting, lines in
      let error = await #expect(throws: ProviderStartError.self) { try await hosting.start(run(script)) { _ in .silent } }
      #expect(error?.message == "provider x did not start within 0.3 s and was killed")
      #expect(lines.all.contains("x warning: cannot find my map"))
    }
  }

  @Test(
    "A restarted provider with a changed manifest keeps its old permissions until the configuration is reloaded",
    arguments: [
      (#""version": "1""#, #""version": "2", "hosts": ["elsewhere.example"]"#),
      (
        "result(json.loads(sys.stdin.readline())[\"id\"], {})",
        "result(json.loads(sys.stdin.readline())[\"id\"], {\"manifest\": manifest | {\"version\": \"2\"}})"
      ),
    ])
  func upgraded(old: String, new: String) async throws {
    let folder = try TemporaryFolder()
    let first = Self.greeting + "    os._exit(7)\n"
    #expect(first.contains(old))
    let script = try folder.write(first, to: "provider.py")
    try await withHosting { hosting, _ in
      let worlds = Lines()
      let provider = try await hosting.start(run(script)) { manifest in
        worlds.add(manifest.version + " " + manifest.hosts.joined())
        return .silent
      }
      #expect(try await provider.service.say("you") == "hello you")
      try folder.write(first.replacing(old, with: new), to: "provider.py")
      await #expect(throws: ProviderError.self) { try await provider.service.say("end") }
      try await waitUntil { provider.status.restarts >= 2 }
      #expect(
        provider.status.lastEnd
          == "was refused: provider x returned a manifest that differs from the previous one; reload the configuration",
        "\(provider.status.lastEnd ?? "none")")
      #expect(Set(worlds.all) == ["1 "])
      // The old one is welcome again.
      try folder.write(first, to: "provider.py")
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  @Test("A command that exits at the end of its input is not killed, also if it ignores shutdown")
  func endsWithItsInput() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(Self.greeting + "    pass\nprint('goodbye', file=sys.stderr)\n", to: "provider.py")
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(run(script)) { _ in .silent }
      await provider.stop()
      #expect(provider.logLines.map { $0.drop { $0 != " " }.dropFirst() } == ["goodbye"])
    }
  }
}
