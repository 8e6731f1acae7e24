import PlacesAPI
import Synchronization

/// Shows partial answers on standard error if that is a terminal. Each partial answer replaces the previous one; the last one is erased
/// before the final answer is printed.
final class PartialAnswerView: Sendable {
  private let console: Console
  private let isEnabled: Bool
  /// The number of lines of the partial answer that is on the terminal.
  private let lineCount = Mutex(0)

  init(console: Console, isEnabled: Bool) {
    self.console = console
    self.isEnabled = isEnabled && console.isInteractive
  }

  /// Replaces the shown rows by the first ten of a partial answer.
  func show(_ partial: Partial) {
    guard isEnabled, let rows = partial.suggestions else { return }
    let lines = rows.prefix(10).map { StyledText($0.text).cut(to: (console.width ?? 80) - 1).text(colour: console.usesColour) }
    lineCount.withLock { lineCount in
      console.diagnose(erasing(lineCount) + lines.map { $0 + "\n" }.joined())
      lineCount = lines.count
    }
  }

  /// Erases the shown rows.
  func clear() {
    guard isEnabled else { return }
    lineCount.withLock { lineCount in
      console.diagnose(erasing(lineCount))
      lineCount = 0
    }
  }

  /// The control sequence that moves up by this many lines and erases everything below (ECMA-48: CPL, ED).
  private func erasing(_ lines: Int) -> String { lines == 0 ? "" : "\u{1B}[\(lines)F\u{1B}[J" }
}
