extension NormalizedRecords {
  /// Chooses the names of two rows to compare: the first equal ones, else the main names, unless others are clearly more similar.
  /// - Parameter wholeOnly: whether the part of a town's name before its qualifier is left out.
  func closestNames(_ a: NormalizedRecord, _ b: NormalizedRecord, wholeOnly: Bool) -> (Int, Int) {
    let mainNames = (a.names.lowerBound, b.names.lowerBound)
    guard a.names.count > 1 || b.names.count > 1 else { return mainNames }
    var best = mainNames
    var bestShare = share(mainNames.0, mainNames.1) + 0.1
    for i in a.names where !(wholeOnly && names[i].isHead) {
      for j in b.names where !(wholeOnly && names[j].isHead) {
        if names[i].joinedKey == names[j].joinedKey, names[i].joinedKey != 0 { return (i, j) }
        let share = share(i, j)
        if share > bestShare { (best, bestShare) = ((i, j), share) }
      }
    }
    return best
  }

  /// A name that both rows have, and at least one of them as a further name, as an index for each; nil if they have none in common. The part of
  /// a town's name before the tail does not count.
  func commonAlias(_ a: Int, _ b: Int) -> (Int, Int)? {
    let (first, second) = (all[a].names, all[b].names)
    for i in first where names[i].joinedKey != 0 && !names[i].isHead {
      for j in second where names[i].joinedKey == names[j].joinedKey && !names[j].isHead {
        if i != first.lowerBound || j != second.lowerBound { return (i, j) }
      }
    }
    return nil
  }

  /// Whether a row has a name with these letters, apart from the part of a town's name before the tail.
  func has(_ row: Int, name joinedKey: UInt64) -> Bool {
    all[row].names.contains { names[$0].joinedKey == joinedKey && !names[$0].isHead }
  }

  /// The Jaccard index of the pairs of letters; the square of the phonetic similarity for names in two scripts, whose spellings share few pairs.
  private func share(_ i: Int, _ j: Int) -> Double {
    guard names[i].text.script == names[j].text.script else {
      let similarity = words.phoneticSimilarity(names[i].letters, names[j].letters)
      return similarity * similarity
    }
    let common = (names[i].pairs & names[j].pairs).nonzeroBitCount
    let all = (names[i].pairs | names[j].pairs).nonzeroBitCount
    return all == 0 ? 0 : Double(common) / Double(all)
  }
}
