import PlacesAPI
import Synchronization

/// The sessions that are open: private to their users, ended by use or by silence, never more than a bound.
final class Sessions: Sendable {
  struct Limits: Sendable {
    /// Seconds without a request after which a session is over.
    var idle = 180.0
    var all = 1_000
    var perUser = 128
  }

  private let limits: Limits
  private let open = Mutex<[Session.Key: Session]>([:])

  init(limits: Limits = Limits()) { self.limits = limits }

  var count: Int { open.withLock { $0.count } }

  /// The session of that user and name, a new one where there is none or it was silent for too long.
  func session(_ id: SessionID, of user: UInt32, at now: Double) -> Session {
    let key = Session.Key(user: user, id: id)
    return open.withLock { open in
      if let session = open[key], now - session.lastUse < limits.idle { return session }
      makeRoom(for: user, in: &open, at: now)
      let session = Session(key, at: now)
      open[key] = session
      return session
    }
  }

  /// The session, where it is open.
  func existing(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    open.withLock { $0[Session.Key(user: user, id: id)] }.flatMap { now - $0.lastUse < limits.idle ? $0 : nil }
  }

  /// Ends a session; gives it where it was open.
  @discardableResult func end(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    open.withLock { $0.removeValue(forKey: Session.Key(user: user, id: id)) }.flatMap { now - $0.lastUse < limits.idle ? $0 : nil }
  }

  /// Forgets silent sessions, and where that is not enough the one that was silent longest.
  private func makeRoom(for user: UInt32, in open: inout [Session.Key: Session], at now: Double) {
    let own = open.lazy.filter { $0.key.user == user }
    guard open.count >= limits.all || own.count >= limits.perUser else { return }
    open = open.filter { now - $0.value.lastUse < limits.idle }
    for (isFull, belongs) in [
      (open.lazy.filter { $0.key.user == user }.count >= limits.perUser, { (key: Session.Key) in key.user == user }),
      (open.count >= limits.all, { _ in true }),
    ] where isFull {
      let quietest = open.filter { belongs($0.key) }.min { ($0.value.lastUse, $0.key.id.text) < ($1.value.lastUse, $1.key.id.text) }
      if let quietest { open[quietest.key] = nil }
    }
  }
}
