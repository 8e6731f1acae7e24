import Synchronization

/// The latest foldings of names' words: the same places come with every keystroke, and ICU takes ten microseconds for a word in another script.
///
/// Names only; what people type is folded without being kept.
enum KnownFoldings {
  private static let known = Mutex<[String: String]>([:])
  /// Half a megabyte.
  private static let capacity = 4_096

  static func folded(_ word: String, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // ASCII needs no ICU, and long words would make the bound a weak one.
    guard bytes.count <= 64, !bytes.allSatisfy({ $0 < 0x80 }) else { return Folding.fold(word: bytes) }
    if let folded = known.withLock({ $0[word] }) { return folded }
    let folded = Folding.fold(word: bytes)
    known.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[word] = folded
    }
    return folded
  }
}
