import Resilience
import PlacesKit
import Synchronization

/// What the requests of one attempt cost beyond its first, for which the call is paid: each is reserved before it is sent, and all are
/// settled with the attempt.
final class RequestCharges: Sendable {
  private struct State {
    var charges: [Charge] = []
    var refusal: BudgetRefusal?
    var isOver = false
  }
  private let state = Mutex(State())
  private let client: ProviderClient
  private let call: ProviderCall
  private let user: UInt32

  init(_ client: ProviderClient, _ call: ProviderCall, of user: UInt32) {
    self.client = client
    self.call = call
    self.user = user
  }

  /// Reserves one request more. Throws where the budget does not reach so far, which is neither the service's fault nor worth a repeat.
  func reserve() async throws(ProviderError) {
    let charge: Charge?
    do throws(BudgetRefusal) { charge = try await client.reserve(call, for: user) } catch {
      // Who went away was refused nothing.
      if error.reason != .cancelled { state.withLock { $0.refusal = error } }
      throw ProviderError(.cancelled, error.message)
    }
    guard let charge else { return }
    let isOver = state.withLock { state in
      if !state.isOver { state.charges.append(charge) }
      return state.isOver
    }
    guard isOver else { return }
    client.budgets?.settle(charge, .unsent)
    throw ProviderError(.cancelled, "the call that the request was made for is over")
  }

  /// Lets none be reserved any more; gives what was, and why something was not.
  func close() -> (charges: [Charge], refusal: BudgetRefusal?) {
    state.withLock { state in
      state.isOver = true
      return (state.charges, state.refusal)
    }
  }
}
