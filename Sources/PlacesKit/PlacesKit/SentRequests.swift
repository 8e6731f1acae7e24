import Synchronization

/// The requests that one call of a provider sends: each is billed, so that each is paid for before it leaves, and a call of which nothing
/// left this machine is neither billed nor counted.
/// Whoever makes calls of providers binds and closes it; whoever sends requests for them has each paid for, and adds it.
public final class SentRequests: Sendable {
  /// Pays for one request more than the call itself is paid for; throws where that may not be sent.
  public typealias Payment = @Sendable () async throws(ProviderError) -> Void

  private struct Count {
    /// Those that are surely this call's, and those that may be another one's as well.
    var own = 0
    var shared = 0
    /// Those that may be another call's count as one together.
    var total: Int { own + min(shared, 1) }

    mutating func change(by difference: Int, isOwn: Bool) {
      if isOwn { own += difference } else { shared += difference }
    }
  }

  private enum State {
    case open(sent: Count, paid: Count)
    /// The call has been settled.
    case closed
  }

  /// Those of the call that this task works for; of all calls that a request may belong to, where nobody knows for which one it is made.
  /// Empty where nobody counts.
  @TaskLocal public static var current: [SentRequests] = []

  private let state = Mutex(State.open(sent: Count(), paid: Count()))
  /// With which status a service answered last.
  private let lastStatus = Mutex<Int?>(nil)
  private let payFurther: Payment?

  /// - Parameter payFurther: pays for each request beyond the first one, for which the call itself is paid; nil where nobody counts.
  public init(payFurther: Payment? = nil) { self.payFurther = payFurther }

  /// Those of a call that is over: none can be added.
  public static let over: SentRequests = {
    let requests = SentRequests()
    _ = requests.close()
    return requests
  }()

  /// Has the next request paid for, where it is not its call's first; to be awaited before it is sent. Throws where the budget does not
  /// reach so far, and `cancelled` where the call is over. One that may be several calls' leaves when one of them pays.
  public static func pay() async throws(ProviderError) {
    var refusal: ProviderError?
    for call in current {
      do throws(ProviderError) {
        try await call.pay(isOwn: current.count == 1)
        return
      } catch { refusal = error }
    }
    if let refusal { throw refusal }
  }

  /// Notes that a request leaves now. Throws `cancelled` where every call that it can be made for has been settled: what nobody pays may
  /// not leave.
  public static func add() throws(ProviderError) {
    guard !current.isEmpty else { return }
    var isWanted = false
    for call in current where call.add(isOwn: current.count == 1) { isWanted = true }
    guard isWanted else { throw isOver }
  }

  /// Takes a request back that certainly did not reach its service.
  public static func takeBack() {
    for call in current { call.takeBack(isOwn: current.count == 1) }
  }

  /// Notes with which status (RFC 9110) a service answered; nil where no answer came. What may be another call's says nothing of this one.
  public static func answered(_ status: Int?) {
    guard current.count == 1 else { return }
    for call in current { call.lastStatus.withLock { $0 = status } }
  }

  /// The status (RFC 9110) of the service's last answer; nil where none came, or where nobody knows whose it was.
  public var status: Int? { lastStatus.withLock { $0 } }

  /// Whether to send the call again would bring the same answer: what the service said last will not pass by itself.
  public var areInVain: Bool {
    // A redirection and a mistake of ours do not pass; too early, too slow and too often do.
    status.map { (300..<500).contains($0) && ![408, 425, 429].contains($0) } ?? false
  }

  private static let isOver = ProviderError(.cancelled, "the call that the request was made for is over")

  /// Lets no request leave any more; gives how many have left. Those that may be another call's count as one together.
  public func close() -> Int {
    state.withLock { state in
      defer { state = .closed }
      if case .open(let sent, _) = state { return sent.total }
      return 0
    }
  }

  private func pay(isOwn: Bool) async throws(ProviderError) {
    let isFurther = state.withLock { state -> Bool? in
      guard case .open(let sent, let paid) = state else { return nil }
      var with = paid
      with.change(by: 1, isOwn: isOwn)
      if with.total > max(1, paid.total) { return true }
      state = .open(sent: sent, paid: with)
      return false
    }
    guard let isFurther else { throw SentRequests.isOver }
    guard isFurther else { return }
    try await payFurther?()
    // No sooner, so that nothing passes for paid on the word of a payment that may be refused yet.
    state.withLock { state in
      guard case .open(let sent, var paid) = state else { return }
      paid.change(by: 1, isOwn: isOwn)
      state = .open(sent: sent, paid: paid)
    }
  }

  /// Counts one that leaves; false where the call is over.
  private func add(isOwn: Bool) -> Bool {
    state.withLock { state in
      guard case .open(var sent, let paid) = state else { return false }
      sent.change(by: 1, isOwn: isOwn)
      state = .open(sent: sent, paid: paid)
      return true
    }
  }

  private func takeBack(isOwn: Bool) {
    state.withLock { state in
      guard case .open(var sent, var paid) = state else { return }
      // What the call itself is paid for is left for the next one.
      if isOwn, sent.total == 1, paid.own > 0 { paid.change(by: -1, isOwn: true) }
      sent.change(by: -1, isOwn: isOwn)
      state = .open(sent: sent, paid: paid)
    }
  }
}
