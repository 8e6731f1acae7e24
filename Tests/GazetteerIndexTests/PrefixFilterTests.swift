import SQLite
import Testing

@testable import GazetteerIndex

/// Prefixes that do not occur are not looked up.
@Suite struct PrefixFilterTests {
  @Test("The filter contains every term and every prefix that can be typed")
  func filter() throws {
    let index = try SmallIndex.world()
    try GazetteerReader(path: index.path).borrow { (file) throws(SQLiteError) in
      #expect(file.mapped.allTerms.count > 100)
      for term in file.mapped.allTerms {
        let text = String(decoding: term[1...], as: UTF8.self)
        guard text.utf8.elementsEqual(term[1...]) else { continue }
        #expect(file.mapped.prefixes.mayHaveTerm(term[0], text))
        guard let kind = TermKind(rawValue: term[0]), kind.hasPrefixes else { continue }
        for count in 1...text.count { #expect(file.mapped.prefixes.mayHavePrefix(kind, String(text.prefix(count)))) }
      }
      #expect(!file.mapped.prefixes.mayHaveTerm(TermKind.name.rawValue, "berlingen"))
      #expect(!file.mapped.prefixes.mayHavePrefix(.name, "berlinh"))
    }
  }
}
