import QueryEngine
import Resilience
import Storage
import PlacesAPI
import PlacesKit

/// The daemon's persistent stores.
public struct Stores: Sendable {
  public var cache: Cache
  public var budgets: BudgetService
  public var ledger: Ledger

  public init(cache: Cache, budgets: BudgetService, ledger: Ledger) {
    self.cache = cache
    self.budgets = budgets
    self.ledger = ledger
  }
}

extension MethodTable {
  /// Adds the methods `cache.*`.
  mutating func addCache(_ engine: Engine, _ cache: Cache, _ cachedAutocomplete: CachedAutocomplete) {
    on(CacheStats.self) { (parameters, call) throws(APIError) in
      guard let statistics = await cache.statistics(try call.scope(parameters)) else { throw .slowCache }
      return CacheStats.Result(
        providers: statistics.compactMap {
          let isConfigured = engine.status(of: $0.provider) != nil
          // A provider that is not configured is listed only if some of its data is stored, so that it can be purged.
          guard isConfigured || $0.storesAnything else { return nil }
          return CacheStats.Share(
            provider: $0.provider, answers: $0.answers, places: $0.places, choices: $0.choices, bytes: $0.bytes, hits: $0.hits,
            misses: $0.misses, isConfigured: isConfigured)
        })
    }
    on(CachePurge.self) { (parameters, call) throws(APIError) in
      let scope = try call.scope(parameters)
      // Replies are invalidated before the purge, so that no cached reply is sent from now on, and again after the purge, because
      // requests may have been answered from the cache in the meantime.
      cachedAutocomplete.replyCache.invalidate(scope.user.map { .user($0) } ?? .all)
      defer { cachedAutocomplete.replyCache.invalidate(scope.user.map { .user($0) } ?? .all) }
      let removal = await cache.purge(scope)
      // The engine's copies in memory are removed after those on disk, because the engine could otherwise read them from the disk again.
      engine.forget(scope)
      guard let removal else {
        throw APIError(
          .internalError,
          """
          the cache's file could not be cleared now, see the log; this daemon no longer sends anything from the file, and clears the file as \
          soon as it can be written: if the daemon restarts before then, purge again
          """)
      }
      return CacheRemoval(answers: removal.answers, places: removal.places, choices: removal.choices)
    }
    on(CacheList.self) { (parameters, call) throws(APIError) in
      let scope = CacheScope(provider: parameters.share.provider, user: parameters.share.user.map(UInt32.init(truncatingIfNeeded:)))
      guard let entries = await cache.list(scope, containing: parameters.contains, limit: parameters.limit) else { throw .slowCache }
      return CacheList.Result(entries: entries.map(CacheList.Entry.init))
    }
    on(CacheExpire.self) { (_, _) throws(APIError) in
      cachedAutocomplete.replyCache.invalidate(.all)
      defer { cachedAutocomplete.replyCache.invalidate(.all) }
      guard let removal = await cache.expire() else { throw .slowCache }
      return CacheRemoval(answers: removal.answers, places: removal.places, choices: removal.choices)
    }
  }

  /// Adds the methods `budget.*`.
  mutating func addBudget(_ engine: Engine, _ budgetReporter: BudgetReporter, _ ledger: Ledger) {
    on(BudgetGet.self) { (parameters, call) throws(APIError) in
      let scope = try call.scope(parameters)
      guard let rows = await budgetReporter.rows(of: scope) else { throw .slowLedger }
      return BudgetGet.Result(providers: rows)
    }
    on(BudgetConfirm.self) { (parameters, _) throws(APIError) in
      guard engine.status(of: parameters.provider) != nil else { throw .unknownProvider(parameters.provider) }
      guard !budgetReporter.isUncounted(parameters.provider) else {
        throw APIError(
          .invalidParams,
          "\(parameters.provider) is free and has no limit, so the ledger does not contain its calls: name another provider",
          data: ["parameter": "provider"])
      }
      do throws(LedgerError) { try await ledger.confirm() } catch { throw APIError(.internalError, error.message) }
      budgetReporter.budgets.reload()
      guard let rows = await budgetReporter.rows(of: CacheScope(provider: parameters.provider)) else { throw .slowLedger }
      // A reload may have removed the provider in the meantime.
      guard let row = rows.first else { throw .unknownProvider(parameters.provider) }
      return BudgetConfirm.Result(provider: row)
    }
  }
}

extension APIError {
  /// The error if the cache's disk does not respond.
  fileprivate static let slowCache = APIError(
    .internalError,
    "the cache's file could not be read or written within \(Int(Cache.diskTimeout)) s: check the disk of cache_dir, then retry")

  /// The error if the ledger's disk does not respond.
  fileprivate static let slowLedger = APIError(
    .internalError,
    "the spending ledger could not be read within \(Int(BudgetService.ledgerTimeout)) s: check the disk of state_dir, then retry")
}

extension MethodTable.MethodCall {
  /// The part of the cache or of the budgets that a request names: by default the caller's own. Only an administrator may name another
  /// user's part, or that of all users.
  fileprivate func scope(_ parameters: ShareParameters) throws(APIError) -> CacheScope {
    guard caller.isAdministrator || !parameters.concernsOthers(than: caller.user) else {
      throw .administratorsOnly("another user's share")
    }
    let user = parameters.all ? nil : parameters.user.map(UInt32.init(truncatingIfNeeded:)) ?? caller.user
    return CacheScope(provider: parameters.provider, user: user)
  }
}

extension CacheList.Entry {
  fileprivate init(_ entry: CacheEntry) {
    var user: Int?
    if case .user(let id) = entry.partition { user = Int(id) }
    self.init(
      provider: entry.provider, call: entry.call, key: entry.key, user: user, rows: entry.rows, bytes: entry.bytes,
      storedAt: Timestamp.rfc3339(entry.storedAt), expiresAt: entry.expiresAt.isFinite ? Timestamp.rfc3339(entry.expiresAt) : nil)
  }
}
