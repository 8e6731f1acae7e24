/// Words for town, village or district that scripts without spaces write together with the name, and that the name in Latin letters
/// mostly does without.
enum TownWords {
  /// The name without them; nil where it has none or would have little left.
  static func bare(_ name: String) -> Substring? {
    for word in before where name.hasPrefix(word) {
      let rest = name.dropFirst(word.count).drop { $0 == " " }
      if rest.unicodeScalars.count >= 2 { return rest }
    }
    for word in after where name.hasSuffix(word) {
      let rest = name.dropLast(word.count)
      if rest.unicodeScalars.count >= (word.unicodeScalars.first.map { $0.value < 0xAC00 } == true ? 1 : 2) { return rest }
    }
    return nil
  }

  /// Thai, Lao and Khmer; longer ones first.
  private static let before = words(
    """
    เทศบาลเมือง เทศบาลนคร เทศบาลตำบล กิ่งอำเภอ จังหวัด อำเภอ ตำบล บ้าน เมือง เขต ບ້ານ ເມືອງ ទីក្រុង ក្រុង ភូមិ ឃុំ
    """)
  /// Chinese, Japanese, Korean and Burmese.
  private static let after = words("街道 市 镇 鎮 县 縣 区 區 乡 鄉 村 町 郡 邨 시 군 읍 면 동 구 리 မြို့")

  private static func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map { String($0) } }
}
