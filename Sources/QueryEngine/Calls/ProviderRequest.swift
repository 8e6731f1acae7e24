import PlacesAPI
import PlacesKit

/// One provider's part of a request.
struct ProviderRequest: Sendable {
  var plan: Plan
  var user: UInt32
  var session: Session?
  var cache: CacheMode
  /// When the request leaves, in monotonic seconds.
  var deadline: Double
  /// Seconds to wait for a fresh answer before a stale one is given.
  var staleWait: Double
}
