import Dispatch
import Glibc
import Synchronization

@testable import Linux

/// An event loop whose thread runs only while the scenario waits for it.
final class SteppedLoop: Sendable {
  let loop: EventLoop
  private let watch: Watch
  /// Signalled when the loop's thread waits for the next call of `run`, or has ended.
  private let rests = DispatchSemaphore(value: 0)
  /// Lets the loop's thread continue.
  private let continues = DispatchSemaphore(value: 0)
  private let ended = Atomic(false)
  private static let maxRounds = 20_000

  init(_ loop: EventLoop, watch: Watch) {
    self.loop = loop
    self.watch = watch
  }

  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// When the next timer is due; nil if there is none.
  var nextTimer: Double? { hasEnded ? nil : loop.timers.nextTime }

  func start() throws {
    try loop.start()
    Task {
      await loop.waitUntilEnded()
      ended.store(true, ordering: .releasing)
      rests.signal()
    }
    restAfter(round: 0)
    rests.wait()
  }

  /// Lets the loop run until it has done all work, no descriptor is ready and no timer is due, or until it has ended.
  func run() {
    guard !hasEnded else { return }
    restAfter(round: 0)
    continues.signal()
    rests.wait()
  }

  private func restAfter(round: Int) {
    loop.enqueue { [self] in
      // Work that a round adds is done in the next ones.
      if round < 3 || (loop.hasWork && round < Self.maxRounds) { return restAfter(round: round + 1) }
      if round == Self.maxRounds { watch.report("the server's loop does not come to rest") }
      rests.signal()
      continues.wait()
    }
  }

  /// Does the work, which must end the loop.
  func end(_ work: @escaping @Sendable () -> Void) {
    guard !hasEnded else { return }
    loop.enqueue(work)
    continues.signal()
    rests.wait()
  }
}

extension EventLoop {
  fileprivate var hasWork: Bool {
    var event = pollfd(fd: epoll.number, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) > 0 || !endOfRoundHandlers.isEmpty || timers.nextTime.map { $0 <= time() } ?? false
  }
}
