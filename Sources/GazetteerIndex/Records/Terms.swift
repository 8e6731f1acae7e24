import PlacesKit
import Text

/// The kinds of terms, each a letter before its text. A capital is a whole term; its small letter a prefix that so many
/// places share that their list is kept.
enum TermKind: UInt8 {
  /// A main or localised name, its words written together.
  case name = 0x41  // A
  /// Any other name, its words written together.
  case otherName = 0x42  // B
  /// A word of any name or of the address.
  case word = 0x57  // W
  /// A name or code of a country or region, written together.
  case area = 0x52  // R
  /// A type of the type table.
  case type = 0x54  // T

  var prefixed: UInt8 { rawValue | 0x20 }

  func term(_ text: String) -> [UInt8] { [rawValue] + text.utf8 }
  func prefixTerm(_ text: some Sequence<UInt8>) -> [UInt8] { [prefixed] + text }
}

/// The terms under which a place is found.
struct PlaceTerms {
  /// Longer texts are cut: nobody types more.
  static let longest = 48

  private(set) var terms: Set<String> = []

  init(_ record: GazetteerRecord) {
    let main = [record.name] + record.names.map(\.text)
    for name in Set(main) where !name.isEmpty { add(name, .name) }
    for name in Set(record.otherNames).subtracting(main) { add(name, .otherName) }
    addAddress(record)
    for type in record.types { insert(.type, type.rawValue) }
    if record.areaCode != nil { addArea(record, main) }
  }

  private mutating func insert(_ kind: TermKind, _ text: String) {
    guard !text.isEmpty else { return }
    var term = String(Unicode.Scalar(kind.rawValue))
    term += text.utf8.count <= PlaceTerms.longest ? text : String(text.unicodeScalars.prefix(PlaceTerms.longest))
    terms.insert(term)
  }

  private mutating func add(_ name: String, _ kind: TermKind) {
    let words = Folding.words(of: name)
    add(words, kind)
    let spelled = Abbreviations.otherSpelling(of: words)
    if spelled != words { add(spelled, kind) }
  }

  private mutating func add(_ words: [String], _ kind: TermKind) {
    insert(kind, words.joined())
    for word in words { insert(.word, word) }
  }

  private mutating func addAddress(_ record: GazetteerRecord) {
    if let street = record.street {
      let words = Folding.words(of: street)
      for word in words { insert(.word, word) }
      if let number = record.houseNumber {
        let numbers = Folding.words(of: number)
        for word in numbers { insert(.word, word) }
        if record.types.first?.group == .address {
          insert(.name, (words + numbers).joined())
          insert(.name, (numbers + words).joined())
        }
      }
    }
    for part in [record.locality, record.postcode] {
      for word in Folding.words(of: part ?? "") { insert(.word, word) }
    }
  }

  private mutating func addArea(_ record: GazetteerRecord, _ main: [String]) {
    for name in main + record.otherNames { insert(.area, Folding.key(name)) }
    // A code of letters is what people write behind a comma; a number means nothing to them.
    if let code = record.areaCode?.split(separator: ".").last, code.allSatisfy(\.isLetter) { insert(.area, Folding.key(String(code))) }
  }
}

/// Words that are written short as often as not, in both directions.
enum Abbreviations {
  private static let pairs = [("saint", "st"), ("sainte", "ste"), ("mount", "mt"), ("fort", "ft"), ("sankt", "st")]
  private static let long = Dictionary(pairs.map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first })
  private static let short = Dictionary(pairs, uniquingKeysWith: { first, _ in first })

  static func otherSpelling(of words: [String]) -> [String] {
    guard words.count > 1 else { return words }
    return words.map { short[$0] ?? long[$0] ?? $0 }
  }
}
