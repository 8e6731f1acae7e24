import Geocoders
import PlacesKit
import SQLite
import Text

/// The texts of a place that a row shows, read from the place's stored bytes. Most other names are not decoded.
struct StoredPlaceText {
  var id: String
  var name = ""
  var language: String?
  var otherNames: [String] = []
  var street, houseNumber, postcode, locality: String?
  var phone, website: String?
  /// Ids of the same place in other data, as in `Evidence.equivalents`.
  var equivalents: [String] = []
  var country = ""
  /// The code of the region in which the place lies; for a country or region, its own code.
  private var region = ""
  /// Whether the place is a country or region.
  private var isArea = false
  /// The language of the place's own name; nil if its names do not show it.
  private(set) var ownLanguage: String?
  /// The numbers of the sources that have the place.
  private var sources: [Int] = []
  /// The numbers of the imports, which each row must credit. GeoNames is not among them, because every answer credits it.
  var creditedSources: [Int] { sources.filter { SourceNumber.isMap($0) } }

  /// Reads the texts. The name is the one in the requested language, otherwise the local one, otherwise the main one. If a language was
  /// requested, a local name that is neither in Latin letters nor in that language's script is used only if no name is in Latin letters.
  /// - Parameter choice: the requested language; nil for the place's own.
  init(id: String, stored: [UInt8], choice: LanguageChoice?) {
    self.id = id
    // The country and region may be in a later section than the names.
    for section in RecordSections(stored[...]) { readFieldsBeforeNames(section.source, section.fields) }
    let languages = self.languages
    let names = StoredPlaceText.names(stored, choice, languages)
    let localName = LocalName.chosen(of: names.locals, main: name, in: languages, isArea: isArea)
    if let localName, StoredPlaceText.isOwn(localName, among: names.locals, languages) {
      ownLanguage = String(decoding: localName.tag, as: UTF8.self)
    }
    let mainName = name
    let chosenName = preferredName(of: names, localName, choice)
    if let chosenName {
      name = shortened(String(decoding: chosenName.text, as: UTF8.self), mainName)
      language = String(decoding: chosenName.tag, as: UTF8.self)
    }
    if language.map(LanguageChoice.base) == "zh" || choice?.isTraditionalChinese != nil {
      name = ChineseScript.converted(name, toTraditional: choice?.isTraditionalChinese ?? ChineseScript.isTraditional(in: country))
    }
    // The main and the local name precede the other names.
    otherNames.reserveCapacity(StoredPlaceText.maxOtherNames)
    addOther(mainName)
    if let localName, localName.text != chosenName?.text { addOther(String(decoding: localName.text, as: UTF8.self)) }
    for other in names.others { addOther(other) }
  }

  /// The names that a row may show.
  private struct Names {
    /// The name in the requested language; nil if there is none, or if none was requested.
    var requested: LocalName?
    var english: LocalName?
    /// The names in the languages that are spoken at the place.
    var locals: [LocalName] = []
    /// The names of unknown language, at most `maxOtherNames`.
    var others: [String] = []
  }

  /// Collects the names that a row may show from a stored place.
  private static func names(_ stored: [UInt8], _ choice: LanguageChoice?, _ languages: LanguageChoice) -> Names {
    var names = Names()
    for section in RecordSections(stored[...]) {
      for (field, bytes) in FieldSequence(section.fields) {
        // Other names are the last fields, and a row lists few of them.
        if field == .otherName, names.others.count >= maxOtherNames { break }
        if field == .otherName { names.others.append(String(decoding: bytes, as: UTF8.self)) }
        guard field == .taggedName, let (tag, text) = field.name(in: bytes) else { continue }
        if let position = choice?.position(tag), position < names.requested?.position ?? .max {
          names.requested = LocalName(position: position, tag: tag, text: text)
        }
        if names.english == nil, tag.elementsEqual("en".utf8) { names.english = LocalName(position: 0, tag: tag, text: text) }
        if let position = languages.position(tag) { names.locals.append(LocalName(position: position, tag: tag, text: text)) }
      }
    }
    return names
  }

  /// Whether a local name is certainly the place's own: it is in a language of the region or, if the region's languages are unknown, the
  /// names in the country's languages differ.
  private static func isOwn(_ local: LocalName, among locals: [LocalName], _ languages: LanguageChoice) -> Bool {
    languages.regionalCount > 0 ? local.position < languages.regionalCount : LocalName.differ(locals)
  }

  /// The name that a row shows instead of the main name; nil if it shows the main name.
  private func preferredName(of names: Names, _ local: LocalName?, _ choice: LanguageChoice?) -> LocalName? {
    if let requested = names.requested { return requested }
    guard let choice, let local, !local.isLatin, !isInScript(of: choice, local.text) else { return local }
    return names.english ?? (LatinScript.only(in: name) ? nil : local)
  }

  /// Returns the main name in place of a name that only adds a generic word before it (Kota Surabaya becomes Surabaya) or, if the place is
  /// an area, before or after it (Beijing Municipality becomes Beijing). Returns any other name unchanged.
  private func shortened(_ name: String, _ mainName: String) -> String {
    let isLonger = isArea ? name.containsWords(mainName) : name.hasSuffix(" \(mainName)")
    return isLonger && !mainName.isEmpty ? mainName : name
  }

  /// Whether a name is in the script of a language. The country's name in this language shows the script: Japanese has 中国 for China, so a
  /// Japanese row may show 湖南.
  private func isInScript(of choice: LanguageChoice, _ name: ArraySlice<UInt8>) -> Bool {
    guard let language = choice.bestTag, let countryName = Languages.name(ofRegion: country, in: language),
      let letter = FirstLetter.of(name), let countryLetter = FirstLetter.of(countryName.utf8)
    else { return false }
    let isHan = { (letter: UInt32) in Unicode.Scalar(letter)?.properties.isIdeographic == true }
    // Two letters are in the same script if they are in the same block of 128 code points, or if both are Han characters.
    return letter >> 7 == countryLetter >> 7 || isHan(letter) && isHan(countryLetter)
  }

  /// The maximum number of other names that a row lists.
  private static let maxOtherNames = 4

  /// Adds another name, unless the row shows it or has enough of them.
  private mutating func addOther(_ other: String) {
    if otherNames.count < StoredPlaceText.maxOtherNames, other != name, !other.isEmpty { otherNames.append(other) }
  }

  /// The languages that are spoken at the place.
  var languages: LanguageChoice { LocalLanguages.choice(of: country, region: region) }

  /// Reads all fields except the tagged and other names, which are the last fields.
  private mutating func readFieldsBeforeNames(_ source: Int, _ fields: ArraySlice<UInt8>) {
    if source != SourceNumber.derived { sources.append(source) }
    for (field, bytes) in FieldSequence(fields) {
      var text: String { String(decoding: bytes, as: UTF8.self) }
      switch field {
      case .name: if name.isEmpty { name = text }
      case .country: if country.isEmpty { country = text }
      case .region: if region.isEmpty { region = text }
      case .areaCode:
        region = text
        isArea = true
      case .street: street = street ?? text
      case .houseNumber: houseNumber = houseNumber ?? text
      case .postcode: postcode = postcode ?? text
      case .locality: locality = locality ?? text
      case .phone: phone = phone ?? text
      case .website: website = website ?? text
      case .equivalent: equivalents.append(text)
      case .taggedName, .otherName: return
      default: break
      }
    }
  }

  /// Street and house number, in the order of the country.
  var addressLine: String? { street.map { StreetLine.text(street: $0, houseNumber: houseNumber, country: country) } }
}

extension String {
  /// Whether this name of a region repeats the name of a place in it, also with one letter transliterated differently: `State of Berlin`
  /// and `Berlin`, `Karbalāʼ` and `Karbala`, `Voronezj` and `Voronezh`, `宫崎县` and `宫崎`.
  func repeatsName(_ name: String) -> Bool {
    if containsWords(name) || isHanName(beginningWith: name) { return true }
    // Folding is slow. It matters only for Latin letters with marks, and for names that may differ by one letter.
    guard let firstByte = utf8.first, let otherByte = name.utf8.first, firstByte == otherByte || firstByte | otherByte >= 0x80 else {
      return false
    }
    let mayHaveOneError =
      firstByte < 0x80 && abs(utf8.count - name.utf8.count) <= 1 && min(utf8.count, name.utf8.count) >= String.minSimilarLength
    guard mayHaveOneError || hasMarkedLatinLetters || name.hasMarkedLatinLetters else { return false }
    let (key, otherKey) = (Folding.key(self), Folding.key(name))
    return key == otherKey || mayHaveOneError && typingErrors(between: key, and: otherKey) == 1
  }

  /// Whether the text begins with a name of at least two Chinese characters, which are written without spaces: `圣地亚哥首都大区`.
  private func isHanName(beginningWith name: String) -> Bool {
    // The characters from U+4E00 to U+9FFF begin with these bytes, and have three bytes each.
    guard let firstByte = name.utf8.first, (0xE4...0xE9).contains(firstByte), name.utf8.count >= 6 else { return false }
    return utf8.starts(with: name.utf8)
  }

  /// Names of a region and of a place in it that differ by one letter are the same name only if both have at least this many bytes.
  private static let minSimilarLength = 7

  /// Whether the text may have Latin letters with marks: it has ASCII letters and other characters.
  private var hasMarkedLatinLetters: Bool { utf8.contains { $0 >= 0x80 } && utf8.contains { ($0 | 0x20) &- 0x61 < 26 } }

  /// Whether the text contains a sequence of words, as Beijing Municipality contains Beijing, and `Washington, D.C.` Washington.
  /// - Parameter words: the words, with single spaces between them.
  func containsWords(_ words: String) -> Bool {
    var remainder = utf8[...]
    while true {
      if remainder.starts(with: words.utf8) {
        let nextByte = remainder.dropFirst(words.utf8.count).first
        if nextByte == nil || nextByte == UInt8(ascii: " ") || nextByte == UInt8(ascii: ",") { return true }
      }
      guard let space = remainder.firstIndex(of: UInt8(ascii: " ")) else { return false }
      remainder = remainder[remainder.index(after: space)...]
    }
  }
}
