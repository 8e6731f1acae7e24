import PlacesKit
import SQLite
import Synchronization
import Text

/// Reads an index. Safe to share: each call borrows one of a few connections while it runs, which is well under a millisecond for all but
/// rare queries.
public final class GazetteerReader: Sendable {
  public let path: String
  private let rewriters: Set<Rewriter>
  private let idle = Mutex<[Connection]>([])
  private let mapped = SharedMappedSection()
  private let rendered = RenderedPlaceCache()
  /// The maximum number of idle connections. More concurrent calls than processors are not faster.
  private static let maxIdle = 4

  /// Invariant: a connection is either in `idle` or held by exactly one call.
  private struct Connection: @unchecked Sendable {
    let file: IndexFile
  }

  /// Opens an index; throws if it is missing, damaged, of another version, or not an index.
  public convenience init(path: String) throws(GazetteerError) { try self.init(path: path, rewriters: Rewriter.all) }

  /// - Parameter rewriters: the rules for alternative readings of a query; tests may omit some.
  package init(path: String, rewriters: Set<Rewriter>) throws(GazetteerError) {
    self.path = path
    self.rewriters = rewriters
    let first = Connection(file: try IndexFile(path, sharing: mapped, rendered: rendered))
    idle.withLock { $0 = [first] }
  }

  /// The requested language; nil for a tag that does not name a language.
  private func known(_ language: String?) -> String? { language.flatMap { Languages.isKnown($0) ? $0 : nil } }

  func borrow<Result>(
    seen: FileIdentity? = nil, _ body: (IndexFile) throws(SQLiteError) -> Result
  ) throws(GazetteerError) -> Result {
    let connection: Connection
    if let free = idle.withLock({ $0.popLast() }) {
      connection = free
    } else {
      connection = Connection(file: try IndexFile(path, sharing: mapped, rendered: rendered))
    }
    guard connection.file.isUnchanged(seen) else { throw .damaged(path: path, reason: "the file was overwritten while it was open") }
    defer { idle.withLock { if $0.count < GazetteerReader.maxIdle { $0.append(connection) } } }
    return try connection.file.reading { () throws(SQLiteError) in try body(connection.file) }
  }

  /// Places for a query that the user is typing: by name, with region and country in any order, by coordinates, Plus Code or id.
  /// - Parameter seen: the identity of the file at the index's path, if the caller has just read it.
  public func autocomplete(_ request: AutocompleteRequest, seen: FileIdentity? = nil) throws(GazetteerError) -> Page<Suggestion> {
    guard request.kinds.contains(.place) else { return Page(rows: [], exhaustive: true) }
    return try borrow(seen: seen) { (file) throws(SQLiteError) in
      var typed = request.inputOffset.map { String(request.query.unicodeScalars.prefix(max(0, $0))) } ?? request.query
      if request.endsWord { typed += " " }
      let filter = try PlaceFilter(
        countries: request.countries, restriction: request.restriction, types: request.types, collection: request.collection, in: file)
      var search = try GazetteerSearch(
        file: file, filter: filter, bias: request.bias, language: known(request.language), region: request.region)
      search.rewriters = rewriters
      let found = try search.autocomplete(typed, limit: request.limit)
      var renderer = RowRenderer(file: file, language: known(request.language), region: request.region)
      let words = Folding.words(of: typed)
      var suggestions: [Suggestion] = []
      suggestions.reserveCapacity(found.count)
      if let point = found.point {
        var row = try renderer.suggestion(point, words)
        // The whole query is a notation of the point.
        row.evidence.otherNames = [typed]
        suggestions.append(row)
      }
      let matched = try MatchedNames(typed, words, in: file)
      for row in found.rows {
        guard var suggestion = try renderer.suggestion(row.rank, words) else { continue }
        if let name = try matched.name(row.rank, suggestion.primary, suggestion.text, suggestion.evidence) {
          // First, since merging looks only at some of a capital's hundred names.
          suggestion.evidence.otherNames.insert(name, at: 0)
        }
        suggestions.append(suggestion)
      }
      return Page(rows: suggestions, exhaustive: found.count < request.limit)
    }
  }

  /// The maximum number of places of a search, on all pages together.
  private static let maxRows = 200

  /// Places for a whole query, also by kind: `museum vaduz`, `pharmacy near schaan`.
  public func search(_ request: SearchRequest) throws(GazetteerError) -> Page<Place> {
    try borrow { (file) throws(SQLiteError) in
      let offset = min(max(0, request.pageToken.flatMap { Int($0) } ?? 0), GazetteerReader.maxRows)
      let filter = try PlaceFilter(
        countries: request.countries, restriction: request.restriction,
        types: request.strictTypeFiltering ? [request.includedType].compactMap { $0 } : [], in: file)
      var search = try GazetteerSearch(
        file: file, filter: filter, bias: request.bias, language: known(request.language), region: request.region)
      search.includedType = request.includedType
      search.rewriters = rewriters
      if request.rankBy == .distance { search.nearestTo = request.bias?.center ?? request.origin ?? request.restriction?.center }
      // Every page is cut from the same rows in the same order.
      let found = try search.search(request.query, limit: GazetteerReader.maxRows)
      // The point is the first row of the first page.
      let point = offset == 0 ? found.point : nil
      let first = found.point == nil ? offset : max(0, offset - 1)
      let page = found.rows.dropFirst(first).prefix(request.limit - (point == nil ? 0 : 1))
      var renderer = RowRenderer(file: file, language: known(request.language), region: request.region)
      var places: [Place] = []
      if let point {
        var place = try renderer.place(point, fields: request.fields)
        place.evidence.otherNames = [request.query]
        places.append(place)
      }
      let words = Folding.words(of: request.query)
      let matched = try MatchedNames(request.query, words, in: file)
      for row in page {
        guard var place = try renderer.place(row.rank, fields: request.fields), let shown = try renderer.suggestion(row.rank, words) else {
          continue
        }
        if found.partial.contains(row.rank) { place.partialMatch = true }
        if let name = try matched.name(row.rank, shown.primary, shown.text, shown.evidence) {
          place.evidence.otherNames.insert(name, at: 0)
        }
        places.append(place)
      }
      let hasMore = found.count > offset + request.limit
      return Page(rows: places, exhaustive: !hasMore, next: hasMore ? String(offset + request.limit) : nil)
    }
  }

  /// The details of a place, or of a point by its id (`geo:52.52,13.4`); nil for an id that the index does not hold.
  public func details(_ request: DetailsRequest) throws(GazetteerError) -> Place? {
    try borrow { (file) throws(SQLiteError) in
      var renderer = RowRenderer(file: file, language: known(request.language), region: request.region)
      if let point = PointPlace(id: request.id) { return try renderer.place(point, fields: request.fields) }
      guard let rank = try file.rank(ofID: request.id) else { return nil }
      return try renderer.place(rank, fields: request.fields)
    }
  }

  /// The places at a point: houses and shops, nearest first; then towns, as `ReverseSearch` orders them; then their region and country. With a
  /// radius, of at most 50 km, the location of each row is within it. Without a radius, houses and shops are within 10 km, and towns, region and
  /// country contain the point.
  public func reverse(_ request: ReverseRequest) throws(GazetteerError) -> Page<Place> {
    try borrow { (file) throws(SQLiteError) in
      let filter = try PlaceFilter(countries: [], restriction: nil, types: request.types, in: file)
      let search = ReverseSearch(
        file: file, filter: filter, center: request.location, radius: request.radius.map { min(max($0, 0), 50_000) },
        language: known(request.language))
      let found = try search.ranks(limit: request.limit)
      var renderer = RowRenderer(file: file, language: known(request.language), region: nil)
      // Without a language, all rows of the first one's country are in its language: Svizzera around Lugano, not Schweiz.
      var first: (country: UInt16, renderer: RowRenderer)?
      var places: [Place] = []
      for rank in found {
        let country = file.mapped.columns(rank)?.country ?? 0
        if first?.country == country {
          if let place = try first?.renderer.place(rank, fields: request.fields) { places.append(place) }
          continue
        }
        guard let place = try renderer.place(rank, fields: request.fields) else { continue }
        places.append(place)
        if first == nil, renderer.requested == nil, let language = renderer.choice.first {
          first = (country, RowRenderer(file: file, language: language, region: nil))
        }
      }
      return Page(rows: places, exhaustive: found.count < request.limit)
    }
  }

  /// Whether the index has only settlements, regions and countries.
  public func hasRegionsOnly() throws(GazetteerError) -> Bool {
    try borrow { (file) throws(SQLiteError) in
      guard !file.hasAddresses else { return false }
      return try file.types.all().allSatisfy { types in types.allSatisfy { $0.group ?? .region == .region } }
    }
  }

  /// The contents of the index.
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

  /// The faults that a check of the whole file finds; empty for an intact file. Takes seconds.
  public func check() throws(GazetteerError) -> [String] {
    try borrow { (file) throws(SQLiteError) in
      try file.database.quickCheck()
        + (file.mapped.isSound ? [] : ["the section behind the database (columns, prefixes or terms) is damaged"])
    }
  }
}

/// The contents of an index.
public struct GazetteerInfo: Sendable, Hashable {
  public struct Source: Sendable, Hashable {
    public var name: String
    public var attribution: Attribution
    /// Records of the source; several of them may be one place.
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
