import PlacesTesting
import Synchronization
import Testing

@testable import Storage

@Suite("The journal of rejected keys")
struct RejectedKeyJournalTests {
  @Test("All reports before the end are written in order, and no later ones")
  func order() async {
    let (journal, written) = (RejectedKeyJournal(time: ManualTime()), Written())
    journal.report("a", startID: 1)
    journal.run { written.add($0, $1) }
    journal.report("b", startID: 2)
    journal.report("a", startID: nil)
    await journal.finish()
    journal.report("c", startID: 3)
    await journal.finish()
    #expect(written.all == ["a 1", "b 2", "a -"])
  }

  @Test("If nothing reads the reports, the latest ones are preserved")
  func bounded() async {
    let (journal, written) = (RejectedKeyJournal(time: ManualTime()), Written())
    for start in 0..<300 { journal.report("a", startID: start) }
    journal.run { written.add($0, $1) }
    await journal.finish()
    #expect(written.all.count == 256 && written.all.last == "a 299", "\(written.all)")
  }

  @Test("Reports are written even if the calling task is cancelled")
  func cancelled() async {
    let (journal, written) = (RejectedKeyJournal(time: ManualTime()), Written())
    let task = Task {
      try? await ManualTime().sleep(until: .infinity)
      journal.run {
        if !Task.isCancelled { written.add($0, $1) }
      }
    }
    task.cancel()
    await task.value
    journal.report("a", startID: 1)
    await journal.finish()
    #expect(written.all == ["a 1"])
  }

  @Test("A stop waits for a disk that does not respond until the time limit")
  func timeLimit() async throws {
    let time = ManualTime()
    let journal = RejectedKeyJournal(time: time)
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    journal.run { _, _ in for await _ in answers {} }
    journal.report("a", startID: 1)
    async let finished: Void = journal.finish()
    try await waitUntil { time.sleepers == 1 }
    time.advance(by: RejectedKeyJournal.diskTimeout)
    await finished
    answer.finish()
  }
}

/// The reports that were written.
private final class Written: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ provider: String, _ start: Int?) { state.withLock { $0.append("\(provider) \(start.map(String.init) ?? "-")") } }
  var all: [String] { state.withLock { $0 } }
}
