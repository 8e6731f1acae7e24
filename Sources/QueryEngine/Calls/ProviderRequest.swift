import PlacesAPI
import PlacesKit
import Storage
import Synchronization

/// A request to one provider.
struct ProviderRequest: Sendable {
  var plan: Plan
  var user: UInt32
  var session: Session?
  var cache: CacheMode
  /// When the caller stops waiting, in monotonic seconds.
  var deadline: Double
  /// Seconds to wait for a fresh answer before a stale one is returned.
  var staleWait: Double

  /// The users who may see the answer. Unless the administrator shares answers, nobody but the calling user may see it, even if the terms
  /// allow more: otherwise the latency of an answer would reveal other users' queries.
  func audience(for instance: ProviderInstance) -> Audience {
    guard cache != .bypass else { return .request(SerialNumber.next()) }
    switch instance.manifest.terms.isolation {
    case .system where instance.sharesAnswers: return .everybody
    case .system, .user: return .user(user)
    case .session: return session.map { .session(user, $0.id.text) } ?? .request(SerialNumber.next())
    }
  }
}

/// The users who may see an answer.
enum Audience: Sendable, Hashable {
  /// All users.
  case everybody
  /// One user, by the user's id.
  case user(UInt32)
  /// One session of one user.
  case session(UInt32, String)
  /// One request only: nothing is shared or stored.
  case request(Int)

  /// The partition of the cache for this audience; nil if nothing is stored.
  var partition: Partition? {
    switch self {
    case .everybody: .everybody
    case .user(let user): .user(user)
    case .session(let user, let session): .session("\(user)/\(session)")
    case .request: nil
    }
  }
}

/// Numbers that are unique within the process.
enum SerialNumber {
  private static let lastNumber = Atomic<Int>(0)
  static func next() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }
}
