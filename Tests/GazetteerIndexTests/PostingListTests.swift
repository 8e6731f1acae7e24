import PlacesTesting
import Testing

@testable import GazetteerIndex

/// Reading ranks one by one returns the same as reading all at once, with any skips, and also from a damaged block.
@Suite struct PostingListTests {
  private static func ranks(_ bytes: [UInt8], skipping step: UInt32) -> [UInt32] {
    var reader = PostingList.Reader(bytes, after: 7)
    var (ranks, least): ([UInt32], UInt32) = ([], 0)
    while let rank = reader.next(notBelow: least) {
      ranks.append(rank)
      (least, _) = rank.addingReportingOverflow(step)
    }
    #expect(reader.next(notBelow: 0) == nil)
    return ranks
  }

  private static func decoded(_ bytes: [UInt8], skipping step: UInt32) -> [UInt32] {
    var all: [UInt32] = []
    bytes.withUnsafeBytes { PostingList.decode($0, after: 7, into: &all) }
    var (ranks, least): ([UInt32], UInt32) = ([], 0)
    for rank in all where rank >= least {
      ranks.append(rank)
      (least, _) = rank.addingReportingOverflow(step)
    }
    return ranks
  }

  @Test("An undamaged block returns all its ranks, as many as the count")
  func sound() {
    let ranks: [UInt32] = [8, 9, 136, 137, 20_000, 3_000_000, .max]
    let bytes = PostingList.encode(ranks[...], after: 7)
    #expect(PostingListTests.ranks(bytes, skipping: 0) == ranks)
    #expect(bytes.withUnsafeBytes { PostingList.count($0) } == ranks.count)
  }

  @Test("The reader returns the same ranks as decoding", arguments: [0, 1, 100, 5_000] as [UInt32])
  func oneByOne(step: UInt32) {
    var random = SeededRandom(seed: UInt64(step))
    for _ in 0..<2_000 {
      // Few bytes with the top bit make many ranks; zeros and long numbers are damage.
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: Int.random(in: 0..<4, using: &random) == 0 ? 0...255 : 1...127, using: &random)
      }
      #expect(PostingListTests.ranks(bytes, skipping: step) == PostingListTests.decoded(bytes, skipping: step), "\(bytes)")
    }
  }
}
