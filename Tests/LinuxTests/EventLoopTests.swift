import Glibc
import Linux
import PlacesTesting
import Synchronization
import Testing

/// Numbers by task.
private final class Lists: Sendable {
  private let lists = Mutex<[Int: [Int]]>([:])
  func append(_ number: Int, to task: Int) { lists.withLock { $0[task, default: []].append(number) } }
  var all: [Int: [Int]] { lists.withLock { $0 } }
}

/// Keeps a thread from going on.
private final class Holding: Sendable {
  private let state = Mutex((hangs: false, goesOn: false))
  var hangs: Bool { state.withLock { $0.hangs } }
  func goOn() { state.withLock { $0.goesOn = true } }
  func hang() {
    state.withLock { $0.hangs = true }
    while !state.withLock({ $0.goesOn }) { sched_yield() }
  }
}

@Suite("The event loop")
struct EventLoopTests {
  @Test("Timers come due in the order of their times, and not when they are removed")
  func timers() {
    var timers = TimerQueue()
    let order = Mutex<[Int]>([])
    func work(_ number: Int) -> () -> Void { { order.withLock { $0.append(number) } } }
    _ = timers.add(at: 3, work(3))
    _ = timers.add(at: 1, work(1))
    let removed = timers.add(at: 2, work(99))
    _ = timers.add(at: 1, work(2))
    timers.remove(removed)
    #expect(timers.nextTime == 1)
    for item in timers.takeDue(at: 2.5) { item() }
    #expect(order.withLock { $0 } == [1, 2])
    for item in timers.takeDue(at: 3) { item() }
    #expect(timers.isEmpty && order.withLock { $0 } == [1, 2, 3])
  }

  @Test("Work from many tasks is done in the order of each, and nothing after the end")
  func work() async throws {
    let loop = try EventLoop(name: "test")
    try loop.start()
    let done = Lists()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask { for number in 0..<100 { loop.enqueue { done.append(number, to: task) } } }
      }
    }
    loop.stop()
    await loop.waitUntilEnded()
    loop.enqueue { done.append(0, to: 9) }
    #expect(done.all == Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, Array(0..<100)) }))
  }

  @Test("Bytes pass both ways through a pair of streams, also large pieces, and the end is reported")
  func streams() async throws {
    let loop = try EventLoop(name: "test")
    try loop.start()
    let pair = try FileDescriptor.pair()
    let (received, end) = AsyncStream.makeStream(of: Int.self)
    let first = ByteStream(socket: pair.first, loop: loop, receiver: .init(bytes: { _ in }, end: {}))
    let second = ByteStream(
      socket: pair.second, loop: loop, receiver: .init(bytes: { end.yield($0.count) }, end: { end.finish() }))
    first.begin()
    second.begin()
    first.send([UInt8](repeating: 7, count: 3_000_000))
    first.finishSending()
    var count = 0
    for await piece in received { count += piece }
    #expect(count == 3_000_000)
    first.close()
    second.close()
    loop.stop()
    await loop.waitUntilEnded()
  }

  @Test("The watchdog reports a loop that hangs, and stops when the loop continues", .timeLimit(.minutes(1)))
  func watchdog() async throws {
    let loops = try [EventLoop(name: "one"), EventLoop(name: "two")]
    for loop in loops { try loop.start() }
    let watchdog = LoopWatchdog(of: loops)
    #expect(watchdog.probeLoops(), "no probe was sent yet")
    try await waitUntil { watchdog.probeLoops() }
    let holding = Holding()
    loops[1].enqueue { holding.hang() }
    try await waitUntil { holding.hangs }
    // A new probe is sent once both loops have answered the last one.
    try await waitUntil { watchdog.probeLoops() }
    #expect(try await remains(for: 20) { !watchdog.probeLoops() })
    holding.goOn()
    try await waitUntil { watchdog.probeLoops() }
    for loop in loops {
      loop.stop()
      await loop.waitUntilEnded()
    }
  }
}
