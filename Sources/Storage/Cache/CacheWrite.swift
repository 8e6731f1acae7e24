import PlacesKit

/// A pending write to the cache's database.
enum CacheWrite: Sendable {
  case answer(AnswerKey, StoredAnswer)
  case place(PlaceKey, Place, Terms, at: Double)
  case choice(UserChoice, endsAt: Double)
  /// Records that the answer with this row id was used.
  case touch(Int64, at: Double)
  /// Removes the answer with this row id, which is damaged.
  case drop(Int64)
  /// The file seems to be damaged and must be checked.
  case suspect
}
