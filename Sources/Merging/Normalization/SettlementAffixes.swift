/// Prefixes and suffixes of settlement names (town, village, district) that other scripts include and Latin spellings usually omit.
enum SettlementAffixes {
  /// The name without them; nil if it has none, or if too little would be left.
  static func bare(_ name: String) -> Substring? {
    for word in before where name.hasPrefix(word) {
      let rest = name.dropFirst(word.count).drop { $0 == " " }
      if rest.unicodeScalars.count >= 2 { return rest }
    }
    for word in after where name.hasSuffix(word) {
      var rest = name.dropLast(word.count)
      while rest.last == " " || rest.last == "-" { rest.removeLast() }
      if rest.unicodeScalars.count >= (word.unicodeScalars.first.map { $0.value < 0xAC00 } == true ? 1 : 2) { return rest }
    }
    return nil
  }

  /// Thai, Lao, Khmer, Arabic, Persian, Russian and its neighbours, Greek; longer ones first.
  private static let before = words(
    """
    เทศบาลเมือง เทศบาลนคร เทศบาลตำบล กิ่งอำเภอ จังหวัด หมู่บ้าน อำเภอ ตำบล บ้าน เมือง เขต แขวง ບ້ານ ເມືອງ ນະຄອນ ແຂວງ
    ទីក្រុង ក្រុង ភូមិ ឃុំ ស្រុក ខណ្ឌ ខេត្ត مدينة_ قرية_ بلدية_ شهر_ روستای_ شهرستان_ город_ посёлок_ поселок_ деревня_ село_ місто_
    селище_ град_ Δήμος_ Κοινότητα_
    """)
  /// Chinese, Japanese, Korean, Burmese, languages of India and Nepal, of the Caucasus, of Ethiopia, Russian; longer ones first.
  private static let after = words(
    """
    街道 自治县 自治縣 市 镇 鎮 县 縣 区 區 乡 鄉 村 町 郡 邨 まち マチ ちょう チョウ むら ムラ し シ く ク
    특별자치시 특별시 광역시 시 군 읍 면 동 구역 구 리 노동자구 မြို့နယ် မြို့ ကျေးရွာ _नगरपालिका _गाउँपालिका _तालुका _मण्डल _जिला _शहर
    _উপজেলা _জেলা _শহর _மாவட்டம் _மாநகரம் _நகரம் _მუნიციპალიტეტი _վարչական_շրջան _քաղաք _գյուղ _ከተማ _район _община
    """)

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0.map { $0 == "_" ? " " : $0 }) }
  }
}
