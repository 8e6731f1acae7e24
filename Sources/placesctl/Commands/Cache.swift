import JSON
import PlacesAPI

/// `placesctl cache …`: the stored answers and places.
enum CacheCommands {
  private static let provider = Option("provider", short: "p", .provider, "ID", sets: "provider", "Only answers of this provider.")
  private static let user = Option("user", .integer, "UID", sets: "user", "Another user, by user id; for administrators.")
  private static let limit = Option("limit", short: "n", .integer, "COUNT", sets: "limit", "The maximum number of answers.")
  private static let allUsers = Option("all", sets: "all", "All users together; for administrators.")

  private static let listNote =
    "The list contains answers on disk. Answers of a provider that answers from this machine without delay, such as the gazetteer, are cached in memory only: `cache stats` counts them."

  static let all = [
    Command(
      path: ["cache", "stats"], options: [provider, user, allUsers], summary: "Show cache statistics.",
      notes: [
        "Entries of a provider that is no longer configured are marked; they are not used, are removed when they expire, and are removed at once by: placesctl cache purge"
      ],
      exitCodes: ExitCode.administering, run: runStats),
    Command(
      path: ["cache", "list"],
      options: [provider, user, limit],
      summary: "List cached answers, newest first; for administrators.", notes: [listNote],
      exitCodes: ExitCode.administering + [.noResults], run: runList),
    Command(
      path: ["cache", "show"], arguments: [Argument("TEXT", .one, sets: "contains", "A part of the request.")],
      options: [provider, user, limit], summary: "Show cached answers whose request contains a text; for administrators.",
      notes: [listNote],
      exitCodes: ExitCode.administering + [.noResults], run: runList),
    Command(
      path: ["cache", "expire"],
      summary: "Remove at once everything that the providers' terms no longer allow storing; for administrators.",
      exitCodes: ExitCode.administering, run: runExpire),
    Command(
      path: ["cache", "purge"], options: [provider, user, allUsers], summary: "Remove cached data and learned choices.",
      exitCodes: ExitCode.administering, run: runPurge),
  ]

  static func runStats(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(CacheStats.self, try invocation.parameters(CacheStats.self))
    context.show(result, rows: "providers", of: invocation) {
      let titles = ["PROVIDER", "ANSWERS", "PLACES", "CHOICES", "SIZE", "HITS", "MISSES"]
      let columns = titles.enumerated().map { TextTable.Column(title: $1, isRightAligned: $0 > 0) } + [TextTable.Column(title: "NOTE")]
      let rows = result.providers.map { share in
        [
          share.provider, Format.grouped(share.answers), Format.grouped(share.places), Format.grouped(share.choices),
          Format.bytes(share.bytes), Format.grouped(share.hits), Format.grouped(share.misses),
          share.configured == false ? "no longer configured" : "",
        ].map { StyledText($0) }
      }
      context.console.show(TextTable(columns: columns, rows: rows))
    }
    let unconfiguredProviders = result.providers.filter { $0.configured == false }.map(\.provider)
    if let provider = unconfiguredProviders.first {
      let scope = invocation.has("all") ? " --all" : invocation.text("user").map { " --user \($0)" } ?? ""
      context.console.note(
        "to delete the entries of a provider that is no longer configured: placesctl cache purge --provider \(printable(provider))\(scope)")
    }
    return .results
  }

  static func runList(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(CacheList.self, try invocation.parameters(CacheList.self))
    context.show(result, rows: "entries", of: invocation) { show(result.entries, context.console) }
    if result.entries.isEmpty { context.console.note("no such answer is stored on disk") }
    return result.entries.isEmpty ? .noResults : .results
  }

  /// Prints the entries. In a pipe, an entry is one line that ends with the stored key; on a terminal, the key has its own line.
  private static func show(_ entries: [CacheList.Entry], _ console: Console) {
    let isTerminal = console.width != nil
    let columns = [
      TextTable.Column(title: "PROVIDER"), TextTable.Column(title: "CALL"), TextTable.Column(title: "USER"),
      TextTable.Column(title: "ROWS", isRightAligned: true), TextTable.Column(title: "SIZE", isRightAligned: true),
      TextTable.Column(title: "STORED"),
      TextTable.Column(title: "EXPIRES"), TextTable.Column(title: "QUESTION"),
    ]
    let rows = entries.map { entry in
      let times = [entry.storedAt, entry.expiresAt ?? "never"].map { isTerminal ? dayAndMinute($0) : $0 }
      let figures = [entry.user.map(String.init) ?? "all", Format.grouped(entry.rows), Format.bytes(entry.bytes)]
      return ([entry.provider, entry.call.rawValue] + figures + times + (isTerminal ? [] : [entry.key])).map { StyledText($0) }
    }
    let table = TextTable(columns: isTerminal ? columns.dropLast() : columns, rows: rows, width: console.width)
    let lines = table.lines(colour: console.usesColour)
    guard let width = console.width, let titles = lines.first else { return console.lines(lines) }
    console.line(titles)
    for (line, entry) in zip(lines.dropFirst(), entries) {
      console.line(line)
      console.line(StyledText("    " + question(entry.key), .dim).cut(to: width).text(colour: console.usesColour))
    }
  }

  /// An RFC 3339 time as a day, hours and minutes in UTC.
  private static func dayAndMinute(_ time: String) -> String { String(time.prefix(16)).replacing("T", with: " ") }

  /// The query and the parameters in a stored key, for display. The key is JSON; members that have their own columns are left out.
  private static func question(_ key: String) -> String {
    guard let members = (try? JSONValue(parsing: key))?.object?.members else { return key }
    let shownMembers = members.filter { !["provider", "terms", "user", "call"].contains($0.key) }
    let subjectKeys = ["query", "id", "location"]
    let subject = shownMembers.filter { subjectKeys.contains($0.key) }.map { $0.value.text }
    let parameters = shownMembers.filter { !subjectKeys.contains($0.key) }.sorted { $0.key < $1.key }
    return (subject + parameters.map { "\($0.key) \($0.value.string ?? $0.value.text)" }).joined(separator: ", ")
  }

  static func runExpire(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(CacheExpire.self, NoParameters())
    return showRemoval(result, invocation, context)
  }

  static func runPurge(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(CachePurge.self, try invocation.parameters(CachePurge.self))
    if let provider = invocation.text("provider"), result.answers + result.places + result.choices == 0 {
      context.console.note("nothing was stored of \(printable(provider))")
    }
    return showRemoval(result, invocation, context)
  }

  /// Reports how much was removed.
  private static func showRemoval(_ result: CacheRemoval, _ invocation: Invocation, _ context: CommandContext) -> ExitCode {
    context.show(result, rows: nil, of: invocation) {
      context.console.line(
        """
        removed \(Format.count(result.answers, "answer")), \(Format.count(result.places, "place")) and \
        \(Format.count(result.choices, "learned choice"))
        """)
    }
    return .results
  }
}
