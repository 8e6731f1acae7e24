import CLinux
import PlacesKit

/// Lets the daemon be small while nobody asks: start-up and the latest questions leave pages of code, of ICU's tables and of the index
/// mapped, three times what an idle daemon needs. The next question gets back what it needs from the page cache, within a fraction of a
/// millisecond.
struct Rest: Sendable {
  private static let whenAwake = 1.0
  private static let whenResting = 30.0
  /// Less than this of the processor's time within a second is rest.
  private static let idleMicroseconds: Int64 = 2_000

  /// Until the task is cancelled.
  func run() async {
    let time = SystemTime()
    var isResting = false
    var used = clinux_processor_time()
    while (try? await time.sleep(until: time.monotonic() + (isResting ? Rest.whenResting : Rest.whenAwake))) != nil {
      let now = clinux_processor_time()
      let wasIdle = now - used < Rest.idleMicroseconds
      if wasIdle, !isResting { clinux_give_memory_back() }
      isResting = wasIdle
      used = clinux_processor_time()
    }
  }
}
