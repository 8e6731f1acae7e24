import SQLite

/// One way to read a query: some words name the place, the others the country or region in which it lies.
struct AreaSplit {
  var name: ArraySlice<String>
  /// The place lies in each of them.
  var areas: [AreaSet]
  var weight: Double
}

extension Matcher {
  /// The ways in which the words at the end, or at the beginning, name areas: `paris texas`, `springfield il us`, `de berlin`.
  func areaSplits(_ words: [String]) throws(SQLiteError) -> [AreaSplit] {
    // Nobody types more words than that for a place and its region.
    guard (2...8).contains(words.count) else { return [] }
    var splits: [AreaSplit] = []
    for index in 1..<words.count {
      for (areas, weight) in try areas(words[index...], mayBeUnfinished: true) {
        splits.append(AreaSplit(name: words[..<index], areas: areas, weight: weight))
      }
      for (areas, weight) in try areas(words[..<index], mayBeUnfinished: false) {
        splits.append(AreaSplit(name: words[index...], areas: areas, weight: weight))
      }
    }
    return splits
  }

  /// The words as one area, or as two, one within the other.
  private func areas(
    _ words: ArraySlice<String>, mayBeUnfinished: Bool
  ) throws(SQLiteError) -> [(areas: [AreaSet], weight: Double)] {
    var found: [([AreaSet], Double)] = []
    for (set, weight) in try area(words, mayBeUnfinished) { found.append(([set], weight)) }
    for index in words.indices.dropFirst() {
      for (first, _) in try area(words[..<index], false) {
        for (second, weight) in try area(words[index...], mayBeUnfinished) { found.append(([first, second], weight)) }
      }
    }
    return found
  }

  private func area(_ words: ArraySlice<String>, _ mayBeUnfinished: Bool) throws(SQLiteError) -> [(AreaSet, Double)] {
    let key = words.joined()
    var found: [(AreaSet, Double)] = []
    let whole = try file.areas(file.places(.area, key))
    if !whole.isEmpty { found.append((whole, MatchWeight.inArea)) }
    guard mayBeUnfinished else { return found }
    let started = try file.areas(file.places(.area, startingWith: key))
    if !started.isEmpty { found.append((started, MatchWeight.inAreaStart)) }
    return found
  }
}
