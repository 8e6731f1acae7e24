extension NormalizedRecords {
  /// The names of two rows that are compared, as an index for each: the first equal names, otherwise the main names, unless other names are
  /// clearly more similar.
  /// - Parameter wholeOnly: whether the part of a town's name before its qualifier is left out.
  func closestNames(_ a: NormalizedRecord, _ b: NormalizedRecord, wholeOnly: Bool) -> (Int, Int) {
    let mainNames = (a.names.lowerBound, b.names.lowerBound)
    guard a.names.count > 1 || b.names.count > 1 else { return mainNames }
    var best = mainNames
    var bestSimilarity = similarity(mainNames.0, mainNames.1) + 0.1
    for i in a.names where !(wholeOnly && names[i].isHead) {
      for j in b.names where !(wholeOnly && names[j].isHead) {
        if names[i].joinedKey == names[j].joinedKey, names[i].joinedKey != 0 { return (i, j) }
        let similarity = similarity(i, j)
        if similarity > bestSimilarity { (best, bestSimilarity) = ((i, j), similarity) }
      }
    }
    return best
  }

  /// A name that both rows have and that is not the main name of both, as an index for each; nil if there is none. The part of a town's
  /// name before its qualifier does not count.
  func commonAlias(_ a: Int, _ b: Int) -> (Int, Int)? {
    let (first, second) = (all[a].names, all[b].names)
    for i in first where names[i].joinedKey != 0 && !names[i].isHead {
      for j in second where names[i].joinedKey == names[j].joinedKey && !names[j].isHead {
        if i != first.lowerBound || j != second.lowerBound { return (i, j) }
      }
    }
    return nil
  }

  /// Whether a row has a name with these letters. The part of a town's name before its qualifier does not count.
  func has(_ row: Int, name joinedKey: UInt64) -> Bool {
    all[row].names.contains { names[$0].joinedKey == joinedKey && !names[$0].isHead }
  }

  /// The similarity of two names, 0…1: the Jaccard index of their pairs of letters. Names in two scripts share few pairs; their similarity
  /// is the square of the phonetic similarity.
  private func similarity(_ i: Int, _ j: Int) -> Double {
    guard names[i].text.script == names[j].text.script else {
      let similarity = words.phoneticSimilarity(names[i].letters, names[j].letters)
      return similarity * similarity
    }
    let commonPairs = (names[i].letterPairs & names[j].letterPairs).nonzeroBitCount
    let allPairs = (names[i].letterPairs | names[j].letterPairs).nonzeroBitCount
    return allPairs == 0 ? 0 : Double(commonPairs) / Double(allPairs)
  }
}
