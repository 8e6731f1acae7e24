import Glibc
import Guarding
import Keeping
import PlacesKit

/// Pays for calls and keeps answers as fast as it can until it is killed, and says on standard output, one line each, which calls it
/// would have sent: what the ledger must still have down afterwards.
@main struct Program {
  static func main() async {
    guard let folder = CommandLine.arguments.dropFirst().first else { exit(64) }
    let time = SystemTime()
    let ledger = Ledger(path: "\(folder)/ledger.db", time: time, log: report)
    let treasury = Treasury(ledger: ledger, block: 4, time: time, log: report)
    let cache = Cache(path: "\(folder)/cache.db", diskBytes: 1 << 22, memoryBytes: 1 << 16, time: time, log: report)
    await withDiscardingTaskGroup { group in
      group.addTask(name: "treasury") { await treasury.run() }
      group.addTask(name: "cache") { await cache.run() }
      for user in 0..<4 as Range<UInt32> {
        group.addTask(name: "caller \(user)") { await call(as: user, treasury, cache) }
      }
    }
  }

  private static func call(as user: UInt32, _ treasury: Treasury, _ cache: Cache) async {
    let terms = Terms(idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: 3_600, source: "test")
    for number in 0... {
      guard let charge = try? await treasury.reserve(provider: "p", price: PriceClass("pro", micros: 17), user: user) else { continue }
      let line = Array("\(user)\n".utf8)
      guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
      treasury.settle(charge, .sent)
      let key = AnswerKey(
        provider: "p", terms: terms, request: .autocomplete(AutocompleteRequest(query: "query \(number % 500)")), partition: .user(user))
      let row = Suggestion(kind: .place, id: "\(number % 500)", text: FormattedText("answer \(number % 500)"))
      cache.keep(.suggestions(Page(rows: [row])), for: key, under: terms)
    }
  }

  private static let report: @Sendable (LogLevel, String) -> Void = { level, message in
    let line = Array("\(level): \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
