import PlacesAPI
import Synchronization

/// The sessions that are open: private to their users, ended by use or by silence, never more than a bound. A request finds,
/// opens or pushes one out in constant time, since answers that are known already pass here too.
final class Sessions: Sendable {
  struct Limits: Sendable {
    /// Seconds without a request after which a session is over.
    var idle = 180.0
    var all = 1_000
    var perUser = 128
  }

  private struct State {
    var open: [Session.Key: Session] = [:]
    var lines: [UInt32: Line] = [:]
  }

  /// A user's sessions, roughly in the order of their last use: one that was used since it was put in line goes to its end when its
  /// turn comes, and stays.
  private struct Line {
    private var entries: [(session: Session, lastUse: Double)] = []
    private var head = 0
    /// Sessions that are open; the line may hold ended ones beside them.
    var count = 0

    mutating func append(_ session: Session) {
      if head > 64, head * 2 > entries.count {
        entries.removeSubrange(0..<head)
        head = 0
      }
      entries.append((session, session.lastUse))
    }

    var length: Int { entries.count - head }

    /// When the session at the head was used, as far as the line knows.
    var quietSince: Double { head < entries.count ? entries[head].lastUse : .infinity }

    /// Lets go of sessions that have ended otherwise.
    mutating func compact(_ isOpen: (Session) -> Bool) {
      entries = entries[head...].filter { isOpen($0.session) }
      head = 0
    }

    /// The open session that was silent longest; it leaves the line.
    mutating func popQuietest(_ isOpen: (Session) -> Bool) -> Session? {
      while head < entries.count {
        let (session, lastUse) = entries[head]
        head += 1
        guard isOpen(session) else { continue }
        if session.lastUse <= lastUse { return session }
        append(session)
      }
      return nil
    }
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(limits: Limits = Limits()) { self.limits = limits }

  var count: Int { state.withLock { $0.open.count } }

  /// The session of that user and name, a new one where there is none or it was silent for too long.
  /// - Parameter opened: called after a new one has begun.
  func session(_ id: SessionID, of user: UInt32, at now: Double, opened: () -> Void = {}) -> Session {
    let key = Session.Key(user: user, id: id)
    let (session, isNew) = state.withLock { state in
      if let session = state.open[key], now - session.lastUse < limits.idle { return (session, false) }
      Self.remove(key, from: &state)
      makeRoom(for: user, in: &state)
      let session = Session(key, at: now)
      state.open[key] = session
      var line = state.lines.removeValue(forKey: user) ?? Line()
      if line.length > 2 * (limits.perUser + line.count) { line.compact { state.open[$0.key] === $0 } }
      line.append(session)
      line.count += 1
      state.lines[user] = line
      return (session, true)
    }
    if isNew { opened() }
    return session
  }

  /// The session, where it is open.
  func existing(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    state.withLock { $0.open[Session.Key(user: user, id: id)] }.flatMap { now - $0.lastUse < limits.idle ? $0 : nil }
  }

  /// Ends a session; gives it where it was open.
  @discardableResult func end(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    state.withLock { Self.remove(Session.Key(user: user, id: id), from: &$0) }.flatMap { now - $0.lastUse < limits.idle ? $0 : nil }
  }

  /// Who has his share makes room for himself; where all places are taken, the line goes on whose head was silent longest.
  private func makeRoom(for user: UInt32, in state: inout State) {
    if state.lines[user].map({ $0.count >= limits.perUser }) == true { Self.pushOut(of: user, in: &state) }
    guard state.open.count >= limits.all else { return }
    let quietest = state.lines.min { ($0.value.quietSince, $0.key) < ($1.value.quietSince, $1.key) }
    if let quietest { Self.pushOut(of: quietest.key, in: &state) }
  }

  private static func pushOut(of user: UInt32, in state: inout State) {
    guard var line = state.lines.removeValue(forKey: user) else { return }
    let quietest = line.popQuietest { state.open[$0.key] === $0 }
    state.lines[user] = line
    if let quietest { remove(quietest.key, from: &state) }
  }

  @discardableResult private static func remove(_ key: Session.Key, from state: inout State) -> Session? {
    guard let session = state.open.removeValue(forKey: key) else { return nil }
    state.lines[key.user]?.count -= 1
    if state.lines[key.user]?.count == 0 { state.lines[key.user] = nil }
    return session
  }
}
