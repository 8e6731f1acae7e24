import Text

/// Blocking: selects the pairs of rows to compare. A row is the same place as at most one row of another source, so that only the row of each
/// source with the best estimate is compared: near for its extent and with letters in common, or, without coordinates, with a similar name.
/// Rows that share an id or a telephone are always compared.
struct CandidatePairs: Sendable {
  /// The lower row first, ascending, each once.
  private(set) var pairs: [Pair] = []
  private let records: NormalizedRecords
  private var best: [Slot]
  private let sources: Int
  private let blockingRecords: [BlockingRecord]
  /// The number of rows of each source.
  private var counts: [Int]

  struct Pair: Sendable, Hashable, Comparable {
    var first: Int
    var second: Int

    init(_ a: Int, _ b: Int) { (first, second) = (min(a, b), max(a, b)) }

    static func < (a: Pair, b: Pair) -> Bool { a.first != b.first ? a.first < b.first : a.second < b.second }
  }

  private struct Slot {
    var blockingScore = -Double.infinity
    var row = -1
    /// The blocking score of the second best row.
    var runnerUp = -Double.infinity
  }

  private static let clearLead = 0.15
  /// A key that more rows share is ignored: it is not evidence, and the pairs would be too many.
  private static let maxRowsPerKey = 64

  init(_ records: NormalizedRecords) {
    self.records = records
    var numbers: [UInt64: Int] = [:]
    var blockingRecords: [BlockingRecord] = []
    let readsAddress = records.all.contains { $0.location == nil }
    blockingRecords.reserveCapacity(records.all.count)
    for row in records.all.indices {
      let count = numbers.count
      let source = numbers[records[row].source, default: count]
      numbers[records[row].source] = source
      blockingRecords.append(BlockingRecord(row, source: source, in: records, readsAddress: readsAddress))
    }
    sources = numbers.count
    self.blockingRecords = blockingRecords
    counts = Array(repeating: 0, count: sources)
    for blocking in blockingRecords { counts[blocking.source] += 1 }
    best = Array(repeating: Slot(), count: records.all.count * numbers.count)
    let located = blockingRecords.indices.filter { blockingRecords[$0].isLocated }.sorted {
      (blockingRecords[$0].latitude, $0) < (blockingRecords[$1].latitude, $1)
    }
    sweep(located.map { blockingRecords[$0] })
    pairUnlocated(blockingRecords)
    collect()
  }

  /// Rows with coordinates, from south to north, each against those not farther north than the largest reach.
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

  /// Rows without coordinates against all others.
  private mutating func pairUnlocated(_ blockingRecords: [BlockingRecord]) {
    for here in blockingRecords where !here.isLocated {
      // If both rows lack coordinates, only the earlier one looks up the other.
      for there in blockingRecords where there.isLocated || there.row > here.row { consider(here, there) }
    }
  }

  private mutating func consider(_ a: BlockingRecord, _ b: BlockingRecord) {
    guard a.source != b.source, let blockingScore = a.blockingScore(b) else { return }
    keep(b.row, blockingScore, at: (a.row * sources + b.source))
    keep(a.row, blockingScore, at: (b.row * sources + a.source))
  }

  /// If scores are equal, the lower row is kept.
  private mutating func keep(_ row: Int, _ blockingScore: Double, at index: Int) {
    let slot = best[index]
    if blockingScore > slot.blockingScore || (blockingScore == slot.blockingScore && row < slot.row) {
      best[index] = Slot(blockingScore: blockingScore, row: row, runnerUp: slot.blockingScore)
    } else if blockingScore > slot.runnerUp {
      best[index].runnerUp = blockingScore
    }
  }

  /// The lead of a pair over its rivals, -1…1, see `RivalLead`; 0 if one of the rows has no coordinates.
  func lead(of pair: Pair) -> Double {
    let (a, b) = (pair.first, pair.second)
    guard blockingRecords[a].isLocated, blockingRecords[b].isLocated else { return 0 }
    let (sourceA, sourceB) = (blockingRecords[a].source, blockingRecords[b].source)
    let (slotA, slotB) = (best[a * sources + sourceB], best[b * sources + sourceA])
    let score =
      slotA.row == b ? slotA.blockingScore : slotB.row == a ? slotB.blockingScore : blockingRecords[a].blockingScore(blockingRecords[b])
    return RivalLead.lead(
      counts[sourceB] > 1 ? RivalLead.side(score, rival: slotA.row == b ? slotA.runnerUp : slotA.blockingScore) : nil,
      counts[sourceA] > 1 ? RivalLead.side(score, rival: slotB.row == a ? slotB.runnerUp : slotB.blockingScore) : nil)
  }

  private mutating func collect() {
    for row in records.all.indices {
      for slot in best[row * sources..<(row + 1) * sources] where slot.row >= 0 {
        // The other row has a much better partner in this row's source.
        let rival = best[slot.row * sources + blockingRecords[row].source].blockingScore
        if rival <= slot.blockingScore + CandidatePairs.clearLead { add(row, slot.row) }
      }
    }
    pairRowsOfOneKey()
    pairs.sort()
    var previous: Pair?
    pairs.removeAll { pair in
      defer { previous = pair }
      return pair == previous
    }
  }

  private mutating func pairRowsOfOneKey() {
    var keys: [(key: Identifier, row: Int)] = []
    keys.reserveCapacity(2 * records.all.count)
    for row in records.all.indices {
      for index in records[row].identifiers { keys.append((records.identifiers[index], row)) }
      // Rows with one telephone are compared even if a location is wrong.
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
