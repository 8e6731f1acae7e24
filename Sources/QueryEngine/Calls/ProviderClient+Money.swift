import Resilience
import PlacesKit

// What calls cost, and what was saved of it.

extension ProviderClient {
  var prices: PriceTable { instance.manifest.prices }

  /// The class that a call is billed at; nil for a free one, also where the price table names a class that costs nothing.
  func price(of call: ProviderCall) -> PriceClass? {
    prices.priceClass(of: call.kind, fields: call.fields).flatMap { $0.micros > 0 ? $0 : nil }
  }

  func isFree(_ call: ProviderCall) -> Bool { price(of: call) == nil }

  /// Nil where nobody counts.
  func reserve(_ call: ProviderCall, for user: UInt32) async throws(BudgetRefusal) -> Reservation? {
    try await budgets?.reserve(provider: id, price: price(of: call), user: user)
  }

  /// Has suggestions for a user reserved before he needs them.
  func prepareToPay(for user: UInt32) {
    guard let budgets, suggestionPrice > 0, let price = prices.priceClass(of: .autocomplete), gate.suspension(at: now) == nil else {
      return
    }
    budgets.prepare(provider: id, price: price, user: user)
  }

  /// A call was not made thanks to the cache or to somebody who asked the same.
  func save(_ call: ProviderCall, user: UInt32, by cause: SavingKey.Cause) {
    guard let budgets, let price = price(of: call) else { return }
    budgets.save(Spending(calls: 1, micros: price.micros), provider: id, user: user, by: cause)
  }

  /// The same for an autocomplete answer that was given again as a whole.
  func savedSuggestions(for user: UInt32) {
    recordSaved()
    guard let budgets, suggestionPrice > 0 else { return }
    budgets.save(Spending(calls: 1, micros: suggestionPrice), provider: id, user: user, by: .cache)
  }
}
