import PlacesKit

extension Cache {
  /// The time in seconds for which a choice is stored: 180 days. An older choice would no longer affect the ranking.
  static let choiceSeconds = 180 * 86_400.0
  /// The maximum number of choices of one user.
  static let maxChoicesPerUser = 1_000

  /// Stores that a user chose a place, if the terms of the place's provider allow storing ids. A later choice with the same text and place
  /// replaces the earlier one.
  public func store(_ choice: UserChoice, under terms: Terms) {
    let lifetime = min(Cache.choiceSeconds, terms.idsSeconds ?? .infinity)
    guard lifetime > 0 else { return }
    inbox.add(.choice(choice, endsAt: clock.now() + lifetime))
  }

  /// The choices of a user, latest first, at most `maxChoicesPerUser`. Nil if the file cannot be read now or the task was cancelled.
  public func choices(of user: UInt32) async -> [UserChoice]? {
    await read { $0.choices(of: user, now: $1, limit: Cache.maxChoicesPerUser) }
  }

  /// Removes the choices of a user for one place, or all of them if `place` is nil. Returns their number; nil if the file cannot be written
  /// now.
  public func forgetChoices(of user: UInt32, place: String?) async -> Int? {
    await withDiskTimeout("removal of choices") { await self.writer.perform { $0.forgetChoices(of: user, place: place) } ?? nil }
  }
}
