/// Prefixes and suffixes for the kind of settlement (town, village, district) that names in other scripts include and Latin spellings
/// usually omit.
enum SettlementAffixes {
  /// The name without its prefix or suffix; nil if it has none, or if the remaining name would be too short.
  static func bare(_ name: String) -> Substring? {
    for word in prefixes where name.hasPrefix(word) {
      let bare = name.dropFirst(word.count).drop { $0 == " " }
      if bare.unicodeScalars.count >= 2 { return bare }
    }
    for word in suffixes where name.hasSuffix(word) {
      var bare = name.dropLast(word.count)
      while bare.last == " " || bare.last == "-" { bare.removeLast() }
      // In Korean a single syllable is too short to be a name.
      let isKorean = word.unicodeScalars.first.map { $0.value >= 0xAC00 } ?? false
      if bare.unicodeScalars.count >= (isKorean ? 2 : 1) { return bare }
    }
    return nil
  }

  /// Prefixes in Thai, Lao, Khmer, Arabic, Persian, East and South Slavic languages and Greek. A prefix precedes the shorter
  /// ones with which it begins.
  private static let prefixes = words(
    """
    เทศบาลเมือง เทศบาลนคร เทศบาลตำบล กิ่งอำเภอ จังหวัด หมู่บ้าน อำเภอ ตำบล บ้าน เมือง เขต แขวง ບ້ານ ເມືອງ ນະຄອນ ແຂວງ
    ទីក្រុង ក្រុង ភូមិ ឃុំ ស្រុក ខណ្ឌ ខេត្ត مدينة_ قرية_ بلدية_ شهر_ روستای_ شهرستان_ город_ посёлок_ поселок_ деревня_ село_ місто_
    селище_ град_ Δήμος_ Κοινότητα_
    """)
  /// Suffixes in Chinese, Japanese, Korean, Burmese, languages of India and Nepal, of the Caucasus and of Ethiopia, and Russian. A suffix
  /// precedes the shorter ones with which it ends.
  private static let suffixes = words(
    """
    街道 自治县 自治縣 市 镇 鎮 县 縣 区 區 乡 鄉 村 町 郡 邨 まち マチ ちょう チョウ むら ムラ し シ く ク
    특별자치시 특별시 광역시 시 군 읍 면 동 구역 구 리 노동자구 မြို့နယ် မြို့ ကျေးရွာ _नगरपालिका _गाउँपालिका _तालुका _मण्डल _जिला _शहर
    _উপজেলা _জেলা _শহর _மாவட்டம் _மாநகரம் _நகரம் _მუნიციპალიტეტი _վարչական_շրջան _քաղաք _գյուղ _ከተማ _район _община
    """)

  /// The words of a table, in which `_` stands for a space.
  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0.map { $0 == "_" ? " " : $0 }) }
  }
}
