import Keeping
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

  /// Sessions that ended for a new one: never more than there is room for here, so that opening one asks for no memory but its own.
  struct Ended: Sequence, IteratorProtocol {
    private var sessions = InlineArray<5, Session?>(repeating: nil)
    private var count = 0
    private var given = 0

    fileprivate mutating func append(_ session: Session?) {
      guard let session else { return }
      sessions[count] = session
      count += 1
    }

    mutating func next() -> Session? {
      guard given < count else { return nil }
      defer { given += 1 }
      return sessions[given]
    }
  }

  /// A place for a session, linked with its neighbours in its user's line.
  fileprivate struct Slot {
    /// Nil where the place is free.
    var session: Session?
    var line: Line
    var older: Int?
    var newer: Int?
  }

  /// A user's sessions in the order of their last use. `@unchecked Sendable`: it belongs to the state behind the mutex.
  fileprivate final class Line: @unchecked Sendable {
    let user: UInt32
    var oldest: Int?
    var newest: Int?
    var count = 0

    init(of user: UInt32) { self.user = user }
  }

  fileprivate struct State {
    var slots: [Slot] = []
    var free: [Int] = []
    var places: [Session.Key: Int] = [:]
    var lines: [UInt32: Line] = [:]
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(limits: Limits = Limits()) { self.limits = limits }

  var count: Int { state.withLock { $0.places.count } }

  /// The session of that user and name, a new one where there is none or it was silent for too long.
  /// - Parameter opened: called after a new one has begun, with those that ended for it, by silence or to make room.
  func session(_ id: SessionID, of user: UInt32, at now: Double, opened: (_ ended: Ended) -> Void = { _ in }) -> Session {
    let key = Session.Key(user: user, id: id)
    var ended = Ended()
    let (session, isNew) = state.withLock { state in
      if let place = state.places[key], let session = state.slots[place].session {
        if now - session.lastUse < limits.idle {
          state.moveToEnd(place)
          return (session, false)
        }
        state.remove(place)
        ended.append(session)
      }
      let line = state.lines[user] ?? Line(of: user)
      makeRoom(in: line, at: now, &state, &ended)
      let session = Session(key, at: now)
      state.append(session, to: line)
      return (session, true)
    }
    if isNew { opened(ended) }
    return session
  }

  /// The session, where it is open.
  func existing(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    state.withLock { state in state.places[Session.Key(user: user, id: id)].flatMap { state.slots[$0].session } }
      .flatMap { now - $0.lastUse < limits.idle ? $0 : nil }
  }

  /// Forgets answers that sessions hold.
  func forget(_ share: CacheShare) {
    let open = state.withLock { $0.slots.compactMap(\.session) }
    for session in open where share.user.map({ $0 == session.key.user }) ?? true { session.forgetAnswers(of: share.provider) }
  }

  /// Ends a session; gives it where it was open.
  @discardableResult func end(_ id: SessionID, of user: UInt32, at now: Double) -> Session? {
    let key = Session.Key(user: user, id: id)
    return state.withLock { state in state.places[key].flatMap { state.remove($0) } }
      .flatMap { now - $0.lastUse < limits.idle ? $0 : nil }
  }

  /// Two that a user left long ago go with each that he opens. Who has his share makes room for himself; where all places are taken, the
  /// session goes that was silent longest.
  private func makeRoom(in line: Line, at now: Double, _ state: inout State, _ ended: inout Ended) {
    for _ in 0..<2 {
      if let oldest = line.oldest, now - state.lastUse(oldest) >= limits.idle { ended.append(state.remove(oldest)) }
    }
    if line.count >= limits.perUser, let oldest = line.oldest { ended.append(state.remove(oldest)) }
    if state.places.count >= limits.all {
      let oldest = state.lines.values.compactMap(\.oldest).min { state.lastUse($0) < state.lastUse($1) }
      if let oldest { ended.append(state.remove(oldest)) }
    }
  }
}

extension Sessions.State {
  func lastUse(_ place: Int) -> Double { slots[place].session?.lastUse ?? .infinity }

  mutating func append(_ session: Session, to line: Sessions.Line) {
    let place = free.popLast() ?? slots.count
    let slot = Sessions.Slot(session: session, line: line)
    if place == slots.count { slots.append(slot) } else { slots[place] = slot }
    places[session.key] = place
    // A line whose last session went away to make room is not there any more.
    if line.count == 0 { lines[line.user] = line }
    link(place, to: line)
  }

  mutating func moveToEnd(_ place: Int) {
    guard slots[place].newer != nil else { return }
    unlink(place)
    link(place, to: slots[place].line)
  }

  @discardableResult mutating func remove(_ place: Int) -> Session? {
    unlink(place)
    let line = slots[place].line
    if line.count == 0 { lines[line.user] = nil }
    free.append(place)
    let session = slots[place].session.take()
    if let session { places[session.key] = nil }
    return session
  }

  private mutating func link(_ place: Int, to line: Sessions.Line) {
    slots[place].older = line.newest
    slots[place].newer = nil
    if let newest = line.newest { slots[newest].newer = place } else { line.oldest = place }
    line.newest = place
    line.count += 1
  }

  private mutating func unlink(_ place: Int) {
    let (line, older, newer) = (slots[place].line, slots[place].older, slots[place].newer)
    if let older { slots[older].newer = newer } else { line.oldest = newer }
    if let newer { slots[newer].older = older } else { line.newest = older }
    line.count -= 1
  }
}
