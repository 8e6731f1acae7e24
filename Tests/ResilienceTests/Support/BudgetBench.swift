import PlacesKit
import PlacesTesting
import Synchronization

@testable import Resilience

private final class Answer: Sendable {
  private let result = Mutex<Result<Reservation, BudgetRefusal>?>(nil)
  var value: Result<Reservation, BudgetRefusal>? { result.withLock { $0 } }
  func set(_ value: Result<Reservation, BudgetRefusal>) { result.withLock { $0 = value } }
}

/// A treasury whose turns the test takes itself, so that nothing happens by chance.
struct BudgetBench {
  static let price = PriceClass("pro", micros: 17_000)

  let ledger = FakeLedger()
  let time = ManualTime()
  let budgets: BudgetService

  init(_ limits: BudgetLimits = BudgetLimits(), user: UserLimits = UserLimits(), block: Int = 8) {
    budgets = BudgetService(ledger: ledger, limits: ["p": limits], userLimits: user, block: block, time: time, log: { _, _ in })
  }

  func reserve(_ price: PriceClass? = Self.price, user: UInt32 = 1) async -> Result<Reservation, BudgetRefusal> {
    let answer = Answer()
    let caller = Task { [budgets] in
      do throws(BudgetRefusal) {
        answer.set(.success(try await budgets.reserve(provider: "p", price: price, user: user)))
      } catch { answer.set(.failure(error)) }
    }
    while answer.value == nil {
      await budgets.update()
      await Task.yield()
    }
    await caller.value
    return answer.value ?? .failure(.cancelled)
  }

  /// Why a call is refused; nil where it is not.
  func refusal(_ price: PriceClass? = Self.price) async -> BudgetRefusal? {
    if case .failure(let refusal) = await reserve(price) { refusal } else { nil }
  }

  /// Reserves and sends calls until one is refused; how many were sent, and the refusal.
  func drain(user: UInt32 = 1, price: PriceClass? = Self.price) async -> (sent: Int, refusal: BudgetRefusal?) {
    for sent in 0..<10_000 {
      switch await reserve(price, user: user) {
      case .success(let charge): budgets.settle(charge, .sent)
      case .failure(let refusal): return (sent, refusal)
      }
    }
    return (10_000, nil)
  }
}
