import PlacesKit

/// The key of a stored place: a place of one provider, with texts in one language.
public struct PlaceKey: Sendable, Hashable {
  public var provider: String
  /// The provider's own id.
  public var id: String
  /// A BCP 47 tag; empty if the request had no language.
  public var language: String
  public var partition: Partition

  public init(provider: String, id: String, language: String?, partition: Partition) {
    self.provider = provider
    self.id = id
    self.language = language ?? ""
    self.partition = partition
  }
}

/// The fields of a place that are known from earlier answers.
public struct StoredPlace: Sendable, Hashable {
  public var place: Place
  /// When the provider returned each field, in seconds since 1970.
  public var times: [PlaceField: Double]
}
