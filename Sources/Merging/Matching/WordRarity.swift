import Glibc

/// Measures how rare each word is in the names of a set of rows. A frequent word, such as the name of the searched town, is weak evidence
/// for a pair.
struct WordRarity: Sendable {
  /// The hash table of words, with open addressing and linear probing. Its capacity is a power of two and at least twice the number of
  /// words.
  private var keys: [UInt64]
  private var counts: [UInt32]
  /// The factor of each slot's word.
  private var factors: [Double] = []
  /// The average number of rows of a source, which is about the number of places.
  private let placeCount: Double
  private let sourceCount: Double

  /// If there are fewer places than this, each word has the factor 1.
  private static let minPlaces = 8.0
  /// A word that at most this many places have has the factor 1.
  private static let minOccurrences = 2.0
  /// The factor of a word that nearly all places have.
  private static let minFactor = 0.25

  init(_ records: NormalizedRecords) {
    var sources: Set<UInt64> = []
    for record in records.all { sources.insert(record.source) }
    sourceCount = Double(max(1, sources.count))
    placeCount = Double(records.all.count) / sourceCount
    guard placeCount >= WordRarity.minPlaces else {
      (keys, counts) = ([], [])
      return
    }
    var wordCount = 0
    for record in records.all { if let name = record.names.first { wordCount += records.names[name].text.words.count } }
    let capacity = 1 << (Int.bitWidth - (2 * wordCount).leadingZeroBitCount)
    keys = Array(repeating: 0, count: capacity)
    counts = Array(repeating: 0, count: capacity)
    for record in records.all {
      guard let name = record.names.first else { continue }
      for index in records.names[name].text.words where records.words[index].kind == .name { add(records.words[index].key) }
    }
    let logarithm = log(placeCount)
    factors = counts.map { count in
      let occurrences = Double(count) / sourceCount
      guard occurrences > WordRarity.minOccurrences else { return 1 }
      return max(WordRarity.minFactor, 1 - log(occurrences) / logarithm)
    }
  }

  private mutating func add(_ key: UInt64) {
    let slot = slot(of: key)
    keys[slot] = key
    counts[slot] += 1
  }

  /// The slot that holds a key, or the free slot for it.
  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (keys.count - 1)
    while counts[slot] != 0, keys[slot] != key { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }

  /// The factor of a word's weight, 0.25…1: the inverse document frequency divided by its greatest value.
  func factor(of key: UInt64) -> Double {
    keys.isEmpty ? 1 : factors[slot(of: key)]
  }
}

extension NormalizedRecords {
  /// Multiplies the weights of the words in names by their rarity. Call it once for a set of rows.
  mutating func weigh(by rarity: WordRarity) {
    for record in all {
      // The head of a name has the words of the name.
      for name in record.names where !names[name].isHead {
        for index in names[name].text.words where words[index].kind == .name {
          words.scaleWeight(of: index, by: rarity.factor(of: words[index].key))
        }
      }
    }
  }
}
