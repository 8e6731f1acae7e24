import Storage
import PlacesAPI
import Synchronization

/// The open sessions. A session is private to its user, and ends when the user chooses a place, or after inactivity. The number of sessions
/// is bounded.
///
/// Each reply from the reply cache is recorded here, so this must be fast: unless the table is full, a session is found, opened and evicted
/// in constant time. The `Session` object is created only when a request misses the reply cache; until then, the session is an entry in the
/// table.
final class Sessions: Sendable {
  struct SessionLimits: Sendable {
    /// Seconds without a request after which a session is over.
    var idleSeconds = 180.0
    /// The maximum number of sessions of all users, and of one user.
    var maxSessions = 1_000
    var maxPerUser = 128
  }

  /// The result of recording a request that was answered from the reply cache.
  enum RecordResult {
    /// The request is the first of its session. `endedSessions` are other sessions that ended by inactivity or to make room.
    case firstRequest(endedSessions: [Session])
    /// The session had earlier requests.
    case laterRequest
    /// A newer request has begun.
    case superseded
  }

  private let limits: SessionLimits
  private let table: Mutex<SessionTable>

  init(limits: SessionLimits = SessionLimits()) {
    self.limits = limits
    table = Mutex(SessionTable(size: limits.maxSessions))
  }

  var count: Int { table.withLock { $0.count } }

  /// The open session with this user and id. If there is none, or if it was idle for too long, a new one is opened.
  /// - Parameter onOpen: called after a new session was opened, with the sessions that ended by inactivity or to make room.
  func session(_ id: SessionID, of user: UInt32, at now: Double, onOpen: (_ endedSessions: [Session]) -> Void = { _ in }) -> Session {
    let (session, endedSessions) = table.withLock { table in
      let (slot, endedSessions) = slot(of: Session.Key(user: user, id: id), at: now, in: &table)
      return (table.entries[slot].sessionOrNew(), endedSessions)
    }
    if let endedSessions { onOpen(endedSessions) }
    return session
  }

  /// Records a request that was answered from the reply cache. It supersedes the session's requests with a lower `seq`.
  func recordAnswered(_ id: SessionID, of user: UInt32, seq: Int?, query: String, at now: Double) -> RecordResult {
    let (result, session) = table.withLock { table -> (RecordResult, Session?) in
      let (slot, endedSessions) = slot(of: Session.Key(user: user, id: id), at: now, in: &table)
      if let session = table.entries[slot].session { return (.laterRequest, session) }
      guard table.entries[slot].progress.recordRequest(seq: seq, query: query, at: now) else { return (.superseded, nil) }
      return (endedSessions.map { .firstRequest(endedSessions: $0) } ?? .laterRequest, nil)
    }
    guard let session else { return result }
    return session.recordAnswered(seq: seq, query: query, at: now) ? .laterRequest : .superseded
  }

  /// The session if it is open, otherwise nil. The `Session` object is created if the session had only an entry in the table.
  func openSession(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    table.withLock { table in
      table.slot(of: Session.Key(user: user, id: id)).flatMap {
        now - table.entries[$0].lastUse < limits.idleSeconds ? table.entries[$0].sessionOrNew() : nil
      }
    }
  }

  /// Removes exhaustive answers from the sessions: those of the scope's user and provider, of all users if the scope names none, and of all
  /// providers if it names none.
  func forgetAnswers(in scope: CacheScope) {
    let openSessions = table.withLock { $0.entries.compactMap(\.session) }
    for session in openSessions where scope.user.map({ $0 == session.key.user }) ?? true { session.forgetAnswers(of: scope.provider) }
  }

  /// Ends a session.
  func end(_ id: SessionID, of user: UInt32) {
    table.withLock { table in
      if let slot = table.slot(of: Session.Key(user: user, id: id)) { table.remove(slot) }
    }
  }

  /// The slot of the session with this key in the table. If no such session is open, opens a new one. `endedSessions` is nil if the session
  /// was already open. Otherwise it contains the sessions that ended by inactivity or to make room. Sessions that called no provider are
  /// left out, because nothing is stored for them.
  private func slot(of key: Session.Key, at now: Double, in table: inout SessionTable) -> (slot: Int, endedSessions: [Session]?) {
    var endedSessions: [Session] = []
    if let slot = table.slot(of: key) {
      if now - table.entries[slot].lastUse < limits.idleSeconds {
        table.markUsed(slot)
        return (slot, nil)
      }
      if let session = table.remove(slot) { endedSessions.append(session) }
    }
    let userIndex = table.userIndex(of: key.user)
    makeRoom(in: userIndex, at: now, &table, &endedSessions)
    return (table.open(key, in: userIndex, at: now), endedSessions)
  }

  /// Makes room for a new session. Removes up to two expired sessions of the user, the user's oldest session if the user is at the limit,
  /// and the least recently used session of all users if the table is full.
  private func makeRoom(in userIndex: Int?, at now: Double, _ table: inout SessionTable, _ endedSessions: inout [Session]) {
    func evict(_ slot: Int?) { if let slot, let session = table.remove(slot) { endedSessions.append(session) } }
    if let userIndex {
      for _ in 0..<2 {
        guard let oldest = table.oldest(in: userIndex), now - table.entries[oldest].lastUse >= limits.idleSeconds else { break }
        evict(oldest)
      }
      if table.count(in: userIndex) >= limits.maxPerUser { evict(table.oldest(in: userIndex)) }
    }
    if table.count >= limits.maxSessions { evict(table.oldest) }
  }
}

extension SessionTable.Entry {
  /// The session, which is created if necessary.
  fileprivate mutating func sessionOrNew() -> Session {
    if let session { return session }
    let session = Session(key, after: progress)
    self.session = session
    return session
  }
}
