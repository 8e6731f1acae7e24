import Linux
import Testing

@testable import RPC

/// What waits is taken at once and in order, whether it came before it was asked for or after.
@Suite("Jobs on their way to their tasks", .timeLimit(.minutes(1)))
struct JobQueueTests {
  private static func job(_ ticket: UInt64) -> Job {
    let context = RequestContext(caller: Peer(user: 1, group: 1), connection: 1, id: nil) { _, _ in }
    return Job(JobNumber(connection: 1, ticket: ticket), Request(method: "m"), context) { _ in }
  }

  @Test("All that wait are taken together, in their order")
  func together() async {
    let queue = JobQueue()
    for ticket in 1...3 { queue.add(JobQueueTests.job(UInt64(ticket))) }
    #expect(await queue.take().map(\.number.ticket) == [1, 2, 3])
    queue.add(JobQueueTests.job(4))
    #expect(await queue.take().map(\.number.ticket) == [4])
  }

  @Test("None that is added while others are taken is lost, doubled or overtaken")
  func meanwhile() async {
    let queue = JobQueue()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for ticket in 1...10_000 { queue.add(JobQueueTests.job(UInt64(ticket))) }
        queue.finish()
      }
      var taken: [UInt64] = []
      var jobs = await queue.take()
      while !jobs.isEmpty {
        taken += jobs.map(\.number.ticket)
        jobs = await queue.take()
      }
      #expect(taken == Array(1...10_000))
    }
  }

  @Test("After the end what waits is still taken, and nothing more")
  func end() async {
    let queue = JobQueue()
    queue.add(JobQueueTests.job(1))
    queue.finish()
    queue.add(JobQueueTests.job(2))
    #expect(await queue.take().map(\.number.ticket) == [1])
    #expect(await queue.take().isEmpty)
    #expect(await queue.take().isEmpty)
  }
}
