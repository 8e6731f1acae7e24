import JSON
import PlacesAPI

/// `placesctl budget`: spending and savings.
enum BudgetCommands {
  static let all = [
    Command(
      path: ["budget"],
      options: [
        Option("provider", short: "p", .provider, "ID", sets: "provider", "Only the account of this provider."),
        Option("user", .integer, "UID", sets: "user", "Another user, by user id; for administrators."),
        Option("all", sets: "all", "All users together; for administrators."),
      ],
      summary: "Show what was spent, reserved and saved, by provider.",
      notes: [
        "Reserved calls are calls in progress. They count towards the limits, and count as spent if the daemon crashes.",
        "While paid calls are off, more may have been spent than is known; such amounts are preceded by ≥.",
      ], exitCodes: ExitCode.administering, run: runGet),
    Command(
      path: ["budget", "confirm"],
      arguments: [Argument("ID", .one, as: .provider, sets: "provider", "The id of a provider that costs money or has a limit of calls.")],
      summary: "Allow paid calls again if the record of past spending is in doubt.", exitCodes: ExitCode.administering, run: runConfirm),
  ]

  static func runGet(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(BudgetGet.self, try invocation.parameters(BudgetGet.self))
    if result.providers.isEmpty, let id = invocation.text("provider") {
      throw Failure(.failed, "no provider named \(printable(id)) is configured; see placesctl providers list")
    }
    context.show(result, rows: "providers", of: invocation) { show(result.providers, context.console) }
    return .results
  }

  static func runConfirm(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await ProviderCommands.call(BudgetConfirm.self, try invocation.parameters(BudgetConfirm.self), context)
    context.show(result, rows: nil, of: invocation) { show([result.provider], context.console) }
    return .results
  }

  private static func show(_ providers: [BudgetRow], _ console: Console) {
    let titles = ["PROVIDER", "WINDOW", "CALLS", "MONEY", "RESERVED", "LIMIT", "ENDS"]
    let columns = titles.enumerated().map { TextTable.Column(title: $1, isRightAligned: (2...5).contains($0)) }
    var rows: [[StyledText]] = []
    // All amounts have the same number of decimals, so that they can be compared.
    let decimals = Format.decimals(providers.flatMap(\.amounts))
    // These providers are free and have no limit, so their calls are not counted.
    let uncounted = providers.filter { $0.uncounted == true && $0.month.spent.calls == 0 }
    for provider in providers where !uncounted.contains(provider) {
      rows.append(cells("today", provider.day, provider, decimals))
      rows.append(cells("this month", provider.month, provider, decimals))
    }
    console.show(TextTable(columns: columns, rows: rows))
    for (share, names) in providersByUserShare(providers) {
      console.line(
        "\(names.joined(separator: ", ")): a user may use \(Format.fixed(share * 100, share < 0.1 ? 1 : 0)) % of each limit; administrators see the whole limits with --all"
      )
    }
    for provider in providers {
      let savings = [("cache", provider.savedByCache), ("sessions", provider.savedBySessions), ("coalescing", provider.savedByCoalescing)]
      let texts = savings.filter { $0.1.calls > 0 }.map { name, amount in
        "\(Format.count(amount.calls, "call")) (\(Format.money(amount.micros, provider.currency, decimals: decimals))) by \(name)"
      }
      if !texts.isEmpty { console.line("\(provider.provider): saved \(texts.joined(separator: ", "))") }
    }
    if !uncounted.isEmpty {
      let names = uncounted.map { printable($0.provider) }.joined(separator: ", ")
      console.line("\(names): free and without a limit; calls are not counted here, but by: placesctl status")
    }
    let withoutCurrency = providers.filter { $0.currency == BudgetRow.unknownCurrency && $0.hasMoney }
    if !withoutCurrency.isEmpty {
      let names = withoutCurrency.map { printable($0.provider) }.joined(separator: ", ")
      console.note("\(names): the currency is known once it runs; see: placesctl status")
    }
    // All providers share one ledger, so its problem is reported once.
    if let reason = providers.lazy.compactMap({ $0.unavailable ?? $0.needsConfirmation }).first {
      console.note("paid calls are off: \(printable(reason))")
    }
  }

  /// The providers that allow a user only a share of their limits, grouped by that share.
  private static func providersByUserShare(_ providers: [BudgetRow]) -> [(share: Double, names: [String])] {
    let limited = providers.filter { $0.userShare != nil && [$0.day, $0.month].contains { $0.callLimit != nil || $0.microsLimit != nil } }
    return Dictionary(grouping: limited) { $0.userShare ?? 1 }.map { ($0.key, $0.value.map { printable($0.provider) }) }.sorted {
      $0.share < $1.share
    }
  }

  private static func reserved(_ amount: BudgetRow.Amount, _ currency: String, _ decimals: Int) -> String {
    let money = amount.micros == 0 ? nil : Format.money(amount.micros, currency, decimals: decimals)
    return [Format.count(amount.calls, "call"), money].compactMap { $0 }.joined(separator: ", ")
  }

  /// The row of the table for one day or month of a provider.
  private static func cells(_ name: String, _ window: BudgetRow.Window, _ provider: BudgetRow, _ decimals: Int) -> [StyledText] {
    let calls = window.callLimit.map { Format.count($0, "call") }
    let money = window.microsLimit.map { Format.money($0, provider.currency, decimals: decimals) }
    // While the ledger is in doubt or cannot be read, more may have been spent than is known.
    let least = provider.needsConfirmation != nil || provider.unavailable != nil ? "≥ " : ""
    return [
      provider.provider, name, least + Format.grouped(window.spent.calls),
      least + Format.money(window.spent.micros, provider.currency, decimals: decimals),
      reserved(window.reserved, provider.currency, decimals), [calls, money].compactMap { $0 }.joined(separator: ", "), window.endsAt,
    ].map { StyledText($0) }
  }
}

extension BudgetRow {
  /// Every amount of money in the row.
  fileprivate var amounts: [Int] {
    [savedByCache, savedBySessions, savedByCoalescing].map(\.micros)
      + [day, month].flatMap { [$0.spent.micros, $0.reserved.micros, $0.microsLimit ?? 0] }
  }

  /// True if the row has an amount of money.
  fileprivate var hasMoney: Bool {
    [day, month].contains { $0.spent.micros != 0 || $0.reserved.micros != 0 || $0.microsLimit != nil }
  }
}
