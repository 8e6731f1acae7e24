import Guarding
import Keeping
import PlacesKit
import Synchronization

/// How many requests are at work. The others wait for a moment, the newest is let in first, and who waited too long is served from
/// the cache alone.
final class Doors: Sendable {
  private let state: Mutex<Shedding<Promise<Bool>>>
  private let longestWait: Double
  private let time: any TimeSource

  init(requestsAtOnce: Int, longestWait: Double = 0.1, time: any TimeSource) {
    self.time = time
    self.longestWait = longestWait
    state = Mutex(Shedding(capacity: requestsAtOnce, longestLine: requestsAtOnce, longestWait: longestWait))
  }

  /// Seconds after which a request that was shed may come again.
  var retryAfter: Double { state.withLock { $0.retryAfter } }

  /// True: the request may ask, and must `leave`. False: it may not. Waits for a moment, and never past the deadline (monotonic seconds).
  func enter(before deadline: Double) async -> Bool {
    let turn = Promise<Bool>()
    let (served, shed) = state.withLock { state -> (Bool, [Promise<Bool>]) in
      switch state.arrive(turn, at: time.monotonic()) {
      case .served: (true, [])
      case .waits(let shed): (false, shed)
      }
    }
    for other in shed { other.fulfil(false) }
    return served ? true : await wait(turn, until: min(deadline, time.monotonic() + longestWait))
  }

  func leave(after seconds: Double) {
    let (next, shed) = state.withLock { $0.finish(after: seconds, at: time.monotonic()) }
    for other in shed { other.fulfil(false) }
    // Whom the alarm has sent away in the same moment leaves at once, so that his place is not lost.
    if let next, !next.fulfil(true), next.current == false { leave(after: seconds) }
  }

  private func wait(_ turn: Promise<Bool>, until moment: Double) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "turn") { _ = await turn.value() }
      group.addTask(name: "patience") { try? await self.time.sleep(until: moment) }
      await group.next()
      group.cancelAll()
      // Whoever fulfils first decides: false takes the request out of the line, true has made room for it.
      if turn.fulfil(false) { state.withLock { $0.remove { $0 === turn } } }
      return turn.current ?? false
    }
  }
}
