import Resilience
import Storage
import PlacesAPI
import PlacesKit
import Synchronization

/// The state of one search box between keystrokes: its user, its newest request, the services' session tokens, and exhaustive answers, from
/// which answers to longer texts are derived.
final class Session: Sendable {
  struct Key: Sendable, Hashable {
    var user: UInt32
    var id: SessionID

    /// A cheap hash. A user can choose ids whose hashes collide, but that slows down only this user's few sessions.
    func hash(seed: Int) -> Int { id.mixed(with: seed ^ Int(user)) }
  }

  /// A request in progress. A newer request of the session ends it.
  struct Turn: Sendable {
    /// Nil if the client does not number its requests. Then no newer request ends this one.
    let seq: Int?
    /// Fulfilled when a newer request begins.
    let superseded = Promise<Void>()
  }

  /// The progress of a session's requests.
  struct Progress: Sendable {
    /// In monotonic seconds.
    private(set) var lastUse: Double
    private var newestSeq = Int.min
    /// The latest text.
    private(set) var query = ""

    init(lastUse: Double) { self.lastUse = lastUse }

    mutating func use(at now: Double) { lastUse = max(lastUse, now) }

    /// Records that a request begins. Returns false if a request with a higher number has begun.
    mutating func advance(seq: Int?, query: String, at now: Double) -> Bool {
      use(at: now)
      if let seq {
        guard seq >= newestSeq else { return false }
        newestSeq = seq
      }
      self.query = query
      return true
    }

    /// True if a newer request has superseded the request with this number. A request without a number (nil) is not superseded.
    func isPast(_ seq: Int?) -> Bool { (seq ?? .max) < newestSeq }
  }

  private struct State {
    var progress: Progress
    var turns: [Turn] = []
    var tokens: [String: VendorToken] = [:]
    var exhaustive: [String: Exhaustive] = [:]

    /// Records that a request begins. Removes and returns the turns that it ends; nil if a request with a higher number has begun.
    mutating func advance(seq: Int?, query: String, at now: Double) -> [Turn]? {
      guard progress.advance(seq: seq, query: query, at: now) else { return nil }
      guard !turns.isEmpty else { return [] }
      let progress = progress
      let superseded = turns.filter { progress.isPast($0.seq) }
      turns.removeAll { progress.isPast($0.seq) }
      return superseded
    }
  }

  let key: Key
  private let state: Mutex<State>

  var id: SessionID { key.id }

  /// Creates a session that was just opened, or whose requests have been answered only from the reply cache.
  init(_ key: Key, after progress: Progress) {
    self.key = key
    state = Mutex(State(progress: progress))
  }

  var lastUse: Double { state.withLock { $0.progress.lastUse } }

  /// Begins a request, which ends requests with a lower number. Returns nil if a request with a higher number has begun.
  func begin(seq: Int?, query: String, at now: Double) -> Turn? {
    let turn = Turn(seq: seq)
    let superseded = state.withLock { state in
      let superseded = state.advance(seq: seq, query: query, at: now)
      if superseded != nil { state.turns.append(turn) }
      return superseded
    }
    guard let superseded else { return nil }
    for other in superseded { other.superseded.fulfil(()) }
    return turn
  }

  /// Records a request that was answered from the reply cache. Returns false if a request with a higher number has begun.
  func recordAnswered(seq: Int?, query: String, at now: Double) -> Bool {
    guard let superseded = state.withLock({ $0.advance(seq: seq, query: query, at: now) }) else { return false }
    for other in superseded { other.superseded.fulfil(()) }
    return true
  }

  func end(_ turn: Turn, at now: Double) {
    state.withLock { state in
      state.progress.use(at: now)
      state.turns.removeAll { $0.superseded === turn.superseded }
    }
  }

  /// The latest text.
  var query: String { state.withLock { $0.progress.query } }

  // MARK: Tokens

  /// The token for an autocomplete call of a provider. If none is open, a new one is created.
  func token(for provider: String, rule: SessionRule, at now: Double) -> VendorToken {
    state.withLock { state in
      if let token = state.tokens[provider], token.isOpen(under: rule, at: now) { return token }
      let token = VendorToken(at: now)
      state.tokens[provider] = token
      return token
    }
  }

  /// The token on which a details call could be spent now; nil if none is open, or if no call was sent with it.
  func token(openAt provider: String, rule: SessionRule, at now: Double) -> VendorToken? {
    state.withLock { $0.tokens[provider] }.flatMap { $0.isOpen(under: rule, at: now) && $0.requests > 0 ? $0 : nil }
  }

  // MARK: Narrowing

  /// Stores an exhaustive answer.
  func remember(_ answer: Exhaustive, of provider: String) { state.withLock { $0.exhaustive[provider] = answer } }

  func exhaustive(of provider: String) -> Exhaustive? { state.withLock { $0.exhaustive[provider] } }

  /// Removes the answers of one provider, or of all.
  func forgetAnswers(of provider: String?) {
    state.withLock { state in
      if let provider { state.exhaustive[provider] = nil } else { state.exhaustive = [:] }
    }
  }
}

/// A provider's answer that contained every matching row.
struct Exhaustive: Sendable {
  var request: AutocompleteRequest
  var rows: [Suggestion]
  /// In seconds since 1970.
  var fetchedAt: Double
}
