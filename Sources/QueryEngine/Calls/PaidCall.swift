import Resilience

/// A call that may be sent: what it was paid with, and its part in its session at the service.
struct PaidCall: Sendable {
  enum Part: Sendable {
    case none
    /// It carries the session's token, and is counted there.
    case counted(VendorToken)
    /// It is the details call that ends the session; what the calls before it cost together then.
    case ending(VendorToken, billedMicros: Int)
  }

  var call: ProviderCall
  /// Nil where nobody counts.
  var charge: Reservation?
  var part = Part.none
}
