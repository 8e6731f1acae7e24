import PlacesKit
import SQLite
import Synchronization
import Text

/// Answers requests from an index. Tasks can share a reader, because each call borrows an `IndexFile` of its own while it runs. Nearly
/// every call takes well under a millisecond.
public final class GazetteerReader: Sendable {
  public let path: String
  private let rewriters: Set<Rewriter>
  /// The open files that no call uses. Invariant: a file is either in this list or used by exactly one call.
  private let idleFiles = Mutex<[IndexFile]>([])
  private let sharedSection = SharedMappedSection()
  private let renderedPlaces = RenderedPlaceCache()
  /// The maximum number of idle files that stay open. More would be useless, because more concurrent calls than processors are not faster.
  private static let maxIdleFiles = 4

  /// Opens an index. Throws if the file is missing, damaged, of another version, or not an index.
  public convenience init(path: String) throws(GazetteerError) { try self.init(path: path, rewriters: Rewriter.all) }

  /// - Parameter rewriters: the rules for alternative readings of a query; tests may omit some.
  package init(path: String, rewriters: Set<Rewriter>) throws(GazetteerError) {
    self.path = path
    self.rewriters = rewriters
    let file = try IndexFile(path, sharing: sharedSection, renderedPlaces: renderedPlaces)
    idleFiles.withLock { $0 = [file] }
  }

  /// The tag of the requested language; nil if it is not the tag of any language.
  private func knownLanguage(_ language: String?) -> String? { language.flatMap { Languages.isKnown($0) ? $0 : nil } }

  /// Runs the body with an open file that no other call uses at the same time.
  /// - Parameter currentFile: the identity of the file at the index's path, if the caller has just read it.
  func borrow<Result>(
    currentFile: FileIdentity? = nil, _ body: (IndexFile) throws(SQLiteError) -> Result
  ) throws(GazetteerError) -> Result {
    let idleFile = idleFiles.withLock { $0.popLast() }
    let file = if let idleFile { idleFile } else { try IndexFile(path, sharing: sharedSection, renderedPlaces: renderedPlaces) }
    guard file.isSafeToRead(currentFile) else { throw .damaged(path: path, reason: "the file was overwritten while it was open") }
    defer { idleFiles.withLock { if $0.count < GazetteerReader.maxIdleFiles { $0.append(file) } } }
    return try file.reading { () throws(SQLiteError) in try body(file) }
  }

  /// Places for a query that the user is typing: a name, with region and country in any order, or coordinates, a Plus Code or an id.
  /// - Parameter currentFile: the identity of the file at the index's path, if the caller has just read it.
  public func autocomplete(_ request: AutocompleteRequest, currentFile: FileIdentity? = nil) throws(GazetteerError) -> Page<Suggestion> {
    guard request.kinds.contains(.place) else { return Page(rows: [], exhaustive: true) }
    return try borrow(currentFile: currentFile) { (file) throws(SQLiteError) in
      var typed = request.inputOffset.map { String(request.query.unicodeScalars.prefix(max(0, $0))) } ?? request.query
      if request.endsWord { typed += " " }
      let filter = try PlaceFilter(
        countries: request.countries, restriction: request.restriction, types: request.types, collection: request.collection, in: file)
      var search = try GazetteerSearch(
        file: file, filter: filter, bias: request.bias, language: knownLanguage(request.language), region: request.region)
      search.rewriters = rewriters
      let answer = try search.autocomplete(typed, limit: request.limit)
      var renderer = RowRenderer(file: file, language: knownLanguage(request.language), region: request.region)
      let words = Folding.words(of: typed)
      var suggestions: [Suggestion] = []
      suggestions.reserveCapacity(answer.count)
      if let point = answer.point {
        var row = try renderer.suggestion(point, words)
        // Merging compares rows with the query. The whole query denotes this point.
        row.evidence.otherNames = [typed]
        suggestions.append(row)
      }
      let matchedNames = try MatchedNames(typed, words, in: file)
      var surroundings = request.origin.map { SurroundingAreas(of: $0, in: file) }
      for row in answer.rows {
        guard var suggestion = try renderer.suggestion(row.rank, words) else { continue }
        if RepeatedRow.repeats(suggestion, anyOf: suggestions) { continue }
        if try surroundings?.contains(row.rank) == true { suggestion.distance = 0 }
        if let name = try matchedNames.name(
          row.rank, suggestion.primary, suggestion.text, isPartial: answer.partial.contains(row.rank))
        {
          // The name is put first, because merging compares only some of a capital's hundred names.
          suggestion.evidence.otherNames.insert(name, at: 0)
        }
        suggestions.append(suggestion)
      }
      return Page(rows: suggestions, exhaustive: answer.count < request.limit)
    }
  }

  /// The maximum number of places that a search finds, on all pages together.
  private static let maxRows = 200

  /// Places for a whole query, also by kind: `museum vaduz`, `pharmacy near schaan`.
  public func search(_ request: SearchRequest) throws(GazetteerError) -> Page<Place> {
    try borrow { (file) throws(SQLiteError) in
      let offset = min(max(0, request.pageToken.flatMap { Int($0) } ?? 0), GazetteerReader.maxRows)
      let filter = try PlaceFilter(
        countries: request.countries, restriction: request.restriction,
        types: request.strictTypeFiltering ? [request.includedType].compactMap { $0 } : [], in: file)
      var search = try GazetteerSearch(
        file: file, filter: filter, bias: request.bias, language: knownLanguage(request.language), region: request.region)
      search.includedType = request.includedType
      search.rewriters = rewriters
      if request.rankBy == .distance { search.nearestTo = request.bias?.center ?? request.origin ?? request.restriction?.center }
      // The call for each page finds the rows of all pages, so that all pages are parts of the same list.
      let answer = try search.search(request.query, limit: GazetteerReader.maxRows)
      // A point precedes the rows, so it is on the first page and shifts the rows of the others by one.
      let point = offset == 0 ? answer.point : nil
      let firstRow = answer.point == nil ? offset : max(0, offset - 1)
      let page = answer.rows.dropFirst(firstRow).prefix(max(0, request.limit - (point == nil ? 0 : 1)))
      var renderer = RowRenderer(file: file, language: knownLanguage(request.language), region: request.region)
      var places: [Place] = []
      if let point {
        var place = try renderer.place(point, fields: request.fields)
        place.evidence.otherNames = [request.query]
        places.append(place)
      }
      let words = Folding.words(of: request.query)
      let matchedNames = try MatchedNames(request.query, words, in: file)
      var surroundings = (request.origin ?? search.nearestTo).map { SurroundingAreas(of: $0, in: file) }
      for row in page {
        guard var place = try renderer.place(row.rank, fields: request.fields), let suggestion = try renderer.suggestion(row.rank, words)
        else { continue }
        let isPartial = answer.partial.contains(row.rank)
        if isPartial { place.partialMatch = true }
        if try surroundings?.contains(row.rank) == true { place.distance = 0 }
        if let name = try matchedNames.name(row.rank, suggestion.primary, suggestion.text, isPartial: isPartial) {
          place.evidence.otherNames.insert(name, at: 0)
        }
        places.append(place)
      }
      let hasMore = answer.count > offset + request.limit
      return Page(rows: places, exhaustive: !hasMore, next: hasMore ? String(offset + request.limit) : nil)
    }
  }

  /// The details of a place or, for an id such as `geo:52.52,13.4`, of a point; nil if no place has the id.
  public func details(_ request: DetailsRequest) throws(GazetteerError) -> Place? {
    try borrow { (file) throws(SQLiteError) in
      var renderer = RowRenderer(file: file, language: knownLanguage(request.language), region: request.region)
      if let point = PointPlace(id: request.id) { return try renderer.place(point, fields: request.fields) }
      guard let rank = try file.rank(ofID: request.id) else { return nil }
      return try renderer.place(rank, fields: request.fields)
    }
  }

  /// The places at a point: houses and shops, nearest first; then towns, as `ReverseSearch` orders them; then their region and country.
  ///
  /// If the request has a radius, which is cut to 50 km, the location of each row is within it. Otherwise houses and shops are within 10
  /// km; towns are within 10 km or contain the point; and region and country contain the point.
  public func reverse(_ request: ReverseRequest) throws(GazetteerError) -> Page<Place> {
    try borrow { (file) throws(SQLiteError) in
      let filter = try PlaceFilter(types: request.types, in: file)
      let search = ReverseSearch(
        file: file, filter: filter, center: request.location, radius: request.radius.map { min(max($0, 0), 50_000) },
        language: knownLanguage(request.language))
      var surroundings = SurroundingAreas(of: request.location, in: file)
      let ranks = try search.ranks(limit: request.limit, &surroundings)
      var renderer = RowRenderer(file: file, language: knownLanguage(request.language), region: nil)
      // If no language was requested, all rows in the country of the first row take the first row's language: `Svizzera` around Lugano, not
      // `Schweiz`.
      var firstRow: (country: UInt16, renderer: RowRenderer)?
      var places: [Place] = []
      for rank in ranks {
        let country = file.mapped.columns(rank)?.country ?? 0
        let takesLanguageOfFirstRow = firstRow?.country == country
        let renderedPlace =
          if takesLanguageOfFirstRow { try firstRow?.renderer.place(rank, fields: request.fields) } else {
            try renderer.place(rank, fields: request.fields)
          }
        guard var place = renderedPlace else { continue }
        if try surroundings.contains(rank) { place.distance = 0 }
        places.append(place)
        if takesLanguageOfFirstRow { continue }
        if firstRow == nil, renderer.requestedLanguage == nil, let language = renderer.secondaryLanguages.bestTag {
          firstRow = (country, RowRenderer(file: file, language: language, region: nil))
        }
      }
      return Page(rows: places, exhaustive: ranks.count < request.limit)
    }
  }

  /// Whether the index has neither streets, addresses, businesses nor postcode areas: each place is a settlement, a region or a country, or
  /// has no type.
  public func lacksStreetsAndBusinesses() throws(GazetteerError) -> Bool {
    try borrow { (file) throws(SQLiteError) in
      guard !file.hasAddresses else { return false }
      return try file.types.all().allSatisfy { types in types.allSatisfy { $0.group ?? .region == .region && $0 != "postal_code" } }
    }
  }

  /// The contents of the index.
  public func info() throws(GazetteerError) -> GazetteerInfo {
    try borrow { (file) throws(SQLiteError) in
      let built = try file.database.text("SELECT value FROM meta WHERE key = 'built'").flatMap { Double($0) } ?? 0
      return GazetteerInfo(
        path: path, version: IndexSchema.version, places: file.mapped.places, bytes: file.mapped.end, built: built,
        sources: try file.sources().values.sorted { $0.name < $1.name })
    }
  }

  /// Checks the whole file, which takes seconds. Returns what is damaged; empty for an intact file.
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
    /// The number of the source's records. Several records may be one place.
    public var records: Int
    /// When the source was imported, in seconds since 1970.
    public var imported: Double
  }
  public var path: String
  /// The version of the file's layout.
  public var version: Int
  /// The number of places.
  public var places: Int
  /// The size of the file in bytes.
  public var bytes: Int
  /// When the index was built, in seconds since 1970.
  public var built: Double
  public var sources: [Source]
}
