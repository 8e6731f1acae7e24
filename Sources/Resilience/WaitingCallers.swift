import PlacesKit

/// Callers that wait for one write of the ledger: a line for each purse, in the order of their coming.
struct WaitingCallers {
  struct Caller {
    var id: UInt64
    var price: PriceClass
    var continuation: CheckedContinuation<Result<Reservation, BudgetRefusal>, Never>
  }

  /// Callers that may wait at once.
  static let most = 1_024

  private var lines: [ReservationLedger.PrepaidBlockKey: [Caller]] = [:]
  /// Callers who were called off before they stood in a line.
  private var cancelledEarly: Set<UInt64> = []
  private(set) var count = 0

  var isFull: Bool { count >= Self.most }

  /// Whether somebody waits for this purse already.
  func isWaited(for key: ReservationLedger.PrepaidBlockKey) -> Bool { lines[key] != nil }

  /// What is to be reserved for those who wait.
  var demands: [ReservationLedger.PrepaidBlockKey: ReservationLedger.Demand] {
    lines.compactMapValues { line in line.first.map { ReservationLedger.Demand(price: $0.price, waiting: line.count) } }
  }

  mutating func append(_ caller: Caller, _ key: ReservationLedger.PrepaidBlockKey) {
    lines[key, default: []].append(caller)
    count += 1
  }

  /// Takes a caller out of the line; nil for one who does not stand there yet, or no more.
  mutating func cancel(_ id: UInt64, _ key: ReservationLedger.PrepaidBlockKey) -> Caller? {
    guard let index = lines[key]?.firstIndex(where: { $0.id == id }) else {
      cancelledEarly.insert(id)
      return nil
    }
    count -= 1
    let caller = lines[key]?.remove(at: index)
    if lines[key]?.isEmpty == true { lines[key] = nil }
    return caller
  }

  /// Whether a caller was called off before he came; asked once.
  mutating func wasCancelled(_ id: UInt64) -> Bool { cancelledEarly.remove(id) != nil }

  /// Takes those out of a line, from its front, whom `answer` has an answer for.
  mutating func serve(
    _ key: ReservationLedger.PrepaidBlockKey, _ answer: (Caller) -> Result<Reservation, BudgetRefusal>?
  ) -> [(Caller, Result<Reservation, BudgetRefusal>)] {
    guard var line = lines[key] else { return [] }
    var served: [(Caller, Result<Reservation, BudgetRefusal>)] = []
    while let caller = line.first, let result = answer(caller) {
      served.append((caller, result))
      line.removeFirst()
    }
    count -= served.count
    lines[key] = line.isEmpty ? nil : line
    return served
  }

  mutating func takeAll() -> [(key: ReservationLedger.PrepaidBlockKey, caller: Caller)] {
    defer { (lines, count) = ([:], 0) }
    return lines.flatMap { key, line in line.map { (key, $0) } }
  }
}
