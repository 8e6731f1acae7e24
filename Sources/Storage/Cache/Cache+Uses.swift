import PlacesKit

extension Cache {
  /// How long a choice is remembered: half a year, far beyond where it still weighs.
  static let useSeconds = 180 * 86_400.0
  /// Choices that are remembered of one user.
  static let mostUses = 1_000

  /// Remembers that a user chose a place, where the terms of its provider let its id be kept; a later word on the same text and
  /// place takes the place of the earlier.
  public func keep(_ use: UsedPlace, under terms: Terms) {
    let lifetime = min(Cache.useSeconds, terms.idsSeconds ?? .infinity)
    guard lifetime > 0 else { return }
    inbox.add(.use(use, endsAt: clock.now() + lifetime))
  }

  /// What a user chose, the latest first, at most `mostUses`; nil where the file cannot be read now or the task was
  /// cancelled before that was known.
  public func uses(of user: UInt32) async -> [UsedPlace]? { await read { $0.uses(of: user, now: $1, limit: Cache.mostUses) } }

  /// Removes a user's choices of one place, or all of them, for good, and returns how many; nil if the file cannot be written now.
  public func forgetUses(of user: UInt32, place: String?) async -> Int? {
    await patiently("removal of choices") { await self.writer.perform { $0.forgetUses(of: user, place: place) } ?? nil }
  }
}
