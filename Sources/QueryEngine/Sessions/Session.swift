import Resilience
import Storage
import PlacesAPI
import PlacesKit
import Synchronization

/// The state of one search box between keystrokes: its user, its newest request, the services' session tokens, and exhaustive answers, from
/// which answers to longer texts are derived.
final class Session: Sendable {
  /// Identifies a session: different users may choose the same id.
  struct Key: Sendable, Hashable {
    var user: UInt32
    var id: SessionID

    /// A cheap hash. A user may choose ids whose hashes collide, but has too few sessions to slow the table down.
    func hash(seed: Int) -> Int { id.mixed(with: seed ^ Int(user)) }
  }

  /// A request in progress, which a newer request of the session ends.
  struct ActiveRequest: Sendable {
    /// Nil if the client does not number its requests. Then no newer request ends this one.
    let seq: Int?
    /// Fulfilled when a newer request begins.
    let superseded = Promise<Void>()
  }

  /// The progress of a session's requests.
  struct Progress: Sendable {
    /// When the session was last used, in monotonic seconds.
    private(set) var lastUse: Double
    private var highestSeq = Int.min
    /// The latest text that the user typed.
    private(set) var query = ""

    init(lastUse: Double) { self.lastUse = lastUse }

    mutating func recordUse(at now: Double) { lastUse = max(lastUse, now) }

    /// Records that a request begins. Returns false if a request with a higher number has begun.
    mutating func recordRequest(seq: Int?, query: String, at now: Double) -> Bool {
      recordUse(at: now)
      if let seq {
        guard seq >= highestSeq else { return false }
        highestSeq = seq
      }
      self.query = query
      return true
    }

    /// True if a newer request has superseded the request with this number. A request without a number (nil) is not superseded.
    func isSuperseded(_ seq: Int?) -> Bool { (seq ?? .max) < highestSeq }
  }

  private struct State {
    var progress: Progress
    var activeRequests: [ActiveRequest] = []
    var tokensByProvider: [String: ServiceSessionToken] = [:]
    var exhaustiveAnswers: [String: ExhaustiveAnswer] = [:]

    /// Records that a request begins. Removes and returns the active requests that this request supersedes; nil if a request with a higher
    /// number has begun.
    mutating func recordRequest(seq: Int?, query: String, at now: Double) -> [ActiveRequest]? {
      guard progress.recordRequest(seq: seq, query: query, at: now) else { return nil }
      guard !activeRequests.isEmpty else { return [] }
      let progress = progress
      let supersededRequests = activeRequests.filter { progress.isSuperseded($0.seq) }
      activeRequests.removeAll { progress.isSuperseded($0.seq) }
      return supersededRequests
    }
  }

  let key: Key
  private let state: Mutex<State>

  var id: SessionID { key.id }

  /// Creates the object of a session that was only an entry of the table until now. The entry's progress is continued.
  init(_ key: Key, after progress: Progress) {
    self.key = key
    state = Mutex(State(progress: progress))
  }

  var lastUse: Double { state.withLock { $0.progress.lastUse } }

  /// Begins a request, which ends requests with a lower number. Returns nil if a request with a higher number has begun.
  func begin(seq: Int?, query: String, at now: Double) -> ActiveRequest? {
    let request = ActiveRequest(seq: seq)
    let supersededRequests = state.withLock { state in
      let supersededRequests = state.recordRequest(seq: seq, query: query, at: now)
      if supersededRequests != nil { state.activeRequests.append(request) }
      return supersededRequests
    }
    guard let supersededRequests else { return nil }
    for other in supersededRequests { other.superseded.fulfil(()) }
    return request
  }

  /// Records a request that was answered from the reply cache. Returns false if a request with a higher number has begun.
  func recordAnswered(seq: Int?, query: String, at now: Double) -> Bool {
    guard let supersededRequests = state.withLock({ $0.recordRequest(seq: seq, query: query, at: now) }) else { return false }
    for other in supersededRequests { other.superseded.fulfil(()) }
    return true
  }

  /// Records that a request has ended.
  func end(_ request: ActiveRequest, at now: Double) {
    state.withLock { state in
      state.progress.recordUse(at: now)
      state.activeRequests.removeAll { $0.superseded === request.superseded }
    }
  }

  /// The latest text that the user typed.
  var query: String { state.withLock { $0.progress.query } }

  // MARK: Tokens

  /// The token for an autocomplete call of a provider. If none is open, a new one is created.
  func token(for provider: String, rule: SessionRule, at now: Double) -> ServiceSessionToken {
    state.withLock { state in
      if let token = state.tokensByProvider[provider], token.isOpen(under: rule, at: now) { return token }
      let token = ServiceSessionToken(at: now)
      state.tokensByProvider[provider] = token
      return token
    }
  }

  /// The token that could be spent on a details call now; nil if none is open, or if no call was sent with it.
  func spendableToken(of provider: String, rule: SessionRule, at now: Double) -> ServiceSessionToken? {
    state.withLock { $0.tokensByProvider[provider] }.flatMap { $0.isOpen(under: rule, at: now) && $0.callCount > 0 ? $0 : nil }
  }

  // MARK: Exhaustive answers

  /// Stores an exhaustive answer.
  func remember(_ answer: ExhaustiveAnswer, of provider: String) { state.withLock { $0.exhaustiveAnswers[provider] = answer } }

  /// The latest exhaustive answer of a provider; nil if there is none.
  func exhaustiveAnswer(of provider: String) -> ExhaustiveAnswer? { state.withLock { $0.exhaustiveAnswers[provider] } }

  /// Removes the exhaustive answers of one provider, or of all if `provider` is nil.
  func forgetAnswers(of provider: String?) {
    state.withLock { state in
      if let provider { state.exhaustiveAnswers[provider] = nil } else { state.exhaustiveAnswers = [:] }
    }
  }
}

/// A provider's answer that contained every matching row.
struct ExhaustiveAnswer: Sendable {
  var request: AutocompleteRequest
  var rows: [Suggestion]
  /// When the provider returned the answer, in seconds since 1970.
  var fetchedAt: Double
}
