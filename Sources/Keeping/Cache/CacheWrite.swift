import PlacesKit

/// Something that the cache's database shall be told when there is time.
enum CacheWrite: Sendable {
  case answer(AnswerKey, KeptAnswer)
  case place(PlaceKey, Place, Terms, at: Double)
  case use(UsedPlace, endsAt: Double)
  /// An answer was used: by its row's number.
  case touch(Int64, at: Double)
  /// An answer's row is damaged.
  case drop(Int64)
  /// The file seems to be damaged: look at it.
  case suspect
}

/// A place that a user chose after typing a text.
public struct UsedPlace: Sendable, Hashable {
  public var user: UInt32
  /// The first letters of what was typed, folded.
  public var prefix: String
  /// `provider:nativeId`
  public var place: String
  /// How often, in whatever measure the caller counts, as of `at`.
  public var weight: Double
  /// Seconds since 1970.
  public var at: Double

  public init(user: UInt32, prefix: String, place: String, weight: Double, at: Double) {
    self.user = user
    self.prefix = prefix
    self.place = place
    self.weight = weight
    self.at = at
  }
}
