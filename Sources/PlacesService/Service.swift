import QueryEngine
import Linux
import PlacesAPI
import PlacesKit
import Storage
import RPC
import Synchronization

/// Implements the methods of `PlacesAPI` with the engine. Cached replies are returned on the thread of the server's loop. All other
/// requests are handled by the method table.
public final class Service: RequestHandler {
  let engine: Engine
  private let table: MethodTable
  private let administrators: Administrators
  private let cachedAutocomplete: CachedAutocomplete
  private let answerCache: Cache
  private let daemonControl: any DaemonControl
  private let dataFileChecker: DataFileChecker
  /// Receives a line for each query; nil unless the administrator enabled the log of queries.
  private let queryLog: (@Sendable (String) -> Void)?
  /// Receives each request that was not answered from the cache; nil for none.
  private let requestLog: RequestLog?
  public typealias RequestLog = @Sendable (_ method: String, _ outcome: String, _ milliseconds: Double) -> Void
  private static let cachedMethod = Array(Autocomplete.name.utf8)

  /// - Parameters:
  ///   - info: returns the result of `service.info`.
  ///   - cacheBytes: the maximum size of cached replies in bytes.
  ///   - queryLog: receives a line for each query; normally nil.
  ///   - requestLog: receives each request that is not answered from the cache, without its query; nil for none.
  public init(
    engine: Engine, stores: Stores, daemonControl: any DaemonControl, administrators: Administrators,
    info: @escaping @Sendable () -> ServiceInfo.Result, cacheBytes: Int = 8 << 20, queryLog: (@Sendable (String) -> Void)? = nil,
    requestLog: RequestLog? = nil
  ) {
    self.queryLog = queryLog
    self.requestLog = requestLog
    self.engine = engine
    self.administrators = administrators
    self.daemonControl = daemonControl
    answerCache = stores.cache
    dataFileChecker = DataFileChecker(now: { engine.now })
    cachedAutocomplete = CachedAutocomplete(engine: engine, capacity: cacheBytes)
    var table = MethodTable()
    table.addPlaces(engine, cachedAutocomplete)
    table.addProviders(engine, daemonControl, cachedAutocomplete)
    let budgetReporter = BudgetReporter(engine: engine, daemonControl: daemonControl, budgets: stores.budgets)
    table.addService(engine, daemonControl, cachedAutocomplete, stores.cache, budgetReporter, info: info)
    table.addCache(engine, stores.cache, cachedAutocomplete)
    table.addBudget(engine, budgetReporter, stores.ledger)
    self.table = table
  }

  public func cachedReply(to text: Span<UInt8>, _ outline: RequestOutline, maxBytes: Int, user: UInt32) -> CachedResult? {
    guard queryLog == nil, text.extracting(outline.method).equals(Service.cachedMethod) else { return nil }
    let now = engine.now
    guard dataFileChecker.isCurrent(at: now) else { return nil }
    return cachedAutocomplete.cachedReply(to: text, outline, maxBytes: maxBytes, user: user, at: now)
  }

  public func reply(to request: Request, context: RequestContext) async -> Reply {
    await invalidateIfDataFilesReplaced()
    if let queryLog, let query = Service.query(of: request) {
      queryLog("user \(context.caller.user) asked \(request.method): \(query)")
    }
    let caller = Caller(user: context.caller.user, isAdministrator: isPrivileged(context.caller))
    let call = MethodTable.MethodCall(caller: caller, id: context.id ?? .null, params: request.params ?? []) {
      context.notify($0, params: $1)
    }
    let start = SystemTime().monotonic()
    let reply = await table.reply(to: request.method, call)
    requestLog?(table.has(request.method) ? request.method : "an unknown method", reply.outcome, (SystemTime().monotonic() - start) * 1000)
    return reply
  }

  public func isPrivileged(_ caller: Peer) -> Bool { administrators.includes(caller) }
  public func mayRepresentUsers(_ caller: Peer) -> Bool { administrators.mayRepresentUsers(caller) }

  /// If a data file was replaced, removes the answers of all providers that use data files.
  private func invalidateIfDataFilesReplaced() async {
    guard !dataFileChecker.isCurrent(at: engine.now), await dataFileChecker.checkFiles(at: daemonControl.dataFiles) else { return }
    cachedAutocomplete.replyCache.invalidate(.all)
    // The answers of these providers are in memory only (`ProviderInstance.keepsOnDisk`).
    for provider in daemonControl.providersUsingDataFiles { answerCache.forget(CacheScope(provider: provider, includesChoices: false)) }
    // Replies are invalidated again, because requests may have been answered from the providers' cache in the meantime.
    cachedAutocomplete.replyCache.invalidate(.all)
  }

  /// Invalidates all cached replies, after a change of the configuration or of a provider's state.
  public func invalidateReplies() { cachedAutocomplete.replyCache.invalidate(.all) }

  /// The query of a request, for the log of queries; nil if the request has none, or has more than 1,000 values in its parameters.
  private static func query(of request: Request) -> String? {
    guard let params = request.params else { return nil }
    return (try? JSONValue(parsing: params, limits: JSONLimits(values: 1_000)))?["query"]?.string
  }
}

extension Reply {
  /// The outcome in one or two words, for the log.
  fileprivate var outcome: String {
    switch self {
    case .result(let bytes): "\(bytes.count) bytes"
    case .error(let error): error.data?["name"]?.string ?? "error \(error.code)"
    }
  }
}
