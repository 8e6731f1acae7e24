import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

struct LifeCycleTests {
  /// Ends the process again and again; gives the delays before each restart, and what comes after them.
  private func delays(_ cycle: inout LifeCycle, count: Int, every seconds: Double) -> ([Double], LifeCycle.Action) {
    var now = 0.0
    var delays: [Double] = []
    for _ in 0..<count {
      cycle.started(at: now)
      now += seconds
      guard case .wait(let until) = cycle.ended(at: now) else { return (delays, .rest) }
      delays.append(until - now)
      now = until
      #expect(cycle.waited() == .start)
    }
    return (delays, .start)
  }

  @Test("Five ends within ten minutes turn a provider off; the waits before double from 100 ms")
  func givesUp() {
    var cycle = LifeCycle()
    let (delays, last) = delays(&cycle, count: 9, every: 1)
    #expect(delays.map { ($0 * 1_000).rounded() } == [100, 200, 400, 800])
    #expect(last == .rest)
    #expect(cycle.state == .off)
    #expect(cycle.waited() == .rest)
    #expect(cycle.resume() == .start)
    #expect(cycle.crashes.isEmpty)
    #expect(cycle.restarts == 5)
  }

  @Test("Ends that lie far apart never turn it off, and each restart is quick again")
  func forgets() {
    var cycle = LifeCycle()
    let (delays, last) = delays(&cycle, count: 100, every: 601)
    #expect(delays.allSatisfy { abs($0 - 0.1) < 1e-6 })
    #expect(last == .start)
  }

  @Test("No wait is longer than the longest, however often it ends")
  func longest() {
    var cycle = LifeCycle(policy: LifeCycle.Policy(mostCrashes: .max, window: .infinity))
    let (delays, _) = delays(&cycle, count: 200, every: 1)
    #expect(delays.allSatisfy { $0 <= 60.001 })
    #expect(abs(delays[199] - 60) < 0.001)
  }

  @Test("Once stopped nothing starts it again")
  func stopped() {
    var cycle = LifeCycle()
    #expect(cycle.stop() == .finish)
    #expect(cycle.ended(at: 1) == .finish)
    #expect(cycle.waited() == .finish)
    #expect(cycle.resume() == .finish)
    cycle.started(at: 2)
    #expect(cycle.state == .stopped)
  }

  @Test("Being resumed while it waits starts it at once, while it runs does nothing")
  func resumed() {
    var cycle = LifeCycle()
    #expect(cycle.resume() == .rest)
    cycle.started(at: 0)
    #expect(cycle.state == .ready(since: 0))
    #expect(cycle.resume() == .rest)
    _ = cycle.ended(at: 1)
    #expect(cycle.resume() == .start)
    #expect(cycle.state == .starting)
  }

  @Test("In any order of events a process is started only from rest, and never after a stop", arguments: 0..<20 as Range<UInt64>)
  func anyOrder(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var cycle = LifeCycle()
    var now = 0.0
    var isStopped = false
    for _ in 0..<1_000 {
      now += Double.random(in: 0...100, using: &random)
      let before = cycle.state
      let action: LifeCycle.Action
      switch Int.random(in: 0..<(random.next() % 50 == 0 ? 5 : 4), using: &random) {
      case 0:
        cycle.started(at: now)
        continue
      case 1: action = cycle.ended(at: now)
      case 2: action = cycle.waited()
      case 3: action = cycle.resume()
      default: (action, isStopped) = (cycle.stop(), true)
      }
      if isStopped { #expect(action == .finish) }
      if action == .start {
        switch before {
        case .waiting, .off: break
        case .starting, .ready, .stopped: Issue.record("started from \(before)")
        }
      }
      #expect(cycle.crashes.count <= 5)
    }
  }
}
