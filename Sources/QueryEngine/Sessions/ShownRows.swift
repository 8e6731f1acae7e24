import PlacesAPI
import Synchronization

/// Stores which ids belonged to one row in the latest answers to a user, so that the details of one source can be completed from the
/// others. Rows of a single source have no entry. If an entry has been dropped, the details come from one source only.
final class ShownRows: Sendable {
  private static let maxUsers = 256
  private static let maxIDs = 1_024
  /// For each user and each id of a shown row, all ids of that row.
  private let idsByUser = Mutex<[UInt32: [PlaceID: [PlaceID]]]>([:])

  /// Records that these ids belong to one row.
  func recordRow(_ ids: [String], for user: UInt32) {
    guard ids.count > 1 else { return }
    let ids = ids.compactMap { PlaceID($0) }
    idsByUser.withLock { idsByUser in
      if idsByUser[user] == nil, idsByUser.count >= ShownRows.maxUsers { idsByUser = [:] }
      // The older rows can be dropped, because users choose only from recent answers.
      if let idsOfUser = idsByUser[user], idsOfUser.count + ids.count > ShownRows.maxIDs { idsByUser[user] = nil }
      for id in ids { idsByUser[user, default: [:]][id] = ids }
    }
  }

  /// Removes the rows of one user, or of all users if `user` is nil. All rows are removed, whatever their providers, because a row has ids
  /// of several providers.
  func forgetRows(of user: UInt32?) {
    idsByUser.withLock { idsByUser in
      if let user { idsByUser[user] = nil } else { idsByUser = [:] }
    }
  }

  /// The other ids of the row that contains this id; empty if no such row is known.
  func otherIDs(of id: PlaceID, for user: UInt32) -> [PlaceID] {
    idsByUser.withLock { $0[user]?[id] }?.filter { $0 != id } ?? []
  }
}
