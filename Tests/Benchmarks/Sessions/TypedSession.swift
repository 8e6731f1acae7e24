import Glibc

/// The texts that one user typed until a place was chosen.
struct TypedSession: Sendable {
  struct Keystroke: Sendable {
    /// Seconds since the session's beginning.
    var at: Double
    var text: String
  }

  var keystrokes: [Keystroke] = []

  /// The keystrokes after which nothing more is typed for `pause` seconds.
  func paused(for pause: Double) -> [Keystroke] {
    keystrokes.indices.compactMap { index in
      let isLast = index == keystrokes.count - 1
      return isLast || keystrokes[index + 1].at - keystrokes[index].at >= pause ? keystrokes[index] : nil
    }
  }

  /// The file's sessions in their order; nil if the file cannot be read.
  /// A line has six columns: 0 is the session, 3 the time in milliseconds, and 4 the text.
  static func read(_ path: String) -> [TypedSession]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var sessions: [TypedSession] = []
    var currentSession: Substring?
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 6, let milliseconds = Double(fields[3]) else { continue }
      if fields[0] != currentSession { sessions.append(TypedSession()) }
      currentSession = fields[0]
      sessions[sessions.count - 1].keystrokes.append(Keystroke(at: milliseconds / 1000, text: String(fields[4])))
    }
    return sessions
  }
}
