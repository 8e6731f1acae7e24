import PlacesAPI
import PlacesKit

/// One provider's part of a request.
struct Ask: Sendable {
  var plan: Plan
  var user: UInt32
  var session: Session?
  var cache: CacheMode
  /// When the request leaves, in monotonic seconds.
  var deadline: Double
  /// Seconds to wait for a fresh answer before a stale one is given.
  var staleWait: Double
}

extension Ask {
  /// Who may see the answer: what the provider's terms allow, and for what leaves the machine no more than this user unless
  /// the administrator shares it.
  func partition(for instance: ProviderInstance) -> Partition {
    // What must not be kept is not shared either.
    if cache == .bypass { return .request(Ticket.next()) }
    switch instance.manifest.terms.isolation {
    case .system where instance.sharesAnswers || !instance.manifest.leavesMachine: return .system
    case .system, .user: return .user(user)
    case .session: return session.map { .session(user, $0.id.text) } ?? .request(Ticket.next())
    }
  }
}
