import PlacesTesting
import Testing

@testable import Storage

@Suite("The filter of answers on disk")
struct AnswerFilterTests {
  @Test("It has no false negatives and few false positives", arguments: [0, 100, 200_000])
  func errors(count: Int) {
    var random = SeededRandom(seed: 7)
    let (known, later) = ((0..<count).map { _ in Int64.random(in: .min ... .max, using: &random) }, Int64(42))
    let filter = AnswerFilter()
    #expect(filter.mayContain(later), "not known yet")
    filter.fill(known)
    #expect(!filter.mayContain(later))
    filter.add(later)
    #expect(filter.mayContain(later))
    #expect(known.allSatisfy { filter.mayContain($0) })
    let mistaken = (0..<10_000).count { _ in filter.mayContain(Int64.random(in: .min ... .max, using: &random)) }
    #expect(mistaken < 500, "\(mistaken) of 10,000")
    filter.clear()
    #expect(filter.mayContain(0))
  }

  @Test("It distinguishes keys that differ in one letter")
  func likeKeys() {
    let numbers = (0..<20_000).map { AnswerRow.id(of: Array("berl \($0)".utf8)) }
    let filter = AnswerFilter()
    filter.fill(Array(numbers[..<10_000]))
    #expect(numbers[10_000...].count { filter.mayContain($0) } < 500)
  }

  @Test("It is filled again when it has reached its capacity")
  func crowded() {
    let filter = AnswerFilter()
    filter.fill([])
    var added: Int64 = 0
    while !filter.isOverfull, added < 1_000_000 {
      filter.add(added &* 0x1234_5678_9ABC_DEF1)
      added += 1
    }
    #expect((60_000..<140_000).contains(added))
    filter.fill([])
    #expect(!filter.isOverfull)
  }
}
