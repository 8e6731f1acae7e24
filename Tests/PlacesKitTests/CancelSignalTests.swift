import PlacesKit
import Synchronization
import Testing

@Suite("A cancel signal", .timeLimit(.minutes(1)))
struct CancelSignalTests {
  @Test("Work is cancelled when the signal fires, also if it fired before the work began", arguments: [false, true])
  func cancels(before: Bool) async {
    let signal = CancelSignal()
    if before { signal.fire() }
    let wasCancelled = await signal.during {
      signal.fire()
      return Task.isCancelled
    }
    #expect(wasCancelled)
  }

  @Test("A cancellation handler may use the signal: it runs without a lock")
  func reentrant() async {
    let signal = CancelSignal()
    let calls = Mutex(0)
    await signal.during {
      await withTaskCancellationHandler {
        signal.fire()
      } onCancel: {
        calls.withLock { $0 += 1 }
        signal.fire()
      }
    }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("The work's task does not end while its cancellation handlers run")
  func waitsForHandlers() async {
    let signal = CancelSignal()
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let (endless, end) = AsyncStream.makeStream(of: Void.self)
    defer { end.finish() }
    let handlersEnded = Mutex(false)
    await withTaskGroup { group in
      group.addTask {
        for await _ in began { break }
        signal.fire()
      }
      await signal.during {
        await withTaskCancellationHandler {
          begin.yield()
          // The stream has no element, so this ends when the task is cancelled.
          for await _ in endless {}
        } onCancel: {
          for _ in 0..<100_000 where !handlersEnded.withLock({ $0 }) {}
          handlersEnded.withLock { $0 = true }
        }
      }
      #expect(handlersEnded.withLock { $0 })
    }
  }
}
