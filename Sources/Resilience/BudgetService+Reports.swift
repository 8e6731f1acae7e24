import PlacesKit
import Synchronization

// What the treasury tells of the budgets; nothing here pays.

extension BudgetService {
  /// How many calls of each class cost nothing any more this month, for `SessionPricing`.
  public func freeCallsLeft(_ prices: PriceTable, provider: String) -> [String: Int] {
    state.withLock { state in
      state.reservations.advance(to: time.wall())
      return prices.classes.reduce(into: [:]) { $0[$1.name] = state.reservations.accounts.freeCallsLeft(of: $1, provider: provider) }
    }
  }

  /// Waits until the ledger was read or could not be: before, a report knows of nothing. False where that does not come in time, as from a
  /// disk that does not answer.
  public func loaded() async -> Bool {
    await within(BudgetService.patience, of: time, "the spending ledger") { await self.known() } ?? false
  }

  /// The same without a limit; false as soon as the task is cancelled.
  private func known() async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          // The flag is set before the handler runs: whoever the handler missed sees it here.
          guard case .loading = state.health, !Task.isCancelled else { return false }
          state.readers[id] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.readers.removeValue(forKey: id) }?.resume()
    }
    return isLoaded
  }

  /// Whether the ledger was read, or could not be, for who does not wait.
  public var isLoaded: Bool { state.withLock { if case .loading = $0.health { false } else { true } } }

  /// What a provider has cost, all users' or one user's, and why paid calls are off, where they are.
  public func report(provider: String, user: UInt32? = nil) -> BudgetReport {
    state.withLock { state in
      state.reservations.advance(to: time.wall())
      state.lastKnown?.advance(to: time.wall())
      state.unwritten?.advance(to: time.wall())
      return BudgetReport(
        provider: provider, user: user, accounts: state.unwritten?.accounts ?? (state.lastKnown ?? state.reservations).accounts,
        limits: state.limits[provider] ?? BudgetLimits())
    }
  }

  /// Why the budget leaves no call of any of these classes (nil for a free one), whoever asks; nil where it leaves one, or where the
  /// ledger is not known.
  public func exhaustion(of provider: String, _ prices: [PriceClass?]) -> BudgetRefusal? {
    state.withLock { state in
      guard let limits = state.limits[provider], state.isReady else { return nil }
      state.reservations.advance(to: time.wall())
      return state.reservations.exhaustion(of: provider, prices.map { $0 ?? PriceClass("", micros: 0) }, limits: limits)
    }
  }

  /// Why no paid call can be made, whatever the budgets: the ledger cannot be written or is not confirmed.
  public var failure: LedgerError? {
    state.withLock { $0.health.fault }
  }
}
