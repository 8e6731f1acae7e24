import Guarding
import PlacesKit

// What calls cost: reserved before they are sent, settled after.

extension Lane {
  var prices: PriceTable { instance.manifest.prices }

  /// The class that a call is billed at; nil for a free one, also where the price table names a class that costs nothing.
  func price(of call: ProviderCall) -> PriceClass? {
    prices.priceClass(of: call.kind, fields: call.fields).flatMap { $0.micros > 0 ? $0 : nil }
  }

  func isFree(_ call: ProviderCall) -> Bool { price(of: call) == nil }

  /// Nil where nobody counts.
  func reserve(for flight: Flight) async throws(BudgetRefusal) -> Charge? {
    try await treasury?.reserve(provider: id, price: price(of: flight.call), user: flight.user)
  }

  /// Has suggestions for a user reserved before he needs them.
  func prepareToPay(for user: UInt32) {
    guard let treasury, let price = prices.priceClass(of: .autocomplete), price.micros > 0, gate.suspension(at: now) == nil else { return }
    treasury.prepare(provider: id, price: price, user: user)
  }

  func settle(_ charge: Charge?, _ outcome: Charge.Outcome) {
    if let charge { treasury?.settle(charge, outcome) }
  }

  /// A call was not made thanks to the cache or to somebody who asked the same.
  func save(_ call: ProviderCall, user: UInt32, by cause: SavingKey.Cause) {
    guard let treasury, let price = price(of: call) else { return }
    treasury.save(Spending(calls: 1, micros: price.micros), provider: id, user: user, by: cause)
  }

  /// The same for an autocomplete answer that was given again as a whole.
  func savedSuggestions(for user: UInt32) {
    recordSaved()
    guard let treasury, suggestionPrice > 0 else { return }
    treasury.save(Spending(calls: 1, micros: suggestionPrice), provider: id, user: user, by: .cache)
  }

  // MARK: Session tokens

  /// The call as it is sent: with the session's token where the service has such a thing. A details call ends the session, in the
  /// way that is cheapest by the price table, perhaps asking for one field more.
  func dressed(_ ask: Ask) -> (call: ProviderCall, ending: Flight.Ending?) {
    guard let rule = instance.manifest.sessions, let session = ask.session else { return (ask.plan.call, nil) }
    switch ask.plan.call {
    case .autocomplete(var request):
      request.sessionToken = session.token(for: id, rule: rule, at: now)
      return (.autocomplete(request), nil)
    case .details(var request):
      guard let token = session.spend(tokenOf: id, rule: rule, at: now) else { return (ask.plan.call, nil) }
      let cheapest = SessionPricing(prices: prices, rule: rule).cheapestEnding(
        requests: token.requests, fields: request.fields, freeLeft: treasury?.freeCallsLeft(prices, provider: id) ?? [:])
      request.sessionToken = token.value
      request.fields = cheapest.fields
      return (.details(request), Flight.Ending(charges: token.charges, billedMicros: cheapest.autocompleteMicros))
    case .search, .reverse:
      return (ask.plan.call, nil)
    }
  }

  /// Whether a details call costs less than what it saves: ended by none, a session's autocomplete calls are all billed.
  func paysToCall(_ ask: Ask) -> Bool {
    guard case .details(let request) = ask.plan.call, let rule = instance.manifest.sessions,
      let token = ask.session?.token(openAt: id, rule: rule, at: now)
    else { return false }
    let pricing = SessionPricing(prices: prices, rule: rule)
    let free = treasury?.freeCallsLeft(prices, provider: id) ?? [:]
    return pricing.cheapestEnding(requests: token.requests, fields: request.fields, freeLeft: free).totalMicros
      < pricing.autocompleteMicros(token.requests, endedBy: nil, freeLeft: free)
  }

  /// The call as it leaves now, its token counted as used. Where the session ended while the call waited for its turn, the token is
  /// dead, and the call goes without.
  func departing(_ flight: Flight, paying charge: Charge?) -> ProviderCall {
    guard case .autocomplete(var request) = flight.call, let token = request.sessionToken,
      flight.session?.count(token, of: id, charge: charge, at: now) != true
    else { return flight.call }
    request.sessionToken = nil
    return .autocomplete(request)
  }

  /// The details call that ended a session was answered: what its autocomplete calls cost is known now.
  func close(_ ending: Flight.Ending?) {
    if let ending { treasury?.endSession(ending.charges, billedMicros: ending.billedMicros) }
  }
}
