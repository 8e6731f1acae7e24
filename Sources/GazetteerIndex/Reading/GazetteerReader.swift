import PlacesKit
import SQLite
import Synchronization
import Text

/// Reads an index. Safe to share: each call borrows one of a few connections for as long as it runs, which is well under a
/// millisecond for all but rare queries.
public final class GazetteerReader: Sendable {
  public let path: String
  private let idle = Mutex<[Lent]>([])
  private let mapped = SharedMappedSection()
  private let presented = RecentlyPresented()
  /// More calls at once than cores gain nothing, so more connections than this are not kept.
  private static let kept = 4

  /// Invariant: a connection is either in `idle` or held by exactly one call.
  private struct Lent: @unchecked Sendable {
    let file: IndexFile
  }

  /// Opens an index; throws where it is missing, damaged, of another version, or no index.
  public init(path: String) throws(GazetteerError) {
    self.path = path
    let first = Lent(file: try IndexFile(path, sharing: mapped, presented: presented))
    idle.withLock { $0 = [first] }
  }

  /// The language asked for; nil for a tag that names none, which asks for no language.
  private func known(_ language: String?) -> String? { language.flatMap { Languages.isKnown($0) ? $0 : nil } }

  func borrow<Result>(
    seen: FileIdentity? = nil, _ body: (IndexFile) throws(SQLiteError) -> Result
  ) throws(GazetteerError) -> Result {
    let lent: Lent
    if let free = idle.withLock({ $0.popLast() }) {
      lent = free
    } else {
      lent = Lent(file: try IndexFile(path, sharing: mapped, presented: presented))
    }
    guard lent.file.isUnchanged(seen) else { throw .damaged(path: path, reason: "it was written over while it was open") }
    defer { idle.withLock { if $0.count < GazetteerReader.kept { $0.append(lent) } } }
    return try lent.file.reading { () throws(SQLiteError) in try body(lent.file) }
  }

  /// Places as somebody types: by name, with region and country in any order, by coordinates, Plus Code or id.
  /// - Parameter seen: what the caller has just found at the index's path, and need not be looked for again.
  public func autocomplete(_ request: AutocompleteRequest, seen: FileIdentity? = nil) throws(GazetteerError) -> Page<Suggestion> {
    guard request.kinds.contains(.place) else { return Page(rows: [], exhaustive: true) }
    return try borrow(seen: seen) { (file) throws(SQLiteError) in
      let typed = request.inputOffset.map { String(request.query.unicodeScalars.prefix(max(0, $0))) } ?? request.query
      let filter = try PlaceFilter(
        countries: request.countries, restriction: request.restriction, types: request.types, collection: request.collection, in: file)
      let found = try Finding(
        file: file, filter: filter, bias: request.bias, language: known(request.language), region: request.region
      ).find(typed, limit: request.limit)
      var presenter = Presenter(file: file, language: known(request.language), region: request.region)
      let words = Folding.words(of: typed)
      var suggestions: [Suggestion] = []
      suggestions.reserveCapacity(found.count)
      if let point = found.point {
        var row = try presenter.suggestion(point, words)
        // However it is written, the point is all that was typed.
        row.evidence.otherNames = [typed]
        suggestions.append(row)
      }
      let asked = try AskedAreas(typed, words, in: file)
      for row in found.rows {
        guard var suggestion = try presenter.suggestion(row.rank, words) else { continue }
        if !asked.isEmpty, let columns = file.mapped.columns(row.rank), let name = asked.name(suggestion, columns) {
          // First: of a capital's hundred names merging looks at some.
          suggestion.evidence.otherNames.insert(name, at: 0)
        }
        suggestions.append(suggestion)
      }
      return Page(rows: suggestions, exhaustive: found.count < request.limit)
    }
  }

  /// So many places of a search can be paged through.
  private static let window = 200

  /// Places for a whole query, also by kind: `museum vaduz`, `pharmacy near schaan`.
  public func search(_ request: SearchRequest) throws(GazetteerError) -> Page<Place> {
    try borrow { (file) throws(SQLiteError) in
      let offset = min(max(0, request.pageToken.flatMap { Int($0) } ?? 0), GazetteerReader.window)
      let filter = try PlaceFilter(
        countries: request.countries, restriction: request.restriction,
        types: request.strictTypeFiltering ? [request.includedType].compactMap { $0 } : [], in: file)
      var finding = try Finding(
        file: file, filter: filter, bias: request.bias, language: known(request.language), region: request.region)
      finding.includedType = request.includedType
      if request.rankBy == .distance { finding.nearestTo = request.bias?.center ?? request.origin ?? request.restriction?.center }
      // Every page is cut from the same rows in the same order.
      let found = try finding.search(request.query, limit: GazetteerReader.window)
      // The point is the first row of the first page.
      let point = offset == 0 ? found.point : nil
      let first = found.point == nil ? offset : max(0, offset - 1)
      let page = found.rows.dropFirst(first).prefix(request.limit - (point == nil ? 0 : 1))
      var presenter = Presenter(file: file, language: known(request.language), region: request.region)
      var places: [Place] = []
      if let point {
        var place = try presenter.place(point, fields: request.fields)
        place.evidence.otherNames = [request.query]
        places.append(place)
      }
      let queryWords = Folding.words(of: request.query)
      let asked = try AskedAreas(request.query, queryWords, in: file)
      for row in page {
        guard var place = try presenter.place(row.rank, fields: request.fields) else { continue }
        if !asked.isEmpty, let columns = file.mapped.columns(row.rank), let shown = try presenter.suggestion(row.rank, []),
          let name = asked.name(shown, columns)
        {
          place.evidence.otherNames.insert(name, at: 0)
        } else if let alias = Alias.named(in: queryWords, of: place) {
          place.evidence.otherNames.insert(alias, at: 0)
        }
        places.append(place)
      }
      let hasMore = found.count > offset + request.limit
      return Page(rows: places, exhaustive: !hasMore, next: hasMore ? String(offset + request.limit) : nil)
    }
  }

  /// What is known of a place, or of a point by its id (`geo:52.52,13.4`); nil for an id that the index doesn't hold.
  public func details(_ request: DetailsRequest) throws(GazetteerError) -> Place? {
    try borrow { (file) throws(SQLiteError) in
      var presenter = Presenter(file: file, language: known(request.language), region: request.region)
      if let point = PointPlace(id: request.id) { return try presenter.place(point, fields: request.fields) }
      guard let rank = try file.rank(ofID: request.id) else { return nil }
      return try presenter.place(rank, fields: request.fields)
    }
  }

  /// What is at a point: houses and shops, nearest first; then towns, as `Surroundings` orders them; then their region and country. A
  /// radius, of at most 50 km, holds for each of them by its location; without one houses and shops lie within 10 km, and towns, region
  /// and country around the point.
  public func reverse(_ request: ReverseRequest) throws(GazetteerError) -> Page<Place> {
    try borrow { (file) throws(SQLiteError) in
      let filter = try PlaceFilter(countries: [], restriction: nil, types: request.types, in: file)
      let surroundings = Surroundings(
        file: file, filter: filter, center: request.location, radius: request.radius.map { min(max($0, 0), 50_000) },
        language: known(request.language))
      let found = try surroundings.ranks(limit: request.limit)
      var presenter = Presenter(file: file, language: known(request.language), region: nil)
      var places: [Place] = []
      for rank in found { if let place = try presenter.place(rank, fields: request.fields) { places.append(place) } }
      return Page(rows: places, exhaustive: found.count < request.limit)
    }
  }

  /// What the index holds.
  public func info() throws(GazetteerError) -> GazetteerInfo {
    try borrow { (file) throws(SQLiteError) in
      let sources = try file.sources().map { entry in
        GazetteerInfo.Source(
          name: entry.value.name, attribution: entry.value.attribution, records: entry.value.records, imported: entry.value.imported)
      }
      let built = try file.database.text("SELECT value FROM meta WHERE key = 'built'").flatMap { Double($0) } ?? 0
      return GazetteerInfo(
        path: path, version: IndexSchema.version, places: file.mapped.places, bytes: file.mapped.end,
        built: built,
        sources: sources.sorted { $0.name < $1.name })
    }
  }

  /// What a thorough look at the whole file finds wrong; empty for a sound one. Takes seconds.
  public func check() throws(GazetteerError) -> [String] {
    try borrow { (file) throws(SQLiteError) in
      try file.database.quickCheck()
        + (file.mapped.isSound ? [] : ["what stands behind the database (columns, prefixes, terms or rows) is damaged"])
    }
  }
}

/// What an index holds.
public struct GazetteerInfo: Sendable, Hashable {
  public struct Source: Sendable, Hashable {
    public var name: String
    public var attribution: Attribution
    /// Records that it brought, of which several may be one place.
    public var records: Int
    /// Seconds since 1970.
    public var imported: Double
  }
  public var path: String
  /// The layout of the file.
  public var version: Int
  public var places: Int
  public var bytes: Int
  /// Seconds since 1970.
  public var built: Double
  public var sources: [Source]
}
