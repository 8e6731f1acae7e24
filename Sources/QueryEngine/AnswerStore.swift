import Storage
import PlacesKit

/// What the engine keeps and finds again; `Cache` is the one that lasts. Nothing here fails a request, and who waits and is cancelled waits
/// no longer.
public protocol AnswerStore: Sendable {
  /// Now, in seconds since 1970, by the clock that tells how old is what is kept: setting the machine's clock back does not turn it back.
  var now: Double { get }
  /// Looks into memory alone.
  func lookup(_ key: AnswerKey) -> FoundAnswer?
  /// Looks everywhere, or everywhere but on disk, and counts what is not there.
  func find(_ key: AnswerKey, onDisk: Bool) async -> FoundAnswer?
  /// Where the purges stand.
  var purges: Int { get }
  /// Keeps an answer as long as the terms allow, unless it was purged after `purges` was `earlier`; returns whether it was kept.
  @discardableResult
  func keep(_ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool, since earlier: Int) -> Bool
  /// Keeps each part of a place as long as the terms allow that kind of data, unless it was purged after `purges` was `earlier`.
  func keep(_ place: Place, for key: PlaceKey, under terms: Terms, since earlier: Int)
  /// What earlier answers told of a place.
  func place(_ key: PlaceKey) async -> KeptPlace?
  func keep(_ use: UsedPlace, under terms: Terms)
  /// What a user chose, the latest first; nil where that cannot be told.
  func uses(of user: UInt32) async -> [UsedPlace]?
  /// Removes a user's choices of one place, or all of them, and returns how many; nil if they cannot be removed now.
  func forgetUses(of user: UInt32, place: String?) async -> Int?
  /// Forgets what was kept for one session, whose name is made only where anything is.
  func endSession(_ session: @autoclosure () -> String, of user: UInt32)
}

extension Cache: AnswerStore {}
