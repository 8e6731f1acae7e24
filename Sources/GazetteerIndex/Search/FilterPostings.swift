import SQLite

/// The ranks of all places in some countries, regions or cells of the map, if they are few. A walk starts from a short list: a million names
/// begin with a letter, and it is cheaper to look ten places up among them than to check where each of the million lies.
///
/// A class, so that the walks of one query share what the first of them read.
final class FilterPostings {
  /// The most places of a list; of more, enough are among the first of any longer list.
  private static let most = 16_384
  /// The same for the neighbourhood of a bias, which is searched in any case.
  static let maxNearby = 262_144

  private let most: Int
  private let kind: TermKind
  private let numbers: [ClosedRange<UInt16>]
  private var progress = Progress.counting(0)

  private enum Progress {
    /// At least so many places.
    case counting(Int)
    case counted(Int)
    case read([UInt32])
  }

  /// `kind` is `lying` or `cell`.
  init(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>], atMost most: Int = FilterPostings.most) {
    self.kind = kind
    self.most = most
    self.numbers = numbers
  }

  /// The ranks, ascending; nil if there are no fewer than `limit`, or more than the most.
  func ranks(in file: IndexFile, fewerThan limit: Int) throws(SQLiteError) -> [UInt32]? {
    let end = min(limit, most + 1)
    if case .counting(let known) = progress {
      guard known < end else { return nil }
      let count = try file.count(kind, numbers, upTo: end)
      progress = count < end ? .counted(count) : .counting(count)
    }
    if case .counted(let count) = progress {
      guard count < end else { return nil }
      progress = .read(try PostingCursor.merged(file.lists(kind, numbers)))
    }
    guard case .read(let ranks) = progress, ranks.count < end else { return nil }
    return ranks
  }
}
