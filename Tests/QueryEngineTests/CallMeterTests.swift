import PlacesKit
import PlacesTesting
import Resilience
import Synchronization
import Testing

@testable import QueryEngine

@Suite("The requests of one call")
struct CallMeterTests {
  /// A meter without a budget that counts how many further requests it reserved; `refuses` refuses them all.
  private func meter(_ further: Counter, refuses: Bool = false) -> CallMeter {
    CallMeter(
      first: nil, isFree: false,
      reserve: { () async throws(BudgetRefusal) in
        further.add()
        if refuses { throw BudgetRefusal(.calls, "the budget is used up") }
        return nil
      }, release: { _ in }, retry: { false })
  }

  private func refusal(_ body: () async throws(ProviderError) -> Void) async -> ProviderError? {
    do throws(ProviderError) { try await body() } catch { return error }
    return nil
  }

  @Test("The first request is covered by the call's own reservation, each further one by a reservation of its own")
  func further() async throws {
    let count = Counter()
    let meter = meter(count)
    for number in 0..<3 {
      try await meter.reserveAndSend()
      #expect(count.value == number)
    }
    #expect(meter.close().chargedReservations.count == 3)
  }

  @Test("A request without a reservation is not sent, and none is sent once the call is over")
  func unreserved() async throws {
    let meter = meter(.init())
    #expect(!meter.send())
    try await meter.reserve()
    #expect(meter.send())
    #expect(!meter.send())
    try await meter.reserve()
    let bill = meter.close()
    #expect((bill.chargedReservations.count, bill.unusedReservations.count) == (1, 1))
    #expect(!meter.send())
    await #expect(throws: ProviderError.self) { try await meter.reserve() }
  }

  @Test("The reservation of a request that could not connect covers the next one")
  func unconnected() async throws {
    let count = Counter()
    let meter = meter(count)
    for _ in 0..<3 {
      try await meter.reserve()
      meter.release()
    }
    for further in 0..<3 {
      try await meter.reserveAndSend()
      #expect(count.value == further)
    }
    #expect(meter.close().chargedReservations.count == 3)
  }

  @Test("A request that the budget refused does not prevent the reservation of the next one")
  func refused() async throws {
    let count = Counter()
    let meter = meter(count, refuses: true)
    try await meter.reserveAndSend()
    for _ in 0..<3 { await #expect(throws: ProviderError.self) { try await meter.reserve() } }
    #expect(count.value == 3)
    let bill = meter.close()
    #expect(bill.chargedReservations.count == 1 && bill.refusal?.reason == .calls)
  }

  @Test("A request is not sent on the reservation of another request that is refused later", .timeLimit(.minutes(1)))
  func refusedMeanwhile() async throws {
    let asked = AsyncStream.makeStream(of: Void.self)
    let refusals = AsyncStream.makeStream(of: Void.self)
    let count = Counter()
    let meter = CallMeter(
      first: nil, isFree: false,
      reserve: { () async throws(BudgetRefusal) in
        let isFirst = count.add() == 1
        asked.continuation.yield()
        if isFirst { for await _ in refusals.stream { break } }
        throw BudgetRefusal(.calls, "the budget is used up")
      }, release: { _ in }, retry: { false })
    try await meter.reserveAndSend()
    async let first = refusal { () async throws(ProviderError) in try await meter.reserve() }
    for await _ in asked.stream { break }
    await #expect(throws: ProviderError.self) { try await meter.reserve() }
    refusals.continuation.yield()
    #expect(await first != nil)
  }
}

/// A count that closures share.
private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  @discardableResult func add() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
