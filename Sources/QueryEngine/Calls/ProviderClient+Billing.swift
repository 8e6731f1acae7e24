import PlacesKit
import Storage
import Resilience

/// A call whose cost is reserved, and its role in the service's session.
struct ReservedCall: Sendable {
  /// The role of a call in a session of the service, whose calls the service bills together (`SessionRule`).
  enum SessionRole: Sendable {
    /// The call does not belong to a session of the service.
    case none
    /// An autocomplete call that carries the session's token.
    case autocomplete(ServiceSessionToken)
    /// The details call that ends the session. `billedMicros` is the price of the session's autocomplete calls in this case, in
    /// millionths of the currency's unit.
    case ending(ServiceSessionToken, billedMicros: Int)
  }

  var call: ProviderCall
  /// Nil if no budget counts the call.
  var reservation: Reservation?
  var sessionRole = SessionRole.none
}

// The cost of a call is reserved before the call is sent, and settled afterwards. The calls of an autocomplete session are settled
// together, because services bill them together.

extension ProviderClient {
  var prices: PriceTable { instance.manifest.prices }

  /// The price of a call by the price table, in millionths of the currency's unit; 0 if it is not known.
  func tablePrice(of call: ProviderCall) -> Int { price(of: call)?.micros ?? 0 }

  /// The price class of a call; nil if the call costs nothing (even if the price table has a class for it) or its price is not known.
  func price(of call: ProviderCall) -> PriceClass? {
    prices.priceClass(of: call.kind, fields: call.fields).flatMap { $0.micros > 0 ? $0 : nil }
  }

  /// True if it is known that the call costs nothing.
  func isFree(_ call: ProviderCall) -> Bool { prices.micros(of: call.kind, fields: call.fields) == 0 }

  /// The name of a price class of the call that has no price in the table; nil if all its classes have one. If several classes have no
  /// price, this is the first name in alphabetical order.
  private func classWithoutPrice(of call: ProviderCall) -> String? {
    var names = call.fields.compactMap { prices.fieldClasses[call.kind]?[$0] }
    if let name = prices.calls[call.kind] { names.append(name) }
    return names.filter { prices[$0] == nil }.min()
  }

  /// Reserves the cost of a call. A details call ends its session in the way that is cheapest by the price table. It may request one more
  /// field if the session then costs less. If the budget refuses the call with this field, the call requests only the wanted fields.
  func reserve(_ call: SharedCall) async throws(BudgetRefusal) -> ReservedCall {
    guard case .details(let request) = call.key.call, let rule = instance.manifest.sessions,
      let token = call.session?.spendableToken(of: id, rule: rule, at: now), token.spend()
    else { return ReservedCall(call: call.key.call, reservation: try await reserveBudget(for: call.key.call, user: call.user)) }

    func reserveEnding(_ ending: SessionPricing.Ending) async throws(BudgetRefusal) -> ReservedCall {
      var request = request
      request.sessionToken = token.value
      request.fields = ending.fields
      let reservation = try await reserveBudget(for: .details(request), user: call.user)
      return ReservedCall(
        call: .details(request), reservation: reservation, sessionRole: .ending(token, billedMicros: ending.autocompleteMicros))
    }
    let (pricing, callCount) = (sessionPricing(rule), token.callCount)
    let cheapest = pricing.cheapestEnding(requests: callCount, fields: request.fields)
    if cheapest.fields != request.fields, let reserved = try? await reserveEnding(cheapest) { return reserved }
    do throws(BudgetRefusal) {
      return try await reserveEnding(pricing.ending(requests: callCount, fields: request.fields))
    } catch {
      token.release()
      throw error
    }
  }

  private func reserveBudget(for call: ProviderCall, user: UInt32) async throws(BudgetRefusal) -> Reservation? {
    guard let budgets else { return nil }
    if let className = classWithoutPrice(of: call), budgets.limitsOnlyMoney(of: id) {
      throw BudgetRefusal(
        .money,
        "the budget of money cannot count this call, because the price `prices.\(className)` is not known: an administrator can set it, or limit "
          + "the calls with `budget.calls_per_day`")
    }
    return try await budgets.reserve(provider: id, price: price(of: call), user: user)
  }

  /// Adds the session's token to an autocomplete call and counts the call for the session, if the service has session tokens. Other calls
  /// are returned unchanged.
  func withSessionToken(_ reservedCall: ReservedCall, of call: SharedCall) -> ReservedCall {
    guard case .autocomplete(var request) = reservedCall.call, let rule = instance.manifest.sessions,
      let token = call.session?.token(for: id, rule: rule, at: now), token.countCall(reservedCall.reservation, at: now)
    else { return reservedCall }
    request.sessionToken = token.value
    return ReservedCall(call: .autocomplete(request), reservation: reservedCall.reservation, sessionRole: .autocomplete(token))
  }

  /// The meter to which the requests of a call are charged.
  func meter(for reservedCall: ReservedCall, user: UInt32) -> CallMeter {
    CallMeter(
      first: reservedCall.reservation, isFree: isFree(reservedCall.call),
      reserve: { () async throws(BudgetRefusal) in try await self.reserveBudget(for: reservedCall.call, user: user) },
      release: { self.budgets?.settle($0, wasSent: false) }, retry: { self.gate.mayResend(at: self.now) })
  }

  /// Releases a call that is not charged: restores its session, and returns its reservations to the budget.
  /// - Parameter bill: the bill of the attempt; nil if there was no attempt.
  func release(_ reservedCall: ReservedCall, _ bill: CallMeter.Bill? = nil) {
    switch reservedCall.sessionRole {
    case .none: break
    // The call is removed from the session before its reservation is returned. Otherwise a request that ends the session in between would
    // count the call as sent.
    case .autocomplete(let token): token.uncountCall(reservedCall.reservation)
    case .ending(let token, _): token.release()
    }
    for case let reservation? in bill?.unusedReservations ?? [reservedCall.reservation] { budgets?.settle(reservation, wasSent: false) }
  }

  /// Settles a call that was sent, or may have been. If it was answered and ended a session, also settles the session's autocomplete calls.
  /// Returns the cost of the call's requests in millionths of the currency's unit. For a request that no budget counts, the price table
  /// determines the cost.
  func settle(_ reservedCall: ReservedCall, _ bill: CallMeter.Bill, isAnswered: Bool) -> Int {
    for case let reservation? in bill.unusedReservations { budgets?.settle(reservation, wasSent: false) }
    for case let reservation? in bill.chargedReservations { budgets?.settle(reservation, wasSent: true) }
    if isAnswered, case .ending(let token, let micros) = reservedCall.sessionRole {
      budgets?.settle(session: token.reservations, billedMicros: micros)
    }
    let tablePrice = tablePrice(of: reservedCall.call)
    return bill.chargedReservations.reduce(Spending()) { $0 + Spending(micros: $1?.micros ?? tablePrice) }.micros
  }

  /// True if the request is a details call that costs less than it saves. A details call can save money, because the service bills all
  /// autocomplete calls of a session that ends without one.
  func callLowersSessionPrice(_ request: ProviderRequest) -> Bool {
    guard case .details(let details) = request.plan.call, let rule = instance.manifest.sessions,
      let token = request.session?.spendableToken(of: id, rule: rule, at: now)
    else { return false }
    let (pricing, callCount) = (sessionPricing(rule), token.callCount)
    return pricing.cheapestEnding(requests: callCount, fields: details.fields).totalMicros
      < pricing.autocompleteMicros(callCount, endedBy: nil)
  }

  private func sessionPricing(_ rule: SessionRule) -> SessionPricing {
    SessionPricing(prices: prices, rule: rule, remainingFreeCalls: budgets?.remainingFreeCalls(prices, provider: id) ?? [:])
  }

  /// Counts a call that was not needed, for the reason `cause`.
  /// - Parameter micros: the price of the call that was not made, in millionths of the currency's unit; 0 if it is free or not known.
  func recordAvoidedCall(micros: Int, user: UInt32, by cause: SavingKey.Cause) {
    limiter.statistics.withLock { $0.counters.saved += 1 }
    if micros > 0 { budgets?.recordSaving(Spending(calls: 1, micros: micros), provider: id, user: user, by: cause) }
  }
}
