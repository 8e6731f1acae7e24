import Synchronization

/// The requests that one call of a provider has sent: each is billed, and a call of which nothing left this machine is neither billed
/// nor counted.
/// Whoever makes calls of providers binds and closes it; whoever sends requests for them adds to it.
public final class SentRequests: Sendable {
  private enum State {
    /// Those that are surely this call's, and those that may be another one's as well.
    case open(own: Int, shared: Int)
    /// The call has been settled.
    case closed
  }

  /// Those of the call that this task works for; of all calls that a request may belong to, where nobody knows for which one it is made.
  /// Empty where nobody counts.
  @TaskLocal public static var current: [SentRequests] = []

  private let state = Mutex(State.open(own: 0, shared: 0))

  public init() {}

  /// Those of a call that is over: none can be added.
  public static let over: SentRequests = {
    let requests = SentRequests()
    _ = requests.close()
    return requests
  }()

  /// Notes that a request leaves now. Throws `cancelled` where every call that it can be made for has been settled: what nobody pays may
  /// not leave.
  public static func add() throws(ProviderError) {
    guard !current.isEmpty else { return }
    var isWanted = false
    for call in current where call.change(by: 1) { isWanted = true }
    guard isWanted else { throw ProviderError(.cancelled, "the call that the request was made for is over") }
  }

  /// Takes a request back that certainly did not reach its service.
  public static func takeBack() {
    for call in current { _ = call.change(by: -1) }
  }

  /// Lets no request leave any more; gives how many have left. Those that may be another call's count as one together.
  public func close() -> Int {
    state.withLock { state in
      defer { state = .closed }
      if case .open(let own, let shared) = state { return own + min(shared, 1) }
      return 0
    }
  }

  private func change(by difference: Int) -> Bool {
    let isOwn = SentRequests.current.count == 1
    return state.withLock { state in
      guard case .open(let own, let shared) = state else { return false }
      state = isOwn ? .open(own: own + difference, shared: shared) : .open(own: own, shared: shared + difference)
      return true
    }
  }
}
