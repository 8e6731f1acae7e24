import Glibc
import Synchronization

/// Writes log lines to standard error in the journal's form `<6>text` (sd-daemon(3)). Callers must pass no keys and no parts of queries.
public final class Log: Sendable {
  /// The priority of a line, as in syslog(3).
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// Counts the lines of one kind in one period.
  fileprivate struct Burst {
    /// When the period began, in monotonic seconds.
    var start: Double
    /// The number of lines, including dropped ones.
    var count = 0
    /// The level of the latest line.
    var level: Level
  }
  /// The mutable state of the log.
  fileprivate struct State {
    var level: Level
    /// The current period of each kind.
    var bursts: [String: Burst] = [:]
    /// The latest lines, oldest first, for `recent`.
    var recentLines: [String] = []
  }

  private let state: Mutex<State>
  private let write: @Sendable (String) -> Void
  private let now: @Sendable () -> Double
  private let wall: @Sendable () -> Double
  /// The maximum number of lines of one kind in `period` seconds. Further lines are only counted.
  fileprivate static let linesPerPeriod = 10
  fileprivate static let period = 10.0
  /// The maximum number of recent lines that are stored.
  private static let maxRecent = 1_000

  /// - Parameters:
  ///   - now: returns monotonic seconds.
  ///   - wall: returns seconds since 1970.
  ///   - write: receives whole lines with their line break, on the thread that logs. It must not block.
  public init(
    level: Level = .info, now: @escaping @Sendable () -> Double = monotonicSeconds,
    wall: @escaping @Sendable () -> Double = Log.secondsSince1970,
    write: @escaping @Sendable (String) -> Void = Log.toJournal
  ) {
    state = Mutex(State(level: level))
    self.now = now
    self.wall = wall
    self.write = write
  }

  /// The least important level that is written.
  public var level: Level {
    get { state.withLock { $0.level } }
    set { state.withLock { $0.level = newValue } }
  }

  /// The latest lines, oldest first, each with its time in front.
  public func recent(_ count: Int) -> [String] { state.withLock { Array($0.recentLines.suffix(max(0, count))) } }

  /// Writes a line. At most ten lines of one `kind` are written in ten seconds; further ones are dropped. The number of dropped lines is
  /// written before the next line of any kind after these ten seconds.
  public func callAsFunction(_ level: Level, _ kind: StaticString, _ message: @autoclosure () -> String) {
    let (isAdmitted, droppedCounts) = state.withLock { $0.admit(level, "\(kind)", at: now()) }
    for line in droppedCounts { emit(line.level, "\(line.count) similar lines were dropped (\(line.kind))") }
    if isAdmitted { emit(level, message()) }
  }

  /// Writes a line without the limit on lines of one kind. This is for lines that an administrator has requested, such as one for each
  /// request.
  public func unthrottled(_ level: Level, _ message: @autoclosure () -> String) {
    if level <= self.level { emit(level, message()) }
  }

  private func emit(_ level: Level, _ message: String) {
    let line = "<\(level.rawValue)>\(Log.escaped(message))"
    let datedLine = "\(Log.timestamp(wall())) \(line)"
    state.withLock { state in
      // A tenth of the lines is removed at once, because the removal moves all other lines.
      if state.recentLines.count >= Log.maxRecent { state.recentLines.removeFirst(Log.maxRecent / 10) }
      state.recentLines.append(datedLine)
    }
    write(line + "\n")
  }

  /// The text as one printable line. Characters that `Printable` would replace, such as control characters and characters that change the
  /// direction of the text, are written as their code points.
  public static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: Printable.isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if Printable.isControl(scalar) { result += "\\u{\(String(scalar.value, radix: 16))}" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// Writes to standard error through `LogWriter`. The time precedes the line, unless standard error is the journal, which records the time
  /// itself.
  public static let toJournal: @Sendable (String) -> Void = { line in
    LogWriter.standardError.write(isJournal ? line : "\(timestamp(secondsSince1970())) \(line)")
  }

  /// True if standard error is the journal. JOURNAL_STREAM contains the device and inode of the journal's socket (systemd.exec(5)).
  private static let isJournal: Bool = {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(2, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }()

  /// The time of CLOCK_REALTIME.
  public static func secondsSince1970() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// A time in RFC 3339's form, in UTC, rounded down to the millisecond. A time before 1970, or NaN, counts as the start
  /// of 1970, and a time after 9999 as the last second of 9999.
  /// - Parameter seconds: seconds since 1970.
  public static func timestamp(_ seconds: Double) -> String {
    let endOfYear9999 = 253_402_300_799.0
    let milliseconds = Int(min(max(0, seconds.isNaN ? 0 : seconds), endOfYear9999) * 1000)
    var (whole, parts) = (milliseconds / 1000, tm())
    gmtime_r(&whole, &parts)
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = "\(Int(parts.tm_year) + 1900)-\(digits(Int(parts.tm_mon) + 1, 2))-\(digits(Int(parts.tm_mday), 2))"
    let time = "\(digits(Int(parts.tm_hour), 2)):\(digits(Int(parts.tm_min), 2)):\(digits(Int(parts.tm_sec), 2))"
    return "\(date)T\(time).\(digits(milliseconds % 1000, 3))Z"
  }

  /// Writes to standard error at once, and may block. This is for a process that is about to end. A line that cannot be written is lost.
  public static let toStandardError: @Sendable (String) -> Void = { line in
    var line = line
    line.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}

extension Log.State {
  /// Counts a line. Returns whether it may be written, and the number of dropped lines of each burst that has ended.
  fileprivate mutating func admit(
    _ level: Log.Level, _ kind: String, at now: Double
  ) -> (isAdmitted: Bool, droppedCounts: [(kind: String, level: Log.Level, count: Int)]) {
    guard level <= self.level else { return (false, []) }
    var droppedCounts: [(kind: String, level: Log.Level, count: Int)] = []
    for (kind, burst) in bursts where now - burst.start >= Log.period {
      if burst.count > Log.linesPerPeriod { droppedCounts.append((kind, burst.level, burst.count - Log.linesPerPeriod)) }
      bursts[kind] = nil
    }
    var burst = bursts[kind] ?? Log.Burst(start: now, level: level)
    burst.count += 1
    burst.level = level
    bursts[kind] = burst
    return (burst.count <= Log.linesPerPeriod, droppedCounts)
  }
}
