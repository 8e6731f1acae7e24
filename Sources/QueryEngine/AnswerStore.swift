import Storage
import PlacesKit

/// Where the engine stores answers and finds them again; `Cache` is the one with a disk. No failure here fails a request, and a task that waits may
/// be cancelled.
public protocol AnswerStore: Sendable {
  /// Now, in seconds since 1970, by the clock that measures the ages of answers: it does not go back with the machine's clock.
  var now: Double { get }
  /// Looks in memory only.
  func lookup(_ key: AnswerKey) -> FoundAnswer?
  /// Looks in memory and, with `onDisk`, on disk; counts a miss.
  func find(_ key: AnswerKey, onDisk: Bool) async -> FoundAnswer?
  /// The number of the latest purge.
  var purges: Int { get }
  /// Stores an answer as long as the terms allow, unless it was purged after `purges` was `earlier`; returns true if it was stored.
  @discardableResult
  func keep(_ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool, since earlier: Int) -> Bool
  /// Stores each part of a place as long as the terms allow for that kind of data, unless it was purged after `purges` was `earlier`.
  func keep(_ place: Place, for key: PlaceKey, under terms: Terms, since earlier: Int)
  /// What earlier answers hold of a place.
  func place(_ key: PlaceKey) async -> KeptPlace?
  func keep(_ use: UsedPlace, under terms: Terms)
  /// What a user chose, the latest first; nil if it cannot be read.
  func uses(of user: UInt32) async -> [UsedPlace]?
  /// Removes a user's choices of one place, or all of them, and returns how many; nil if they cannot be removed now.
  func forgetUses(of user: UInt32, place: String?) async -> Int?
  /// Removes what was stored for one session, whose name is made only if anything was.
  func endSession(_ session: @autoclosure () -> String, of user: UInt32)
}

extension Cache: AnswerStore {}
