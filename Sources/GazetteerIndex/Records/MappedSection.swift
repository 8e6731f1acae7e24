import Glibc
import SQLite
import Text

/// What stands in an index file behind the pages that are SQLite's, which the database's own header counts: the columns of all places in the
/// order of their ranks, the filter of prefixes and terms, and the terms. It is mapped as it is, so that it is the page
/// cache's memory instead of the daemon's, and a walk over a million places copies nothing.
///
/// Words are little-endian; their sum stands behind them and in the database, where it tells them from those of another build.
final class MappedSection: Sendable {
  /// No machine has larger pages.
  static let alignment = 65_536
  /// 2 GiB, far more than any index needs.
  static let mostPrefixes = 1 << 28

  /// 4 GiB, as far as the places of pieces tell.
  static let mostPieceWords = 1 << 29

  /// How much there is of everything.
  struct Size: Equatable {
    var places: Int
    /// Words of the filter.
    var prefixes: Int
    /// Blocks of terms, and their words.
    var blocks: Int
    var blockWords: Int

    /// Each number and its name in the database.
    var named: [(String, Int)] {
      [
        ("places", places), ("prefixes", prefixes), ("blocks", blocks), ("block_words", blockWords),
      ]
    }

    fileprivate var isPossible: Bool {
      (0...Int(UInt32.max)).contains(places) && (1...MappedSection.mostPrefixes).contains(prefixes)
        && (0...MappedSection.mostPieceWords).contains(blockWords) && (0...blockWords * 8).contains(blocks)
    }
  }

  let places: Int
  let prefixes: PrefixFilter
  /// Where the file ends.
  let end: Int
  private let words: MappedRegion
  private let terms: FrontCodedDictionary

  static func offset(pages: Int, pageSize: Int) -> Int { (pages * pageSize + alignment - 1) / alignment * alignment }

  /// Nil where the file does not hold so much, or what another build wrote.
  init?(path: String, offset: Int, size: Size, sum: UInt64) {
    guard size.isPossible else { return nil }
    let places = size.places
    let columns = places * PlaceColumns.words
    let terms = BlobTable(from: columns + size.prefixes, count: size.blocks, words: size.blockWords)
    guard let words = MappedRegion(path: path, offset: offset, count: terms.end, sum: sum),
      let prefixes = PrefixFilter(words, from: columns, count: size.prefixes)
    else { return nil }
    self.terms = FrontCodedDictionary(blocks: terms)
    self.words = words
    self.places = places
    self.prefixes = prefixes
    end = offset + (words.count + 1) * 8
  }

  /// What filters and scores need of a place; nil for a rank beyond the last, which only a damaged list holds.
  func columns(_ rank: UInt32) -> PlaceColumns? {
    guard rank > 0, rank <= places else { return nil }
    let first = (Int(rank) - 1) * PlaceColumns.words
    return PlaceColumns(words[first], words[first + 1])
  }

  /// What stands under a term; nil for one that is not there.
  func entry(_ term: [UInt8]) throws(SQLiteError) -> FrontCodedDictionary.TermEntry? { try terms.entry(term, in: words) }

  /// Goes through what stands under the terms from one on and before another, until the body says false.
  func entries(from first: [UInt8], before end: [UInt8], _ body: (FrontCodedDictionary.TermEntry) -> Bool) throws(SQLiteError) {
    try terms.each(from: first, before: end, in: words, body)
  }

  /// All terms in their order.
  var allTerms: [[UInt8]] { terms.all(in: words) }

  /// The rank of the first place that is less important; one behind the last where none is.
  func firstRank(below importance: Double) -> UInt32 {
    var (low, high) = (1, places + 1)
    while low < high {
      let middle = (low + high) / 2
      let isLess = columns(UInt32(middle)).map { Double($0.importance) / 65_535 < importance } ?? true
      if isLess { high = middle } else { low = middle + 1 }
    }
    return UInt32(low)
  }

  /// Whether the words are those that were written. Reads them all.
  var isSound: Bool {
    var sum = MappedChecksum()
    for index in 0..<words.count { sum.add(words[index]) }
    return sum.value == words.sum
  }
}

/// The sum of words in their order: FNV-1a over whole words, made positive for SQLite's sake.
struct MappedChecksum {
  private var hash = FNV1a.seed

  mutating func add(_ word: UInt64) { hash = FNV1a.extended(hash, word) }

  var value: UInt64 { hash >> 1 }
}

/// Words of a file, mapped for reading.
// Invariant: the memory is never written, and unmapped only when nobody has the object.
final class MappedRegion: @unchecked Sendable {
  private let start: UnsafeRawPointer
  let count: Int

  /// Nil where the file does not hold them, or where another sum stands behind them.
  init?(path: String, offset: Int, count: Int, sum: UInt64) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    let bytes = (count + 1) * 8
    // Beyond the end of a file there is no memory but a signal.
    guard count > 0, offset > 0, fstat(file, &status) == 0, Int(status.st_size) >= offset + bytes,
      let memory = mmap(nil, bytes, PROT_READ, MAP_SHARED, file, off_t(offset)), memory != MAP_FAILED
    else { return nil }
    start = UnsafeRawPointer(memory)
    self.count = count
    guard self.sum == sum else { return nil }
  }

  /// The sum that stands behind the words.
  var sum: UInt64 { self[count] }

  deinit { munmap(UnsafeMutableRawPointer(mutating: start), (count + 1) * 8) }

  /// The bytes of words from one on, all of which are there; nobody looks.
  func bytes(from first: Int, count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start + first * 8, count: count * 8) }

  /// The index is less than `count`; nobody looks.
  subscript(index: Int) -> UInt64 { UInt64(littleEndian: start.load(fromByteOffset: index * 8, as: UInt64.self)) }
}
