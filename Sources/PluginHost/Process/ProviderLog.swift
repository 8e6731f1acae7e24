import Linux
import PlacesKit
import Synchronization

/// What a provider says: its last lines for the administrator, and no more than 64 KiB a minute for the daemon's log.
final class ProviderLog: Sendable {
  static let mostLines = 200
  static let mostBytesPerMinute = 65_536
  static let longestLine = 512

  private struct State {
    var lines: [String] = []
    var minute = (since: -60.0, bytes: 0, dropped: 0)
    /// The beginning of a line of the standard error that has no end yet.
    var open: [UInt8] = []
    /// The last whole line of the standard error of the process that runs, blank ones aside.
    var lastComplaint: String?
    /// Whether a process was told what its lines may repeat to administrators alone.
    var isConfidential = false
  }

  private let state = Mutex(State())
  private let time: any TimeSource
  private let write: @Sendable (LogLevel, String) -> Void

  /// - Parameter write: takes a line for the daemon's log.
  init(time: any TimeSource, write: @escaping @Sendable (LogLevel, String) -> Void) {
    self.time = time
    self.write = write
  }

  /// The last lines, oldest first, each with its time in front.
  var lines: [String] { state.withLock { $0.lines } }

  func add(_ level: LogLevel, _ message: String) {
    let text = Self.line(message)
    let now = time.monotonic()
    let outcome: (writes: Bool, dropped: Int) = state.withLock { state in
      var dropped = 0
      if now - state.minute.since >= 60 {
        dropped = state.minute.dropped
        state.minute = (now, 0, 0)
      }
      state.minute.bytes += text.utf8.count
      guard state.minute.bytes <= Self.mostBytesPerMinute else {
        state.minute.dropped += 1
        return (false, dropped)
      }
      if state.lines.count == Self.mostLines { state.lines.removeFirst() }
      state.lines.append("\(Log.timestamp(time.wall())) \(text)")
      return (true, dropped)
    }
    if outcome.dropped > 0 { write(.warning, "\(outcome.dropped) lines of the provider were dropped in the minute before") }
    if outcome.writes { write(level, text) }
  }

  /// The last line that the process wrote to its standard error; what an earlier process wrote is forgotten by `begin`.
  var lastComplaint: String? { state.withLock { $0.lastComplaint } }

  /// Whether the lines may repeat what only administrators may know.
  var isConfidential: Bool { state.withLock { $0.isConfidential } }

  /// Tells that a process is about to be told something that may be a secret.
  func becomeConfidential() { state.withLock { $0.isConfidential = true } }

  /// Tells that another process begins.
  func begin() { state.withLock { ($0.open, $0.lastComplaint) = ([], nil) } }

  /// Takes a piece of the standard error, line by line.
  func add(standardError piece: [UInt8]) {
    for part in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      let line = state.withLock { state in
        defer { state.open = [] }
        return state.open + part.prefix(Self.longestLine)
      }
      guard !line.isEmpty else { continue }
      let text = Self.line(String(decoding: line, as: UTF8.self))
      if !text.isBlank { state.withLock { $0.lastComplaint = text } }
      add(.warning, text)
    }
    let rest = piece[(piece.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...]
    state.withLock { state in state.open += rest.prefix(max(0, Self.longestLine - state.open.count)) }
  }

  /// Nothing that a terminal would obey, and no longer than a line.
  private static func line(_ text: String) -> String {
    Printable.text(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestLine))))
  }
}

extension StringProtocol {
  /// Whether there is nothing to read in it: spaces, and what stands for tabs and other controls.
  var isBlank: Bool { allSatisfy { $0.isWhitespace || $0 == "\u{FFFD}" } }
}
