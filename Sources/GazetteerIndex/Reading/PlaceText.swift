import PlacesKit
import SQLite
import Text

/// A language as names are looked up in it: the tags to try, best first.
struct LanguageChoice {
  let tags: [[UInt8]]
  /// Names the choice in caches.
  let key: String

  /// `zh-Hant` tries `zh-Hant`, `zh-TW`, `zh`; nil tries nothing.
  init(_ language: String?) {
    key = language ?? ""
    guard let language, !language.isEmpty else {
      tags = []
      return
    }
    var tags = [language]
    let base = String(language.prefix { $0 != "-" }).lowercased()
    if language.contains("-"), let region = Languages.region(of: language) { tags.append("\(base)-\(region)") }
    tags.append(base)
    var seen: Set<String> = []
    self.tags = tags.filter { seen.insert($0).inserted }.map { Array($0.utf8) }
  }

  /// Where a name's tag stands among the tags; nil where it is another language.
  func position(_ tag: ArraySlice<UInt8>) -> Int? { tags.firstIndex { $0.elementsEqual(tag) } }
}

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

  /// The name in the language chosen, else in the country's own, else the main one.
  init(id: String, stored: [UInt8], choice: LanguageChoice) {
    self.id = id
    var chosen: (position: Int, tag: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
    var local: (tag: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
    var localTag: [UInt8]?
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
        if localTag == nil { localTag = LocalLanguages.shared.tag(of: country) }
        if let position = choice.position(tag), position < chosen?.position ?? .max { chosen = (position, tag, text) }
        if local == nil, let localTag, tag.elementsEqual(localTag) { local = (tag, text) }
      }
    }
    // Asked for no language, the main name stands.
    let shown = chosen.map { ($0.tag, $0.text) } ?? (choice.tags.isEmpty ? nil : local)
    let main = name
    if let shown {
      name = String(decoding: shown.1, as: UTF8.self)
      language = String(decoding: shown.0, as: UTF8.self)
    }
    if let local { others.insert(String(decoding: local.text, as: UTF8.self), at: 0) }
    others = Array(([main] + others).filter { $0 != name && !$0.isEmpty }.prefix(4))
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

  /// Street and house number in the order of the place's name where that is the address itself.
  var addressLine: String? {
    guard let street else { return nil }
    return houseNumber.map { "\(street) \($0)" } ?? street
  }
}
