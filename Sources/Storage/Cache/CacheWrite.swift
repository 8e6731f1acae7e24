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
