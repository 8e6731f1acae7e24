import PlacesTesting
import Testing

@testable import GazetteerIndex

/// Reading ranks with skips returns the same as reading all of them and leaving some out, also from a damaged block.
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

  @Test("An undamaged block returns all its ranks, as many as the count")
  func sound() {
    let ranks: [UInt32] = [8, 9, 136, 137, 20_000, 3_000_000, .max]
    let bytes = PostingList.encode(ranks[...], after: 7)
    #expect(PostingListTests.ranks(bytes, skipping: 0) == ranks)
    #expect(bytes.withUnsafeBytes { PostingList.count($0) } == ranks.count)
  }

  @Test(
    "The ranks end at a difference of zero, of more than 32 bits, or beyond the last rank",
    arguments: [[1, 0, 1], [1, 0x80, 0x80, 0x80, 0x80, 0x80, 1], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]] as [[UInt8]])
  func damaged(bytes: [UInt8]) { #expect(PostingListTests.ranks(bytes, skipping: 0) == [8]) }

  @Test("Skipped ranks are the only ones left out", arguments: [1, 100, 5_000] as [UInt32])
  func oneByOne(step: UInt32) {
    var random = SeededRandom(seed: UInt64(step))
    for _ in 0..<2_000 {
      // Few bytes with the top bit make many ranks; zeros and long numbers are damage.
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: Int.random(in: 0..<4, using: &random) == 0 ? 0...255 : 1...127, using: &random)
      }
      var (expected, least): ([UInt32], UInt32) = ([], 0)
      for rank in PostingListTests.ranks(bytes, skipping: 0) where rank >= least {
        expected.append(rank)
        (least, _) = rank.addingReportingOverflow(step)
      }
      #expect(PostingListTests.ranks(bytes, skipping: step) == expected, "\(bytes)")
    }
  }
}
