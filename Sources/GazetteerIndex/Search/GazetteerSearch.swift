import PlacesKit
import SQLite
import Text

/// Answers a query, which may be a point, an id, the name of places, or a category: a word for a type of places (`CategoryWords`).
///
/// A search by name has three stages: `ParsedQuery`, `CandidateSearch` and `Scorer`.
struct GazetteerSearch {
  let file: IndexFile
  let filter: PlaceFilter
  let bias: Area?
  let language: String?
  /// The preferred type; places of other types follow.
  var includedType: PlaceType?
  /// If set, a submitted query returns the nearest places that match in any way, nearest first.
  var nearestTo: Coordinate?
  /// The enabled rules for alternative readings.
  var rewriters = Rewriter.all
  private let scorer: Scorer

  init(file: IndexFile, filter: PlaceFilter, bias: Area?, language: String?, region: String? = nil) throws(SQLiteError) {
    self.file = file
    self.filter = filter
    self.bias = bias
    self.language = language
    scorer = Scorer(proximity: bias.map { ProximityBoost($0) }, locale: try LocaleBoost(region: region, language: language, in: file))
  }

  /// The places for a query, best first.
  struct Answer {
    /// The point that the query denotes, which precedes the rows; nil for any other query.
    var point: PointPlace?
    var rows: [TopResults.Row] = []
    /// Whether no place matches the query as typed, so that the rows are guesses.
    var isGuess = false
    /// The rows that match only some of the words.
    var partial: Set<UInt32> = []
    /// Whether the query states that it means a region (`RegionKinds`).
    var statesRegionKind = false
    /// The number of rows, the point included.
    var count: Int { rows.count + (point == nil ? 0 : 1) }
  }

  /// While the user types, places of a category within this distance in metres of the bias precede matches by name.
  private static let walkingDistance = 2_000.0
  /// The maximum distance in metres between a place of a category and the centre of the bias or of the named town.
  private static let categoryRadius = 15_000.0
  /// The same distance while the user types: from the bias, if only the beginning of the category's word was typed; or from a town that was
  /// typed with the category.
  private static let categoryRadiusWhileTyping = 4_000.0
  /// The radii in metres within which places of a category are searched, one after the other, until there are enough.
  private static let categoryRadii = [walkingDistance, 4_000, 8_000, categoryRadius]
  /// The maximum distance in metres between a typed point and a place.
  private static let pointRadius = 50_000.0
  /// The importance of a city of half a million people.
  static let largeCityImportance = 0.75
  /// If a submitted request has no bias, a place with at least this score precedes places of a category. It is the score of a town of some
  /// 100,000 people whose whole name was typed.
  private static let namedTownScore = 0.65
  /// The score of a place whose id was typed. The place precedes the other rows by its position; if the request has no bias, its score is
  /// also higher than theirs.
  private static let typedIDScore = 2.0
  /// How many places of a category precede matches by name that are neither near nor large cities, if no row matches all words.
  private static let categoryRowsBeforeNames = 3

  /// Answers a query that the user is typing, with at most `limit` places, best first.
  ///
  /// If the request has a bias, places of a typed category (`museum`) within walking distance precede matches by name, and those farther
  /// away precede places elsewhere with such a name. Without a bias, a category counts only if a town is typed with it, or if no name
  /// matches as typed.
  func autocomplete(_ typed: String, limit: Int) throws(SQLiteError) -> Answer {
    if let point = PointQuery(typed, language: language) { return try placesAround(point, limit) }
    let query = parsed(typed)
    var answer = try matchesByName(typed, query, limit: limit)
    guard let category = namedCategory(query, answer) else {
      answer.rows = try withSpacedNamesFirst(withPlaceBeforeLastWord(answer, query, limit), query)
      return try withUnfinishedCategory(answer, query, limit) ?? answer
    }
    // The words may be the beginning of several words for this category: `bus st`.
    if !category.otherWords.isEmpty,
      let unfinishedAnswer = try withUnfinishedCategory(answer, query, limit, ofTypes: category.types)
    {
      return unfinishedAnswer
    }
    if answer.isGuess {
      let rows = try places(of: category, query, limit)
      // A whole word for a category is not a mistyped name: `cafe` does not mean CAF.
      return rows.isEmpty && !category.otherWords.isEmpty ? try withNearbyPlaces(of: category, answer, query, limit) : Answer(rows: rows)
    }
    answer.rows =
      try category.otherWords.isEmpty
      ? withPlacesNearBias(of: category, answer.rows, query, limit) : withPlacesInTown(of: category, answer.rows, query, limit)
    return answer
  }

  /// The rows that match by name, with places of the category near the bias: first those within walking distance; then large cities, and
  /// names near the bias; then places of the category farther away, ordered by distance, whether or not their names contain the word. If
  /// fewer places than half of `limit` are within walking distance, only whole names near the bias precede the nearest places of the
  /// category.
  ///
  /// A place elsewhere whose name begins with the word is unlikely to be meant. If the other rows fill the list, only its last
  /// `reservedRowsElsewhere` rows are for such places.
  private func withPlacesNearBias(
    of category: CategoryWords.Match, _ namedRows: [TopResults.Row], _ query: ParsedQuery, _ limit: Int
  ) throws(SQLiteError) -> [TopResults.Row] {
    guard let bias else { return namedRows }
    let half = (limit + 1) / 2
    let nearestRows = try places(of: category, query, half)
    let walkableRows = nearestRows.filter { $0.score >= GazetteerSearch.score(atDistance: GazetteerSearch.walkingDistance) }
    // Places of the category are left out here, because they are ordered by distance and not by name.
    var otherRows: [TopResults.Row] = []
    for row in namedRows { if try !types(row.rank).contains(where: category.types.contains) { otherRows.append(row) } }
    var likelyRows: [TopResults.Row] = []
    if walkableRows.count < half {
      let wholeNameRanks = Set(try partitionedByWholeName(otherRows, query).wholeNameRows.map(\.rank))
      likelyRows = otherRows.filter { isLarge($0) || isNear($0) && wholeNameRanks.contains($0.rank) } + nearestRows
    }
    // A wide bias, such as a country, does not show that places near its centre are meant.
    let isWide = bias.radius > GazetteerSearch.wideRadius
    let rowsElsewhere = otherRows.filter { !isWide && !isNearOrLarge($0) }
    let rows = try withoutDuplicates(
      walkableRows + likelyRows + otherRows.filter { isWide || isNearOrLarge($0) } + places(of: category, query, limit))
    let firstRows = rows.prefix(max(1, limit - min(rowsElsewhere.count, GazetteerSearch.reservedRowsElsewhere)))
    return Array(withoutDuplicates(firstRows + rowsElsewhere + namedRows).prefix(limit))
  }

  private static let reservedRowsElsewhere = 2
  /// A bias with a larger radius, in metres, is wide.
  private static let wideRadius = 100_000.0

  /// The rows that match by name, with places of the category near the town that the other words name: `castle vaduz`. The places of the
  /// category follow places whose whole name is the query, such as Park City, and fill at most half of `limit` before the other matches by
  /// name.
  private func withPlacesInTown(
    of category: CategoryWords.Match, _ namedRows: [TopResults.Row], _ query: ParsedQuery, _ limit: Int
  ) throws(SQLiteError) -> [TopResults.Row] {
    let rowsInTown = try places(of: category, query, limit, within: GazetteerSearch.categoryRadiusWhileTyping, isWholeTownName: true)
    guard !rowsInTown.isEmpty else { return namedRows }
    let (wholeNameRows, otherRows) = try partitionedByWholeName(namedRows, query)
    return Array(withoutDuplicates(wholeNameRows + rowsInTown.prefix((limit + 1) / 2) + otherRows + rowsInTown).prefix(limit))
  }

  /// The rows of the answer, with nearby places of the categories whose words begin with the query: supermarkets for `superm`. Matches by
  /// name that are near, and large cities if the query is one word, precede these places; the other matches by name follow them. Nil if
  /// there are no nearby places of the categories, or if the request has no bias.
  /// - Parameter allowedTypes: only places of these types are added; nil for places of any type.
  private func withUnfinishedCategory(
    _ answer: Answer, _ query: ParsedQuery, _ limit: Int, ofTypes allowedTypes: [PlaceType]? = nil
  ) throws(SQLiteError) -> Answer? {
    guard bias != nil, !query.endsWithSpace, let matchingTypes = CategoryWords.types(beginningWith: query.words) else { return nil }
    let types = matchingTypes.filter { allowedTypes?.contains($0) ?? true }
    guard !types.isEmpty else { return nil }
    let categoryRows = try places(
      of: .init(types: types, otherWords: []), query, (limit + 1) / 2, within: GazetteerSearch.categoryRadiusWhileTyping)
    guard !categoryRows.isEmpty else { return nil }
    // A large city that matches the beginning of a phrase matches it by chance: Porto for `post o`.
    let likelyRows = answer.isGuess ? [] : answer.rows.filter(query.words.count > 1 ? isNear : isNearOrLarge)
    return Answer(rows: Array(withoutDuplicates(likelyRows + categoryRows + answer.rows).prefix(limit)))
  }

  /// Answers a submitted query, with at most `limit` places. Places of a typed category precede other matches by name. An empty text is
  /// answered with places of the included type.
  func search(_ typed: String, limit: Int) throws(SQLiteError) -> Answer {
    if let point = PointQuery(typed, language: language) { return try placesAround(point, limit) }
    let query = parsed(typed, isSubmitted: true)
    if query.words.isEmpty {
      guard let includedType else { return Answer() }
      return Answer(rows: Array(nearestFirst(try places(of: .init(types: [includedType], otherWords: []), query, limit)).prefix(limit)))
    }
    var answer = try matchesByName(typed, query, limit: limit)
    let category = namedCategory(query, answer)
    var categoryRows: [TopResults.Row] = []
    if let category {
      categoryRows = try places(of: category, query, limit)
      if categoryRows.isEmpty, !category.otherWords.isEmpty { answer = try withNearbyPlaces(of: category, answer, query, limit) }
    }
    // A whole word for a category is not a mistyped name.
    let matches = answer.isGuess && category?.otherWords.isEmpty == true ? [] : answer.rows
    // No word of a submitted query is unfinished, so for `coop` any shop of that name precedes Cooper City.
    let (wholeNameRows, otherRows) = try partitionedByWholeName(matches, query)
    var namedRows = wholeNameRows + otherRows
    var rows: [TopResults.Row] = []
    if let type = includedType {
      // A query that names the included type matches all places of the type, whatever their names.
      let includedRows = category?.types.contains(type) == true ? categoryRows : []
      for row in includedRows + namedRows where try types(row.rank).contains(type) { rows.append(row) }
    }
    if let category {
      // A place whose name is the whole query precedes places of the category: Bank precedes any bank, and Château-Thierry precedes any
      // castle near Thierry.
      if category.otherWords.isEmpty {
        if bias == nil {
          rows += namedRows.filter { $0.score >= GazetteerSearch.namedTownScore }.prefix(1)
        } else {
          // `pizza` near Berlin does not mean Pizzano in Italy, but `bar` may mean Bar in Montenegro.
          namedRows = wholeNameRows + otherRows.filter(isNear)
        }
      } else {
        rows += wholeNameRows
      }
      rows += categoryRows
    }
    rows = withoutDuplicates(rows + namedRows)
    return Answer(rows: Array(nearestFirst(rows).prefix(limit)), partial: answer.partial.subtracting(categoryRows.map(\.rank)))
  }

  /// The rows without later rows of the same place.
  private func withoutDuplicates(_ rows: [TopResults.Row]) -> [TopResults.Row] {
    var ranks: Set<UInt32> = []
    return rows.filter { ranks.insert($0.rank).inserted }
  }

  /// Whether a place is in the neighbourhood of the bias.
  func isNear(_ row: TopResults.Row) -> Bool {
    guard let columns = file.mapped.columns(row.rank) else { return false }
    return scorer.proximity?.isNear(columns.point) == true
  }

  /// Whether a place is at least as important as a city of half a million people.
  func isLarge(_ row: TopResults.Row) -> Bool {
    file.mapped.columns(row.rank).map { $0.relativeImportance >= GazetteerSearch.largeCityImportance } == true
  }

  private func isNearOrLarge(_ row: TopResults.Row) -> Bool { isNear(row) || isLarge(row) }

  /// Divides the rows into places that have the query as a whole name, in any language, and other places. Both parts keep their order.
  func partitionedByWholeName(
    _ rows: [TopResults.Row], _ query: ParsedQuery
  ) throws(SQLiteError) -> (wholeNameRows: [TopResults.Row], otherRows: [TopResults.Row]) {
    let key = query.words.joined()
    var lists: [PostingCursor] = []
    for lookup in query.nameLookups {
      guard let text = query.lookupText(for: key, wordCount: query.words.count, in: lookup.kind) else { continue }
      if let list = try file.places(lookup.kind, text) { lists.append(list) }
    }
    var (wholeNameRows, otherRows): ([TopResults.Row], [TopResults.Row]) = ([], [])
    for row in rows { if try lists.anyContains(row.rank) { wholeNameRows.append(row) } else { otherRows.append(row) } }
    return (wholeNameRows, otherRows)
  }

  /// Parses the typed text with the language and the rewriters of this search.
  func parsed(_ typed: String, isSubmitted: Bool = false) -> ParsedQuery {
    ParsedQuery(typed, language: language, isSubmitted: isSubmitted, rewriters: rewriters)
  }

  /// A search for the candidates of a query, which has no rows yet.
  func candidateSearch(_ query: ParsedQuery, _ limit: Int) -> CandidateSearch {
    CandidateSearch(file: file, filter: filter, query: query, scorer: scorer, limit: limit, nearestTo: nearestTo)
  }

  /// The rows by distance, if the nearest places were requested.
  private func nearestFirst(_ rows: [TopResults.Row]) -> [TopResults.Row] {
    guard let nearestTo else { return rows }
    let distances = rows.map { (row: $0, distance: file.distance(of: $0.rank, to: nearestTo)) }
    return distances.sorted { ($0.distance, $0.row.rank) < ($1.distance, $1.row.rank) }.map(\.row)
  }

  // MARK: Names

  /// Places by name or id.
  private func matchesByName(_ typed: String, _ query: ParsedQuery, limit: Int) throws(SQLiteError) -> Answer {
    let rowWithID = try place(withID: typed)
    var answer = try matchesByWordsThenInTown(typed, query, limit)
    let cityStates = CityStateFilter(file: file, filter: filter, language: language)
    let redundantAreas = try cityStates.redundantAreas(in: answer.rows.map(\.rank), keepsFirst: true)
    if !redundantAreas.isEmpty {
      if answer.count == limit { answer = try matchesByWordsThenInTown(typed, query, limit + redundantAreas.count) }
      answer.rows.removeAll { redundantAreas.contains($0.rank) }
    }
    if !answer.statesRegionKind { answer.rows = try cityStates.citiesFirst(answer.rows) }
    if let rowWithID { answer = Answer(rows: [rowWithID] + answer.rows.filter { $0.rank != rowWithID.rank }) }
    answer.rows = Array(answer.rows.prefix(limit))
    return answer
  }

  /// Places that match all words together; otherwise places that match some of the words, or that may have been meant.
  private func matchesByWords(_ typed: String, _ query: ParsedQuery, _ limit: Int) throws(SQLiteError) -> Answer {
    let spelling = nearestTo == nil ? SpellingCheck(typed, query, in: file) : nil
    var search = candidateSearch(query, spelling == nil ? limit : limit + SpellingCheck.extraCandidates)
    if query.isSubmitted { search.endsInTown = try endsInTown(query) }
    try search.match(query.words)
    if search.top.rows.isEmpty, let answer = try hanSegments(typed, limit) { return answer }
    // A text with a colon is an id or a link. The words in it are not those of a name, so they are not matched one by one.
    if !search.rowsMatchClosely, !typed.contains(":") { try search.matchLoosely(query.words) }
    var rows = search.top.rows
    if let spelling { rows = try spelling.ordered(rows, scorer, limit: limit) }
    if nearestTo == nil, let order = HouseNumberOrder(query.words, in: file) { rows = try order.ordered(rows) }
    return Answer(
      rows: Array(rows.prefix(limit)), isGuess: search.isGuess, partial: search.partialMatches, statesRegionKind: search.statesRegionKind)
  }

  /// The matches by words. If an unfinished address ends in the name of a town, which may also be the beginning of another town's name, the
  /// matches in the named town follow, even if they have another house number: for `landstrasse 50 triesen`, Landstrasse in Triesen follows
  /// the house in Triesenberg.
  private func matchesByWordsThenInTown(_ typed: String, _ query: ParsedQuery, _ limit: Int) throws(SQLiteError) -> Answer {
    var answer = try matchesByWords(typed, query, limit)
    guard !query.isSubmitted, !query.endsWithSpace, !answer.isGuess, answer.count < limit, try endsInTown(query) else { return answer }
    let completeAnswer = try matchesByWords(typed, parsed(typed + " "), limit)
    let wholeMatches = Set(answer.rows.map(\.rank)).subtracting(answer.partial)
    answer.partial.formUnion(completeAnswer.partial.subtracting(wholeMatches))
    answer.rows = Array(withoutDuplicates(answer.rows + completeAnswer.rows).prefix(limit))
    return answer
  }

  /// Whether the query has a number, as an address has, and its last word is the name of an area or a word of addresses, and too long for
  /// an abbreviation.
  private func endsInTown(_ query: ParsedQuery) throws(SQLiteError) -> Bool {
    func isNumbered(_ word: String) -> Bool { word.contains(where: \.isNumber) }
    guard let last = query.words.last, last.utf8.count >= GazetteerSearch.minTownLength, !isNumbered(last),
      query.words.contains(where: isNumbered)
    else { return false }
    if try file.places(.area, last) != nil { return true }
    return try file.places(.addressWord, last) != nil
  }

  /// The minimum length in bytes that the last word of an address must have to count as the name of a town. A shorter word may be the
  /// abbreviation of a state that is also a word of addresses: `500 grant street pittsburgh penn`.
  private static let minTownLength = 6

  /// The place whose id was typed, with or without `gazetteer:`; nil if there is none.
  private func place(withID typed: String) throws(SQLiteError) -> TopResults.Row? {
    let isPrefixed = typed.hasPrefix("gazetteer:")
    let id = isPrefixed ? String(typed.dropFirst("gazetteer:".count)) : typed
    // A text without the provider's name and without a digit is a word rather than an id.
    guard isPrefixed || id.unicodeScalars.contains(where: \.isNumber), let rank = try file.rank(ofID: id),
      let columns = file.mapped.columns(rank), filter.admits(columns)
    else { return nil }
    return .init(rank: rank, score: GazetteerSearch.typedIDScore)
  }

  // MARK: Categories

  /// The category that a query names; nil if it names none. The category's word may have typing errors if no place matches all words.
  private func namedCategory(_ query: ParsedQuery, _ answer: Answer) -> CategoryWords.Match? {
    let mayBeMistyped = query.isLatin && answer.rows.allSatisfy { answer.partial.contains($0.rank) }
    return CategoryWords.split(query.words) ?? (mayBeMistyped ? CategoryWords.split(query.words, mistyped: true) : nil)
  }

  func types(_ rank: UInt32) throws(SQLiteError) -> [PlaceType] {
    guard let columns = file.mapped.columns(rank) else { return [] }
    return try file.types.types(columns.types)
  }

  /// The rows with places of a category near the bias, if no row matches all words. Call it if the query's other words name no place that
  /// has such places nearby: for `pizza hut`, pizza restaurants around the user are more likely meant than the village of Hut.
  ///
  /// Matches by name that are near, and large cities, come first; then `categoryRowsBeforeNames` places of the category, the other matches
  /// by name, and the other places of the category. Only these few precede the other matches, because `hotel adelboden` names a town whose
  /// hotels the index may not have.
  private func withNearbyPlaces(
    of category: CategoryWords.Match, _ answer: Answer, _ query: ParsedQuery, _ limit: Int
  ) throws(SQLiteError) -> Answer {
    guard bias != nil, !category.isJoined, answer.rows.allSatisfy({ answer.partial.contains($0.rank) }) else { return answer }
    let categoryRows = try places(of: .init(types: category.types, otherWords: []), query, limit)
    let firstCategoryRows = categoryRows.prefix(GazetteerSearch.categoryRowsBeforeNames)
    let rows = withoutDuplicates(answer.rows.filter(isNearOrLarge) + firstCategoryRows + answer.rows + categoryRows)
    return Answer(rows: Array(rows.prefix(limit)), isGuess: true, partial: answer.partial.union(categoryRows.map(\.rank)))
  }

  /// Places of a category. If the query has other words, these are places near the town or region that the other words name, and none if
  /// they name none. Otherwise they are places near the bias or, without a bias, the most important ones.
  /// - Parameters:
  ///   - radius: the maximum distance in metres.
  ///   - isWholeTownName: whether the other words must be the whole name of a town, and not the beginning of one.
  private func places(
    of category: CategoryWords.Match, _ query: ParsedQuery, _ limit: Int, within radius: Double = categoryRadius,
    isWholeTownName: Bool = false
  ) throws(SQLiteError) -> [TopResults.Row] {
    var center = bias?.center
    if !category.otherWords.isEmpty {
      let towns = try PlaceFilter(collection: .regions, in: file)
      center = try point(named: category.otherWords, query, towns, Scorer(proximity: scorer.proximity), isWholeName: isWholeTownName)
      if center == nil { return [] }
    }
    // Without a centre, or if the nearest places were requested and no town is named, all places of the types are searched.
    guard let center, nearestTo == nil || !category.otherWords.isEmpty else {
      var search = CandidateSearch(file: file, filter: filter, query: query, scorer: Scorer(), limit: limit, nearestTo: nearestTo)
      for type in category.types { if let list = try file.places(.type, type.rawValue) { try search.walk([list], weight: 1, in: []) } }
      return search.top.rows
    }
    let nearby = NearbySearch(file: file, filter: filter)
    var rows: [TopResults.Row] = []
    // If the nearest places to a point were requested, all places within reach are returned, because any of them may be the nearest.
    for distance in nearestTo == nil ? GazetteerSearch.categoryRadii.filter({ $0 <= radius }) : [radius] {
      rows = []
      for nearbyPlace in try nearby.places(around: center, within: distance)
      where try types(nearbyPlace.rank).contains(where: { category.types.contains($0) }) {
        rows.append(.init(rank: nearbyPlace.rank, score: GazetteerSearch.score(atDistance: nearbyPlace.distance)))
        if rows.count == limit, nearestTo == nil { return rows }
      }
    }
    return rows
  }

  /// The score of a place that is ranked by its distance in metres: 1 at the centre, and half as much at one kilometre.
  private static func score(atDistance distance: Double) -> Double { 1 / (1 + distance / 1_000) }

  /// The location of the best match of some words; nil if nothing matches them.
  /// - Parameters:
  ///   - placeFilter: the filter for this place, instead of the request's.
  ///   - placeScorer: the scorer for this place, instead of the request's.
  ///   - isWholeName: whether the words must be the whole name of the place.
  private func point(
    named words: [String], _ query: ParsedQuery, _ placeFilter: PlaceFilter, _ placeScorer: Scorer, isWholeName: Bool = false
  ) throws(SQLiteError) -> Coordinate? {
    var search = CandidateSearch(file: file, filter: placeFilter, query: query, scorer: placeScorer, limit: 1)
    if isWholeName { try search.matchWhole(words[...], factor: 1, in: []) } else { try search.match(words) }
    return search.top.rows.first.flatMap { file.mapped.columns($0.rank)?.point.coordinate }
  }

  // MARK: Points

  /// The point that a query denotes and the places around it.
  private func placesAround(_ query: PointQuery, _ limit: Int) throws(SQLiteError) -> Answer {
    guard let point = try pointPlace(query) else { return Answer() }
    let country = try file.town(near: point.location).flatMap { (rank) throws(SQLiteError) in file.mapped.columns(rank)?.country }
    let isAdmitted = filter.admits(point.location, country: country ?? 0)
    let nearby = NearbySearch(file: file, filter: filter)
    let rowLimit = max(0, limit - (isAdmitted ? 1 : 0))
    var nearest = try nearby.nearest(point.location, within: GazetteerSearch.pointRadius, limit: rowLimit)
    let redundantAreas = try CityStateFilter(file: file, filter: filter, language: language).redundantAreas(
      in: nearest.map(\.rank), keepsFirst: false)
    if !redundantAreas.isEmpty {
      nearest = try nearby.nearest(point.location, within: GazetteerSearch.pointRadius, limit: rowLimit + redundantAreas.count)
      nearest.removeAll { redundantAreas.contains($0.rank) }
    }
    let rows = nearest.prefix(rowLimit).map { TopResults.Row(rank: $0.rank, score: GazetteerSearch.score(atDistance: $0.distance)) }
    return Answer(point: isAdmitted ? point : nil, rows: rows)
  }

  /// The point that a query denotes; nil for a short code near an unknown place, and for coordinates out of range.
  private func pointPlace(_ query: PointQuery) throws(SQLiteError) -> PointPlace? {
    switch query {
    case .nowhere: return nil
    case .point(let point): return PointPlace(point)
    case .code(let code): return PointPlace(code)
    case .shortCode(let code, let place):
      guard let reference = try referencePoint(place), let fullCode = code.recovered(near: reference) else { return nil }
      return PointPlace(fullCode, typedAs: code)
    }
  }

  /// The location of a named place or, if the name is empty, of the bias; nil if there is none.
  private func referencePoint(_ place: String) throws(SQLiteError) -> Coordinate? {
    guard !place.isEmpty else { return bias?.center }
    let noFilter = try PlaceFilter(in: file)
    let query = parsed(place)
    return try point(named: query.words, query, noFilter, Scorer(proximity: scorer.proximity))
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a digit or another number. ASCII is decided without Unicode's tables, which are slow.
  fileprivate var isNumber: Bool {
    isASCII ? ("0"..."9").contains(self) : properties.numericType != nil
  }
}
