/// Latin spellings of letters of other alphabets, by the BGN/PCGN systems that GeoNames and most services follow. ICU is not used for these
/// letters, because its transliterations distinguish letters by marks (ц č ʿ), which comparison ignores, or do not support a script (Khmer,
/// Lao).
enum RomanizationTable {
  /// Appends the spelling of a lower-case scalar. Returns false if this table does not have it.
  /// - Parameter previous: the scalar before it, with which it may spell one vowel.
  static func append(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, to text: inout String.UnicodeScalarView) -> Bool {
    if let previous, !text.isEmpty, let vowel = pairs[UInt64(previous.value) << 32 | UInt64(scalar.value)] {
      text.removeLast()
      text.append(contentsOf: vowel.unicodeScalars)
      return true
    }
    switch scalar.value {
    case 0x591...0x5C7, 0x640, 0x64B...0x65F, 0x670, 0x17C9...0x17D3, 0x200B...0x200D: return true  // Points, tatweel, joiners.
    case 0xE80...0xEFF:
      // Most Lao letters have the positions of the Thai ones.
      guard let letters = letters[scalar] ?? Unicode.Scalar(scalar.value - 0x80).flatMap({ letters[$0] }) else { return false }
      text.append(contentsOf: letters.unicodeScalars)
    case 0x1200..<0x1358: appendEthiopic(Int(scalar.value) - 0x1200, to: &text)
    default:
      guard let letters = letters[scalar] else { return false }
      text.append(contentsOf: letters.unicodeScalars)
    }
    return true
  }

  /// Appends the syllable at an index of the Ethiopic block. Each consonant has eight syllables, one after another.
  private static func appendEthiopic(_ index: Int, to text: inout String.UnicodeScalarView) {
    let row = ethiopic[index / 8]
    text.append(contentsOf: row.unicodeScalars.filter { $0 != "." })
    text.append(contentsOf: ["e", "u", "i", "a", "e", "", "o", "a"][index % 8].unicodeScalars)
  }

  private static let ethiopic =
    """
    h l h m s r s sh q qw q qw b v t ch h hw n ny . k kw kh khw w . z zh y d d j g gw ng t ch p ts ts f p
    """.split(separator: " ").map { String($0) }

  /// The spellings of two letters that spell one sound or have another spelling together.
  private static let pairs: [UInt64: String] = [
    pair("ο", "υ"): "ou", pair("ο", "ύ"): "ou", pair("α", "υ"): "av", pair("ε", "υ"): "ev", pair("ո", "ւ"): "u", pair("ו", "ו"): "v",
  ]

  private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt64 { UInt64(first.value) << 32 | UInt64(second.value) }

  /// The spelling of each letter, which is empty for a full stop in `alphabets`.
  private static let letters: [Unicode.Scalar: String] = {
    // The text is split by scalars, because a vowel sign and the space before it are one character.
    let words = alphabets.unicodeScalars.split { $0.properties.isWhitespace }
    var letters: [Unicode.Scalar: String] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      if let letter = words[index].first { letters[letter] = words[index + 1].elementsEqual(["."]) ? "" : String(words[index + 1]) }
    }
    return letters
  }()

  private static let alphabets = """
    а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ . ы y ь . э e
    ю yu я ya ѐ e ё yo ђ dj ѓ g є ye ѕ dz і i ї yi ј j љ lj њ nj ћ c ќ k ѝ i ў u џ dz ґ g ғ gh қ q ң ng ү u ұ u һ h ә a ө o җ j ӣ i ӯ u
    ҳ h ҷ j ҡ q ҫ s ҙ z ӏ . ѣ e
    α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o ά a έ e ή i ί i ό o ύ y ώ o
    ϊ i ϋ y ΐ i ΰ y
    ա a բ b գ g դ d ե e զ z է e ը y թ t ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch մ m յ y ն n շ sh ո o չ ch պ p ջ j ռ r ս s վ v
    տ t ր r ց ts ւ v փ p ք k օ o ֆ f և ev
    ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch
    ხ kh ჯ j ჰ h
    א a ב b ג g ד d ה h ו o ז z ח h ט t י i כ k ך k ל l מ m ם m נ n ן n ס s ע a פ p ף f צ ts ץ ts ק k ר r ש sh ת t
    ا a ب b ت t ث th ج j ح h خ kh د d ذ dh ر r ز z س s ش sh ص s ض d ط t ظ z ع a غ gh ف f ق q ك k ل l م m ن n ه h و u ي i ى a ة a ء .
    أ a إ i آ a ؤ u ئ i پ p چ ch ژ zh گ g ک k ی i ہ h ھ h ں n ٹ t ڈ d ڑ r ے e ۀ e ە e ێ e ۆ o ۇ u ڕ r ڵ l ڤ v ڭ ng ې e ښ sh ځ z څ ts
    ړ r ۍ i ټ t ډ d ڼ n ۃ a
    ក k ខ kh គ k ឃ kh ង ng ច ch ឆ chh ជ ch ឈ chh ញ nh ដ d ឋ th ឌ d ឍ th ណ n ត t ថ th ទ t ធ th ន n ប b ផ ph ព p ភ ph ម m យ y រ r ល l
    វ v ស s ហ h ឡ l អ a ឥ i ឧ u ឪ au ឫ ry ឬ ry ឭ ly ឮ ly ឯ e ឰ ai ឱ o ឳ au ា a ិ i ី i ឹ oe ឺ eu ុ u ូ u ួ uo ើ aeu ឿ oea ៀ ie េ e
    ែ ae ៃ ai ោ ao ៅ au ំ am ះ ah
    ก k ข kh ฃ kh ค kh ฅ kh ฆ kh ง ng จ ch ฉ ch ช ch ซ s ฌ ch ญ y ฎ d ฏ t ฐ th ฑ th ฒ th ณ n ด d ต t ถ th ท th ธ th น n บ b ป p ผ ph ฝ f
    พ ph ฟ f ภ ph ม m ย y ร r ฤ rue ล l ฦ lue ว w ศ s ษ s ส s ห h ฬ l อ o ฮ h ะ a ั a า a ำ am ิ i ี i ึ ue ื ue ุ u ู u เ e แ ae โ o ใ ai
    ไ ai ๅ . ฯ . ๆ . ็ . ่ . ้ . ๊ . ๋ . ์ . ํ m
    ຊ s ໜ n ໝ m ົ o ຽ ia ຼ l ໍ o
    က k ခ kh ဂ g ဃ g င ng စ s ဆ s ဇ z ဈ z ဉ ny ည ny ဋ t ဌ t ဍ d ဎ d ဏ n တ t ထ ht ဒ d ဓ d န n ပ p ဖ hp ဗ b ဘ b မ m ယ y ရ y လ l ဝ w
    သ th ဟ h ဠ l အ a ဥ u ဦ u ဧ e ဩ o ာ a ါ a ိ i ီ i ု u ူ u ေ e ဲ e ံ n ့ . း . ် . ္ . ျ y ြ y ွ w ှ h
    """
}
