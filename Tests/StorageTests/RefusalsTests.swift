import PlacesTesting
import Synchronization
import Testing

@testable import Storage

@Suite("What is heard of refused keys")
struct RefusalsTests {
  @Test("Everything told before the end is written down, in its order, and nothing that is told later")
  func order() async {
    let (refusals, written) = (Refusals(time: ManualTime()), Written())
    refusals.tell(of: "a", start: 1)
    refusals.run { written.add($0, $1) }
    refusals.tell(of: "b", start: 2)
    refusals.tell(of: "a", start: nil)
    await refusals.finish()
    refusals.tell(of: "c", start: 3)
    // Whoever would still write it down gets the time to do so.
    await refusals.finish()
    for _ in 0..<1_000 where written.all.count == 3 { await Task.yield() }
    #expect(written.all == ["a 1", "b 2", "a -"])
  }

  @Test("Of what nobody came to write down the latest is kept")
  func bounded() async {
    let (refusals, written) = (Refusals(time: ManualTime()), Written())
    for start in 0..<300 { refusals.tell(of: "a", start: start) }
    refusals.run { written.add($0, $1) }
    await refusals.finish()
    #expect(written.all.count == 256 && written.all.last == "a 299", "\(written.all)")
  }

  @Test("It is written down whatever is cancelled: the daemon's own tasks are, at its end")
  func cancelled() async {
    let (refusals, written) = (Refusals(time: ManualTime()), Written())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      refusals.run {
        if !Task.isCancelled { written.add($0, $1) }
      }
    }
    task.cancel()
    await task.value
    refusals.tell(of: "a", start: 1)
    await refusals.finish()
    #expect(written.all == ["a 1"])
  }

  @Test("A stop waits for a disk that does not answer as long as it has patience, and not longer")
  func patience() async {
    let time = ManualTime()
    let refusals = Refusals(time: time)
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    refusals.run { _, _ in for await _ in answers {} }
    refusals.tell(of: "a", start: 1)
    async let finished: Void = refusals.finish()
    while time.sleepers == 0 { await Task.yield() }
    time.advance(by: Refusals.patience)
    await finished
    answer.finish()
  }
}

/// What was written down.
private final class Written: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ provider: String, _ start: Int?) { state.withLock { $0.append("\(provider) \(start.map(String.init) ?? "-")") } }
  var all: [String] { state.withLock { $0 } }
}
