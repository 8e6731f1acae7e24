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
  /// Where given, a search finds the nearest places that match in any way, nearest first.
  var nearestTo: Coordinate?
  private let home: Home

  init(file: IndexFile, filter: PlaceFilter, bias: Area?, language: String?, region: String? = nil) throws(SQLiteError) {
    self.file = file
    self.filter = filter
    self.bias = bias
    self.language = language
    home = try Home(region: region, language: language, in: file)
  }

  /// What a query means: a point and what is around it, or places by name.
  struct Found {
    /// Stands before the rows.
    var point: PointPlace?
    var rows: [TopList.Row] = []
    /// Whether the rows are not what was typed but what may have been meant.
    var isGuess = false
    var count: Int { rows.count + (point == nil ? 0 : 1) }
  }

  /// Somebody is typing: at most `limit` places, best first. Words such as `museum` ask for a kind of place where no name begins so.
  func find(_ query: String, limit: Int) throws(SQLiteError) -> Found {
    if let point = PointQuery(query, language: language) { return try around(point, limit) }
    let reading = Reading(query, language: language)
    let found = try named(query, reading, limit: limit)
    guard found.isGuess, let wanted = TypeWords.split(reading.folded) else { return found }
    let rows = try kinds(wanted, reading, limit)
    return rows.isEmpty ? found : Found(rows: rows)
  }

  /// Somebody has typed: the same, and what words such as `museum` ask for before names.
  func search(_ query: String, limit: Int) throws(SQLiteError) -> Found {
    if let point = PointQuery(query, language: language) { return try around(point, limit) }
    let reading = Reading(query, language: language, isFinished: true)
    let plain = try named(query, reading, limit: limit).rows
    var rows: [TopList.Row] = []
    let wanted = TypeWords.split(reading.folded)
    var ofKind: [TopList.Row] = []
    if let wanted { ofKind = try kinds(wanted, reading, limit) }
    if let type = includedType {
      // Who writes what the type is called means the places of that kind, whatever their names.
      let leading = wanted?.types.contains(type) == true ? ofKind : []
      for row in leading + plain where try types(row.rank).contains(type) { rows.append(row) }
    }
    if let wanted {
      // A place of that very name, as Bank or Château-Thierry, is meant before any bank, and before any castle near Thierry.
      if wanted.rest.isEmpty {
        if bias == nil { rows += plain.filter { $0.score >= 0.6 }.prefix(1) }
      } else if try file.places(.name, reading.folded.joined()) != nil {
        rows += plain.prefix(1)
      }
      rows += ofKind
    }
    var seen: Set<UInt32> = []
    rows = (rows + plain).filter { seen.insert($0.rank).inserted }
    return Found(rows: Array(try inOrder(rows).prefix(limit)))
  }

  private func inOrder(_ rows: [TopList.Row]) throws(SQLiteError) -> [TopList.Row] {
    guard let nearestTo else { return rows }
    var distances: [UInt32: Double] = [:]
    for row in rows { distances[row.rank] = file.distance(of: row.rank, to: nearestTo) }
    return rows.sorted { (distances[$0.rank] ?? .infinity, $0.rank) < (distances[$1.rank] ?? .infinity, $1.rank) }
  }

  /// Places by name or id.
  private func named(_ query: String, _ reading: Reading, limit: Int) throws(SQLiteError) -> Found {
    let id = try identified(query)
    var found = try matching(query, reading, limit)
    let repeated = try CityStates(file: file, filter: filter, language: language).repeated(in: found.rows)
    if !repeated.isEmpty {
      if found.count == limit { found = try matching(query, reading, limit + repeated.count) }
      found.rows.removeAll { repeated.contains($0.rank) }
    }
    if let id { found = Found(rows: [id] + found.rows.filter { $0.rank != id.rank }) }
    return Found(rows: Array(found.rows.prefix(limit)), isGuess: found.isGuess)
  }

  /// Places that all words name together, else those that some of them name or that may have been meant.
  private func matching(_ query: String, _ reading: Reading, _ limit: Int) throws(SQLiteError) -> Found {
    var matcher = matcher(reading, limit)
    try matcher.match(reading.folded)
    if matcher.top.rows.isEmpty, let parts = try unspaced(query, limit) { return parts }
    // Whoever writes an id or a link means all of it.
    if !matcher.isClose, !query.contains(":") { try matcher.matchPart(of: reading.folded) }
    return Found(rows: matcher.top.rows, isGuess: matcher.isGuess)
  }

  func matcher(_ reading: Reading, _ limit: Int) -> Matcher {
    var matcher = Matcher(file: file, filter: filter, proximity: bias.map { Proximity($0) }, reading: reading, home: home, limit: limit)
    matcher.nearestTo = nearestTo
    return matcher
  }

  private func types(_ rank: UInt32) throws(SQLiteError) -> [PlaceType] {
    guard let columns = file.mapped.columns(rank) else { return [] }
    return try file.types.types(columns.types)
  }

  /// Places of a kind, near the place that the other words name, else near the bias, else the most important ones.
  private func kinds(_ wanted: TypeWords.Match, _ reading: Reading, _ limit: Int) throws(SQLiteError) -> [TopList.Row] {
    var center = bias?.center
    if !wanted.rest.isEmpty {
      let towns = try PlaceFilter(countries: [], restriction: nil, collection: .regions, in: file)
      var matcher = Matcher(file: file, filter: towns, proximity: bias.map { Proximity($0) }, reading: reading, limit: 1)
      try matcher.match(wanted.rest)
      guard let town = matcher.top.rows.first, let columns = file.mapped.columns(town.rank), columns.point != .none,
        let point = columns.point.coordinate
      else { return [] }
      center = point
    }
    guard let center, nearestTo == nil || !wanted.rest.isEmpty else {
      var matcher = Matcher(file: file, filter: filter, proximity: nil, reading: reading, limit: limit)
      matcher.nearestTo = nearestTo
      for type in wanted.types { if let list = try file.places(.type, type.rawValue) { try matcher.walk([list], 1, []) } }
      return matcher.top.rows
    }
    var rows: [TopList.Row] = []
    for near in try Nearby(file: file, filter: filter).places(around: center, within: 15_000)
    where rows.count < limit || nearestTo != nil {
      if try types(near.rank).contains(where: { wanted.types.contains($0) }) {
        rows.append(.init(rank: near.rank, score: 1 / (1 + near.distance / 1000)))
      }
    }
    return rows
  }

  private func identified(_ query: String) throws(SQLiteError) -> TopList.Row? {
    let isNamed = query.hasPrefix("gazetteer:")
    let id = isNamed ? String(query.dropFirst(10)) : query
    // Without the provider's name letters alone are a word.
    guard isNamed || id.unicodeScalars.contains(where: \.isNumber), let rank = try file.rank(ofID: id),
      let columns = file.mapped.columns(rank),
      filter.admits(columns)
    else { return nil }
    return .init(rank: rank, score: 2)
  }

  private func around(_ query: PointQuery, _ limit: Int) throws(SQLiteError) -> Found {
    guard let point = try point(query) else { return Found() }
    let country = try file.town(near: point.location).flatMap { (rank) throws(SQLiteError) in file.mapped.columns(rank)?.country }
    let isWanted = filter.admits(point.location, country: country ?? 0)
    let nearby = Nearby(file: file, filter: filter)
    let wanted = limit - (isWanted ? 1 : 0)
    var near = try nearby.nearest(point.location, within: 50_000, limit: wanted)
    let repeated = try CityStates(file: file, filter: filter, language: language).repeated(around: near.map(\.rank))
    if !repeated.isEmpty {
      near = try nearby.nearest(point.location, within: 50_000, limit: wanted + repeated.count).filter { !repeated.contains($0.rank) }
    }
    let rows = near.prefix(wanted).map { TopList.Row(rank: $0.rank, score: 1 / (1 + $0.distance / 1000)) }
    return Found(point: isWanted ? point : nil, rows: rows)
  }

  /// Nil for a short code near a place that nobody knows, and for coordinates that no point has.
  private func point(_ query: PointQuery) throws(SQLiteError) -> PointPlace? {
    switch query {
    case .nowhere: return nil
    case .point(let point): return PointPlace(point)
    case .code(let code): return PointPlace(code)
    case .shortCode(let code, let place):
      guard let reference = try reference(place), let full = code.recovered(near: reference) else { return nil }
      return PointPlace(full, typed: code)
    }
  }

  private func reference(_ place: String) throws(SQLiteError) -> Coordinate? {
    guard !place.isEmpty else { return bias?.center }
    let everything = try PlaceFilter(countries: [], restriction: nil, in: file)
    let reading = Reading(place, language: language)
    var matcher = Matcher(file: file, filter: everything, proximity: bias.map { Proximity($0) }, reading: reading, limit: 1)
    try matcher.match(reading.folded)
    guard let row = matcher.top.rows.first, let columns = file.mapped.columns(row.rank), columns.point != .none else { return nil }
    return columns.point.coordinate
  }
}

extension Unicode.Scalar {
  /// Whether it is a digit or another number; of ASCII, which nearly all is, without a look into Unicode's tables.
  fileprivate var isNumber: Bool {
    isASCII ? ("0"..."9").contains(self) : properties.numericType != nil
  }
}
