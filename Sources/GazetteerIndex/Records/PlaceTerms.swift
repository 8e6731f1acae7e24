import PlacesKit
import Text

/// Makes the terms by which queries find a place.
struct PlaceTerms {
  /// A text with more bytes than this is cut to this many code points.
  static let maxLength = 48

  /// Each term is the character of its kind (`TermKind`) and a text.
  private(set) var terms: Set<String> = []

  /// The words of the names, by the kinds of terms that they may become.
  private var words: [TermKind: Set<String>] = [:]
  private var addressWords: Set<String> = []
  /// The words of the address that also count as words of the name (`TermKind.addressWord`).
  private var namingAddressWords: Set<String> = []

  init(_ record: GazetteerRecord) {
    addNames(record)
    addAddress(record)
    finishWords()
    for type in record.types { insert(.type, type.rawValue) }
    if record.areaCode != nil { addArea(record) }
  }

  /// The names of a place in Latin letters, grouped by the rows that show them.
  private struct ShownNames {
    /// The main and the English names.
    var main: Set<String>
    /// The names in the country's languages.
    var locals: Set<String> = []
    /// The names that rows show if the request has no language: the local names, and the main and English ones if English is a local
    /// language. If there are no local names, the main and English ones.
    var withoutLanguage: Set<String>

    init(_ record: GazetteerRecord) {
      main = [record.name]
      let languages = LocalLanguages.choice(of: record.country)
      for name in record.names where name.language != CommonAliases.language && LatinScript.only(in: name.text) {
        if LanguageChoice.base(name.language) == "en" {
          main.insert(name.text)
        } else if languages.position(name.language.utf8) != nil {
          locals.insert(name.text)
        }
      }
      let localNames = languages.position("en".utf8) == nil ? locals : locals.union(main)
      withoutLanguage = localNames.isEmpty ? main : localNames
      locals.subtract(main)
    }
  }

  /// Adds the main and English names, those in the country's languages, and all others as terms of their kinds.
  private mutating func addNames(_ record: GazetteerRecord) {
    let shown = ShownNames(record)
    let isGerman = PlaceTerms.germanCountries.contains(record.country)
    func nameForms(_ name: String) -> [String] { PlaceTerms.forms(of: name, isGerman: isGerman) }
    for name in shown.withoutLanguage.flatMap(nameForms) {
      for spelling in PlaceTerms.spellings(of: name) { words[.localWord, default: []].formUnion(spelling) }
    }
    for name in shown.main.flatMap(nameForms) { add(name, .name, .englishWord) }
    for name in shown.locals.flatMap(nameForms) { add(name, .localName, .localWord) }
    addSpelledNamesAndAliases(record)
    let ownNames = shown.main.union(shown.locals)
    if record.areaCode == nil { addExonyms(record, besides: ownNames) }
    let otherNames = Set(record.names.map(\.text)).union(record.otherNames).subtracting(ownNames)
    // A name in another script has terms of other kinds, since a query in Latin letters prefers the main name to transliterated names.
    for name in otherNames.union([record.name]) {
      if !LatinScript.only(in: name) {
        add(name, .scriptName, .scriptWord)
      } else if name != record.name {
        for form in nameForms(name) { add(form, .otherName, .otherWord) }
      }
    }
    addLocalisedNames(record, besides: shown.main)
  }

  /// Adds the common aliases, and the main, English and local names whose spelling folding changes.
  private mutating func addSpelledNamesAndAliases(_ record: GazetteerRecord) {
    let languages = LocalLanguages.choice(of: record.country)
    var names = [record.name]
    for name in record.names {
      if name.language == CommonAliases.language {
        insert(.commonAlias, Folding.key(name.text))
      } else if LanguageChoice.base(name.language) == "en" || languages.position(name.language.utf8) != nil {
        names.append(name.text)
      }
    }
    for name in names { if let spelling = Folding.spelling(of: name) { insert(.spelledName, spelling) } }
  }

  /// Adds the names with a language as `localisedName` terms.
  /// - Parameters:
  ///   - record: the place.
  ///   - main: the main and English names, which have terms of their own.
  private mutating func addLocalisedNames(_ record: GazetteerRecord, besides main: Set<String>) {
    let isGerman = PlaceTerms.germanCountries.contains(record.country)
    for name in record.names where !main.contains(name.text) && name.language != CommonAliases.language {
      let language = LanguageChoice.base(name.language)
      let forms = PlaceTerms.forms(of: name.text, isGerman: isGerman && language == "de")
      for spelling in forms.flatMap(PlaceTerms.spellings) {
        insert(.localisedName, PlaceTerms.localised(spelling.joined(), language))
      }
    }
  }

  /// A name is an exonym if at least this many languages have it. If the languages are unknown, it is one if more than this many names,
  /// itself included, begin with its letters except the last.
  private static let minLanguages = 4
  /// The minimum length in bytes of the part that names with different endings have in common.
  private static let minExonymStem = 4

  /// Adds the names that several languages have in common. If the languages are unknown, the spellings show it: Beijing is called Pekin,
  /// Pekina, Pekinas, Peking, Pekini and Pekino.
  /// - Parameters:
  ///   - record: the place.
  ///   - ownNames: the place's own names, which are not exonyms.
  private mutating func addExonyms(_ record: GazetteerRecord, besides ownNames: Set<String>) {
    let ownKeys = Set(ownNames.map { Folding.key($0) })
    var languagesByKey: [String: Set<String>] = [:]
    for name in record.names where LatinScript.only(in: name.text) {
      languagesByKey[Folding.key(name.text), default: []].insert(LanguageChoice.base(name.language))
    }
    for (key, languages) in languagesByKey where languages.count >= PlaceTerms.minLanguages && !ownKeys.contains(key) {
      insert(.exonym, key)
    }
    let keys = Set(record.otherNames.filter { LatinScript.only(in: $0) }.map { Folding.key($0) }).subtracting(ownKeys)
    guard keys.count > PlaceTerms.minLanguages else { return }
    for key in keys where key.utf8.count > PlaceTerms.minExonymStem {
      if keys.count(where: { $0.hasPrefix(key.dropLast()) }) > PlaceTerms.minLanguages { insert(.exonym, key) }
    }
  }

  /// The countries in whose names `ae`, `oe` and `ue` may be written for umlauts.
  static let germanCountries: Set<String> = ["AT", "CH", "DE", "LI"]

  private static let umlauts: [Unicode.Scalar: String] = ["ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"]

  /// A name and, if it has umlauts and may be German, the name as German is written without umlauts: `Zürich` and `Zuerich`.
  static func forms(of name: String, isGerman: Bool) -> [String] {
    guard isGerman, name.unicodeScalars.contains(where: { umlauts[$0] != nil }) else { return [name] }
    return [name, name.unicodeScalars.reduce(into: "") { $0 += umlauts[$1] ?? String($1) }]
  }

  /// The text of a `localisedName` term.
  static func localised(_ key: String, _ language: String) -> String { "\(language) \(key)" }

  private mutating func insert(_ kind: TermKind, _ text: String) {
    guard !text.isEmpty else { return }
    var term = String(Unicode.Scalar(kind.rawValue))
    term += text.utf8.count <= PlaceTerms.maxLength ? text : String(text.unicodeScalars.prefix(PlaceTerms.maxLength))
    terms.insert(term)
  }

  /// Adds a name as terms of a kind, and collects its words for terms of `wordKind`.
  private mutating func add(_ name: String, _ kind: TermKind, _ wordKind: TermKind) {
    for spelling in PlaceTerms.spellings(of: name) {
      let key = spelling.joined()
      // A name that equals the main one is not added again.
      let isKnown = kind != .name && terms.contains(String(Unicode.Scalar(TermKind.name.rawValue)) + key)
      if !isKnown || kind == .scriptName { insert(kind, key) }
      words[wordKind, default: []].formUnion(spelling)
    }
  }

  /// The folded words of a name and, if it has common abbreviations or their long forms, the words with these exchanged.
  private static func spellings(of name: String) -> [[String]] {
    let words = Abbreviations.writtenOut(Folding.words(of: name))
    let otherSpelling = Abbreviations.otherSpelling(of: words)
    return otherSpelling == words ? [words] : [words, otherSpelling]
  }

  /// Adds the collected words. The words of a query may be from several names and the address, so each kind contains all words of its
  /// names, and those of the address.
  private mutating func finishWords() {
    let englishWords = addressWords.union(words[.englishWord] ?? [])
    let localWords = addressWords.union(words[.localWord] ?? [])
    let latinWords = englishWords.union(localWords).union(words[.otherWord] ?? [])
    if englishWords == localWords {
      for word in englishWords { insert(.word, word) }
    } else {
      for word in englishWords { insert(.englishWord, word) }
      for word in localWords { insert(.localWord, word) }
    }
    if latinWords.count > max(englishWords.count, localWords.count) { for word in latinWords { insert(.otherWord, word) } }
    let nameWords = words.values.reduce(into: namingAddressWords) { $0.formUnion($1) }
    for word in addressWords where !nameWords.contains(where: { $0.hasPrefix(word) }) { insert(.addressWord, word) }
    if let scriptWords = words[.scriptWord] { for word in scriptWords.union(latinWords) { insert(.scriptWord, word) } }
  }

  /// Collects the words of the street, the house number, the town and the postcodes. Also adds the address of a house, and a street with
  /// its town, as names.
  private mutating func addAddress(_ record: GazetteerRecord) {
    let isGerman = PlaceTerms.germanCountries.contains(record.country)
    for street in record.street.map({ PlaceTerms.forms(of: $0, isGerman: isGerman) }) ?? [] {
      let streetWords = Abbreviations.writtenOut(Folding.words(of: street))
      addressWords.formUnion(streetWords)
      if isGerman { addressWords.formUnion(Abbreviations.joinedStreets(in: streetWords)) }
      if let number = record.houseNumber {
        let numbers = Folding.words(of: number)
        addressWords.formUnion(numbers)
        if record.types.first?.group == .address {
          namingAddressWords.formUnion(streetWords + numbers)
          insert(.name, (streetWords + numbers).joined())
          insert(.name, (numbers + streetWords).joined())
        }
      }
    }
    let towns = record.locality.map { PlaceTerms.spellings(of: $0) } ?? []
    for town in towns { addressWords.formUnion(town) }
    if let postcode = record.postcode { addressWords.formUnion(Folding.words(of: postcode)) }
    let codes = record.postcodes.flatMap { Folding.words(of: $0) }
    addressWords.formUnion(codes)
    namingAddressWords.formUnion(codes)
    // A street and its town together are a name of the street. Otherwise the shops in the street would precede it.
    if record.types.first == "route" {
      let streetWords = Abbreviations.writtenOut(Folding.words(of: record.name))
      let street = streetWords.joined()
      for town in towns {
        insert(.name, street + town.joined())
        insert(.commonAlias, town.joined() + street)
      }
      if isGerman {
        addressWords.formUnion(Abbreviations.joinedStreets(in: streetWords))
        namingAddressWords.formUnion(Abbreviations.joinedStreets(in: streetWords))
      }
    }
  }

  /// Adds the names and the code of a country or region.
  private mutating func addArea(_ record: GazetteerRecord) {
    for name in [record.name] + record.names.map(\.text) + record.otherNames { insert(.area, Folding.key(name)) }
    // Users type codes of letters after a comma (`boston, ma`), but not numeric codes.
    if let code = record.areaCode?.split(separator: ".").last, code.allSatisfy(\.isLetter) { insert(.area, Folding.key(String(code))) }
    if let code = record.areaCode.flatMap(CountryCodes.three) { insert(.area, Folding.key(code)) }
  }
}

/// Replaces words in names by their common abbreviations, and abbreviations by their long forms.
enum Abbreviations {
  /// Each word with its abbreviation.
  private static let pairs = [("saint", "st"), ("sainte", "ste"), ("mount", "mt"), ("fort", "ft"), ("sankt", "st")]
  /// The long form of each abbreviation. `st` has two, of which the first is taken.
  private static let longForms = Dictionary(pairs.map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first })
  private static let shortForms = Dictionary(uniqueKeysWithValues: pairs)

  /// The words with the ends of German street names written out: `landstr 97` is Landstrasse 97.
  /// - Parameter lastWordIsComplete: whether the last word is complete. If it is not, it remains as it is.
  static func writtenOut(_ words: [String], lastWordIsComplete: Bool = true) -> [String] {
    guard words.contains(where: { $0.hasSuffix("str") }) else { return words }
    return zip(words.indices, words).map { index, word in
      // STR alone is the code of Stuttgart's airport.
      guard word == "str" && words.count > 1 || word.utf8.count >= minStreetLength && word.hasSuffix("str"),
        lastWordIsComplete || index < words.count - 1
      else {
        return word
      }
      return String(word.dropLast(3)) + "strasse"
    }
  }

  /// A word that ends with `str` is a street only if it has at least this many bytes.
  private static let minStreetLength = 6

  /// The last words of German names of streets, which people write apart, together or with a hyphen.
  private static let streetWords: Set<String> = ["strasse", "gasse", "weg", "platz", "allee"]

  /// The words of a name with each of the `streetWords` joined to the word before it: `alte churer strasse` is Alte Churerstrasse.
  static func joinedStreets(in words: [String]) -> [String] {
    words.dropFirst().reduce(into: Array(words.prefix(1))) { joined, word in
      if streetWords.contains(word) { joined[joined.count - 1] += word } else { joined.append(word) }
    }
  }

  /// The words with abbreviations written out and long forms abbreviated. A single word is unchanged.
  static func otherSpelling(of words: [String]) -> [String] {
    guard words.count > 1 else { return words }
    return words.map { shortForms[$0] ?? longForms[$0] ?? $0 }
  }
}
