import Resilience
import PlacesKit

// Sessions as the services bill them: paid for before a call is sent, closed by its answer, and as they were where it did not leave.

extension ProviderClient {
  /// Pays for a flight's call. A details call ends its session, in the way that is cheapest by the price table, perhaps asking for one
  /// field more; where the budget does not reach so far, it asks for what is wanted.
  func pay(for sharedCall: SharedCall) async throws(BudgetRefusal) -> PaidCall {
    let call = sharedCall.key.call
    guard case .details(let request) = call, let rule = instance.manifest.sessions,
      let token = sharedCall.session?.token(openAt: id, rule: rule, at: now), token.spend()
    else { return PaidCall(call: call, charge: try await reserve(call, for: sharedCall.user)) }

    func pay(_ ending: SessionPricing.Ending) async throws(BudgetRefusal) -> PaidCall {
      var request = request
      request.sessionToken = token.value
      request.fields = ending.fields
      let charge = try await reserve(.details(request), for: sharedCall.user)
      return PaidCall(call: .details(request), charge: charge, part: .ending(token, billedMicros: ending.autocompleteMicros))
    }
    let pricing = SessionPricing(prices: prices, rule: rule)
    let (requests, freeLeft) = (token.requests, freeCallsLeft)
    let cheapest = pricing.cheapestEnding(requests: requests, fields: request.fields, freeLeft: freeLeft)
    if cheapest.fields != request.fields, let paid = try? await pay(cheapest) { return paid }
    do throws(BudgetRefusal) {
      return try await pay(pricing.ending(requests: requests, fields: request.fields, freeLeft: freeLeft))
    } catch {
      token.giveBack()
      throw error
    }
  }

  /// The call as it leaves now: an autocomplete call goes with its session's token where the service has such a thing, and counts there.
  func departing(_ paid: PaidCall, of sharedCall: SharedCall) -> PaidCall {
    guard case .autocomplete(var request) = paid.call, let rule = instance.manifest.sessions,
      let token = sharedCall.session?.token(for: id, rule: rule, at: now), token.count(paid.charge, at: now)
    else { return paid }
    request.sessionToken = token.value
    return PaidCall(call: .autocomplete(request), charge: paid.charge, part: .counted(token))
  }

  /// The call did not leave: the session is as it was, and the money goes back.
  func takeBack(_ paid: PaidCall) {
    switch paid.part {
    case .none: break
    // First, so that nobody who closes the session takes the charge for a spent one.
    case .counted(let token): token.discount(paid.charge)
    case .ending(let token, _): token.giveBack()
    }
    if let charge = paid.charge { budgets?.settle(charge, .unsent) }
  }

  /// The call was sent, or nobody knows. If it was to end a session and was answered, what the session's calls cost is known now.
  func settle(_ paid: PaidCall, _ bill: CallMeter.Bill, isAnswered: Bool) {
    for case let reservation? in bill.unsent { budgets?.settle(reservation, .unsent) }
    for case let reservation? in bill.sent { budgets?.settle(reservation, .sent) }
    if isAnswered, case .ending(let token, let micros) = paid.part { budgets?.endSession(token.charges, billedMicros: micros) }
  }

  /// Whether a details call costs less than what it saves: ended by none, a session's autocomplete calls are all billed.
  func paysToCall(_ ask: ProviderRequest) -> Bool {
    guard case .details(let request) = ask.plan.call, let rule = instance.manifest.sessions,
      let token = ask.session?.token(openAt: id, rule: rule, at: now)
    else { return false }
    let pricing = SessionPricing(prices: prices, rule: rule)
    let (requests, freeLeft) = (token.requests, freeCallsLeft)
    return pricing.cheapestEnding(requests: requests, fields: request.fields, freeLeft: freeLeft).totalMicros
      < pricing.autocompleteMicros(requests, endedBy: nil, freeLeft: freeLeft)
  }

  private var freeCallsLeft: [String: Int] { budgets?.freeCallsLeft(prices, provider: id) ?? [:] }
}
