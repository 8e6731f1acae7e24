import PlacesKit

/// A pending write to the cache's database.
enum CacheWrite: Sendable {
  case answer(AnswerKey, StoredAnswer)
  case place(PlaceKey, Place, Terms, at: Double)
  case choice(UserChoice, endsAt: Double)
  /// The answer in this row was used.
  case touch(Int64, at: Double)
  /// The answer in this row is damaged.
  case drop(Int64)
  /// The file seems to be damaged and must be checked.
  case suspect
}
