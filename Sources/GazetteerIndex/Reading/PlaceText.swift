import Geocoders
import PlacesKit
import SQLite
import Text

/// What is shown of a place, read from its stored bytes without decoding the names that are not.
struct PlaceText {
  var id: String
  var name = ""
  var language: String?
  var others: [String] = []
  var street, houseNumber, postcode, locality: String?
  var phone, website: String?
  var equivalents: [String] = []
  var country = ""
  /// Sources of the place, by their numbers.
  var sources: [Int] = []

  /// A name in a language, which stands at a place of a choice: the lower, the better.
  private struct Tagged {
    var position: Int
    var tag: ArraySlice<UInt8>
    var text: ArraySlice<UInt8>
  }

  /// The name in the language chosen, else the local one, else the main one. No choice asks for the local name; who asks for a language
  /// gets no letters of another script for want of it where there is a name in Latin ones.
  init(id: String, stored: [UInt8], choice: LanguageChoice?) {
    self.id = id
    var chosen: Tagged?
    var own: LanguageChoice?
    var locals: [Tagged] = []
    var english: Tagged?
    for section in StoredPlace(stored[...]) {
      if section.source > 0 { sources.append(section.source) }
      for (field, bytes) in FieldSequence(section.fields) {
        // Other names come last, and few are shown.
        if field == .otherName, others.count >= 4 { break }
        guard field == .taggedName else {
          take(field, bytes)
          continue
        }
        guard let zero = bytes.firstIndex(of: 0) else { continue }
        let (tag, text) = (bytes[..<zero], bytes[(zero + 1)...])
        let languages = own ?? LocalLanguages.shared.choice(of: country)
        own = languages
        if let position = choice?.position(tag), position < chosen?.position ?? .max {
          chosen = Tagged(position: position, tag: tag, text: text)
        }
        if english == nil, tag.elementsEqual("en".utf8) { english = Tagged(position: 0, tag: tag, text: text) }
        if let position = languages.position(tag) {
          locals.append(Tagged(position: position, tag: tag, text: text))
        }
      }
    }
    let local = PlaceText.local(of: locals, main: name)
    let main = name
    var shown = chosen ?? local
    if choice != nil, chosen == nil, let local, !PlaceText.isLatin(local.text) {
      shown = english ?? (LatinScript.only(in: main) ? nil : local)
    }
    if let shown {
      name = String(decoding: shown.text, as: UTF8.self)
      language = String(decoding: shown.tag, as: UTF8.self)
    }
    if let local { others.insert(String(decoding: local.text, as: UTF8.self), at: 0) }
    others = Array(([main] + others).filter { $0 != name && !$0.isEmpty }.prefix(4))
  }

  /// Of the names in a country's languages that of the place itself. Nobody tells which language a town speaks, but its main name does,
  /// also where it is the English one, by the name that is nearest to it: Genève rather than Genf for Geneva, Gent rather than Gand for Ghent.
  private static func local(of names: [Tagged], main: String) -> Tagged? {
    let names = names.sorted { $0.position < $1.position }
    guard let first = names.first, names.contains(where: { $0.text != first.text }) else {
      return names.first
    }
    let key = Folding.key(main)
    if let same = names.first(where: { $0.text.elementsEqual(main.utf8) }) {
      guard main.utf8.allSatisfy({ $0 < 0x80 }) else { return same }
      // A main name may have lost its marks: the Zürich of most rather than the French Zurich.
      return names.first { isLatin($0.text) && Folding.key(String(decoding: $0.text, as: UTF8.self)) == key } ?? same
    }
    // Other letters are no sign of another language where the first one is written in them.
    guard isLatin(first.text) else { return first }
    return names.filter { isLatin($0.text) }.map {
      (distance(key, Folding.key(String(decoding: $0.text, as: UTF8.self))), $0)
    }
    .min { $0.0 < $1.0 }?.1
  }

  private static func isLatin(_ text: ArraySlice<UInt8>) -> Bool {
    LatinScript.only(in: String(decoding: text, as: UTF8.self))
  }

  /// How many letters must be added, removed or changed between two texts (Levenshtein 1966).
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.utf8)
    var row = Array(0...other.count)
    for (index, letter) in one.utf8.enumerated() {
      var corner = index
      row[0] = index + 1
      for place in other.indices {
        let changed = corner + (letter == other[place] ? 0 : 1)
        corner = row[place + 1]
        row[place + 1] = min(changed, corner + 1, row[place] + 1)
      }
    }
    return row[other.count]
  }

  private mutating func take(_ field: RecordField, _ bytes: ArraySlice<UInt8>) {
    func text() -> String { String(decoding: bytes, as: UTF8.self) }
    switch field {
    case .name: if name.isEmpty { name = text() }
    case .country: if country.isEmpty { country = text() }
    case .street: if street == nil { street = text() }
    case .houseNumber: if houseNumber == nil { houseNumber = text() }
    case .postcode: if postcode == nil { postcode = text() }
    case .locality: if locality == nil { locality = text() }
    case .phone: if phone == nil { phone = text() }
    case .website: if website == nil { website = text() }
    case .equivalent: equivalents.append(text())
    case .otherName: if others.count < 4 { others.append(text()) }
    default: break
    }
  }

  /// Street and house number, in the order of the country.
  var addressLine: String? { street.map { StreetLine.text(street: $0, houseNumber: houseNumber, country: country) } }
}
