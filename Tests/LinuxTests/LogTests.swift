import Linux
import Synchronization
import Testing

@Suite("The log")
struct LogTests {
  private final class Sink: Sendable {
    let lines = Mutex<[String]>([])
    let clock = Mutex(0.0)
    func log(_ level: Log.Level = .info) -> Log {
      Log(level: level, now: { self.clock.withLock { $0 } }, write: { line in self.lines.withLock { $0.append(line) } })
    }
    var all: [String] { lines.withLock { $0 } }
  }

  @Test("Lines carry the journal's priority and stay on one line")
  func form() {
    let sink = Sink()
    let log = sink.log()
    log(.error, "a", "one\ntwo\u{1B}[31m\u{202E}")
    #expect(sink.all == ["<3>one\\u{a}two\\u{1b}[31m\\u{202e}\n"])
    #expect(log.recent(5) == ["<3>one\\u{a}two\\u{1b}[31m\\u{202e}"])
  }

  @Test("Less important lines than wanted are left out")
  func level() {
    let sink = Sink()
    let log = sink.log(.warning)
    for level in Log.Level.allCases { log(level, "a", "x") }
    #expect(sink.all == ["<3>x\n", "<4>x\n"])
    log.level = .debug
    log(.debug, "a", "y")
    #expect(sink.all.last == "<7>y\n")
  }

  @Test("A flood of one kind is ten lines and a count; other kinds are not held back")
  func flood() {
    let sink = Sink()
    let log = sink.log()
    for number in 0..<1_000 { log(.warning, "flood", "line \(number)") }
    log(.warning, "other", "still here")
    #expect(sink.all.count == 11)
    sink.clock.withLock { $0 = 11 }
    log(.warning, "flood", "later")
    #expect(sink.all.suffix(2) == ["<4>990 more such lines were left out (flood)\n", "<4>later\n"])
  }
}
