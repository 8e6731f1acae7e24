import Text

/// Selects the pairs of rows to compare (blocking). A row means the same place as at most one row of another source, so each row is
/// compared only with the row of each other source that has the best blocking score (`BlockingRecord`). Rows that share an id or a
/// telephone are always compared.
struct CandidatePairs: Sendable {
  /// The pairs in ascending order, each once. The lower row of a pair is its first.
  private(set) var pairs: [Pair] = []
  private let records: NormalizedRecords
  /// For each row and each source, the best row of that source, at the index row × number of sources + source.
  private var bestRows: [Slot]
  private let sourceCount: Int
  private let blockingRecords: [BlockingRecord]
  /// The number of rows of each source.
  private var rowCounts: [Int]

  struct Pair: Sendable, Hashable, Comparable {
    var first: Int
    var second: Int

    init(_ a: Int, _ b: Int) { (first, second) = (min(a, b), max(a, b)) }

    static func < (a: Pair, b: Pair) -> Bool { a.first != b.first ? a.first < b.first : a.second < b.second }
  }

  /// The best partner of a row in one source.
  private struct Slot {
    var blockingScore = -Double.infinity
    /// -1 if there is none.
    var row = -1
    /// The blocking score of the second best row.
    var runnerUp = -Double.infinity
  }

  /// A pair is not compared if one of its rows has a partner whose blocking score is greater by more than this.
  private static let clearLead = 0.15
  /// A key that more rows share is ignored, because it is not evidence, and there would be too many pairs.
  private static let maxRowsPerKey = 64

  init(_ records: NormalizedRecords) {
    self.records = records
    var sourceNumbers: [UInt64: Int] = [:]
    var blockingRecords: [BlockingRecord] = []
    let readsAddress = records.all.contains { $0.location == nil }
    blockingRecords.reserveCapacity(records.all.count)
    for row in records.all.indices {
      let count = sourceNumbers.count
      let source = sourceNumbers[records[row].source, default: count]
      sourceNumbers[records[row].source] = source
      blockingRecords.append(BlockingRecord(row, source: source, in: records, readsAddress: readsAddress))
    }
    sourceCount = sourceNumbers.count
    self.blockingRecords = blockingRecords
    rowCounts = Array(repeating: 0, count: sourceCount)
    for blocking in blockingRecords { rowCounts[blocking.source] += 1 }
    bestRows = Array(repeating: Slot(), count: records.all.count * sourceNumbers.count)
    let located = blockingRecords.indices.filter { blockingRecords[$0].isLocated }.sorted {
      (blockingRecords[$0].latitude, $0) < (blockingRecords[$1].latitude, $1)
    }
    sweep(located.map { blockingRecords[$0] })
    pairUnlocated(blockingRecords)
    collect()
  }

  /// Considers the pairs of rows with coordinates. The rows are sorted from south to north, and each is paired with those that are not
  /// farther north than the largest reach.
  private mutating func sweep(_ located: [BlockingRecord]) {
    let reach = (located.lazy.map(\.reach).max() ?? 0) / BlockingRecord.metresPerLatitude
    let located = located.span
    for position in located.indices {
      let limit = located[position].latitude + reach
      var next = position + 1
      while next < located.count, located[next].latitude <= limit {
        consider(located[position], located[next])
        next += 1
      }
    }
  }

  /// Considers the pairs in which a row has no coordinates.
  private mutating func pairUnlocated(_ blockingRecords: [BlockingRecord]) {
    for unlocated in blockingRecords where !unlocated.isLocated {
      // If both rows lack coordinates, the pair is considered only once, from the lower row.
      for other in blockingRecords where other.isLocated || other.row > unlocated.row { consider(unlocated, other) }
    }
  }

  /// Scores a pair, and keeps each of the two rows if it is the best partner of the other one so far.
  private mutating func consider(_ a: BlockingRecord, _ b: BlockingRecord) {
    guard a.source != b.source, let blockingScore = a.blockingScore(b) else { return }
    keep(b.row, blockingScore, at: (a.row * sourceCount + b.source))
    keep(a.row, blockingScore, at: (b.row * sourceCount + a.source))
  }

  /// Keeps a row if its score is the best at an index of `bestRows`. If scores are equal, the lower row is kept.
  private mutating func keep(_ row: Int, _ blockingScore: Double, at index: Int) {
    let slot = bestRows[index]
    if blockingScore > slot.blockingScore || (blockingScore == slot.blockingScore && row < slot.row) {
      bestRows[index] = Slot(blockingScore: blockingScore, row: row, runnerUp: slot.blockingScore)
    } else if blockingScore > slot.runnerUp {
      bestRows[index].runnerUp = blockingScore
    }
  }

  /// The lead of a pair over its rivals, -1…1, see `RivalLead`; 0 if one of the rows has no coordinates.
  func lead(of pair: Pair) -> Double {
    let (a, b) = (pair.first, pair.second)
    guard blockingRecords[a].isLocated, blockingRecords[b].isLocated else { return 0 }
    let (sourceA, sourceB) = (blockingRecords[a].source, blockingRecords[b].source)
    let (slotA, slotB) = (bestRows[a * sourceCount + sourceB], bestRows[b * sourceCount + sourceA])
    let score =
      slotA.row == b ? slotA.blockingScore : slotB.row == a ? slotB.blockingScore : blockingRecords[a].blockingScore(blockingRecords[b])
    return RivalLead.lead(
      rowCounts[sourceB] > 1 ? RivalLead.sideLead(score, rival: slotA.row == b ? slotA.runnerUp : slotA.blockingScore) : nil,
      rowCounts[sourceA] > 1 ? RivalLead.sideLead(score, rival: slotB.row == a ? slotB.runnerUp : slotB.blockingScore) : nil)
  }

  /// Adds the selected pairs to `pairs`.
  private mutating func collect() {
    for row in records.all.indices {
      for slot in bestRows[row * sourceCount..<(row + 1) * sourceCount] where slot.row >= 0 {
        // The pair is left out if the other row has a much better partner in this row's source.
        let rival = bestRows[slot.row * sourceCount + blockingRecords[row].source].blockingScore
        if rival <= slot.blockingScore + CandidatePairs.clearLead { add(row, slot.row) }
      }
    }
    pairRowsThatShareKeys()
    pairs.sort()
    var previous: Pair?
    pairs.removeAll { pair in
      defer { previous = pair }
      return pair == previous
    }
  }

  /// Adds the pairs of rows that have an id or a telephone in common.
  private mutating func pairRowsThatShareKeys() {
    var keys: [(key: Identifier, row: Int)] = []
    keys.reserveCapacity(2 * records.all.count)
    for row in records.all.indices {
      for index in records[row].identifiers { keys.append((records.identifiers[index], row)) }
      // Rows with the same telephone are compared even if their locations are far apart. A number that many businesses use is no evidence.
      if let phone = records[row].phone, !Phone.isShared(phone) { keys.append((Identifier(phone: phone), row)) }
    }
    keys.sort { $0.key != $1.key ? $0.key < $1.key : $0.row < $1.row }
    var start = 0
    while start < keys.count {
      var end = start + 1
      while end < keys.count, keys[end].key == keys[start].key { end += 1 }
      defer { start = end }
      guard (2...CandidatePairs.maxRowsPerKey).contains(end - start) else { continue }
      for position in start..<end {
        let a = keys[position].row
        for other in position + 1..<end where records[a].source != records[keys[other].row].source { add(a, keys[other].row) }
      }
    }
  }

  private mutating func add(_ a: Int, _ b: Int) { pairs.append(Pair(a, b)) }
}
