import Synchronization
import Text

/// The script of a name, as far as it affects the comparison.
enum NameScript: UInt8, Sendable {
  case latin
  /// Alphabets whose spelling in Latin letters keeps the sounds: Cyrillic, Greek, Arabic, Thai, kana…
  case spelled
  /// Chinese characters. Their Latin spelling is that of Mandarin, even for a Japanese name.
  case characters
}

/// Transliterates names of any script to Latin letters, by `RomanizationTable` or, for letters that it lacks, by ICU's rules.
enum Transliteration {
  /// The spellings of one name.
  struct Spelling: Sendable {
    /// The whole name in Latin letters.
    var letters: String
    var script: NameScript
    /// The name without a word for the kind of settlement, if it has one.
    var bare: String?
    /// The name's Japanese readings, if it is in Chinese characters, the likeliest first.
    var japanese: [String] = []
  }

  /// The spellings that are cached, because the same names are in the answers to every keystroke, and ICU takes many microseconds for one.
  static let known = Mutex<[String: Spelling]>([:])
  /// The maximum number of cached spellings.
  private static let capacity = 8_192
  /// The maximum number of a name's Japanese readings.
  private static let maxReadings = 6
  /// A longer text is not cached.
  private static let maxTextBytes = 256

  /// Clears the cache.
  static func forget() { known.withLock { $0 = [:] } }

  /// - Parameter keeping: whether the result is cached; false for a user's query.
  static func spelling(of text: String, keeping: Bool = true) -> Spelling {
    if let spelling = known.withLock({ $0[text] }) { return spelling }
    var spelling = spell(text)
    if spelling.script != .latin {
      let bare = SettlementAffixes.bare(text)
      spelling.bare = bare.map { spell(String($0)).letters }
      if spelling.script == .characters { spelling.japanese = japanese(bare ?? text[...]) }
    }
    guard keeping, text.utf8.count <= maxTextBytes else { return spelling }
    known.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[text] = spelling
    }
    return spelling
  }

  /// The Japanese readings of a name, the likeliest first; none if a character has no known reading.
  private static func japanese(_ name: Substring) -> [String] {
    var spellings = [(letters: "", rank: 0)]
    var last: Unicode.Scalar?
    for scalar in name.unicodeScalars {
      let character = scalar == "々" ? last : scalar
      guard let character, let readings = KanjiReadings.readings(character, first: last == nil) else { return [] }
      let longer = spellings.flatMap { start in readings.enumerated().map { (letters: start.letters + $1, rank: start.rank + $0) } }
      spellings = Array(longer.sorted { $0.rank < $1.rank }.prefix(maxReadings))
      last = character
    }
    return last == nil ? [] : spellings.map(\.letters)
  }

  /// Spells a text in Latin letters. Spaces are put around each Chinese character, so that it is a word, and between numbers and other
  /// letters. Commas, brackets and dashes remain, because folding looks for them.
  private static func spell(_ text: String) -> Spelling {
    var script = NameScript.latin
    var letters = ""
    var run = String.UnicodeScalarView()
    func flush() {
      letters += Folding.fold(String(run))
      run = String.UnicodeScalarView()
    }
    var previous: Unicode.Scalar?
    for scalar in NumeralNormalization.inDigits(PhoneticNormalization.of(text)).unicodeScalars {
      defer { previous = scalar }
      if let previous, NumeralNormalization.needsSpaceBetween(previous, scalar) { run.append(" ") }
      switch scalar.value {
      case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
        script = .characters
        run.append(" ")
        run.append(scalar)
        run.append(" ")
      case 0x60C, 0x3001, 0xFF0C:  // Commas.
        flush()
        letters += " , "
      // Letters from Greek on, kana, Hangul and further scripts.
      case 0x370...0x1DFF, 0x3040...0x33FF, 0xA000...0xFDFF:
        if script == .latin { script = .spelled }
        if !RomanizationTable.append(scalar, after: previous, to: &run) { run.append(scalar) }
      case 0x200B...0x200D: continue  // Spaces and joiners without width.
      case SymbolNormalization.minus.value, SymbolNormalization.fractionSlash.value:
        flush()
        letters += " \(scalar)"
      case _ where SymbolNormalization.isPicture(scalar):
        flush()
        letters += " \(scalar) "
      // & ( ) * + , - : ; @ [ | have a meaning for `WordBuffer.fold`.
      case 0x26, 0x28...0x2D, 0x3A, 0x3B, 0x40, 0x5B, 0x7C:
        flush()
        letters.unicodeScalars.append(" ")
        letters.unicodeScalars.append(scalar)
        letters.unicodeScalars.append(" ")
      // （ 【 「 ： – — end the head of a name as a bracket does.
      case 0xFF08, 0x3010, 0x300C, 0xFF1A, 0x2013, 0x2014:
        flush()
        letters += " ( "
      default: run.append(scalar)
      }
    }
    flush()
    return Spelling(letters: letters, script: script)
  }
}
