/// Restores the order of the rows of each service whose order must be kept: the rows exchange their positions. A row has at most one such
/// service, so this is always possible.
enum RequiredOrder {
  static func restore(_ rows: inout [ScoredRow]) {
    var positions: [String: [Int]] = [:]
    for (position, row) in rows.enumerated() {
      if let ordered = row.sourceRows.first(where: \.keepsOrder) { positions[ordered.provider, default: []].append(position) }
    }
    for (provider, places) in positions {
      let ordered = places.map { rows[$0] }.sorted { rank($0, provider) < rank($1, provider) }
      for (place, row) in zip(places, ordered) { rows[place] = row }
    }
  }

  private static func rank(_ row: ScoredRow, _ provider: String) -> Int {
    row.sourceRows.filter { $0.provider == provider }.map(\.rank).min() ?? 0
  }
}
