import Storage
import PlacesKit

/// Stores answers, places and choices. `Cache` is the persistent implementation. If the store fails, requests continue without it. A task
/// that waits for the store stops waiting when it is cancelled.
public protocol AnswerStore: Sendable {
  /// The current time in seconds since 1970, which never decreases.
  var now: Double { get }
  /// The answer in memory; nil if there is none. Counts a hit, but no miss.
  func lookup(_ key: AnswerKey) -> FoundAnswer?
  /// The answer in memory or, with `onDisk`, on disk; nil if there is none. Counts a hit or a miss.
  func find(_ key: AnswerKey, onDisk: Bool) async -> FoundAnswer?
  /// The number of purges so far.
  var purgeCount: Int { get }
  /// Stores an answer for as long as the terms allow, unless a purge that concerns the answer began after `purgeCount` was read. Returns
  /// false if the answer was not stored.
  @discardableResult
  func store(_ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool, unlessPurgedSince purgeCount: Int) -> Bool
  /// Stores each part of a place for as long as the terms allow, unless a purge that concerns the place began after
  /// `purgeCount` was read.
  func store(_ place: Place, for key: PlaceKey, under terms: Terms, unlessPurgedSince purgeCount: Int)
  /// The stored fields of a place; nil if there are none.
  func place(_ key: PlaceKey) async -> StoredPlace?
  /// Stores a choice, if the terms of the place's provider allow the place's id to be stored.
  func store(_ choice: UserChoice, under terms: Terms)
  /// The choices of a user, latest first; nil if they cannot be read.
  func choices(of user: UInt32) async -> [UserChoice]?
  /// Removes the choices of a user for one place, or all choices of the user if `place` is nil. Returns their number; nil if they cannot be
  /// removed now.
  func forgetChoices(of user: UInt32, place: String?) async -> Int?
  /// Removes the answers that were stored for one session. `session` is evaluated only if an answer is stored for any session.
  func endSession(_ session: @autoclosure () -> String, of user: UInt32)
}

extension Cache: AnswerStore {}
