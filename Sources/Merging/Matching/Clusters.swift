/// Clusters the rows into places. The clustering is agglomerative: the most probable pair is joined first. Pairs of two levels, such as a
/// city and a region, come after all other pairs. No cluster has two rows of one source (except the source's own duplicates), two ids of
/// one namespace, or numbered siblings such as Gate 3 and Gate 4. The order of the rows only breaks ties.
struct Clusters: Sendable {
  /// The number of each row's cluster, which is the index of the cluster's first row.
  private(set) var clusterOfRow: [Int]
  /// The pairs of duplicates within one source.
  private(set) var duplicates: [Duplicate] = []
  /// The rows of each cluster, in order, indexed by the number of the cluster; empty for a number without a cluster.
  private var members: [[Int]]
  private let records: NormalizedRecords
  /// The minimum of the average probability of the pairs between two clusters that are joined.
  private let minAverage: Double
  /// The pairs that were compared already, in the order of their rows.
  private let scoredPairs: [ScoredPair]
  private let levels: NamesakeLevels

  /// Two rows of one source that have the same id, or no id but the same name and location, or that are parts of one place.
  struct Duplicate: Sendable {
    /// The lower row.
    var first: Int
    var second: Int
    /// Whether the rows have the same id.
    var byID: Bool
  }

  /// - Parameters:
  ///   - scoredPairs: in the order of their rows.
  ///   - minProbability: returns the minimum probability of a pair that is joined. Its argument is true if both rows have points.
  init(_ records: NormalizedRecords, scoredPairs: [ScoredPair], minProbability: (_ areLocated: Bool) -> Double) {
    self.records = records
    let (located, unlocated) = (minProbability(true), minProbability(false))
    minAverage = min(located, unlocated, 0.5)
    self.scoredPairs = scoredPairs
    clusterOfRow = Array(records.all.indices)
    members = records.all.indices.map { [$0] }
    levels = NamesakeLevels(records)
    joinDuplicates()
    joinParts()
    for pair in scoredPairs.strongest(from: min(located, unlocated), in: records) {
      let areLocated = records[pair.first].location != nil && records[pair.second].location != nil
      guard pair.probability >= (areLocated ? located : unlocated) else { continue }
      let (a, b) = (clusterOfRow[pair.first], clusterOfRow[pair.second])
      if a != b, mayJoin(a, b, pair) { join(a, b) }
    }
  }

  /// The rows of each cluster, in order; clusters in the order of their first rows.
  var groups: [[Int]] { members.filter { !$0.isEmpty } }

  /// Rows of one source are duplicates if they have the same id, or no id and the same name and location.
  private mutating func joinDuplicates() {
    var firstRows: [DuplicateKey: Int] = [:]
    firstRows.reserveCapacity(records.all.count)
    for row in records.all.indices {
      guard let key = DuplicateKey(row, records) else { continue }
      guard let first = firstRows[key] else {
        firstRows[key] = row
        continue
      }
      join(clusterOfRow[first], clusterOfRow[row])
      duplicates.append(Duplicate(first: first, second: row, byID: key.id != nil))
    }
  }

  /// Joins rows of one source that are parts of one place. This must be true of each pair of the joined rows
  /// (`NormalizedRecords.arePartsOfOnePlace`).
  private mutating func joinParts() {
    for pair in levels.parts where !levels.areSeparatePlaces(pair.first, pair.second, in: records) {
      let (a, b) = (clusterOfRow[pair.first], clusterOfRow[pair.second])
      guard a != b, arePartsOfOnePlace(a, b) else { continue }
      join(a, b)
      duplicates.append(Duplicate(first: pair.first, second: pair.second, byID: false))
    }
  }

  private func arePartsOfOnePlace(_ a: Int, _ b: Int) -> Bool {
    members[a].allSatisfy { first in members[b].allSatisfy { records.arePartsOfOnePlace(first, $0) } }
  }

  private struct DuplicateKey: Hashable {
    var source: UInt64
    var id: Identifier?
    var name: UInt64 = 0
    var latitude = 0.0
    var longitude = 0.0

    init?(_ row: Int, _ records: NormalizedRecords) {
      let record = records[row]
      source = record.source
      if record.hasOwnIdentifier {
        id = record.identifiers.first.map { records.identifiers[$0] }
      } else {
        guard let location = record.location, let first = record.names.first else { return nil }
        (name, latitude, longitude) = (records.names[first].joinedKey, location.latitude, location.longitude)
      }
    }
  }

  /// Whether two clusters may be joined because of a pair between them.
  private func mayJoin(_ a: Int, _ b: Int, _ pair: ScoredPair) -> Bool {
    var sum = 0.0
    let alias = pair.byIdentifier ? nil : records.commonAlias(pair.first, pair.second)
    for i in members[a] {
      for j in members[b] {
        if records[i].source == records[j].source { return false }
        if !pair.byIdentifier, levels.areSeparatePlaces(i, j, in: records) { return false }
        var probability = scoredPairs.probability(min(i, j), max(i, j)) ?? records.compare(i, j).probability
        // The rows of the pair share a further name, such as Brandenburg Gate beside Brandenburger Tor. All rows of a cluster are one
        // place. So if one of two rows has this name, they are compared as if both had it.
        if probability < minAverage, probability > 0, let alias,
          records.has(i, name: records.names[alias.0].joinedKey) || records.has(j, name: records.names[alias.0].joinedKey)
        {
          probability = max(probability, PairClassifier.probability(PairComparison(i, j, in: records, names: alias)))
        }
        // If two rows certainly mean different places, their clusters are not joined.
        if probability == 0 { return false }
        sum += probability
      }
    }
    // The average must be high enough (average linkage), so that a chain of similar rows alone does not join two clusters.
    return pair.byIdentifier || sum / Double(members[a].count * members[b].count) >= minAverage
  }

  private mutating func join(_ a: Int, _ b: Int) {
    let (kept, removed) = (min(a, b), max(a, b))
    guard kept != removed else { return }
    for row in members[removed] { clusterOfRow[row] = kept }
    members[kept] = (members[kept] + members[removed]).sorted()
    members[removed] = []
  }
}
