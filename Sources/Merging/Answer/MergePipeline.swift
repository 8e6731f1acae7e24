import PlacesKit

/// The steps of a merge: collect the rows, compare them, cluster them into places, score and sort the places.
///
/// Terms: a *source row* is one provider's row. A *record* is its normalized form, which is compared with others. A *blend* consists of the
/// source rows of one place that the providers' terms allow to be fused. A *scored row* is one place: its leading blend, and the other
/// blends as alternatives. Of two matches (`TextMatch`), the lesser one is the better one, so `max` gives the worse one.
struct MergePipeline<Row: MergeableRow>: Sendable {
  private let batches: [ProviderBatch<Row>]
  let context: MergeContext
  /// The rows that are places. They are sorted by provider and rank, so that the order in which the answers arrived does not matter.
  private var places: [SourceRow] = []
  /// The rows that are suggested queries, in the same order.
  private var queries: [SourceRow] = []

  init(_ batches: [ProviderBatch<Row>], context: MergeContext) {
    self.batches = batches.withoutEmpty().sorted { $0.provider < $1.provider }
    self.context = context
    for (index, batch) in self.batches.enumerated() {
      let blendingClass = BlendingClass(provider: batch.provider, terms: batch.terms)
      let preferenceRank = context.prefer.firstIndex(of: batch.provider) ?? context.prefer.count
      for (rank, row) in batch.rows.enumerated() {
        let sourceRow = SourceRow(
          batch: index, rank: rank, provider: batch.provider, weight: batch.weight, detailsMicros: batch.detailsMicros,
          blendingClass: blendingClass,
          keepsOrder: batch.terms.keepsOrder, preferenceRank: preferenceRank, languageDistance: languageDistance(row.language))
        if row.isQuery { queries.append(sourceRow) } else { places.append(sourceRow) }
      }
    }
  }

  /// All rows, best first.
  func scoredRows() -> [ScoredRow] {
    var scoredRows = listsDistinctPlaces ? uncomparedRows() : comparedRows()
    if batches.count > 1 {
      // These two steps change only scores.
      scoredRows.lowerInferredBelowMatches()
      scoredRows.lowerQueriesAndPartsBelowWholeMatches()
    }
    // If the request names a point, distance is better evidence than the providers' agreement.
    if batches.count > 1, context.bias == nil, context.origin == nil { scoredRows.raiseAgreed() }
    if !context.boosts.isEmpty { scoredRows.raiseChosen() }
    scoredRows.sort { a, b in
      if a.distance != b.distance { return a.distance < b.distance }
      if a.score != b.score { return a.score > b.score }
      if a.group != b.group { return a.group < b.group }
      return SourceRow.leads(a.sourceRows[0], b.sourceRows[0])
    }
    scoredRows.restoreRequiredOrder()
    return scoredRows
  }

  /// Whether a place may be a guess of a provider that has nothing better: Kreuzweg for `kreuzberg`, Soyo for `soho`. A settlement, region
  /// or address is a guess if its names match the query only with a typing error or not at all. If the request has a bias, a
  /// little known place far from the bias is a guess too, unless a whole name matches. If the query has a number, no place is a guess,
  /// because the number may be a postcode that the row does not show.
  func mayBeGuess(_ scoredRow: ScoredRow, _ matcher: TextMatcher) -> Bool {
    let rows = scoredRow.allSourceRows.map { row(of: $0) }
    guard !scoredRow.isQuery, !context.query.isEmpty, !context.query.contains(where: \.isNumber),
      rows.contains(where: { $0.types.contains { $0.group == .region || $0.group == .address } })
    else { return false }
    let records = NormalizedRecords(scoredRow.allSourceRows.map { matchRecord(of: $0) })
    let match = matcher.match(Array(scoredRow.allSourceRows.indices), in: records)
    guard match <= .words else { return true }
    guard match > .exact, let bias = context.bias else { return false }
    return rows.allSatisfy { row in
      guard let importance = row.importance, let location = row.location else { return false }
      return importance < Self.knownImportance && location.distance(to: bias.center) > max(bias.radius, Self.nearbyDistance)
    }
  }

  /// Places within this distance of the bias, in metres, are near it, however small its radius is.
  private static var nearbyDistance: Double { 50_000 }
  /// The importance of a town of some thousand people. Less important places are little known.
  private static var knownImportance: Double { 0.4 }

  private func comparedRows() -> [ScoredRow] {
    let matcher = TextMatcher(query: context.query)
    return scoredPlaces(matcher) + scoredQueries(matcher, firstGroup: places.count)
  }

  /// True if no comparison is needed: one provider answered, its ids show that all its places are different, none of them may be a part of
  /// another, there is at most one query, and the request asks for no explanation and has no learned choices.
  private var listsDistinctPlaces: Bool {
    guard batches.count == 1, queries.count <= 1, !context.explain, context.boosts.isEmpty, !PlaceParts.mayExist(in: batches[0].rows) else {
      return false
    }
    var seenIDs: Set<UInt64> = []
    seenIDs.reserveCapacity(places.count)
    return places.allSatisfy { sourceRow in
      guard let id = row(of: sourceRow).nativeID, let identifier = Identifier(namespace: sourceRow.provider, id: id[...]) else {
        return false
      }
      return seenIDs.insert(identifier.value).inserted
    }
  }

  private func uncomparedRows() -> [ScoredRow] {
    (places + queries).enumerated().flatMap { group, sourceRow in scoredRows([[sourceRow]], group: group, match: .other) }
  }

  private func scoredPlaces(_ matcher: TextMatcher) -> [ScoredRow] {
    var records = NormalizedRecords(places.lazy.map { matchRecord(of: $0) })
    records.weigh(by: WordRarity(records))
    let scoredPairs = records.scoredPairs()
    let clusters = Clusters(records, scoredPairs: scoredPairs, minProbability: PairClassifier.sameThreshold(areLocated:))
    var groups = clusters.groups
    let importances = places.map { batches[$0.batch].rows[$0.rank].importance }
    let joined = records.all.contains { $0.location == nil } ? UnlocatedAreas(records, importances: importances).join(&groups) : []
    var scoredRows = score(groups, records, matcher)
    if batches.count > 1 {
      let typesAndImportance = zip(places, importances).map { (types: batches[$0.batch].rows[$0.rank].types, importance: $1) }
      NamesakeOrder(records, places: typesAndImportance, requested: context.types).apply(to: &scoredRows, groups: groups)
    }
    if context.explain {
      ExplanationBuilder(records, scoredPairs: scoredPairs, duplicates: clusters.duplicates, joined: joined, sourceRows: places) {
        name(of: $0)
      }
      .explain(&scoredRows)
    }
    return scoredRows
  }

  /// The rows of all places, in the order of the places. Each place is a group: the indices of its records, which are those of its source
  /// rows in `places`.
  private func score(_ groups: [[Int]], _ records: NormalizedRecords, _ matcher: TextMatcher) -> [ScoredRow] {
    let rowsOfPlaces = groups.map { matchedRows($0, records, matcher) }
    let matches = rowsOfPlaces.map { $0.lazy.map(\.match).min() ?? .other }
    let inferredMatch = InferredTextMatch(of: zip(rowsOfPlaces, matches).map { (rows: $0, match: $1) })
    let categoryReading = categoryReading(of: rowsOfPlaces, matches, groups, records, matcher)
    let importances = statedImportances(of: rowsOfPlaces)
    let scale = ImportanceScale(of: importances, batchCount: batches.count)
    // `importances` is in the order of the places. Each place takes its elements from the front.
    var remaining = importances[...]
    var scored: [ScoredRow] = []
    for (index, members) in groups.enumerated() {
      let sourceRows = rowsOfPlaces[index].sorted(by: SourceRow.leads)
      var match = limitedMatch(matches[index], sourceRows, members, records, matcher, inferredMatch)
      if match.inferred > .prefix, sourceRows.contains(where: { isFoundByCategory($0, categoryReading) }) {
        match.inferred = .prefix
      }
      let importance = scale.importance(of: remaining.prefix { $0.place == index })
      let location = sourceRows.lazy.compactMap { row(of: $0).location }.first
      let isUnlikely = categoryReading.excludes(location, importance: importance, context: context)
      if isUnlikely {
        (match.limited, match.inferred) = (max(match.limited, .words), max(match.inferred, .words))
      }
      let lacksMarks =
        matcher.hasMarks && matches[index] != .other && !sourceRows.contains { matcher.isSpelled(likeNamesOf: row(of: $0)) }
      scored += scoredRows(
        Blending.blends(of: sourceRows), group: members[0], match: match.limited, inferred: match.inferred,
        importance: importance, lacksMarks: lacksMarks,
        isHidden: match.isHidden || isHiddenInMainRow(members, match.limited, matcher, records), isUnlikely: isUnlikely)
      remaining = remaining.drop { $0.place == index }
    }
    return scored
  }

  /// The source rows of one place, with the properties that decide which of them leads: the match of each row alone, and how far its
  /// language is from the requested one.
  private func matchedRows(_ members: [Int], _ records: NormalizedRecords, _ matcher: TextMatcher) -> [SourceRow] {
    members.map { member in
      var sourceRow = places[member]
      sourceRow.match = matcher.match([member], in: records)
      if members.count > 1 { sourceRow.languageDistance = languageDistance(of: sourceRow, records[member], records, matcher) }
      return sourceRow
    }
  }

  /// The match of a place.
  /// - Parameter match: the best match of its rows.
  /// - Returns: `limited` is `match`, made worse if only a name that no row shows matches. `inferred` is the match inferred from the
  ///   providers' order, or the same as `limited` if nothing may be inferred. `isHidden` is true if only such a name matches, and the match
  ///   was not made worse.
  private func limitedMatch(
    _ match: TextMatch, _ sourceRows: [SourceRow], _ members: [Int], _ records: NormalizedRecords, _ matcher: TextMatcher,
    _ inferredMatch: InferredTextMatch
  ) -> (limited: TextMatch, inferred: TextMatch, isHidden: Bool) {
    // A match with a name that no row shows is at most as good as the worst match that its provider ranks above it, but it is not made
    // worse than `.words`.
    if matcher.isHidden(match, members, in: records) {
      let limited = max(match, min(inferredMatch.limit(sourceRows.filter { $0.match == match }), .words))
      return (limited, limited, limited == match)
    }
    // A match by words is improved only if the words are in the place's names. If they are in the name of its area, the area is the reason
    // why the provider returned the place: Dengzhou, in Henan, is not improved for `den h`.
    let mayMatchBetter = match == .other || match == .words && matcher.isInNames(members, of: records)
    return (match, mayMatchBetter ? inferredMatch.match(sourceRows) : match, false)
  }

  /// Whether the query is a name of the place that the row with the greatest importance does not show, although another row may show it.
  /// The importance of that row then belongs to another name: the importance of Hong Kong is not that of its quarter Victoria.
  private func isHiddenInMainRow(
    _ members: [Int], _ match: TextMatch, _ matcher: TextMatcher, _ records: NormalizedRecords
  ) -> Bool {
    guard match == .exact, members.count > 1 else { return false }
    var mainRow: (member: Int, importance: Double)?
    for member in members {
      guard let importance = records.all[member].importance, importance > mainRow?.importance ?? -1 else { continue }
      mainRow = (member, importance)
    }
    return mainRow.map { matcher.isHidden(match, [$0.member], in: records) } ?? false
  }

  /// Adds the first row of each provider to a `CategoryReading`. It is empty if the request has no bias, and if a place nearby has all words
  /// of the query in its name, type and area: for `hotel triesenberg`, a hotel in another town is not meant.
  private func categoryReading(
    of sourceRows: [[SourceRow]], _ matches: [TextMatch], _ groups: [[Int]], _ records: NormalizedRecords, _ matcher: TextMatcher
  ) -> CategoryReading {
    var reading = CategoryReading()
    guard context.bias != nil else { return reading }
    for (index, rows) in sourceRows.enumerated()
    where matcher.hasSeveralWords && matches[index] == .words && !matcher.isInNames(groups[index], of: records) {
      if rows.contains(where: { CategoryReading.isNearby(row(of: $0), context) }) { return reading }
    }
    for (rows, match) in zip(sourceRows, matches) {
      for sourceRow in rows where sourceRow.rank == 0 {
        reading.add(batches[sourceRow.batch].rows[0], batch: sourceRow.batch, match: match, context: context)
      }
    }
    return reading
  }

  private func isFoundByCategory(_ sourceRow: SourceRow, _ reading: CategoryReading) -> Bool {
    reading.contains(batches[sourceRow.batch].rows[sourceRow.rank], batch: sourceRow.batch, context: context)
  }

  /// Merges the suggested queries. Queries are the same if their folded texts and the symbols in them are equal. They are one blend
  /// regardless of the terms, because a completion is the user's own text rather than a service's content. The icon, address and other
  /// fields are content, so `fuse` takes them as the terms allow.
  private func scoredQueries(_ matcher: TextMatcher, firstGroup: Int) -> [ScoredRow] {
    let texts = queries.map { row(of: $0).title }
    let records = NormalizedRecords(zip(queries, texts).map { MatchRecord(source: $0.provider, id: nil, name: $1) })
    var groups: [QueryTextKey: [Int]] = [:]
    for (index, text) in texts.enumerated() {
      let lettersHash = records.names[records[index].names.lowerBound].joinedKey
      groups[QueryTextKey(lettersHash: lettersHash, text: text), default: []].append(index)
    }
    return groups.values.sorted { $0[0] < $1[0] }.flatMap { members in
      let blend = members.map { queries[$0] }.sorted(by: SourceRow.leads)
      var rows = scoredRows([blend], group: firstGroup + members[0], match: matcher.match(members, in: records))
      if context.explain { for index in rows.indices { rows[index].merges = sameTexts(rows[index].sourceRows) } }
      return rows
    }
  }

  /// The reasons for which queries are merged into one row.
  private func sameTexts(_ sourceRows: [SourceRow]) -> [MergeReason] {
    sourceRows.dropFirst().map { MergeReason(first: name(of: sourceRows[0]), second: name(of: $0), probability: 1, reasons: [.sameText]) }
  }

  /// The rows of one place: one row if the request folds rows, otherwise one for each blend. Each has the score of the whole place.
  /// - Parameters:
  ///   - blends: the blends of the place, the leading one first.
  ///   - inferred: the match inferred from the providers' order, if the rows' texts do not match the query.
  ///   - importance: the place's importance on the common scale.
  ///   - lacksMarks: whether the names match only without the marks, such as accents, of the query's letters.
  ///   - isHidden: whether the query matches a name that is not shown, and the match is not already limited for this reason.
  ///   - isUnlikely: whether a place of a category near the bias is probably meant instead.
  private func scoredRows(
    _ blends: [[SourceRow]], group: Int, match: TextMatch, inferred: TextMatch = .other, importance: Double = 0, lacksMarks: Bool = false,
    isHidden: Bool = false, isUnlikely: Bool = false
  ) -> [ScoredRow] {
    let sourceRows = Array(blends.joined())
    let scorer = RowScorer(
      context: context, comparesProviders: batches.count > 1, totalWeight: batches.reduce(0) { $0 + max(0, $1.weight) })
    var attributes = attributes(sourceRows)
    attributes.importance = importance
    (attributes.lacksMarks, attributes.hasHiddenMatch) = (lacksMarks, isHidden)
    let match = attributes.isPartial ? max(match, .part) : match
    let inferred = attributes.isPartial ? max(inferred, .part) : inferred
    let parts = scorer.parts(of: sourceRows, attributes: attributes, match: match, inferred: inferred)
    let score = parts.reduce(0) { $0 + $1.value }
    // The distance is computed from the location. The provider's own distance to the country that contains the point is 0, and the country
    // would precede a house at 8 m.
    let distance = scorer.distance(of: attributes.location)
    let foldedRow = ScoredRow(
      sourceRows: blends[0], alternatives: Array(blends.dropFirst()), group: group, match: match,
      effectiveMatch: match == .other ? inferred : match, isUnlikely: isUnlikely, isInferred: scorer.prefersInferred(inferred, to: match),
      isQuery: attributes.isQuery, importance: attributes.importance, boost: attributes.boost, parts: parts, score: score,
      distance: distance)
    return context.folds ? [foldedRow] : foldedRow.unfolded
  }

  /// The attributes of a place, from all of its source rows.
  private func attributes(_ sourceRows: [SourceRow]) -> RowScorer.PlaceAttributes {
    var attributes = RowScorer.PlaceAttributes(
      isPartial: batches.count > 1, isQuery: sourceRows.first.map { batches[$0.batch].rows[$0.rank].isQuery } ?? false)
    // `isPartial` becomes false if any row matches the whole query.
    for sourceRow in sourceRows {
      // A row is large. Its members are read in the array, so that it is not copied.
      let (batch, rank) = (sourceRow.batch, sourceRow.rank)
      if batches[batch].rows[rank].partialMatch != true { attributes.isPartial = false }
      attributes.reportedDistance = [attributes.reportedDistance, batches[batch].rows[rank].distance].compactMap { $0 }.min()
      attributes.location = attributes.location ?? batches[batch].rows[rank].location
      if !context.types.isEmpty, batches[batch].rows[rank].types.contains(where: context.types.contains) {
        attributes.hasRequestedType = true
      }
      if !context.boosts.isEmpty, let id = id(of: sourceRow) { attributes.boost = max(attributes.boost, context.boosts[id] ?? 0) }
    }
    return attributes
  }

  /// The importances that the providers state for the places, in the places' order, in one array to save allocations.
  /// - Parameter sourceRows: the rows of each place, those of one provider side by side.
  private func statedImportances(of sourceRows: [[SourceRow]]) -> [ImportanceScale.StatedImportance] {
    var stated: [ImportanceScale.StatedImportance] = []
    stated.reserveCapacity(places.count)
    for (place, rows) in sourceRows.enumerated() {
      for sourceRow in rows {
        guard let importance = batches[sourceRow.batch].rows[sourceRow.rank].importance else { continue }
        if let last = stated.last, last.place == place, last.batch == sourceRow.batch {
          stated[stated.count - 1].importance = max(last.importance, importance)
        } else {
          stated.append(ImportanceScale.StatedImportance(place: place, batch: sourceRow.batch, importance: importance))
        }
      }
    }
    return stated
  }

  /// Fuses the rows of a blend, the leading one first. A blend of queries may have rows that the terms forbid blending; of these, only the
  /// rows of the leading row's blending class are fused.
  func fuse(_ sourceRows: [SourceRow]) -> (Row, [FieldSource]) {
    let blendableRows = sourceRows.filter { $0.blendingClass == sourceRows[0].blendingClass }
    let inputs = blendableRows.map { sourceRow in
      FusionInput(row: row(of: sourceRow), provider: sourceRow.provider, fetchedAt: batches[sourceRow.batch].fetchedAt)
    }
    return Row.fuse(inputs[0], Array(inputs.dropFirst()))
  }

  func row(of sourceRow: SourceRow) -> Row { batches[sourceRow.batch].rows[sourceRow.rank] }

  /// `provider:nativeId`; nil for a row without an id.
  func id(of sourceRow: SourceRow) -> String? {
    batches[sourceRow.batch].rows[sourceRow.rank].nativeID.map { sourceRow.provider + ":" + $0 }
  }

  /// The credits of the source rows and their providers, each once.
  func attributions(of sourceRows: [SourceRow]) -> [MergedAttribution] {
    var credits: [MergedAttribution] = []
    for sourceRow in sourceRows {
      for list in [batches[sourceRow.batch].attributions, row(of: sourceRow).attributions] {
        for attribution in list {
          let credit = MergedAttribution(provider: sourceRow.provider, attribution: attribution)
          if !credits.contains(credit) { credits.append(credit) }
        }
      }
    }
    return credits
  }

  private func name(of sourceRow: SourceRow) -> String { id(of: sourceRow) ?? sourceRow.rankName }

  /// The `SourceRow.languageDistance` of a row of a place that has several rows. If the provider states the requested language, it is 0.
  /// The provider may state another language because the name has no form in the requested one. Therefore, if the secondary text ends with
  /// the name of a country, the language of that name decides. Otherwise a row in another script than the query counts as one in another
  /// language.
  private func languageDistance(
    of sourceRow: SourceRow, _ record: NormalizedRecord, _ records: NormalizedRecords, _ matcher: TextMatcher
  ) -> Int {
    if sourceRow.languageDistance == 0 { return 0 }
    if let requestedLanguage = context.language, let text = batches[sourceRow.batch].rows[sourceRow.rank].subtitle?.utf8,
      let country = String(text[(text.lastIndex(of: UInt8(ascii: ",")) ?? text.startIndex)...].drop { ", ".utf8.contains($0) }),
      let isRequested = Country.isName(country, in: requestedLanguage)
    {
      return isRequested ? 1 : 2
    }
    return matcher.isInScriptOfQuery(record, records) ? sourceRow.languageDistance : 2
  }

  /// See `SourceRow.languageDistance`.
  private func languageDistance(_ language: String?) -> Int {
    guard let requestedLanguage = context.language, let language else { return 1 }
    func primarySubtag(_ tag: String) -> Substring.UTF8View { tag[...].utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") } }
    return primarySubtag(requestedLanguage).elementsEqual(primarySubtag(language)) ? 0 : 2
  }

  func matchRecord(of sourceRow: SourceRow) -> MatchRecord {
    let (batch, rank) = (sourceRow.batch, sourceRow.rank)
    var record = MatchRecord(
      source: sourceRow.provider, id: batches[batch].rows[rank].nativeID, name: batches[batch].rows[rank].title,
      evidence: batches[batch].rows[rank].evidence)
    record.phone = batches[batch].rows[rank].phone
    record.website = batches[batch].rows[rank].website
    record.types = batches[batch].rows[rank].types
    record.importance = batches[batch].rows[rank].importance
    record.location = batches[batch].rows[rank].location
    if record.address == nil { record.context = batches[batch].rows[rank].subtitle }
    record.readSecondaryText(batches[batch].rows[rank].subtitle, language: context.language)
    return record
  }
}
