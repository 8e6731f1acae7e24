import SQLite

/// The ranks of all places in some countries, regions or cells of the map, if they are few. A walk starts from such a short list: if a
/// million names begin with a letter, it is cheaper to look up ten places among them than to check where each of the million lies.
///
/// It is a class, so that all walks of one query share the ranks that the first one read.
final class FilterPostings {
  /// The maximum number of places for a filter. If more places pass the filter, a walk along any other list soon finds enough of them.
  private static let usualMaxCount = 16_384
  /// The maximum number of places around a bias, which a search with a bias walks first.
  static let maxNearby = 262_144

  private let maxCount: Int
  private let kind: TermKind
  private let numbers: [ClosedRange<UInt16>]
  /// There are at least this many places.
  private var minCount = 0
  /// The ranks of the places; nil until they are read.
  private var knownRanks: [UInt32]?

  /// - Parameters:
  ///   - kind: `locatedIn` or `cell`.
  ///   - numbers: the numbers of the areas or cells.
  init(_ kind: TermKind, _ numbers: [ClosedRange<UInt16>], atMost maxCount: Int = FilterPostings.usualMaxCount) {
    self.kind = kind
    self.maxCount = maxCount
    self.numbers = numbers
  }

  /// The ranks, ascending; nil if there are at least `limit`, or more than the maximum.
  func ranks(in file: IndexFile, fewerThan limit: Int) throws(SQLiteError) -> [UInt32]? {
    let end = min(limit, maxCount + 1)
    if let knownRanks { return knownRanks.count < end ? knownRanks : nil }
    guard minCount < end else { return nil }
    guard let lists = try file.lists(kind, numbers, fewerThan: end) else {
      minCount = end
      return nil
    }
    let ranks = try PostingCursor.merged(lists)
    knownRanks = ranks
    return ranks
  }
}
