import Synchronization

/// Tells whether event loops get on with their work: a thread that hangs is seen by nobody who runs beside it.
public final class Pulse: Sendable {
  private let loops: [EventLoop]
  /// Loops that have not come by since they were asked to.
  private let missing = Mutex(0)

  public init(of loops: [EventLoop]) { self.loops = loops }

  /// Whether every loop has come by since this was asked before, or this was never asked; only then they are asked anew. A loop that has
  /// ended does not come by.
  public func beats() -> Bool {
    let isRegular = missing.withLock { missing in
      guard missing == 0 else { return false }
      missing = loops.count
      return true
    }
    if isRegular { for loop in loops { loop.enqueue { self.missing.withLock { $0 -= 1 } } } }
    return isRegular
  }
}
