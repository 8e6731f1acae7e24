import Glibc
import Resilience
import Storage
import PlacesKit
import PlacesTesting

/// Reserves calls and stores answers as fast as it can until it is killed, and prints each call that it would have sent on a line of
/// standard output: the ledger must contain these calls afterwards. With `fill` it creates large databases instead.
@main struct Program {
  static func main() async {
    guard let folder = CommandLine.arguments.dropFirst().first else { exit(64) }
    let time = SystemTime()
    let ledger = Ledger(path: "\(folder)/ledger.db", time: time, log: report)
    let budgets = BudgetService(ledger: ledger, time: time, log: report)
    let cache = Cache(path: "\(folder)/cache.db", diskBytes: 1 << 26, memoryBytes: 1 << 16, time: time, log: report)
    if CommandLine.arguments.dropFirst(2).first == "fill" {
      do { try await fill(ledger, cache) } catch { exit(1) }
      return
    }
    await withDiscardingTaskGroup { group in
      group.addTask(name: "treasury") { await budgets.run() }
      group.addTask(name: "cache") { await cache.run() }
      for user in 0..<4 as Range<UInt32> {
        group.addTask(name: "caller \(user)") { await call(as: user, budgets, cache) }
      }
    }
  }

  private static func call(as user: UInt32, _ budgets: BudgetService, _ cache: Cache) async {
    let terms = Terms(idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: 3_600, source: "test")
    for number in 0... {
      guard let charge = try? await budgets.reserve(provider: "p", price: PriceClass("pro", micros: 17), user: user) else { continue }
      let line = Array("\(user)\n".utf8)
      guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
      budgets.settle(charge, wasSent: true)
      let key = AnswerKey(
        provider: "p", terms: terms, call: .autocomplete(AutocompleteRequest(query: "query \(number % 500)")), partition: .user(user))
      let row = Suggestion(kind: .place, id: "\(number % 500)", text: FormattedText("answer \(number % 500)"))
      cache.store(.suggestions(Page(rows: [row])), for: key, under: terms)
    }
  }

  /// A year of 25 users and five price classes, and 16,000 answers of ten rows.
  private static func fill(_ ledger: Ledger, _ cache: Cache) async throws {
    let today = Day(wall: SystemTime().wall())
    var page = LedgerAmounts(latestTime: try await ledger.load().latestTime)
    for day in today.number - 365..<today.number {
      for user in 100..<125 as Range<UInt32> {
        for number in 0..<5 {
          let key = LedgerKey(provider: "p", user: user, priceClass: "class\(number)", day: Day(day))
          page.entries[key] = LedgerChange(spent: Spending(calls: 40, micros: 680))
        }
      }
    }
    try await ledger.write(page)
    await ledger.close()
    let running = Task { await cache.run() }
    let terms = Terms(idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: 1e7, source: "test")
    let rows = (0..<10).map {
      Suggestion(kind: .place, id: "place \($0)", text: FormattedText("answer \($0), a street, a city, a country"))
    }
    for block in 0..<16 {
      for number in 0..<1_000 {
        let request = AutocompleteRequest(query: "filled \(block) \(number)")
        cache.store(
          .suggestions(Page(rows: rows)), for: AnswerKey(provider: "p", terms: terms, call: .autocomplete(request), partition: .user(7)),
          under: terms)
      }
      // The queue of pending writes is bounded.
      try await eventually("the writes of block \(block)", within: 120) {
        await (cache.statistics(.all) ?? []).reduce(0) { $0 + $1.answers } >= (block + 1) * 1_000 ? () : nil
      }
    }
    running.cancel()
    await running.value
  }

  private static let report: @Sendable (LogLevel, String) -> Void = { level, message in
    let line = Array("\(level): \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
