import Guarding
import PlacesAPI
import PlacesKit

extension Engine {
  /// What requests of all kinds have in common.
  struct Common {
    var user: UInt32
    var deadlineMs: Int?
    var cache: CacheMode
    var providers: [String] = []
    var session: Session?
    var keystroke: Keystroke?
  }

  /// What takes its turn in a session, which begins with it.
  struct Keystroke {
    var session: SessionID
    var seq: Int?
    var query: String
  }

  /// Seconds before a request's deadline, but no more than a twentieth of its time, at which the wait for providers ends: merging,
  /// encoding and sending take theirs, and the reply is to be there by the deadline.
  static let closing = 0.01

  /// Makes an inquiry, gives it to `body`, and lets the next request in afterwards.
  func inquire<Answer>(
    _ common: Common, plan: (Manifest) throws(Skip) -> Plan, body: (Inquiry) async throws(APIError) -> Answer
  ) async throws(APIError) -> Answer {
    let start = time.monotonic()
    try admit(common.user, at: start)
    let allowed = common.deadlineMs.map { Double($0) / 1000 } ?? settings.withLock { $0.deadline }
    let deadline = start + allowed - min(Engine.closing, allowed / 20)
    var inquiry = Inquiry(user: common.user, deadline: deadline, cache: common.cache, session: common.session)
    (inquiry.participants, inquiry.absent) = try participants(common.providers, plan: plan)
    // Last, so that a request that is refused ends none of those before it.
    if let keystroke = common.keystroke { try begin(keystroke, &inquiry, asking: common.providers) }
    defer { if let turn = inquiry.turn { inquiry.session?.end(turn, at: time.monotonic()) } }
    if common.cache == .only { return try await body(inquiry) }
    guard await doors.enter(common.user, before: deadline) else { return try await serveFromCache(inquiry, body: body) }
    defer { doors.leave(common.user, after: time.monotonic() - start) }
    return try await body(inquiry)
  }

  /// Gives a keystroke its turn. Where it is the session's first one, providers that cost something put calls by for those that
  /// follow, so that none of them waits for the ledger's disk.
  /// - Parameter named: the providers that the request names; all where it names none.
  private func begin(_ keystroke: Keystroke, _ inquiry: inout Inquiry, asking named: [String]) throws(APIError) {
    let user = inquiry.user
    let session = sessions.session(keystroke.session, of: user, at: time.monotonic()) { ended in
      leave(ended)
      for lane in registry.withLock({ $0.lanes }) where named.isEmpty || named.contains(lane.id) { lane.prepareToPay(for: user) }
    }
    inquiry.session = session
    inquiry.turn = session.begin(seq: keystroke.seq, query: keystroke.query, at: time.monotonic())
    if inquiry.turn == nil { throw .superseded }
  }

  /// Sessions that nobody ended are over: what was kept for them alone goes.
  func leave(_ ended: [Session]) {
    for session in ended { cache?.endSession(session.id.text, of: session.key.user) }
  }

  private func admit(_ user: UInt32, at now: Double) throws(APIError) {
    guard let wait = quota.admit(user, at: now) else { return }
    throw APIError(
      .quotaExceeded, "you have made more requests than your quota allows; wait before the next one",
      data: ["retryAfterMs": .integer(Int64((min(wait, 3_600) * 1000).rounded(.up)))])
  }

  /// What an overloaded daemon can still do.
  private func serveFromCache<Answer>(
    _ inquiry: Inquiry, body: (Inquiry) async throws(APIError) -> Answer
  ) async throws(APIError) -> Answer {
    var inquiry = inquiry
    inquiry.cache = .only
    inquiry.overload = doors.retryAfter
    do {
      return try await body(inquiry)
    } catch  where error.name == .allProvidersFailed || error.name == .deadlineExceeded {
      var error = APIError(.overloaded, "too many requests at once; ask again in a moment", data: error.data)
      error.data["retryAfterMs"] = .integer(Int64((doors.retryAfter * 1000).rounded(.up)))
      throw error
    }
  }

  /// The providers that take part, each with its plan: all that run, or of those the ones that the request names; and those that do not
  /// run, though they are switched on or named.
  private func participants(
    _ named: [String], plan: (Manifest) throws(Skip) -> Plan
  ) throws(APIError) -> (asked: [Participant], absent: [ProviderStatus]) {
    let registry = registry.withLock { $0 }
    for id in named where registry[id] == nil && registry.absent(id) == nil {
      throw APIError(InvalidParameter("providers", "`providers` names \(id), which is not configured; see providers.list"))
    }
    let asked = registry.lanes.filter { named.isEmpty || named.contains($0.id) }.map { lane in
      do throws(Skip) {
        return Participant(lane: lane, part: .asked(try plan(lane.instance.manifest)))
      } catch { return Participant(lane: lane, part: .known(.skipped(error))) }
    }
    return (asked, registry.absent.filter { named.isEmpty ? $0.state != .disabled : named.contains($0.id) })
  }

  func collecting(_ inquiry: Inquiry) -> Collecting {
    Collecting(inquiry: inquiry, time: time, staleWait: settings.withLock { $0.staleWait })
  }
}
