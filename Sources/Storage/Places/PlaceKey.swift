import PlacesKit

/// A place of one provider, as its texts are in one language.
public struct PlaceKey: Sendable, Hashable {
  public var provider: String
  /// The provider's own id.
  public var id: String
  /// BCP 47; empty where none was asked for.
  public var language: String
  public var partition: Partition

  public init(provider: String, id: String, language: String?, partition: Partition) {
    self.provider = provider
    self.id = id
    self.language = language ?? ""
    self.partition = partition
  }
}

/// What is known of a place from earlier answers.
public struct KeptPlace: Sendable, Hashable {
  public var place: Place
  /// When each field was told by the provider, in seconds since 1970.
  public var times: [PlaceField: Double]
}
