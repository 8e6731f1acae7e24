import PlacesKit
import Synchronization
import PlacesTesting

@testable import Resilience

/// A budget service whose writes the test makes itself, so that nothing depends on chance.
struct BudgetBench {
  static let price = PriceClass("pro", micros: 17_000)
  /// Updates of the ledger after which a request must have its answer.
  private static let maxUpdates = 8

  let ledger = FakeLedger()
  let simulation = Simulation()
  let budgets: BudgetService
  let logLines = LogLines()

  /// The lines that the budget service has logged.
  final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  var time: ManualTime { simulation.time }

  init(_ limits: BudgetLimits = BudgetLimits(), user: UserLimits = UserLimits()) {
    budgets = BudgetService(
      ledger: ledger, limits: ["p": limits], userLimits: user, time: simulation.time,
      log: { [logLines] _, line in logLines.append(line) })
  }

  /// The answer to a request, with as many updates of the ledger as it needs.
  func reserve(_ price: PriceClass? = Self.price, user: UInt32 = 1) async -> Result<Reservation, BudgetRefusal> {
    let request = simulation.start { [budgets] () async -> Result<Reservation, BudgetRefusal> in
      do throws(BudgetRefusal) { return .success(try await budgets.reserve(provider: "p", price: price, user: user)) } catch {
        return .failure(error)
      }
    }
    simulation.settle()
    for _ in 0..<Self.maxUpdates where request.value == nil { update() }
    return request.value ?? .failure(BudgetRefusal(.busy, "the ledger does not answer"))
  }

  private func update() {
    simulation.start { [budgets] in await budgets.update() }
    simulation.settle()
  }

  /// The reason why a call is refused; nil if it is not.
  func refusal(_ price: PriceClass? = Self.price) async -> BudgetRefusal? {
    if case .failure(let refusal) = await reserve(price) { refusal } else { nil }
  }

  /// Reserves and sends calls until one is refused; how many were sent, and the refusal.
  func drain(user: UInt32 = 1, price: PriceClass? = Self.price) async -> (sent: Int, refusal: BudgetRefusal?) {
    for sent in 0..<10_000 {
      switch await reserve(price, user: user) {
      case .success(let reservation): budgets.settle(reservation, wasSent: true)
      case .failure(let refusal): return (sent, refusal)
      }
    }
    return (10_000, nil)
  }
}
