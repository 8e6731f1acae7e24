import PlacesKit

extension Cache {
  /// How long a choice is stored: half a year, long after it has stopped to affect the ranking.
  static let useSeconds = 180 * 86_400.0
  /// The maximum number of choices of one user.
  static let mostUses = 1_000

  /// Stores that a user chose a place, if the terms of its provider allow to store its id. A later choice with the same text and place
  /// replaces the earlier one.
  public func keep(_ use: UsedPlace, under terms: Terms) {
    let lifetime = min(Cache.useSeconds, terms.idsSeconds ?? .infinity)
    guard lifetime > 0 else { return }
    inbox.add(.use(use, endsAt: clock.now() + lifetime))
  }

  /// The choices of a user, latest first, at most `mostUses`; nil if the file cannot be read now or the task was cancelled.
  public func uses(of user: UInt32) async -> [UsedPlace]? { await read { $0.uses(of: user, now: $1, limit: Cache.mostUses) } }

  /// Removes a user's choices of one place, or all of them, for good, and returns how many; nil if the file cannot be written now.
  public func forgetUses(of user: UInt32, place: String?) async -> Int? {
    await patiently("removal of choices") { await self.writer.perform { $0.forgetUses(of: user, place: place) } ?? nil }
  }
}
