/// What a set of records tells of those in it that have a name and a point alone: whether they will be businesses or towns.
public struct RecordSetProfile: Sendable {
  /// Whether most records that say what they are are businesses, and a quarter of all say so.
  public let areBusinesses: Bool

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
  }

  /// The record, told where it stands.
  func placed(_ record: MatchRecord) -> MatchRecord {
    var record = record
    record.amongBusinesses = areBusinesses
    return record
  }

  private static func extent(of record: MatchRecord) -> Category.Extent? {
    record.types.isEmpty ? record.category.flatMap { Category(words: $0).extent } : Category(types: record.types).extent
  }

  private static func isBusiness(_ record: MatchRecord) -> Bool {
    record.address != nil || record.houseNumber != nil || record.postcode != nil || record.phone != nil || record.website != nil
  }
}
