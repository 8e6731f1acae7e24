import PlacesTesting
import Testing

@testable import PlacesKit

@Suite("Tasks sleep until their time", .timeLimit(.minutes(1)))
struct TimeTests {
  private let time = SystemTime()

  @Test("Alarms leave the heap in the order of their times, whichever are removed in between")
  func heap() {
    var random = SeededRandom(seed: 1)
    for size in [1, 2, 3, 10, 1_000] {
      var heap = AlarmHeap()
      var wanted: [Alarm] = []
      for number in 0..<size {
        let alarm = Alarm(due: Double(Int.random(in: 0..<size, using: &random)), number: UInt64(number))
        heap.insert(alarm)
        if number % 3 != 0 { wanted.append(alarm) }
      }
      heap.keep { $0.number % 3 != 0 }
      var found: [Alarm] = []
      while let first = heap.first {
        found.append(first)
        heap.removeFirst()
      }
      #expect(found == wanted.sorted())
      heap.removeFirst()
      #expect(heap.count == 0)
    }
  }

  @Test("A sleep ends at its time and not before, also if an earlier one is added after it")
  func order() async {
    let begin = time.monotonic()
    let order = await withTaskGroup(of: Double.self) { group in
      for delay in [0.09, 0.03, 0.06, 0, -1] {
        group.addTask {
          try? await time.sleep(until: begin + delay)
          #expect(time.monotonic() - begin >= delay)
          return delay
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(order.suffix(3) == [0.03, 0.06, 0.09])
  }

  @Test("A sleep ends with its task, whatever its duration", arguments: [3_600.0, 1e300, .infinity])
  func cancelled(seconds: Double) async {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let isCancelled = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          start.yield()
          do { try await time.sleep(until: time.monotonic() + seconds) } catch { return true }
          return false
        }
      }
      for await _ in started.prefix(100) {}
      group.cancelAll()
      return await group.allSatisfy { $0 }
    }
    #expect(isCancelled)
  }

  @Test("A sleep until a time that is not a number ends at once")
  func nonsense() async throws { try await time.sleep(until: .nan) }

  @Test("Thousands of cancelled sleeps leave no alarms")
  func calledOff() async throws {
    let clock = try #require(AlarmClock.shared)
    for _ in 0..<100 {
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            start.yield()
            try? await clock.sleep(until: time.monotonic() + 3_600)
          }
        }
        for await _ in started.prefix(100) {}
        group.cancelAll()
      }
    }
    #expect(clock.alarmCount < 1_000)
  }
}
