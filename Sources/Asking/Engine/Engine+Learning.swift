import Merging
import PlacesAPI
import PlacesKit

extension Engine {
  /// What this user chose before for such a text.
  func boosts(for query: String, of user: UInt32) -> [String: Double] { [:] }

  /// Takes note of a choice.
  func learn(_ id: PlaceID, after query: String, of user: UInt32) {}
}
