import PlacesKit
import Resilience

/// A call that may be sent, with its reservation and its role in the service's session.
struct PaidCall: Sendable {
  enum SessionPart: Sendable {
    case none
    /// It carries the session's token and counts as one of its calls.
    case counted(VendorToken)
    /// It is the details call that ends the session. `billedMicros` is the cost of the calls before it, in millionths.
    case ending(VendorToken, billedMicros: Int)
  }

  var call: ProviderCall
  /// Nil if no budget counts.
  var reservation: Reservation?
  var part = SessionPart.none
}

// The cost of calls: reserved before a call is sent, settled after it, and billed by session as the services do.

extension ProviderClient {
  var prices: PriceTable { instance.manifest.prices }

  /// The class that a call is billed at; nil for a free one, also if the price table names a class that costs nothing, and for one whose price is
  /// not known.
  func price(of call: ProviderCall) -> PriceClass? {
    prices.priceClass(of: call.kind, fields: call.fields).flatMap { $0.micros > 0 ? $0 : nil }
  }

  /// True if it is known that the call costs nothing.
  func isFree(_ call: ProviderCall) -> Bool { prices.micros(of: call.kind, fields: call.fields) == 0 }

  /// The first class of a call whose price is not known; nil if all are known.
  private func missingPrice(of call: ProviderCall) -> String? {
    guard prices.micros(of: call.kind, fields: call.fields) == nil else { return nil }
    let classes = call.fields.compactMap { prices.fieldClasses[call.kind]?[$0] } + [prices.calls[call.kind]].compactMap { $0 }
    return classes.filter { prices[$0] == nil }.min()
  }

  /// Reserves the cost of a call. A details call ends its session in the cheapest way by the price table, which may request one more field;
  /// if the budget does not suffice for that, it requests only the wanted fields.
  func pay(for call: SharedCall) async throws(BudgetRefusal) -> PaidCall {
    guard case .details(let request) = call.key.call, let rule = instance.manifest.sessions,
      let token = call.session?.token(openAt: id, rule: rule, at: now), token.spend()
    else { return PaidCall(call: call.key.call, reservation: try await reserve(call.key.call, for: call.user)) }

    func pay(_ ending: SessionPricing.Ending) async throws(BudgetRefusal) -> PaidCall {
      var request = request
      request.sessionToken = token.value
      request.fields = ending.fields
      let reservation = try await reserve(.details(request), for: call.user)
      return PaidCall(call: .details(request), reservation: reservation, part: .ending(token, billedMicros: ending.autocompleteMicros))
    }
    let pricing = SessionPricing(prices: prices, rule: rule)
    let (requests, freeLeft) = (token.requests, freeCallsLeft)
    let cheapest = pricing.cheapestEnding(requests: requests, fields: request.fields, freeLeft: freeLeft)
    if cheapest.fields != request.fields, let paid = try? await pay(cheapest) { return paid }
    do throws(BudgetRefusal) {
      return try await pay(pricing.ending(requests: requests, fields: request.fields, freeLeft: freeLeft))
    } catch {
      token.release()
      throw error
    }
  }

  private func reserve(_ call: ProviderCall, for user: UInt32) async throws(BudgetRefusal) -> Reservation? {
    guard let budgets else { return nil }
    if let missing = missingPrice(of: call), budgets.limitsOnlyMoney(of: id) {
      throw BudgetRefusal(
        .money,
        "the budget of money cannot count this call, because the price `prices.\(missing)` is not known: an administrator can set it, or limit "
          + "the calls with `budget.calls_per_day`")
    }
    return try await budgets.reserve(provider: id, price: price(of: call), user: user)
  }

  /// The call as it is sent: an autocomplete call carries its session's token, if the service has session tokens, and is counted for it.
  func withSessionToken(_ paid: PaidCall, of call: SharedCall) -> PaidCall {
    guard case .autocomplete(var request) = paid.call, let rule = instance.manifest.sessions,
      let token = call.session?.token(for: id, rule: rule, at: now), token.count(paid.reservation, at: now)
    else { return paid }
    request.sessionToken = token.value
    return PaidCall(call: .autocomplete(request), reservation: paid.reservation, part: .counted(token))
  }

  /// The meter to which the requests of a call are charged.
  func meter(for paid: PaidCall, user: UInt32) -> CallMeter {
    CallMeter(
      first: paid.reservation, isFree: isFree(paid.call),
      reserve: { () async throws(BudgetRefusal) in try await self.reserve(paid.call, for: user) },
      release: { self.budgets?.settle($0, .unsent) })
  }

  /// Releases a call that was not sent: restores the session and returns the reservation.
  func release(_ paid: PaidCall, _ bill: CallMeter.Bill? = nil) {
    switch paid.part {
    case .none: break
    // Done first, so that a request that ends the session does not count the reservation as spent.
    case .counted(let token): token.discount(paid.reservation)
    case .ending(let token, _): token.release()
    }
    for case let reservation? in bill?.unsent ?? [paid.reservation] { budgets?.settle(reservation, .unsent) }
  }

  /// Settles a call that was sent or may have been. If it ended a session and was answered, the cost of the session's calls is settled too.
  /// Returns the cost of the requests in millionths, by the price table if no budget counts.
  func settle(_ paid: PaidCall, _ bill: CallMeter.Bill, isAnswered: Bool) -> Int {
    for case let reservation? in bill.unsent { budgets?.settle(reservation, .unsent) }
    for case let reservation? in bill.sent { budgets?.settle(reservation, .sent) }
    if isAnswered, case .ending(let token, let micros) = paid.part { budgets?.settle(session: token.charges, billedMicros: micros) }
    let listed = price(of: paid.call)?.micros ?? 0
    return bill.sent.reduce(Spending()) { $0 + Spending(micros: $1?.micros ?? listed) }.micros
  }

  /// True if a details call costs less than it saves: without a details call, all autocomplete calls of the session are billed.
  func paysToCall(_ request: ProviderRequest) -> Bool {
    guard case .details(let details) = request.plan.call, let rule = instance.manifest.sessions,
      let token = request.session?.token(openAt: id, rule: rule, at: now)
    else { return false }
    let pricing = SessionPricing(prices: prices, rule: rule)
    let (requests, freeLeft) = (token.requests, freeCallsLeft)
    return pricing.cheapestEnding(requests: requests, fields: details.fields, freeLeft: freeLeft).totalMicros
      < pricing.autocompleteMicros(requests, endedBy: nil, freeLeft: freeLeft)
  }

  private var freeCallsLeft: [String: Int] { budgets?.freeCallsLeft(prices, provider: id) ?? [:] }

  /// Reserves autocomplete calls for a user before the first one is made.
  func reserveAhead(for user: UInt32) {
    guard let budgets, suggestionPrice > 0, let price = prices.priceClass(of: .autocomplete), gate.suspension(at: now) == nil else {
      return
    }
    budgets.reserveAhead(provider: id, price: price, user: user)
  }

  /// Records that a call was avoided, by the cache or by sharing another caller's call.
  func recordSaved(_ call: ProviderCall, user: UInt32, by cause: SavingKey.Cause) {
    guard let budgets, let price = price(of: call) else { return }
    budgets.recordSaving(Spending(calls: 1, micros: price.micros), provider: id, user: user, by: cause)
  }

  /// Records the call avoided by an autocomplete reply from the reply cache.
  func recordSavedSuggestions(for user: UInt32) {
    limiter.saved.add(1, ordering: .relaxed)
    guard let budgets, suggestionPrice > 0 else { return }
    budgets.recordSaving(Spending(calls: 1, micros: suggestionPrice), provider: id, user: user, by: .cache)
  }
}
