import PlacesAPI
import Synchronization

/// Which ids meant one row in the answers that a user was shown lately, so that the details of one can be filled from the others. An
/// answer that is given again without the engine's work is covered, too, since it was made once, as long as not too much came after it:
/// then the details are those of one source. Rows of a single source need no entry.
final class ShownRows: Sendable {
  private static let mostUsers = 256
  private static let mostIDs = 1_024
  private let rows = Mutex<[UInt32: [PlaceID: [PlaceID]]]>([:])

  /// Takes note that these ids, as on the wire, mean one row.
  func join(_ ids: [String], for user: UInt32) {
    guard ids.count > 1 else { return }
    let ids = ids.compactMap { PlaceID($0) }
    rows.withLock { rows in
      if rows[user] == nil, rows.count >= ShownRows.mostUsers { rows = [:] }
      // Only what is on the screen can be chosen, or was a moment ago.
      if let own = rows[user], own.count + ids.count > ShownRows.mostIDs { rows[user] = nil }
      for id in ids { rows[user, default: [:]][id] = ids }
    }
  }

  /// Forgets one user's rows, or everybody's: of whichever provider, since a row's ids are of several.
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
