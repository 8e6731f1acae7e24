import Linux
import PlacesKit
import Synchronization

/// The log of a provider: keeps its last lines for the administrator, and writes them to the daemon's log. Lines beyond 64 KiB a minute are
/// dropped: they are neither kept nor written.
final class ProviderLog: Sendable {
  static let maxLines = 200
  static let maxBytesPerMinute = 65_536
  /// The maximum length of a line: in bytes for a line of standard error, and in code points for the text that is logged.
  static let maxLineLength = 512

  private struct State {
    var lines: [String] = []
    /// The current minute: its beginning in monotonic seconds, the bytes of its lines, and the number of lines that were dropped in it. The
    /// first line begins a new minute.
    var minute = (since: -60.0, byteCount: 0, droppedCount: 0)
    /// The beginning of an incomplete line of the standard error.
    var incompleteLine: [UInt8] = []
    /// The current process's last complete line on its standard error that is not blank.
    var lastErrorOutput: String?
    /// True if a process has received data that only administrators may see, which its lines may repeat.
    var isConfidential = false
  }

  private let state = Mutex(State())
  private let time: any TimeSource
  private let write: @Sendable (LogLevel, String) -> Void

  /// - Parameter write: writes a line to the daemon's log.
  init(time: any TimeSource, write: @escaping @Sendable (LogLevel, String) -> Void) {
    self.time = time
    self.write = write
  }

  /// The last lines, oldest first, each with its time in front.
  var lines: [String] { state.withLock { $0.lines } }

  /// Adds and writes a line, unless the lines of this minute exceed the maximum. The first line of the next minute is preceded by a warning
  /// that states how many lines were dropped.
  func add(_ level: LogLevel, _ message: String) {
    let text = Self.line(message)
    let now = time.monotonic()
    let outcome: (mustWrite: Bool, droppedCount: Int) = state.withLock { state in
      var droppedCount = 0
      if now - state.minute.since >= 60 {
        droppedCount = state.minute.droppedCount
        state.minute = (now, 0, 0)
      }
      state.minute.byteCount += text.utf8.count
      guard state.minute.byteCount <= Self.maxBytesPerMinute else {
        state.minute.droppedCount += 1
        return (false, droppedCount)
      }
      if state.lines.count == Self.maxLines { state.lines.removeFirst() }
      state.lines.append("\(Log.timestamp(time.wall())) \(text)")
      return (true, droppedCount)
    }
    if outcome.droppedCount > 0 { write(.warning, "\(outcome.droppedCount) lines of the provider were dropped in the minute before") }
    if outcome.mustWrite { write(level, text) }
  }

  /// The last line that the current process wrote to its standard error and that is not blank; nil if there is none.
  var lastErrorOutput: String? { state.withLock { $0.lastErrorOutput } }

  /// True if the lines may contain data that only administrators may see.
  var isConfidential: Bool { state.withLock { $0.isConfidential } }

  /// Must be called before a process receives data that may be secret.
  func becomeConfidential() { state.withLock { $0.isConfidential = true } }

  /// Must be called before another process starts.
  func beginProcess() { state.withLock { ($0.incompleteLine, $0.lastErrorOutput) = ([], nil) } }

  /// Adds the lines of a part of the standard error.
  func add(standardError piece: [UInt8]) {
    for part in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      let line = state.withLock { state in
        defer { state.incompleteLine = [] }
        return state.incompleteLine + part.prefix(Self.maxLineLength)
      }
      guard !line.isEmpty else { continue }
      let text = Self.line(String(decoding: line, as: UTF8.self))
      if !text.isBlank { state.withLock { $0.lastErrorOutput = text } }
      add(.warning, text)
    }
    let lineBeginning = piece[(piece.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...]
    state.withLock { state in state.incompleteLine += lineBeginning.prefix(max(0, Self.maxLineLength - state.incompleteLine.count)) }
  }

  /// The text with its control characters replaced, limited to the maximum length of a line.
  private static func line(_ text: String) -> String {
    Printable.text(String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxLineLength))))
  }
}

extension StringProtocol {
  /// True if it contains only white space and replacements of control characters.
  var isBlank: Bool { allSatisfy { $0.isWhitespace || $0 == "\u{FFFD}" } }
}
