import Glibc
import PlacesKit

@c(places_plugin_version) public func version() -> Int32 { contractVersion() }
@c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(Misbehaving.self).retained() }

/// A provider for tests of its host: it does what the query names; any other query is returned as the answer.
struct Misbehaving: Provider {
  static let manifest = Manifest(
    plugin: "misbehaving", name: "Misbehaving", version: "1", summary: "Dies, hangs and floods on demand.",
    autocomplete: Capability(parameters: [.language: .native]),
    details: Capability(parameters: [:], fields: [.name]), hosts: ["places.example"],
    settings: [
      Setting("greeting", .string, "what each answer begins with", defaultValue: "hello", choices: ["hello", "bonjour"]),
      Setting("refuse", .boolean, "whether to refuse to start", defaultValue: false),
    ], terms: .nothing, attributions: [])

  let context: ProviderContext

  init(context: ProviderContext) async throws(ProviderError) {
    if context.settings["refuse"]?.boolean == true { throw ProviderError(.data, "told to refuse") }
    self.context = context
  }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let words = request.query.split(separator: " ").map(String.init)
    switch words.first {
    case "trap": precondition(words.isEmpty, "told to trap")
    case "exit": exit(3)
    case "abort": abort()
    case "hang": while true { pause() }
    case "spin": while true { _ = words.count }
    case "ignore": await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    case "wait":
      await waitForCancellation()
      throw ProviderError(.cancelled, "cancelled")
    case "hoard": return row("held \(hoard())")
    case "print": print(String(repeating: "x", count: 100_000))
    case "complain": for _ in 0..<20_000 { write(2, "complaint of a plugin\n", 22) }
    case "shout":
      var thread = pthread_t()
      let lines = String(repeating: "louder\n", count: 8_000)
      let shout: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { text in
        guard let text = text?.assumingMemoryBound(to: CChar.self) else { return nil }
        while true { write(2, text, strlen(text)) }
      }
      pthread_create(&thread, nil, shout, strdup(lines))
    case "large": return row(String(repeating: "x", count: 8 << 20))
    case "fail": throw ProviderError(.quota, "told to fail", retryAfterSeconds: 7, detail: "WORD")
    case "get":
      let answer = try await context.http(
        HTTPRequest(host: words.count > 1 ? words[1] : nil, path: ["v1", "find"], query: [.init("q", "ü")]))
      return row("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    case "keep": try await context.storage.set(Array(words.dropFirst().joined(separator: " ").utf8), for: "kept")
    case "kept": return row(String(decoding: try await context.storage.value(for: "kept") ?? [], as: UTF8.self))
    case "flood": for _ in 0..<1_000_000 { context.log(.notice, "a line of very many") }
    case "burn", "defy":
      if words[0] == "defy" { signal(SIGXCPU, SIG_IGN) }
      // Continues after the answer, when no call is in progress.
      var thread = pthread_t()
      pthread_create(&thread, nil, { _ in while true { _ = getppid() } }, nil)
    case "crowd":
      for _ in 0..<1_000 {
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 65_536)
        guard pthread_create(&thread, &attributes, { _ in while true { pause() } }, nil) == 0 else { break }
      }
      if words.count == 1 { await waitForCancellation() }
    case "log": context.log(.notice, "a line of the log")
    case "attempt": return row(attempt(words.count > 1 ? words[1] : "", words.count > 2 ? words[2] : ""))
    case "attempts":
      return Page(
        rows: attempts(from: words.count > 1 ? Int(words[1]) ?? 0 : 0).map { Suggestion(kind: .query, text: FormattedText($0)) },
        exhaustive: true)
    default: break
    }
    return row("\(context.settings["greeting"]?.string ?? "") \(request.query)")
  }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    guard request.id == "1" else { throw ProviderError(.notFound, "no such place") }
    return Place(id: "1", values: [.name: "One"])
  }

  func probe() async throws(ProviderError) -> String? { "alive" }

  private func waitForCancellation() async {
    let (never, signal) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    signal.finish()
  }

  private func row(_ text: String) -> Page<Suggestion> {
    Page(rows: [Suggestion(kind: .query, text: FormattedText(text))], exhaustive: true)
  }

  /// Takes memory by the MiB until it is refused, and returns how much it got.
  private func hoard() -> Int {
    var blocks: [UnsafeMutableRawPointer] = []
    while blocks.count < 4_096, let block = malloc(1 << 20) {
      memset(block, 1, 1 << 20)
      blocks.append(block)
    }
    defer { for block in blocks { free(block) } }
    return blocks.count
  }
}
