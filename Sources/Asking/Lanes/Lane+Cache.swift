import Keeping
import PlacesAPI
import PlacesKit

extension Lane {
  /// What the cache has for a call.
  enum Kept {
    case none
    case fresh(Outcome)
    case stale(Outcome)
  }

  func kept(_ key: Flight.Key, _ ask: Ask) -> Kept { .none }

  func keep(_ outcome: Outcome, of flight: Flight) {}
}
