import Synchronization

/// A cache of the foldings of words, and of prefixes of words, in displayed texts. The same places are returned at every keystroke, and ICU
/// takes ten microseconds to fold a word that is not in Latin letters. Words that can be folded letter by letter are not cached.
/// `Folding` itself does not use the cache.
enum KnownFoldings {
  private static let known = Mutex<[String: String]>([:])
  /// The maximum number of cached words. This many words take about half a megabyte.
  private static let capacity = 4_096

  /// The folding of a word, from the cache if possible.
  static func folded(_ word: String) -> String {
    var bytes = word
    if let folded = bytes.withUTF8({ Folding.foldQuickly($0) }) { return folded }
    // Long words are not cached, because `capacity` limits the number of words and not their bytes.
    guard word.utf8.count <= 64 else { return bytes.withUTF8 { Folding.foldByRules($0) } }
    if let folded = known.withLock({ $0[word] }) { return folded }
    let folded = bytes.withUTF8 { Folding.foldByRules($0) }
    known.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[word] = folded
    }
    return folded
  }
}
