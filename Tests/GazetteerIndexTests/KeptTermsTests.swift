import SQLite
import Testing

@testable import GazetteerIndex

/// What is found of the terms by halving and by what neighbours have in common is what a look at each of them finds.
@Suite struct KeptTermsTests {
  @Test("Every term is found, and nothing under a text that is none")
  func found() throws {
    let index = try SmallIndex.world()
    try GazetteerReader(path: index.path).borrow { (file) throws(SQLiteError) in
      let terms = file.tail.allTerms
      let known = Set(terms)
      for text in terms.flatMap(neighbours) {
        #expect(try file.tail.entry(text)?.length == (known.contains(text) ? text.count : nil), "\(text)")
      }
    }
  }

  @Test("The terms between two texts are told in their order")
  func between() throws {
    let index = try SmallIndex.world()
    try GazetteerReader(path: index.path).borrow { (file) throws(SQLiteError) in
      let terms = file.tail.allTerms
      for (number, term) in terms.enumerated() where number.isMultiple(of: 7) {
        for first in neighbours(term) {
          for end in [first + [0xFF], terms[min(number + 40, terms.count - 1)], []] {
            var lengths: [Int] = []
            try file.tail.entries(from: first, before: end) { entry in
              lengths.append(entry.length)
              return true
            }
            let wanted = terms.filter { !$0.lexicographicallyPrecedes(first) && $0.lexicographicallyPrecedes(end) }
            #expect(lengths == wanted.map(\.count), "from \(first) before \(end)")
          }
        }
      }
    }
  }

  /// A term, its beginnings, and texts that stand closely before and behind it.
  private func neighbours(_ term: [UInt8]) -> [[UInt8]] {
    let last = term.last ?? 0
    return [term, term.dropLast(), term + [0], term + [0x7A], term.dropLast() + [last &- 1], term.dropLast() + [last &+ 1]]
  }
}
