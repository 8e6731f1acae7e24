/// Clusters the rows into places: agglomerative, the most probable pair first. No cluster has two rows of one source (except its own
/// duplicates), two ids of one namespace, or numbered siblings. The order of the rows only breaks ties.
struct Clusters: Sendable {
  /// The cluster of each row, by the index of its first row.
  private(set) var cluster: [Int]
  /// A source's own duplicates.
  private(set) var duplicates: [Duplicate] = []
  private var members: [[Int]]
  private let rows: NormalizedRecords
  private let averageFrom: Double
  /// The pairs that are compared already.
  private let scoredPairs: [ScoredPair]

  /// Two rows of one source, the lower first, that have one id, or none and the same name and point.
  struct Duplicate: Sendable {
    var first: Int
    var second: Int
    var byID: Bool
  }

  /// Joins from this probability on. `scoredPairs` are in the order of their rows.
  init(_ rows: NormalizedRecords, scoredPairs: [ScoredPair], joinFrom: Double) {
    self.rows = rows
    averageFrom = min(joinFrom, 0.5)
    self.scoredPairs = scoredPairs
    cluster = Array(rows.records.indices)
    members = rows.records.indices.map { [$0] }
    joinDuplicates()
    for edge in scoredPairs.strongest(from: joinFrom) {
      let (a, b) = (cluster[edge.first], cluster[edge.second])
      if a != b, mayJoin(a, b, edge) { join(a, b) }
    }
  }

  /// The rows of each cluster, in order; clusters in the order of their first rows.
  var groups: [[Int]] { members.filter { !$0.isEmpty } }

  /// Rows of one source are duplicates if they have the same id, or no id and the same name and location.
  private mutating func joinDuplicates() {
    var firstRows: [DuplicateKey: Int] = [:]
    firstRows.reserveCapacity(rows.records.count)
    for row in rows.records.indices {
      guard let key = DuplicateKey(row, rows) else { continue }
      guard let first = firstRows[key] else {
        firstRows[key] = row
        continue
      }
      join(cluster[first], cluster[row])
      duplicates.append(Duplicate(first: first, second: row, byID: key.id != nil))
    }
  }

  private struct DuplicateKey: Hashable {
    var source: UInt64
    var id: Identifier?
    var name: UInt64 = 0
    var latitude = 0.0
    var longitude = 0.0

    init?(_ row: Int, _ rows: NormalizedRecords) {
      let record = rows.records[row]
      source = record.source
      if record.hasOwnIdentifier {
        id = record.identifiers.first.map { rows.identifiers[$0] }
      } else {
        guard let location = record.location, let first = record.names.first else { return nil }
        (name, latitude, longitude) = (rows.names[first].joinedKey, location.latitude, location.longitude)
      }
    }
  }

  private func mayJoin(_ a: Int, _ b: Int, _ edge: ScoredPair) -> Bool {
    var sum = 0.0
    let alias = edge.byIdentifier ? nil : rows.commonAlias(edge.first, edge.second)
    for i in members[a] {
      for j in members[b] {
        if rows.records[i].source == rows.records[j].source { return false }
        var probability = scoredPairs.probability(min(i, j), max(i, j)) ?? rows.edge(i, j).probability
        // A name in another language that one row of a cluster has is a name of all, compared with the rows that have it: Brandenburg Gate of
        // each Brandenburger Tor.
        if probability < averageFrom, probability > 0, let alias,
          rows.has(i, name: rows.names[alias.0].joinedKey) || rows.has(j, name: rows.names[alias.0].joinedKey)
        {
          probability = max(probability, PairClassifier.probability(PairComparison(i, j, in: rows, names: alias)))
        }
        // Two rows that are distinct for certain keep their clusters apart.
        if probability == 0 { return false }
        sum += probability
      }
    }
    // Average linkage: a chain of similar rows alone does not join two clusters.
    return edge.byIdentifier || sum / Double(members[a].count * members[b].count) >= averageFrom
  }

  private mutating func join(_ a: Int, _ b: Int) {
    let (kept, gone) = (min(a, b), max(a, b))
    guard kept != gone else { return }
    for row in members[gone] { cluster[row] = kept }
    members[kept] = (members[kept] + members[gone]).sorted()
    members[gone] = []
  }
}
