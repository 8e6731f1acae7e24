/// The comparison of a place's own name without the name of the place that contains it, which some services add: `Starbucks | Plaza
/// Singapura` and `Starbucks at Plaza Singapura`.
extension NameComparison {
  /// Sets `sameHead` and `headOverlap`.
  mutating func compareHeads(_ a: NameVariant, _ b: NameVariant, in words: WordBuffer) {
    compareHeadLetters(a, b, in: words)
    let (ownA, ownB) = (words.ownPart(a.text), words.ownPart(b.text))
    guard ownA != a.text.words || ownB != b.text.words else { return }
    headOverlap = words.overlap(ownA, ownB)
    if ownA != a.text.words, ownB != b.text.words {
      headOverlap = max(headOverlap, words.overlap(ownA, b.text.words), words.overlap(a.text.words, ownB))
    }
  }

  /// Sets `sameHead`.
  private mutating func compareHeadLetters(_ a: NameVariant, _ b: NameVariant, in words: WordBuffer) {
    let hasBreakA = a.text.head != a.text.words
    let hasBreakB = b.text.head != b.text.words
    guard hasBreakA || hasBreakB else { return }
    let headA = words.key(of: words.joined(a.text.head))
    let headB = words.key(of: words.joined(b.text.head))
    sameHead = headA == headB || (hasBreakA && headA == b.joinedKey) || (hasBreakB && headB == a.joinedKey)
  }
}

extension WordBuffer {
  /// The words of a name before its first break, and before the first preposition such as `at` that is not its first word.
  fileprivate func ownPart(_ text: TextSpan) -> Range<Int> {
    let preposition = text.head.dropFirst().first { WordTable.prepositions.contains(words[$0].key) }
    return text.head.lowerBound..<(preposition ?? text.head.upperBound)
  }

  /// Twice the weight of the words that both ranges have, divided by the weight of all words of both, 0…1. Each word of the first range is
  /// paired with the most similar word of the second that is not yet paired.
  fileprivate func overlap(_ a: Range<Int>, _ b: Range<Int>) -> Double {
    let (a, b) = (a.prefix(NameComparison.maxPairedWords), b.prefix(NameComparison.maxPairedWords))
    var unpaired = Set(b)
    var shared = 0.0
    for i in a {
      var best = (similarity: 0.0, index: 0)
      for j in b where unpaired.contains(j) {
        let similarity = similarity(words[i], words[j])
        if similarity > best.similarity { best = (similarity, j) }
      }
      guard best.similarity > 0 else { continue }
      unpaired.remove(best.index)
      shared += best.similarity * min(words[i].weight, words[best.index].weight)
    }
    let total = a.reduce(0) { $0 + words[$1].weight } + b.reduce(0) { $0 + words[$1].weight }
    return 2 * shared / max(total, 0.01)
  }
}
