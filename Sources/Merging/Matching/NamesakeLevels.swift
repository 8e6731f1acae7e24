/// Records which sources list places of one name and different levels as two places, such as the city and the canton of Bern.
///
/// If a source lists both, they are two places. Then no row of one level is joined to one of the other level. If each source
/// lists only one of them, the level alone does not separate rows: sources disagree about the levels of Berlin, Singapore and Tokyo.
struct NamesakeLevels: Sendable {
  /// The pairs of rows of one source that are parts of one place (`NormalizedRecords.arePartsOfOnePlace`).
  private(set) var parts: [CandidatePairs.Pair] = []
  /// The pairs of rows of one source with one name and different levels that are two places.
  private var separatePairs: [CandidatePairs.Pair] = []

  /// The maximum distance in metres of a city from the centre of its region.
  private static let cityReach = 300_000.0

  init(_ records: NormalizedRecords) {
    var lastRows: [RowKey: Int] = [:]
    // For each row, the row before it with the same source and name.
    var previous: [Int] = []
    previous.reserveCapacity(records.all.count)
    for row in records.all.indices {
      previous.append(-1)
      guard records.all[row].mayBePart || records.all[row].category.level != nil, let name = records.all[row].names.first else { continue }
      let key = RowKey(source: records.all[row].source, name: records.names[name].joinedKey)
      previous[row] = lastRows.updateValue(row, forKey: key) ?? -1
      let newPartsStart = parts.count
      var other = previous[row]
      while other >= 0 {
        if records.arePartsOfOnePlace(other, row) {
          parts.append(CandidatePairs.Pair(other, row))
        } else if records.levelsDiffer(other, row), NamesakeLevels.areNear(other, row, records) {
          separatePairs.append(CandidatePairs.Pair(other, row))
        }
        other = previous[other]
      }
      // The loop found the latest row first, but the pairs begin with the earliest one.
      parts[newPartsStart...].reverse()
    }
  }

  private struct RowKey: Hashable {
    var source: UInt64
    var name: UInt64
  }

  /// Whether a source lists two places of the name and the levels of these two rows.
  func areSeparatePlaces(_ a: Int, _ b: Int, in records: NormalizedRecords) -> Bool {
    guard !separatePairs.isEmpty, records.levelsDiffer(a, b) else { return false }
    return separatePairs.contains { pair in
      let (first, second) = (records.all[pair.first], records.all[pair.second])
      guard let name = first.names.first.map({ records.names[$0].joinedKey }), records.has(a, name: name) || records.has(b, name: name)
      else {
        return false
      }
      let here = records.all[a].category.level
      guard here == first.category.level || here == second.category.level else { return false }
      let there = records.all[b].category.level
      guard there == first.category.level || there == second.category.level else { return false }
      return NamesakeLevels.areNear(pair.first, a, records) && NamesakeLevels.areNear(pair.first, b, records)
    }
  }

  /// Whether two rows may be a city and its region, as far as their countries and points are known.
  private static func areNear(_ a: Int, _ b: Int, _ records: NormalizedRecords) -> Bool {
    let (first, second) = (records.all[a].country, records.all[b].country)
    guard first == 0 || second == 0 || first == second else { return false }
    guard let here = records.all[a].location, let there = records.all[b].location else { return true }
    return here.distance(to: there) <= cityReach
  }
}

extension NormalizedRecords {
  /// Whether two rows have different levels, such as a city and a region.
  func levelsDiffer(_ a: Int, _ b: Int) -> Bool {
    guard let here = all[a].category.level, let there = all[b].category.level else { return false }
    return here != there
  }
}
