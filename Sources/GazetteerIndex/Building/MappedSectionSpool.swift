import SQLite

/// What a build puts behind the database, as `MappedSection` reads it.
struct MappedSectionSpool {
  let columns: WordSpool
  let prefixes: [UInt64]
  let terms: BlobTableSpool

  func size(places: Int) -> MappedSection.Size {
    MappedSection.Size(places: places, prefixes: prefixes.count, blocks: terms.count, blockWords: terms.words)
  }

  func sum() throws(BuildFailure) -> Int {
    var sum = columns.sum
    for word in prefixes { sum.add(word) }
    try terms.each { words throws(BuildFailure) in for word in words { sum.add(word) } }
    return Int(sum.value)
  }

  /// `sum` is that of all words, which stands behind them.
  func write(to file: Int32, at offset: Int, sum: Int) throws(BuildFailure) {
    var writer = MappedSectionWriter(file, at: offset)
    let pieces = try BuildFailure.wrap(columns.pieces)
    while let words = try BuildFailure.wrap(pieces.next) { try writer.write(words) }
    // Piece by piece: the words of ten million places are 128 MiB, and need not be there twice.
    for start in stride(from: 0, to: prefixes.count, by: 65_536) {
      try writer.write(prefixes[start..<min(start + 65_536, prefixes.count)])
    }
    try terms.each { words throws(BuildFailure) in try writer.write(words) }
    try writer.write([UInt64(sum)])
  }
}
