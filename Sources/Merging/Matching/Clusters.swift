/// Clusters the rows into places: agglomerative, the most probable pair first. No cluster has two rows of one source (except its own
/// duplicates), two ids of one namespace, or numbered siblings. The order of the rows only breaks ties.
struct Clusters: Sendable {
  /// The cluster of each row, by the index of its first row.
  private(set) var cluster: [Int]
  /// A source's own duplicates.
  private(set) var duplicates: [Duplicate] = []
  private var members: [[Int]]
  private let records: NormalizedRecords
  private let minAverage: Double
  /// The pairs that are compared already.
  private let scoredPairs: [ScoredPair]

  /// Two rows of one source, the lower first, that have one id, or none and the same name and point, or that are parts of one place.
  struct Duplicate: Sendable {
    var first: Int
    var second: Int
    var byID: Bool
  }

  /// Joins pairs of at least a probability. `scoredPairs` are in the order of their rows.
  init(_ records: NormalizedRecords, scoredPairs: [ScoredPair], minProbability: Double) {
    self.records = records
    minAverage = min(minProbability, 0.5)
    self.scoredPairs = scoredPairs
    cluster = Array(records.all.indices)
    members = records.all.indices.map { [$0] }
    joinDuplicates()
    joinParts()
    for pair in scoredPairs.strongest(from: minProbability) {
      let (a, b) = (cluster[pair.first], cluster[pair.second])
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
      join(cluster[first], cluster[row])
      duplicates.append(Duplicate(first: first, second: row, byID: key.id != nil))
    }
  }

  /// Rows of one source are parts of one place if each two of them are, as `NormalizedRecords.areParts` says.
  private mutating func joinParts() {
    var named: [PartKey: [Int]] = [:]
    for row in records.all.indices where records[row].mayBePart {
      guard let name = records[row].names.first else { continue }
      let key = PartKey(source: records[row].source, name: records.names[name].joinedKey)
      for other in named[key] ?? [] where cluster[other] != cluster[row] && arePartsOfOnePlace(cluster[other], cluster[row]) {
        join(cluster[other], cluster[row])
        duplicates.append(Duplicate(first: other, second: row, byID: false))
      }
      named[key, default: []].append(row)
    }
  }

  private func arePartsOfOnePlace(_ a: Int, _ b: Int) -> Bool {
    members[a].allSatisfy { first in members[b].allSatisfy { records.areParts(first, $0) } }
  }

  private struct PartKey: Hashable {
    var source: UInt64
    var name: UInt64
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

  private func mayJoin(_ a: Int, _ b: Int, _ pair: ScoredPair) -> Bool {
    var sum = 0.0
    let alias = pair.byIdentifier ? nil : records.commonAlias(pair.first, pair.second)
    for i in members[a] {
      for j in members[b] {
        if records[i].source == records[j].source { return false }
        var probability = scoredPairs.probability(min(i, j), max(i, j)) ?? records.compare(i, j).probability
        // A name in another language that one row of a cluster has is a name of all, compared with the rows that have it: Brandenburg Gate of
        // each Brandenburger Tor.
        if probability < minAverage, probability > 0, let alias,
          records.has(i, name: records.names[alias.0].joinedKey) || records.has(j, name: records.names[alias.0].joinedKey)
        {
          probability = max(probability, PairClassifier.probability(PairComparison(i, j, in: records, names: alias)))
        }
        // Two rows that are distinct for certain keep their clusters apart.
        if probability == 0 { return false }
        sum += probability
      }
    }
    // Average linkage: a chain of similar rows alone does not join two clusters.
    return pair.byIdentifier || sum / Double(members[a].count * members[b].count) >= minAverage
  }

  private mutating func join(_ a: Int, _ b: Int) {
    let (kept, gone) = (min(a, b), max(a, b))
    guard kept != gone else { return }
    for row in members[gone] { cluster[row] = kept }
    members[kept] = (members[kept] + members[gone]).sorted()
    members[gone] = []
  }
}
