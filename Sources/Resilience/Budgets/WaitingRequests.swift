import PlacesKit

/// A request for a reservation that waits for the ledger's next write.
final class WaitingRequest: Sendable {
  typealias ReservationResult = Result<Reservation, BudgetRefusal>

  let price: PriceClass
  let answer = Promise<ReservationResult>()

  init(_ price: PriceClass) { self.price = price }
}

/// The requests that wait for the ledger. Each prepaid block has a queue, in the order of arrival.
struct WaitingRequests {
  typealias Key = ReservationLedger.BlockKey

  /// The maximum number of requests that may wait at once.
  private static let capacity = 1_024

  private var queues: [Key: [WaitingRequest]] = [:]
  private(set) var count = 0

  var isFull: Bool { count >= Self.capacity }

  func hasQueue(_ key: Key) -> Bool { queues[key] != nil }

  /// The calls that each block needs for its waiting requests.
  var demands: [Key: ReservationLedger.Demand] {
    queues.compactMapValues { queue in queue.first.map { ReservationLedger.Demand(price: $0.price, waitingCount: queue.count) } }
  }

  mutating func append(_ request: WaitingRequest, _ key: Key) {
    queues[key, default: []].append(request)
    count += 1
  }

  mutating func remove(_ request: WaitingRequest, _ key: Key) {
    guard let index = queues[key]?.firstIndex(where: { $0 === request }) else { return }
    queues[key]?.remove(at: index)
    count -= 1
    if queues[key]?.isEmpty == true { queues[key] = nil }
  }

  /// Removes requests from the front of a queue until `answer` returns nil, and returns them with their answers.
  mutating func take(
    _ key: Key, answer: (WaitingRequest) -> WaitingRequest.ReservationResult?
  ) -> [(request: WaitingRequest, answer: WaitingRequest.ReservationResult)] {
    guard let queue = queues[key] else { return [] }
    var answeredRequests: [(WaitingRequest, WaitingRequest.ReservationResult)] = []
    for request in queue {
      guard let result = answer(request) else { break }
      answeredRequests.append((request, result))
    }
    count -= answeredRequests.count
    queues[key] = answeredRequests.count == queue.count ? nil : Array(queue.dropFirst(answeredRequests.count))
    return answeredRequests
  }

  mutating func takeAll() -> [(key: Key, request: WaitingRequest)] {
    defer { (queues, count) = ([:], 0) }
    return queues.flatMap { key, queue in queue.map { (key, $0) } }
  }
}
