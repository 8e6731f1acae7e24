/// Corrections of the order that the scores alone give. A greater score is better, and so is a lesser `match`.
extension [ScoredRow] {
  /// The difference in score by which a row is put directly above or below another one.
  static let step = 1e-6
  /// A difference of importance that is too great to be only a difference between the scales of two providers.
  private static let moreImportant = 0.1

  /// Lowers each place whose match is inferred below the places that match better by their text, if most of the providers that return both
  /// rank those places higher. The match is inferred from the providers' order, so it must not raise a place above the places that precede
  /// it in that order. Places that are probably not meant, because the query is a category, lower no other place.
  mutating func lowerInferredBelowMatches() {
    guard contains(where: \.isInferred) else { return }
    // All rows of a place have the same score and match.
    var indicesByGroup: [Int: [Int]] = [:]
    for index in indices where !self[index].isQuery { indicesByGroup[self[index].group, default: []].append(index) }
    let places = indicesByGroup.values.compactMap { rows in
      rows.first.map { first in
        let ranks = rows.flatMap { self[$0].allSourceRows }.map { ($0.batch, $0.rank) }
        return (first: first, rows: rows, ranks: Dictionary(ranks, uniquingKeysWith: { Swift.min($0, $1) }))
      }
    }
    // The places that match better come first, because their scores limit those of the others. Lowered places keep their order.
    let inferredPlaces = places.filter { self[$0.first].isInferred }.sorted {
      (self[$0.first].match, -self[$0.first].score, $0.first) < (self[$1.first].match, -self[$1.first].score, $1.first)
    }
    for (number, place) in inferredPlaces.enumerated() {
      let (match, score) = (self[place.first].match, self[place.first].score)
      let preceding = places.filter { other in
        guard self[other.first].match < match, self[other.first].score < score, !self[other.first].isUnlikely else { return false }
        return place.ranks.reduce(0) { lead, own in lead + (other.ranks[own.key].map { $0 < own.value ? 1 : -1 } ?? 0) } > 0
      }
      guard let limit = preceding.map({ self[$0.first].score }).min() else { continue }
      for index in place.rows { add("behindMatches", limit - Self.step * Double(number + 1) - score, to: index) }
    }
  }

  /// Lowers suggested queries and partial matches below the places that match the whole query, exactly or with a typing error, because
  /// otherwise the suggestions of a further provider could push those places out of the list. The lowered rows keep their order.
  mutating func lowerQueriesAndPartsBelowWholeMatches() {
    guard let floor = lazy.filter({ !$0.isQuery && $0.effectiveMatch < .part }).map(\.score).min() else { return }
    var limit = floor
    for index in indices.filter({ self[$0].isQuery || self[$0].effectiveMatch == .part }).sorted(by: { self[$0].score > self[$1].score }) {
      limit -= Self.step
      if self[index].score > limit { add("behindWholeMatches", limit - self[index].score, to: index) }
    }
  }

  /// If several providers rank a place first, raises it above the better matches that these providers rank lower: for `heathrow` the
  /// airport, although a town has exactly this name. A partial match is not raised, because services with the same data make the same
  /// mistake. A place is not raised either if one of those better matches is ranked first by at least as many providers, or is known to be
  /// clearly more important.
  mutating func raiseAgreed() {
    // The source rows of each place. All rows of a place have the same score.
    var sources: [Int: [SourceRow]] = [:]
    for scoredRow in self where !scoredRow.isQuery { sources[scoredRow.group, default: []] += scoredRow.allSourceRows }
    let firstRankers = sources.mapValues { rows in Set(rows.filter { $0.rank == 0 }.map(\.batch)) }
    for (group, batches) in firstRankers.sorted(by: { $0.key < $1.key }) where batches.count > 1 {
      guard let agreedRow = first(where: { !$0.isQuery && $0.group == group }), agreedRow.effectiveMatch < .part else { continue }
      let score = agreedRow.score
      // The texts of both are compared. A match that is inferred from ranks does not count, because the ranks themselves decide here.
      let rowsAbove = filter { scoredRow in
        scoredRow.score > score && scoredRow.match < agreedRow.match && !scoredRow.isQuery
          && Set((sources[scoredRow.group] ?? []).map(\.batch)).intersection(batches).count > 1
      }
      let mayBeRaised = rowsAbove.allSatisfy { row in
        (firstRankers[row.group]?.count ?? 0) < batches.count
          && (agreedRow.importance == 0 || row.importance < agreedRow.importance + Self.moreImportant)
      }
      guard mayBeRaised, let highestScore = rowsAbove.map(\.score).max() else { continue }
      for index in indices where !self[index].isQuery && self[index].group == group {
        add("agreedFirst", highestScore + Self.step - score, to: index)
      }
    }
  }

  /// Raises the places that this user chose before for a similar text, but not above a place that matches the text better: a choice does
  /// not override the query. The raise is up to 1.5, which is more than a match of the whole name scores.
  mutating func raiseChosen() {
    let places = filter { !$0.isQuery }.map { (match: $0.effectiveMatch, score: $0.score) }
    for index in indices where self[index].boost > 0 {
      let scoredRow = self[index]
      let scoreOfBetterMatch =
        places.lazy.filter { $0.match < scoredRow.effectiveMatch && $0.score > scoredRow.score }.map(\.score).min() ?? .infinity
      let raisedScore = Swift.min(scoredRow.score + 1.5 * scoredRow.boost, scoreOfBetterMatch - Self.step * (2 - scoredRow.boost))
      if raisedScore > scoredRow.score { add("chosenBefore", raisedScore - scoredRow.score, to: index) }
    }
  }

  /// Adds a part to the score of a row.
  mutating func add(_ name: String, _ value: Double, to index: Int) {
    self[index].parts.append(ScorePart(name, value))
    self[index].score += value
  }

  /// Restores the order of the rows of each service whose terms require that its order is kept. These rows exchange their positions. A row
  /// has at most one such service, so this is always possible.
  mutating func restoreRequiredOrder() {
    var positions: [String: [Int]] = [:]
    for (position, row) in enumerated() {
      if let orderedSource = row.sourceRows.first(where: \.keepsOrder) { positions[orderedSource.provider, default: []].append(position) }
    }
    for (provider, positions) in positions {
      func rank(_ row: ScoredRow) -> Int { row.sourceRows.lazy.filter { $0.provider == provider }.map(\.rank).min() ?? 0 }
      let orderedRows = positions.map { self[$0] }.sorted { rank($0) < rank($1) }
      for (position, row) in zip(positions, orderedRows) { self[position] = row }
    }
  }
}
