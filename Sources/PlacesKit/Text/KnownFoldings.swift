import Synchronization

/// The latest foldings of names' words and their beginnings, as far as they cannot be folded letter by letter: the same places come with
/// every keystroke, and ICU takes ten microseconds for a word in another script.
///
/// Names only; what people type is folded without being kept.
enum KnownFoldings {
  private static let known = Mutex<[String: String]>([:])
  /// Half a megabyte.
  private static let capacity = 4_096

  static func folded(_ word: String) -> String {
    var bytes = word
    if let folded = bytes.withUTF8({ Folding.foldQuickly($0) }) { return folded }
    // Long words would make the bound a weak one.
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
