/// The word of a list that a misspelt word probably means; error messages suggest it. It is the word with the fewest typing errors, if it
/// has at most one error for each three letters of the misspelt word, or one error in a shorter word. If there is no such word, it is the
/// only word of the list that starts with the misspelt word, which must then have at least three letters. Nil if there is none, or if the
/// misspelt word has more than 256 bytes.
public func nearest(to word: String, among words: some Sequence<String>) -> String? {
  guard word.utf8.count <= 256 else { return nil }
  let limit = max(1, word.unicodeScalars.count / 3)
  let distances = words.map { (word: $0, distance: typingErrors(between: word.lowercased(), and: $0.lowercased())) }
  if let nearestWord = distances.filter({ $0.distance <= limit }).min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) {
    return nearestWord.word
  }
  let completions = words.filter { word.count >= 3 && $0.hasPrefix(word) }
  return completions.count == 1 ? completions.first : nil
}

/// The optimal string alignment distance: the number of insertions, deletions and replacements of letters, and of swaps of neighbouring
/// letters, that convert one word to the other. `Int.max` if a word has more than 64 code points.
public func typingErrors(between a: String, and b: String) -> Int {
  let a = Array(a.unicodeScalars)
  let b = Array(b.unicodeScalars)
  guard a.count <= 64, b.count <= 64 else { return Int.max }
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var rows = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
  for i in 0...a.count { rows[i][0] = i }
  for j in 0...b.count { rows[0][j] = j }
  for i in 1...a.count {
    for j in 1...b.count {
      let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1) }
    }
  }
  return rows[a.count][b.count]
}
