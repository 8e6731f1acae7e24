import PlacesAPI
import Synchronization

/// Shows partial answers on standard error if that is a terminal. Each one replaces the one before, and the last one is erased before the
/// answer is printed.
final class PartialAnswerView: Sendable {
  private let console: Console
  private let isOn: Bool
  /// The number of lines that are on the terminal.
  private let shown = Mutex(0)

  init(console: Console, isOn: Bool) {
    self.console = console
    self.isOn = isOn && console.isInteractive
  }

  func show(_ partial: Partial) {
    guard isOn, let rows = partial.suggestions else { return }
    let lines = rows.prefix(10).map { Styled($0.text).cut(to: (console.width ?? 80) - 1).text(colour: console.colour) }
    shown.withLock { shown in
      console.diagnose(erase(shown) + lines.map { $0 + "\n" }.joined())
      shown = lines.count
    }
  }

  func clear() {
    guard isOn else { return }
    shown.withLock { shown in
      console.diagnose(erase(shown))
      shown = 0
    }
  }

  /// The control sequence that moves up by this many lines and erases everything below (ECMA-48: CPL, ED).
  private func erase(_ lines: Int) -> String { lines == 0 ? "" : "\u{1B}[\(lines)F\u{1B}[J" }
}
