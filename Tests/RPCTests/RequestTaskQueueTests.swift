import Linux
import Testing

@testable import RPC

@Suite("The queue of request tasks", .timeLimit(.minutes(1)))
struct RequestTaskQueueTests {
  private static func step(_ serial: UInt64) -> RequestTaskQueue.Command {
    let context = RequestContext(caller: Peer(user: 1, group: 1), connection: 1, id: nil) { _, _ in }
    return .start(RequestTask(RequestNumber(connection: 1, serial: serial), Request(method: "m"), context) { _ in })
  }

  private static func serials(_ steps: [RequestTaskQueue.Command]) -> [UInt64] {
    steps.map { step in
      switch step {
      case .start(let task), .cancel(let task): task.number.serial
      }
    }
  }

  @Test("All that wait are taken together, in their order")
  func together() async {
    let queue = RequestTaskQueue()
    for serial in 1...3 { queue.add(RequestTaskQueueTests.step(UInt64(serial))) }
    #expect(RequestTaskQueueTests.serials(await queue.take()) == [1, 2, 3])
    queue.add(RequestTaskQueueTests.step(4))
    #expect(RequestTaskQueueTests.serials(await queue.take()) == [4])
  }

  @Test("None that is added while others are taken is lost, doubled or overtaken")
  func meanwhile() async {
    let queue = RequestTaskQueue()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for serial in 1...10_000 { queue.add(RequestTaskQueueTests.step(UInt64(serial))) }
        queue.finish()
      }
      var taken: [UInt64] = []
      var steps = await queue.take()
      while !steps.isEmpty {
        taken += RequestTaskQueueTests.serials(steps)
        steps = await queue.take()
      }
      #expect(taken == Array(1...10_000))
    }
  }

  @Test("After `finish`, queued steps are still taken, and later ones are dropped")
  func end() async {
    let queue = RequestTaskQueue()
    queue.add(RequestTaskQueueTests.step(1))
    queue.finish()
    queue.add(RequestTaskQueueTests.step(2))
    #expect(RequestTaskQueueTests.serials(await queue.take()) == [1])
    #expect(await queue.take().isEmpty)
    #expect(await queue.take().isEmpty)
  }
}
