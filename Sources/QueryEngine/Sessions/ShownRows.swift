import PlacesAPI
import Synchronization

/// The ids that shared a row in the latest answers to a user, so that the details of one can be filled from the others. An
/// answer that is repeated from the reply cache is covered too, as long as not too much came after it:
/// then the details are those of one source. Rows of a single source need no entry.
final class ShownRows: Sendable {
  private static let maxUsers = 256
  private static let maxIDs = 1_024
  private let rows = Mutex<[UInt32: [PlaceID: [PlaceID]]]>([:])

  /// Records that these wire ids share a row.
  func join(_ ids: [String], for user: UInt32) {
    guard ids.count > 1 else { return }
    let ids = ids.compactMap { PlaceID($0) }
    rows.withLock { rows in
      if rows[user] == nil, rows.count >= ShownRows.maxUsers { rows = [:] }
      // Only rows that are or were just on the screen can be chosen.
      if let own = rows[user], own.count + ids.count > ShownRows.maxIDs { rows[user] = nil }
      for id in ids { rows[user, default: [:]][id] = ids }
    }
  }

  /// Removes one user's rows, or all users'; of all providers, since a row has ids of several.
  func forget(_ user: UInt32?) {
    rows.withLock { rows in
      if let user { rows[user] = nil } else { rows = [:] }
    }
  }

  /// The other ids of the row that this one belongs to.
  func others(of id: PlaceID, for user: UInt32) -> [PlaceID] {
    rows.withLock { $0[user]?[id] }?.filter { $0 != id } ?? []
  }
}
