import SQLite

/// The places among which are all that lie in some countries, regions or cells of the map, where these are few. Few lead a walk: they are
/// looked for among the million whose names begin with a letter, instead of looking where each of these lies.
///
/// A class, so that what was found once for a query is known in all its walks.
final class Shortlist {
  /// Where more places lie, enough of them stand among the first of any long list.
  private static let most = 16_384
  /// What is near a bias is looked for in any case, and costs ten times that where it has to be found among all that begins alike.
  static let mostNearby = 262_144

  private let most: Int
  private let kind: TermKind
  private let numbers: [ClosedRange<UInt16>]
  private var state = State.begun(0)

  private enum State {
    /// So many places were counted, and there may be more.
    case begun(Int)
    case counted(Int)
    case read([UInt32])
  }

  /// `kind` is `lying` or `cell`.
  init(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>], atMost most: Int = Shortlist.most) {
    self.kind = kind
    self.most = most
    self.numbers = numbers
  }

  /// Ascending; nil where there are too many, or no fewer than so many, which is all that is counted then.
  func ranks(in file: IndexFile, fewerThan limit: Int) throws(SQLiteError) -> [UInt32]? {
    let end = min(limit, most + 1)
    if case .begun(let known) = state {
      guard known < end else { return nil }
      let count = try file.count(kind, numbers, upTo: end)
      state = count < end ? .counted(count) : .begun(count)
    }
    if case .counted(let count) = state {
      guard count < end else { return nil }
      state = .read(try PostingCursor.merged(file.lists(kind, numbers)))
    }
    guard case .read(let ranks) = state, ranks.count < end else { return nil }
    return ranks
  }
}
