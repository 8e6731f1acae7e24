import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

struct LifeCycleTests {
  /// Ends the process repeatedly; returns the delay before each restart, and the action after the last one.
  private func delays(_ cycle: inout LifeCycle, count: Int, every seconds: Double, from start: Double = 0) -> ([Double], LifeCycle.Action) {
    var now = start
    var delays: [Double] = []
    for _ in 0..<count {
      cycle.started(at: now)
      now += seconds
      let action = cycle.ended(at: now)
      switch action {
      case .start: delays.append(0)
      case .wait(let until):
        delays.append(until - now)
        now = until
        #expect(cycle.waitEnded() == .start)
      case .stayOff, .finish: return (delays, action)
      }
    }
    return (delays, .start)
  }

  @Test("The first restart is immediate, later delays double from 100 ms, and the fifth crash within ten minutes turns a provider off")
  func givesUp() {
    var cycle = LifeCycle()
    let (delays, last) = delays(&cycle, count: 9, every: 1)
    #expect(delays.map { ($0 * 1_000).rounded() } == [0, 100, 200, 400])
    #expect(last == .stayOff(until: 605.7) && cycle.isOff)
    #expect(cycle.resume() == .start)
    #expect(cycle.crashes.isEmpty)
    #expect(cycle.restarts == 5)
  }

  @Test("A provider that is off is restarted after ten minutes, with a new count of restarts")
  func recovers() {
    var cycle = LifeCycle()
    for round in 0..<3 {
      let (delays, last) = delays(&cycle, count: 9, every: 1, from: 1_000 * Double(round))
      #expect(delays.count == 4 && cycle.isOff)
      guard case .stayOff(let until) = last else {
        Issue.record("\(last)")
        return
      }
      #expect(abs(until - (1_000 * Double(round) + 605.7)) < 1e-6)
      #expect(cycle.waitEnded() == .start)
    }
    #expect(cycle.restarts == 15)
  }

  @Test("Crashes that are far apart never turn a provider off, and each restart is immediate")
  func forgets() {
    var cycle = LifeCycle()
    let (delays, last) = delays(&cycle, count: 100, every: 601)
    #expect(delays.allSatisfy { $0 == 0 })
    #expect(last == .start)
  }

  @Test("The delay never exceeds its maximum")
  func longest() {
    var cycle = LifeCycle(policy: LifeCycle.Policy(maxCrashes: .max, window: .infinity))
    let (delays, _) = delays(&cycle, count: 200, every: 1)
    #expect(delays.allSatisfy { $0 <= 60.001 })
    #expect(abs(delays[199] - 60) < 0.001)
  }

  @Test("A stopped provider is not started again")
  func stopped() {
    var cycle = LifeCycle()
    #expect(cycle.stop() == .finish)
    #expect(cycle.ended(at: 1) == .finish)
    #expect(cycle.waitEnded() == .finish)
    #expect(cycle.resume() == .finish)
    cycle.started(at: 2)
    #expect(cycle.state == .stopped)
  }

  @Test("A provider that waits for its restart starts immediately when it is resumed")
  func resumed() {
    var cycle = LifeCycle()
    cycle.started(at: 0)
    #expect(cycle.state == .ready(since: 0))
    #expect(cycle.ended(at: 1) == .start)
    cycle.started(at: 2)
    #expect(cycle.ended(at: 3) == .wait(until: 3.1))
    #expect(cycle.resume() == .start)
    #expect(cycle.state == .starting)
  }

  @Test("In any order of events, a process is started only if none runs, and never after a stop", arguments: 0..<20 as Range<UInt64>)
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
      case 2: action = cycle.waitEnded()
      case 3: action = cycle.resume()
      default: (action, isStopped) = (cycle.stop(), true)
      }
      if isStopped { #expect(action == .finish) }
      if action == .start {
        if case .stopped = before { Issue.record("started from \(before)") }
      }
      #expect(cycle.crashes.count <= 5)
    }
  }
}
