import Glibc
import SQLite
import Synchronization
import Text

/// The section of an index file after the database's pages. Readers map it into memory, so that it is in the kernel's page cache instead of
/// the daemon's own memory, and a scan over a million places copies nothing.
///
/// Layout, in little-endian words of 64 bits, from the first multiple of 65,536 bytes after the database:
///
///     places × 2     the columns of each place, in the order of the ranks (PlaceColumns)
///     filterWords    the Bloom filter of prefixes and terms (PrefixFilter)
///     (BlobTable)    the offsets, then the bytes of the dictionary's blocks (BlobTable, FrontCodedDictionary)
///     1              the checksum of all words before it (MappedChecksum)
///
/// The table `meta` of the database holds the counts and the same checksum, so that readers recognise a section of another build.
final class MappedSection: Sendable {
  /// The section begins at a multiple of this number of bytes, because a mapping must begin at a memory page. No supported machine has
  /// larger pages.
  static let alignment = 65_536
  /// The maximum number of words of the filter: 2 GiB, far more than any index needs.
  static let maxFilterWords = 1 << 28
  /// The maximum number of words of the blocks: 4 GiB, the range of a blob table's offsets.
  static let maxBlockWords = 1 << 29

  /// The counts that determine the layout.
  struct Size: Equatable {
    var places: Int
    /// The number of words that the filter fills.
    var filterWords: Int
    /// The number of blocks of terms.
    var blocks: Int
    /// The number of words that the bytes of these blocks fill.
    var blockWords: Int

    /// Each count with its key in the table `meta`.
    var metaEntries: [(String, Int)] {
      [("places", places), ("prefixes", filterWords), ("blocks", blocks), ("block_words", blockWords)]
    }

    fileprivate var isPossible: Bool {
      (0...Int(UInt32.max)).contains(places) && (1...MappedSection.maxFilterWords).contains(filterWords)
        && (0...MappedSection.maxBlockWords).contains(blockWords) && (0...blockWords * 8).contains(blocks)
    }
  }

  /// The number of places.
  let places: Int
  /// The filter of prefixes and terms.
  let prefixes: PrefixFilter
  /// The offset in bytes of the section's end, which is also the size of the file.
  let end: Int
  /// All words of the section except the checksum.
  let words: MappedRegion
  let terms: FrontCodedDictionary

  /// The offset in bytes of the section in a file whose database has this many pages.
  static func offset(pages: Int, pageSize: Int) -> Int { (pages * pageSize + alignment - 1) / alignment * alignment }

  /// Maps the section. Nil if the file is too short or the section is from another build.
  /// - Parameters:
  ///   - offset: where the section begins in the file, in bytes.
  ///   - checksum: the checksum in the table `meta`.
  init?(path: String, offset: Int, size: Size, checksum: UInt64) {
    guard size.isPossible else { return nil }
    let places = size.places
    let columnWords = places * PlaceColumns.wordCount
    let blocks = BlobTable(firstWord: columnWords + size.filterWords, count: size.blocks, stringWordCount: size.blockWords)
    guard let words = MappedRegion(path: path, offset: offset, count: blocks.endWord, checksum: checksum),
      let prefixes = PrefixFilter(words, from: columnWords, count: size.filterWords)
    else { return nil }
    self.terms = FrontCodedDictionary(blocks: blocks, region: words)
    self.words = words
    self.places = places
    self.prefixes = prefixes
    end = offset + (words.count + 1) * 8
  }

  /// The columns of a place; nil for a rank beyond the last one, which only a damaged list contains.
  func columns(_ rank: UInt32) -> PlaceColumns? {
    guard rank > 0, rank <= places else { return nil }
    let firstWord = (Int(rank) - 1) * PlaceColumns.wordCount
    return PlaceColumns(words[firstWord], words[firstWord + 1])
  }

  /// The lowest rank of a place with less than this importance, 0…1; the last rank plus one if there is none.
  func firstRank(below importance: Double) -> UInt32 {
    var (low, high) = (1, places + 1)
    while low < high {
      let middle = (low + high) / 2
      let isLess = columns(UInt32(middle)).map { $0.relativeImportance < importance } ?? true
      if isLess { high = middle } else { low = middle + 1 }
    }
    return UInt32(low)
  }

  /// Whether the checksum matches. Reads the whole section.
  var isSound: Bool {
    var checksum = MappedChecksum()
    for index in 0..<words.count { checksum.add(words[index]) }
    return checksum.value == words.checksum
  }
}

/// The checksum of a sequence of words: FNV-1a over whole words, shifted right by one bit because SQLite's integers are signed.
struct MappedChecksum {
  private var hash = FNV1a.seed

  mutating func add(_ word: UInt64) { hash = FNV1a.extended(hash, word) }

  var value: UInt64 { hash >> 1 }
}

/// A range of words of a file, mapped into memory for reading.
/// `@unchecked Sendable`: the memory is never written, and it is unmapped when the last reference to the object is released.
final class MappedRegion: @unchecked Sendable {
  private let start: UnsafeRawPointer
  /// The number of words, without the checksum.
  let count: Int

  /// Maps `count` words and the checksum after them, from an offset in bytes on. Nil if the file is too short or has another checksum.
  init?(path: String, offset: Int, count: Int, checksum: UInt64) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    let byteCount = (count + 1) * 8
    // Reading a mapping beyond the end of the file raises SIGBUS.
    guard count > 0, offset > 0, fstat(descriptor, &status) == 0, Int(status.st_size) >= offset + byteCount,
      let memory = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, off_t(offset)), memory != MAP_FAILED
    else { return nil }
    start = UnsafeRawPointer(memory)
    self.count = count
    guard self.checksum == checksum else { return nil }
  }

  /// The checksum, which follows the words.
  var checksum: UInt64 { self[count] }

  deinit { munmap(UnsafeMutableRawPointer(mutating: start), (count + 1) * 8) }

  /// The bytes of some words. The range is not checked: the caller ensures that it lies inside the region.
  /// - Parameters:
  ///   - firstWord: the index of the first word.
  ///   - wordCount: the number of words.
  func bytes(from firstWord: Int, wordCount: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + firstWord * 8, count: wordCount * 8)
  }

  /// A word or, at the index `count`, the checksum. The index is not checked: the caller ensures that it is not greater.
  subscript(index: Int) -> UInt64 { UInt64(littleEndian: start.load(fromByteOffset: index * 8, as: UInt64.self)) }
}

/// Keeps the latest mapped section, which all open files of one reader share.
final class SharedMappedSection: Sendable {
  private let current = Mutex<(checksum: UInt64, mapped: MappedSection)?>(nil)

  /// Returns the current section if it has this checksum. Otherwise makes the result of `map` the current section, and returns it.
  func mapped(_ checksum: UInt64, _ map: () -> MappedSection?) -> MappedSection? {
    current.withLock { section in
      if let section, section.checksum == checksum { return section.mapped }
      guard let mapped = map() else { return nil }
      section = (checksum, mapped)
      return mapped
    }
  }
}
