import QueryEngine
import Linux
import PlacesAPI
import PlacesKit
import Storage
import RPC
import Synchronization

/// The wire's methods on top of the engine. A request whose answer is known takes the short road in `knownReply`; any other goes
/// through the method table.
public final class Service: RequestHandler {
  let engine: Engine
  private let table: MethodTable
  private let administrators: Administrators
  private let known: KnownAnswers
  private let cache: Cache
  private let administration: any Administration
  /// The revision of the data that what is kept was answered from.
  private let revision: Atomic<UInt64>
  /// Until when it is taken for the present one, in monotonic seconds as a bit pattern: every known answer comes by here.
  private let nextLook = Atomic<UInt64>(0)
  /// Takes a line for each query, where the administrator wants to see them.
  private let queryLog: (@Sendable (String) -> Void)?
  /// Learns of each request that came this far: its method, what became of it, and how long it took.
  private let requestLog: RequestLog?
  public typealias RequestLog = @Sendable (_ method: String, _ outcome: String, _ milliseconds: Double) -> Void

  /// - Parameters:
  ///   - cacheBytes: how much memory encoded answers may take.
  ///   - queryLog: gets a line for each query; nil, as it should be, for no such lines.
  ///   - requestLog: is told of each request but those that are answered from memory; never of a query.
  public init(
    engine: Engine, stores: Stores, administration: any Administration, administrators: Administrators,
    info: @escaping @Sendable () -> ServiceInfo.Result, cacheBytes: Int = 8 << 20, queryLog: (@Sendable (String) -> Void)? = nil,
    requestLog: RequestLog? = nil
  ) {
    self.queryLog = queryLog
    self.requestLog = requestLog
    self.engine = engine
    self.administrators = administrators
    self.administration = administration
    cache = stores.cache
    revision = Atomic(administration.dataRevision())
    known = KnownAnswers(engine: engine, capacity: cacheBytes)
    var table = MethodTable()
    table.addPlaces(engine, known)
    table.addProviders(engine, administration, known)
    let bookkeeping = Bookkeeping(engine: engine, administration: administration, budgets: stores.budgets)
    table.addService(engine, administration, known, stores.cache, bookkeeping, info: info)
    table.addCache(engine, stores.cache, known)
    table.addBudget(engine, bookkeeping, stores.ledger)
    self.table = table
  }

  public func knownReply(in bytes: Span<UInt8>, from start: Int, limits: Limits, caller: Peer) -> KnownReply? {
    guard queryLog == nil else { return nil }
    let now = engine.now
    guard isCurrent(at: now) else { return nil }
    return known.reply(in: bytes, from: start, limits: limits, user: caller.user, at: now)
  }

  public func reply(to request: Request, context: RequestContext) async -> Reply {
    renew()
    if let queryLog, let query = request.params?["query"]?.string {
      queryLog("user \(context.caller.user) asked \(request.method): \(query)")
    }
    let visitor = Visitor(
      user: context.caller.user,
      isAdministrator: administrators.includes(user: context.caller.user, groups: [context.caller.group] + context.caller.groups))
    let call = MethodTable.Call(visitor: visitor, id: context.id ?? .null) { context.notify($0, params: $1) }
    let start = SystemTime().monotonic()
    let reply = await table.reply(to: request.method, request.params, call)
    requestLog?(table.has(request.method) ? request.method : "an unknown method", reply.outcome, (SystemTime().monotonic() - start) * 1000)
    return reply
  }

  /// Whether what is kept was answered from the data that there is, which is looked at once a second, and only when somebody asks: so
  /// nothing wakes a daemon that has nothing to do.
  private func isCurrent(at now: Double) -> Bool {
    if now < Double(bitPattern: nextLook.load(ordering: .relaxed)) { return true }
    guard revision.load(ordering: .relaxed) == administration.dataRevision() else { return false }
    nextLook.store((now + 1).bitPattern, ordering: .relaxed)
    return true
  }

  /// Forgets what was answered from files that were replaced since.
  private func renew() {
    guard !isCurrent(at: engine.now) else { return }
    let (old, new) = (revision.load(ordering: .relaxed), administration.dataRevision())
    guard old != new, revision.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged else { return }
    known.forget()
    // A request waits for it, so that it asks no disk: none of these providers leaves the machine.
    for provider in administration.dataProviders { cache.forget(CacheShare(provider: provider, includesChoices: false)) }
    // Also what was answered from the cache meanwhile.
    known.forget()
  }

  /// Whatever may change an answer has changed: a new configuration, a provider switched, an index replaced.
  public func forgetAnswers() { known.forget() }
}

extension Reply {
  /// In a word or two, for the log.
  fileprivate var outcome: String {
    switch self {
    case .result(let bytes): "\(bytes.count) bytes"
    case .error(let error): error.data?["name"]?.string ?? "error \(error.code)"
    }
  }
}
