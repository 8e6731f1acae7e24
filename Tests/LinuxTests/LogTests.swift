import Glibc
import Linux
import Synchronization
import Testing

@Suite("The log")
struct LogTests {
  private final class Sink: Sendable {
    let lines = Mutex<[String]>([])
    let clock = Mutex(0.0)
    func log(_ level: Log.Level = .info) -> Log {
      Log(
        level: level, now: { self.clock.withLock { $0 } }, wall: { 1_800_000_000.25 },
        write: { line in self.lines.withLock { $0.append(line) } })
    }
    var all: [String] { lines.withLock { $0 } }
  }

  @Test("Lines carry the journal's priority and stay on one line")
  func form() {
    let sink = Sink()
    let log = sink.log()
    log(.error, "a", "one\ntwo\u{1B}[31m\u{202E}")
    #expect(sink.all == ["<3>one\\u{a}two\\u{1b}[31m\\u{202e}\n"])
    #expect(log.recent(5) == ["2027-01-15T08:00:00.250Z <3>one\\u{a}two\\u{1b}[31m\\u{202e}"])
  }

  @Test(
    "Times are written as RFC 3339 has them, whatever they are",
    arguments: [
      (0.0, "1970-01-01T00:00:00.000Z"), (1_709_251_199.9996, "2024-02-29T23:59:59.999Z"), (-1, "1970-01-01T00:00:00.000Z"),
      (1e300, "9999-12-31T23:59:59.000Z"), (.nan, "1970-01-01T00:00:00.000Z"), (.infinity, "9999-12-31T23:59:59.000Z"),
    ])
  func times(seconds: Double, text: String) { #expect(Log.timestamp(seconds) == text) }

  @Test("Lines below the configured level are left out")
  func level() {
    let sink = Sink()
    let log = sink.log(.warning)
    for level in Log.Level.allCases { log(level, "a", "x") }
    #expect(sink.all == ["<3>x\n", "<4>x\n"])
    log.level = .debug
    log(.debug, "a", "y")
    #expect(sink.all.last == "<7>y\n")
  }

  @Test("A flood of one kind is logged as ten lines and a count; other kinds are not limited")
  func flood() {
    let sink = Sink()
    let log = sink.log()
    for number in 0..<1_000 { log(.warning, "flood", "line \(number)") }
    log(.warning, "other", "still here")
    #expect(sink.all.count == 11)
    sink.clock.withLock { $0 = 11 }
    log(.warning, "flood", "later")
    #expect(sink.all.suffix(2) == ["<4>990 similar lines were dropped (flood)\n", "<4>later\n"])
  }

  @Test("Lines that an administrator requested are written without limit, if their level is logged")
  func unthrottled() {
    let sink = Sink()
    let log = sink.log(.notice)
    for number in 0..<100 { log.unthrottled(.notice, "line \(number)") }
    log.unthrottled(.info, "not asked for")
    #expect(sink.all == (0..<100).map { "<5>line \($0)\n" })
    #expect(log.recent(1_000).count == 100)
  }

  @Test("The number of lines dropped in a burst is logged with the next line of any kind")
  func ended() {
    let sink = Sink()
    let log = sink.log()
    for number in 0..<25 { log(.error, "flood", "line \(number)") }
    sink.clock.withLock { $0 = 11 }
    log(.info, "other", "all is quiet")
    #expect(sink.all.suffix(2) == ["<3>15 similar lines were dropped (flood)\n", "<6>all is quiet\n"])
    log(.error, "flood", "later")
    #expect(sink.all.last == "<3>later\n")
  }

  @Test("The end of one flood is logged during another")
  func overlapping() {
    let sink = Sink()
    let log = sink.log()
    for number in 0..<25 { log(.error, "first", "line \(number)") }
    sink.clock.withLock { $0 = 5 }
    for number in 0..<11 { log(.error, "second", "line \(number)") }
    sink.clock.withLock { $0 = 11 }
    log(.error, "second", "one more")
    #expect(sink.all.last == "<3>15 similar lines were dropped (first)\n")
    sink.clock.withLock { $0 = 30 }
    log(.info, "other", "all is quiet")
    #expect(sink.all.suffix(2) == ["<3>2 similar lines were dropped (second)\n", "<6>all is quiet\n"])
  }

  @Test("A reader that stalls does not stop the threads that log: lines beyond a bound are dropped and counted", .timeLimit(.minutes(1)))
  func stalledReader() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let writer = LogWriter(descriptor: ends[1], capacity: 10_000)
    let line = String(repeating: "x", count: 999) + "\n"
    // Far more than a pipe holds (pipe(7)) and may wait.
    for _ in 0..<1_000 { writer.write(line) }
    #expect(writer.droppedCount > 800)
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    var (written, reported) = (0, 0)
    while written + reported < 1_000 {
      let count = read(ends[0], &buffer, buffer.count)
      try #require(count > 0)
      text += buffer[..<count]
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      written = lines.count { $0.hasPrefix("x") && $0.utf8.count == 999 }
      reported = lines.compactMap { $0.hasPrefix("<4>") ? Int($0.dropFirst(3).prefix { $0 != " " }) : nil }.reduce(0, +)
    }
    #expect(written + reported == 1_000 && reported == writer.droppedCount)
    writer.write("again\n")
    writer.flush(within: 10)
    #expect(read(ends[0], &buffer, buffer.count) == 6)
  }
}
