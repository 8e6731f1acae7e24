/// The encoding of a list of ascending ranks. Each rank is stored as its difference from the rank before, an LEB128 varint.
///
/// The first 128 ranks are in the dictionary; the first of them is its difference from 0. Further ranks are in blocks of 1,024 in the table
/// `posting`. The first rank of a block is in the block's id, and the second is stored as its difference from the first.
enum PostingList {
  /// The maximum number of a list's ranks in the dictionary. Most lists have no more.
  static let inlineCount = 128
  /// The maximum number of ranks in each further block.
  static let blockSize = 1024

  /// The id of the block of a list that begins with a rank. Ids ascend with the ranks, so one look-up finds the block that would contain a
  /// rank.
  static func id(of listID: UInt32, from rank: UInt32) -> Int64 { Int64(listID) << 32 | Int64(rank) }

  /// Encodes ascending ranks.
  /// - Parameter previous: the rank before the first one, or 0.
  static func encode(_ ranks: ArraySlice<UInt32>, after previous: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    var last = previous
    for rank in ranks {
      writer.number(UInt64(rank &- last))
      last = rank
    }
    return writer.bytes
  }

  /// The number of ranks in undamaged bytes. Only the last byte of each rank has the top bit 0.
  static func count(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count { $0 < 0x80 } }

  /// Reads encoded ranks one by one, because most scans end after a few. Stops at damaged bytes, as `decode` does.
  struct Reader {
    private let bytes: [UInt8]
    private var position = 0
    /// The rank that was read last; before the first one, the rank before the block.
    private(set) var last: UInt32

    init(_ bytes: [UInt8], after previous: UInt32) {
      self.bytes = bytes
      last = previous
    }

    /// The next rank that is at least `least`.
    mutating func next(notBelow least: UInt32) -> UInt32? {
      var (position, rank) = (position, last)
      var (value, shift): (UInt32, UInt32) = (0, 0)
      while position < bytes.count, shift < 32 {
        let byte = bytes[position]
        position += 1
        value |= UInt32(byte & 0x7F) &<< shift
        shift += 7
        guard byte < 0x80 else { continue }
        let (nextRank, overflow) = rank.addingReportingOverflow(value)
        guard !overflow, value > 0 else { break }
        rank = nextRank
        guard rank < least else {
          (self.position, last) = (position, rank)
          return rank
        }
        (value, shift) = (0, 0)
      }
      (self.position, last) = (bytes.count, rank)
      return nil
    }
  }

  /// Decodes ranks and appends them. Stops at damaged bytes: a difference of zero or of more than 32 bits.
  static func decode(_ bytes: UnsafeRawBufferPointer, after previous: UInt32, into ranks: inout [UInt32]) {
    var last = previous
    var value: UInt32 = 0
    var shift: UInt32 = 0
    // Each rank takes at least one byte.
    ranks.append(addingCapacity: bytes.count) { decoded in
      for byte in bytes {
        value |= UInt32(byte & 0x7F) &<< shift
        if byte < 0x80 {
          let (nextRank, overflow) = last.addingReportingOverflow(value)
          guard !overflow, value > 0 else { return }
          decoded.append(nextRank)
          last = nextRank
          value = 0
          shift = 0
        } else {
          shift += 7
          guard shift < 32 else { return }
        }
      }
    }
  }
}
