import PlacesKit

/// A pending write to the cache's database.
enum CacheWrite: Sendable {
  /// Stores an answer.
  case answer(AnswerKey, StoredAnswer)
  /// Stores the parts of a place, which the provider returned at the time `at`.
  case place(PlaceKey, Place, Terms, at: Double)
  /// Stores a choice, which must be removed at the time `endsAt`.
  case choice(UserChoice, endsAt: Double)
  /// Records that the answer with this row id was used.
  case recordUse(Int64, at: Double)
  /// Removes the answer with this row id, which is damaged.
  case removeDamaged(Int64)
  /// The file seems to be damaged and must be checked.
  case checkFile
}
