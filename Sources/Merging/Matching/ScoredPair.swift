/// Two rows that were compared.
struct ScoredPair: Sendable {
  var first: Int
  var second: Int
  /// The probability that both rows are the same place: 1 for a shared id, 0 for different ids, otherwise `PairClassifier.probability`.
  var probability: Double
  /// Whether the rows' ids determine the probability.
  var byIdentifier: Bool
}

extension [ScoredPair] {
  /// The pairs with at least this probability, the most probable first. Pairs of equal probability are in the order of their rows. Pairs of
  /// two levels, such as a city and a region, are last, so that a row joins rows of its own level if it can.
  func strongest(from minProbability: Double, in records: NormalizedRecords) -> [ScoredPair] {
    func areOfTwoLevels(_ pair: ScoredPair) -> Bool { !pair.byIdentifier && records.levelsDiffer(pair.first, pair.second) }
    return filter { $0.probability >= minProbability }.sorted { a, b in
      let (isLastA, isLastB) = (areOfTwoLevels(a), areOfTwoLevels(b))
      if isLastA != isLastB { return isLastB }
      if a.probability != b.probability { return a.probability > b.probability }
      return a.first != b.first ? a.first < b.first : a.second < b.second
    }
  }

  /// The probability that two rows mean the same place; nil if they were not compared. The pairs must be in the order of their rows.
  /// - Parameter first: the lower one of the two rows.
  func probability(_ first: Int, _ second: Int) -> Double? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      let pair = self[middle]
      if (pair.first, pair.second) < (first, second) { low = middle + 1 } else { high = middle }
    }
    return low < endIndex && self[low].first == first && self[low].second == second ? self[low].probability : nil
  }
}

extension NormalizedRecords {
  /// Compares two rows. If their ids show whether they are the same place, nothing else is compared.
  /// - Parameter lead: the lead of the pair over its rivals (`RivalLead`).
  func compare(_ a: Int, _ b: Int, lead: Double = 0) -> ScoredPair {
    switch identity(a, b) {
    case .same: ScoredPair(first: a, second: b, probability: 1, byIdentifier: true)
    case .different: ScoredPair(first: a, second: b, probability: 0, byIdentifier: true)
    case .unknown:
      ScoredPair(
        first: a, second: b, probability: PairClassifier.probability(PairComparison(a, b, in: self, lead: lead)), byIdentifier: false)
    }
  }

  /// All candidate pairs with their probabilities, in the order of their rows.
  func scoredPairs() -> [ScoredPair] {
    let candidates = CandidatePairs(self)
    return candidates.pairs.map { compare($0.first, $0.second, lead: candidates.lead(of: $0)) }
  }
}
