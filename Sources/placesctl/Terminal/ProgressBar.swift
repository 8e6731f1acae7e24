import GazetteerIndex
import Synchronization

/// Shows the progress of a build: on a terminal as a bar with rate and remaining time, otherwise as one line for each phase.
final class ProgressBar: Sendable {
  private let console: Console
  /// The phase that was shown last; nil before the first one.
  private let shownPhase = Mutex<BuildProgress.Phase?>(nil)

  init(console: Console) { self.console = console }

  func show(_ progress: BuildProgress) {
    let isNewPhase = shownPhase.withLock { shownPhase in
      defer { shownPhase = progress.phase }
      return shownPhase != progress.phase
    }
    if console.isInteractive {
      console.diagnose("\r" + ProgressBar.line(progress, width: console.width ?? 80) + "\u{1B}[K")
    } else if isNewPhase {
      console.note("\(progress.phase.rawValue)…")
    }
  }

  /// Removes the bar.
  func end() {
    if console.isInteractive, shownPhase.withLock({ $0 != nil }) { console.diagnose("\r\u{1B}[K") }
  }

  static func line(_ progress: BuildProgress, width: Int) -> String {
    let isBytes = progress.phase == .reading
    func amount(_ count: Double) -> String { isBytes ? Format.bytes(Int(count)) : Format.grouped(Int(count)) }
    // Before 0.2 seconds have passed, the rate would vary too much.
    let rate = progress.seconds > 0.2 ? Double(progress.done) / progress.seconds : nil
    let speed = rate.map { ", \(amount($0))/s" } ?? ""
    let name = progress.phase.rawValue + String(repeating: " ", count: max(0, 8 - progress.phase.rawValue.count))
    guard let total = progress.total, total > 0 else { return "\(name)  \(amount(Double(progress.done)))\(speed)" }
    let fraction = min(1, Double(progress.done) / Double(total))
    let timeLeft = rate.flatMap { $0 > 0 ? ", \(Format.duration(Double(total - min(total, progress.done)) / $0)) left" : nil } ?? ""
    return bar(name, fraction: fraction, "\(speed)\(timeLeft)", width: width)
  }

  /// A bar that is filled up to `fraction`, which is from 0 to 1, followed by `fraction` in percent and a text.
  static func bar(_ name: String, fraction: Double, _ text: String, width: Int) -> String {
    let text = " \(Format.fixed(fraction * 100, 0)) %\(text)"
    let room = max(0, min(40, width - name.count - text.count - 5))
    let filledCount = Int(fraction * Double(room))
    return "\(name) [\(String(repeating: "#", count: filledCount))\(String(repeating: " ", count: room - filledCount))]\(text)"
  }
}
