import PlacesKit
import SQLite
import Text

/// Finds the places that a query means, whatever it is.
struct Finding {
  let file: IndexFile
  let filter: PlaceFilter
  let bias: Area?
  let language: String?
  /// The kind wanted most; with it, places of other kinds stand behind.
  var includedType: PlaceType?

  init(file: IndexFile, filter: PlaceFilter, bias: Area?, language: String?) {
    self.file = file
    self.filter = filter
    self.bias = bias
    self.language = language
  }

  /// Somebody is typing: at most `limit` places, best first.
  func find(_ query: String, limit: Int) throws(SQLiteError) -> [TopList.Row] {
    if let point = PointQuery(query) { return try around(point, limit) }
    var rows: [TopList.Row] = []
    if let row = try identified(query) { rows.append(row) }
    let reading = Reading(query, language: language)
    var matcher = Matcher(file: file, filter: filter, proximity: bias.map { Proximity($0) }, reading: reading, limit: limit)
    try matcher.match(Folding.words(of: query))
    rows += matcher.top.rows.filter { row in !rows.contains { $0.rank == row.rank } }
    return Array(rows.prefix(limit))
  }

  /// Somebody has typed: the same, and before it what words such as `museum` ask for.
  func search(_ query: String, limit: Int) throws(SQLiteError) -> [TopList.Row] {
    let plain = try find(query, limit: limit)
    let words = Folding.words(of: query)
    var rows: [TopList.Row] = []
    if let type = includedType {
      for row in plain where try types(row.rank).contains(type) { rows.append(row) }
    }
    if let wanted = TypeWords.split(words) {
      // A place of that very name, such as the town of Bank, is meant before any bank.
      rows += plain.filter { $0.score >= 0.6 && !(bias != nil && wanted.rest.isEmpty) && wanted.rest.isEmpty }.prefix(1)
      rows += try kinds(wanted, Reading(query, language: language), limit)
    }
    var seen: Set<UInt32> = []
    return Array((rows + plain).filter { seen.insert($0.rank).inserted }.prefix(limit))
  }

  private func types(_ rank: UInt32) throws(SQLiteError) -> [PlaceType] {
    guard let columns = try file.columns.columns(rank) else { return [] }
    return try file.types.types(columns.types)
  }

  /// Places of a kind, near the place that the other words name, else near the bias, else the most important ones.
  private func kinds(_ wanted: TypeWords.Match, _ reading: Reading, _ limit: Int) throws(SQLiteError) -> [TopList.Row] {
    var center = bias?.center
    if !wanted.rest.isEmpty {
      let towns = try PlaceFilter(countries: [], restriction: nil, collection: .regions, in: file)
      var matcher = Matcher(file: file, filter: towns, proximity: bias.map { Proximity($0) }, reading: reading, limit: 1)
      try matcher.match(wanted.rest)
      guard let town = matcher.top.rows.first, let columns = try file.columns.columns(town.rank), columns.point != .none,
        let point = columns.point.coordinate
      else { return [] }
      center = point
    }
    guard let center else {
      var matcher = Matcher(file: file, filter: filter, proximity: nil, reading: reading, limit: limit)
      for type in wanted.types { if let list = try file.places(.type, type.rawValue) { try matcher.walk([list], 1, []) } }
      return matcher.top.rows
    }
    var rows: [TopList.Row] = []
    for near in try Nearby(file: file, filter: filter).places(around: center, within: 15_000) where rows.count < limit {
      if try types(near.rank).contains(where: { wanted.types.contains($0) }) {
        rows.append(.init(rank: near.rank, score: 1 / (1 + near.distance / 1000)))
      }
    }
    return rows
  }

  private func identified(_ query: String) throws(SQLiteError) -> TopList.Row? {
    let id = query.hasPrefix("gazetteer:") ? String(query.dropFirst(10)) : query
    guard id.contains(where: { $0.isNumber }), let rank = try file.rank(ofID: id), let columns = try file.columns.columns(rank),
      filter.admits(columns)
    else { return nil }
    return .init(rank: rank, score: 2)
  }

  private func around(_ query: PointQuery, _ limit: Int) throws(SQLiteError) -> [TopList.Row] {
    let center: Coordinate
    switch query {
    case .point(let point): center = point
    case .shortCode(let code, let place):
      guard let reference = try reference(place), let point = code.recovered(near: reference)?.rectangle?.center else { return [] }
      center = point
    }
    return try Nearby(file: file, filter: filter).nearest(center, within: 50_000, limit: limit).map {
      .init(rank: $0.rank, score: 1 / (1 + $0.distance / 1000))
    }
  }

  private func reference(_ place: String) throws(SQLiteError) -> Coordinate? {
    guard !place.isEmpty else { return bias?.center }
    let everything = try PlaceFilter(countries: [], restriction: nil, in: file)
    let reading = Reading(place, language: language)
    var matcher = Matcher(file: file, filter: everything, proximity: bias.map { Proximity($0) }, reading: reading, limit: 1)
    try matcher.match(Folding.words(of: place))
    guard let row = matcher.top.rows.first, let columns = try file.columns.columns(row.rank), columns.point != .none else { return nil }
    return columns.point.coordinate
  }
}
