extension NormalRecords {
  /// Which of two rows' names to compare: the first equal ones, else the main names, unless others have more pairs of letters in common.
  func closestNames(_ a: NormalRecord, _ b: NormalRecord) -> (Int, Int) {
    let mainNames = (a.names.lowerBound, b.names.lowerBound)
    guard a.names.count > 1 || b.names.count > 1 else { return mainNames }
    var best = mainNames
    var bestShare = share(mainNames.0, mainNames.1) + 0.1
    for i in a.names {
      for j in b.names {
        if names[i].joinedKey == names[j].joinedKey { return (i, j) }
        let share = share(i, j)
        if share > bestShare { (best, bestShare) = ((i, j), share) }
      }
    }
    return best
  }

  /// Pairs of letters in common over pairs in all.
  func share(_ i: Int, _ j: Int) -> Double {
    let common = (names[i].pairs & names[j].pairs).nonzeroBitCount
    let all = (names[i].pairs | names[j].pairs).nonzeroBitCount
    return all == 0 ? 0 : Double(common) / Double(all)
  }
}
