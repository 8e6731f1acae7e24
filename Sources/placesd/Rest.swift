import Linux
import PlacesKit
import SQLite

/// Lets the daemon be small while nobody asks: start-up and the latest questions leave pages of code, of ICU's tables and of the index
/// mapped, three times what an idle daemon needs. The next question gets back what it needs from the page cache, within a fraction of a
/// millisecond.
struct Rest: Sendable {
  private static let whenAwake = 1.0
  private static let whenResting = 30.0
  /// Less than this of the processor's time between two looks is rest, beside what the tick takes that libdispatch makes each second to
  /// look after its threads: on a busy machine, those of half a minute look like a question.
  private static let idleMicroseconds = 2_000.0
  private static let tickMicroseconds = 100.0

  /// Until the task is cancelled.
  /// - Parameter look: is called with each look, so that what must be seen to now and then wakes nobody by itself.
  func run(_ look: () -> Void) async {
    let time = SystemTime()
    var isResting = false
    var used = processorTime()
    while true {
      let pause = isResting ? Rest.whenResting : Rest.whenAwake
      guard (try? await time.sleep(until: time.monotonic() + pause)) != nil else { return }
      look()
      let wasIdle = Double(processorTime() - used) < Rest.idleMicroseconds + Rest.tickMicroseconds * pause
      if wasIdle, !isResting { Mappings.alone { Memory.giveBack() } }
      isResting = wasIdle
      used = processorTime()
    }
  }
}
