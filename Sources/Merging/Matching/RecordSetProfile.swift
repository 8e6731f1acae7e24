/// The properties of a set of records that the comparison of two of them needs. They show whether a record that has only a name and a point
/// is a business or a town, how rare the words of its name are, and whether another record matches better.
public struct RecordSetProfile: Sendable {
  /// Whether there are more businesses than towns and regions among the records, and at least a quarter of all records are businesses.
  public let areBusinesses: Bool
  let rarity: WordRarity
  /// The records with coordinates and an id, from south to north.
  private let located: [Neighbour]
  /// Degrees of latitude within which a record can be another's partner.
  private let reach: Double

  private struct Neighbour: Sendable {
    var blocking: BlockingRecord
    var key: RecordKey
  }

  /// Identifies a record by its source and its id.
  private struct RecordKey: Hashable {
    var source: String
    var id: String?
  }

  public init(_ records: [MatchRecord]) {
    var (businesses, areas) = (0, 0)
    for record in records {
      if (RecordSetProfile.extent(of: record) ?? .address) >= .village {
        areas += 1
      } else if RecordSetProfile.isBusiness(record) {
        businesses += 1
      }
    }
    areBusinesses = businesses > areas && businesses * 4 >= records.count
    var seenKeys: Set<RecordKey> = []
    var distinctRecords: [MatchRecord] = []
    for var record in records {
      guard record.id == nil || seenKeys.insert(RecordKey(source: record.source, id: record.id)).inserted else { continue }
      record.amongBusinesses = areBusinesses
      distinctRecords.append(record)
    }
    let normalized = NormalizedRecords(distinctRecords)
    rarity = WordRarity(normalized)
    located = distinctRecords.indices.filter { distinctRecords[$0].location != nil && distinctRecords[$0].id != nil }.map { row in
      Neighbour(
        blocking: BlockingRecord(row, source: 0, in: normalized),
        key: RecordKey(source: distinctRecords[row].source, id: distinctRecords[row].id))
    }.sorted { $0.blocking.latitude < $1.blocking.latitude }
    reach = (located.lazy.map(\.blocking.reach).max() ?? 0) / BlockingRecord.metresPerLatitude
  }

  /// Returns a copy of the record with `amongBusinesses` set for this set of records.
  func withBusinessMark(_ record: MatchRecord) -> MatchRecord {
    var record = record
    record.amongBusinesses = areBusinesses
    return record
  }

  /// The lead of a pair over its rivals in this set (`RivalLead`).
  /// - Parameter records: the pair alone, normalized.
  func lead(_ a: MatchRecord, _ b: MatchRecord, in records: NormalizedRecords) -> Double {
    guard located.count > 2, a.location != nil, b.location != nil else { return 0 }
    let (first, second) = (BlockingRecord(0, source: 0, in: records), BlockingRecord(1, source: 0, in: records))
    let score = first.blockingScore(second)
    return RivalLead.lead(sideLead(first, score, partner: b), sideLead(second, score, partner: a))
  }

  /// The lead of the pair of `row` and `partner` over the pairs of `row` with other records of the partner's source; nil if there are none
  /// nearby. `score` is the blocking score of the pair.
  private func sideLead(_ row: BlockingRecord, _ score: Double?, partner: MatchRecord) -> Double? {
    var rival: Double?
    for neighbour in located[firstIndex(from: row.latitude - reach)...] {
      guard neighbour.blocking.latitude <= row.latitude + reach else { break }
      guard neighbour.key.source == partner.source, neighbour.key.id != partner.id else { continue }
      rival = max(rival ?? 0, row.blockingScore(neighbour.blocking) ?? 0)
    }
    return rival.map { RivalLead.sideLead(score, rival: $0) }
  }

  /// The first record that is not south of a latitude.
  private func firstIndex(from latitude: Double) -> Int {
    var (low, high) = (0, located.count)
    while low < high {
      let middle = (low + high) / 2
      if located[middle].blocking.latitude < latitude { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func extent(of record: MatchRecord) -> Category.Extent? {
    record.types.isEmpty ? record.category.flatMap { Category(words: $0).extent } : Category(types: record.types).extent
  }

  private static func isBusiness(_ record: MatchRecord) -> Bool {
    record.address != nil || record.houseNumber != nil || record.postcode != nil || record.phone != nil || record.website != nil
      || record.category.map { Category(words: $0).groups != 0 } ?? false || Category(types: record.types).groups != 0
  }
}
