import Storage
import PlacesKit

/// Who may see an answer.
enum Audience: Sendable, Hashable {
  case everybody
  case user(UInt32)
  /// One session of one user.
  case session(UInt32, String)
  /// One request alone: nothing is shared or kept.
  case request(Int)

  /// The part of the cache that is his; nil for what is not kept.
  var partition: Partition? {
    switch self {
    case .everybody: .everybody
    case .user(let user): .user(user)
    case .session(let user, let session): .session("\(user)/\(session)")
    case .request: nil
    }
  }
}

extension ProviderRequest {
  /// What the provider's terms allow, and no more than this user unless the administrator shares answers: else whether something is
  /// served from the cache would tell users what others have asked.
  func audience(for instance: ProviderInstance) -> Audience {
    guard cache != .bypass else { return .request(Ticket.next()) }
    switch instance.manifest.terms.isolation {
    case .system where instance.sharesAnswers: return .everybody
    case .system, .user: return .user(user)
    case .session: return session.map { .session(user, $0.id.text) } ?? .request(Ticket.next())
    }
  }
}
