import PlacesAPI
import Synchronization

/// Stores which ids belonged to one row in the latest answers to a user, so that the details of one source can be completed from the
/// others. Rows of a single source have no entry. Newer rows replace older ones; then the details come from one source only.
final class ShownRows: Sendable {
  private static let maxUsers = 256
  private static let maxIDs = 1_024
  private let rows = Mutex<[UInt32: [PlaceID: [PlaceID]]]>([:])

  /// Records that these ids belong to one row.
  func join(_ ids: [String], for user: UInt32) {
    guard ids.count > 1 else { return }
    let ids = ids.compactMap { PlaceID($0) }
    rows.withLock { rows in
      if rows[user] == nil, rows.count >= ShownRows.maxUsers { rows = [:] }
      // The older rows can be dropped, because users choose only from recent answers.
      if let rowsOfUser = rows[user], rowsOfUser.count + ids.count > ShownRows.maxIDs { rows[user] = nil }
      for id in ids { rows[user, default: [:]][id] = ids }
    }
  }

  /// Removes the rows of one user, or of all users if `user` is nil. They are removed for all providers, because a row has ids of several.
  func forget(_ user: UInt32?) {
    rows.withLock { rows in
      if let user { rows[user] = nil } else { rows = [:] }
    }
  }

  /// The other ids of the row that contains this id; empty if it is not known.
  func others(of id: PlaceID, for user: UInt32) -> [PlaceID] {
    rows.withLock { $0[user]?[id] }?.filter { $0 != id } ?? []
  }
}
