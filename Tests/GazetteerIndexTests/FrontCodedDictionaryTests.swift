import SQLite
import Testing

@testable import GazetteerIndex

extension MappedSection {
  /// All terms, ascending.
  var allTerms: [[UInt8]] {
    var found: [[UInt8]] = []
    _ = terms.walk(from: UnsafeRawBufferPointer(start: nil, count: 0)) { text, _ in
      found.append(Array(text))
      return true
    }
    return found
  }
}

/// Binary search with shared prefixes finds the same terms as a linear scan.
@Suite struct FrontCodedDictionaryTests {
  @Test("Every term is found with its places, and no other text is")
  func found() throws {
    let index = try SmallIndex.world()
    try GazetteerReader(path: index.path).borrow { (file) throws(SQLiteError) in
      let terms = file.mapped.allTerms
      let known = Dictionary(zip(terms, try everything(in: file)), uniquingKeysWith: { first, _ in first })
      for text in terms.flatMap(neighbours) { #expect(try file.mapped.terms.entry(text).map(Found.init) == known[text], "\(text)") }
    }
  }

  @Test("The terms between two texts are returned in order with their places")
  func between() throws {
    let index = try SmallIndex.world()
    try GazetteerReader(path: index.path).borrow { (file) throws(SQLiteError) in
      let terms = file.mapped.allTerms
      let all = try everything(in: file)
      #expect(all.map(\.length) == terms.map(\.count))
      let known = Array(zip(terms, all))
      for (number, term) in terms.enumerated() where number.isMultiple(of: 7) {
        for first in neighbours(term) {
          for end in [first + [0xFF], terms[min(number + 40, terms.count - 1)], []] {
            var found: [Found] = []
            try file.mapped.terms.each(from: first, before: end) { entry in
              found.append(Found(entry))
              return true
            }
            let wanted = known.filter { !$0.0.lexicographicallyPrecedes(first) && $0.0.lexicographicallyPrecedes(end) }
            #expect(found == wanted.map(\.1), "from \(first) before \(end)")
          }
        }
      }
    }
  }

  /// An entry, as long as the index is not there.
  private struct Found: Equatable {
    var ranks: [UInt8]
    var list: UInt32
    var further: Int
    var length: Int

    init(_ entry: FrontCodedDictionary.TermEntry) {
      (ranks, list, further, length) = (Array(entry.ranks), entry.listID, entry.furtherCount, entry.length)
    }
  }

  /// The entries of all terms in order, by a linear scan.
  private func everything(in file: IndexFile) throws(SQLiteError) -> [Found] {
    var found: [Found] = []
    try file.mapped.terms.each(from: [], before: [0xFF]) { entry in
      found.append(Found(entry))
      return true
    }
    return found
  }

  /// A term, its prefixes, and texts that sort just before and after it.
  private func neighbours(_ term: [UInt8]) -> [[UInt8]] {
    let last = term.last ?? 0
    return [term, term.dropLast(), term + [0], term + [0x7A], term.dropLast() + [last &- 1], term.dropLast() + [last &+ 1]]
  }
}
