// Upper bounds of scores, whatever the votes. They keep the order of the rows that they limit.

extension [ScoredRow] {
  static let step = 1e-6

  /// Moves completions and partial matches behind the places that match the whole query, if need be with a typing error, so that an
  /// additional service does not push these out of the list.
  mutating func moveBehindFitting() {
    guard let floor = lazy.filter({ !$0.isQuery && $0.fit < .part }).map(\.score).min() else { return }
    var limit = floor
    for index in indices.filter({ self[$0].isQuery || self[$0].fit == .part }).sorted(by: { self[$0].score > self[$1].score }) {
      limit -= Self.step
      if self[index].score > limit { add("behindFitting", limit - self[index].score, to: index) }
    }
  }

  /// Raises the places that this user chose before for such a text, but not above a place that matches the text better: a choice does not
  /// override the query.
  mutating func raiseChosen() {
    let places = filter { !$0.isQuery }.map { (fit: $0.fit, score: $0.score) }
    for index in indices where self[index].boost > 0 {
      let scoredRow = self[index]
      let better = places.lazy.filter { $0.fit < scoredRow.fit && $0.score > scoredRow.score }.map(\.score).min() ?? .infinity
      let raised = Swift.min(scoredRow.score + 1.5 * scoredRow.boost, better - Self.step * (2 - scoredRow.boost))
      if raised > scoredRow.score { add("chosenBefore", raised - scoredRow.score, to: index) }
    }
  }

  mutating func add(_ name: String, _ value: Double, to index: Int) {
    self[index].parts.append(ScorePart(name, value))
    self[index].score += value
  }
}
