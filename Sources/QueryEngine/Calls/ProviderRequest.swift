import PlacesAPI
import PlacesKit
import Storage

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

  /// The users who may see the answer; nil if it is for this request only, and is neither shared nor stored. Unless the administrator
  /// shares answers, nobody but the calling user may see it, even if the terms allow more: otherwise the latency of an answer would reveal
  /// other users' queries.
  func partition(for instance: ProviderInstance) -> Partition? {
    guard cache != .bypass else { return nil }
    switch instance.manifest.terms.isolation {
    case .system where instance.sharesAnswers: return .everybody
    case .system, .user: return .user(user)
    case .session: return session.map { .session("\(user)/\($0.id.text)") }
    }
  }
}
