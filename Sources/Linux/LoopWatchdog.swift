import Synchronization

/// Reports whether event loops make progress. The daemon notifies systemd's watchdog only if they do.
public final class LoopWatchdog: Sendable {
  private let loops: [EventLoop]
  /// The number of loops that have not answered the last probe.
  private let unansweredCount = Mutex(0)

  public init(of loops: [EventLoop]) { self.loops = loops }

  /// Returns true and sends a probe to every loop, if every loop has answered the previous probe; otherwise returns false. The first call
  /// returns true. A loop that has ended does not answer.
  public func probeLoops() -> Bool {
    let haveAnswered = unansweredCount.withLock { unansweredCount in
      guard unansweredCount == 0 else { return false }
      unansweredCount = loops.count
      return true
    }
    if haveAnswered { for loop in loops { loop.enqueue { self.unansweredCount.withLock { $0 -= 1 } } } }
    return haveAnswered
  }
}
