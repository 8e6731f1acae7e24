extension NormalRecords {
  /// Which of two rows' names to compare: the first equal ones, else the main names, unless others have clearly more in common.
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

  /// Pairs of letters in common over pairs in all; across scripts, whose spellings share few pairs however alike they sound, by their sounds.
  private func share(_ i: Int, _ j: Int) -> Double {
    guard names[i].text.script == names[j].text.script else {
      let likeness = words.soundLikeness(names[i].letters, names[j].letters)
      return likeness * likeness
    }
    let common = (names[i].pairs & names[j].pairs).nonzeroBitCount
    let all = (names[i].pairs | names[j].pairs).nonzeroBitCount
    return all == 0 ? 0 : Double(common) / Double(all)
  }
}
