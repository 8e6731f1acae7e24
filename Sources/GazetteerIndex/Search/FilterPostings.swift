import SQLite

/// Reads the ranks of all places in some countries, regions or cells of the map, if they are few. A walk starts from such a short list: if
/// a million names begin with a letter, it is cheaper to look up ten places among them than to check where each of the million lies.
///
/// This is a class, so that all walks of one query share the ranks that the first one read.
final class FilterPostings {
  /// The maximum number of places that are read for a filter of a request. If more places pass the filter, a walk along any other list soon
  /// finds enough of them.
  private static let usualMaxCount = 16_384
  /// The maximum number of places in the neighbourhood of a bias, which a search walks first.
  static let maxNearby = 262_144

  private let maxCount: Int
  private let kind: TermKind
  private let numbers: [ClosedRange<UInt16>]
  private var progress = Progress.counting(0)

  private enum Progress {
    /// There are at least this many places.
    case counting(Int)
    /// There are exactly this many places.
    case counted(Int)
    /// The ranks of the places.
    case read([UInt32])
  }

  /// - Parameters:
  ///   - kind: `locatedIn` or `cell`.
  ///   - numbers: the numbers of the areas or cells.
  ///   - maxCount: the maximum number of places that are read.
  init(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>], atMost maxCount: Int = FilterPostings.usualMaxCount) {
    self.kind = kind
    self.maxCount = maxCount
    self.numbers = numbers
  }

  /// The ranks in ascending order; nil if there are `limit` or more, or more than `maxCount`.
  func ranks(in file: IndexFile, fewerThan limit: Int) throws(SQLiteError) -> [UInt32]? {
    let bound = min(limit, maxCount + 1)
    if case .counting(let minCount) = progress {
      guard minCount < bound else { return nil }
      let count = try file.count(kind, numbers, upTo: bound)
      progress = count < bound ? .counted(count) : .counting(count)
    }
    if case .counted(let count) = progress {
      guard count < bound else { return nil }
      progress = .read(try PostingCursor.merged(file.lists(kind, numbers)))
    }
    guard case .read(let ranks) = progress, ranks.count < bound else { return nil }
    return ranks
  }
}
