import CICU

/// Simplified and traditional Chinese characters.
public enum ChineseScript {
  /// A text in traditional or in simplified characters, converted character by character as CLDR's transforms do. A text of more than 128
  /// UTF-16 units is returned unchanged.
  public static func converted(_ text: String, toTraditional: Bool) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var copy = text
    let capacity = text.utf8.count * 4 + 16
    let bytes = copy.withUTF8 { bytes in
      [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = max(
          0, Int(cicu_convert_chinese(bytes.baseAddress, Int32(bytes.count), toTraditional ? 1 : 0, buffer.baseAddress, Int32(capacity))))
      }
    }
    return bytes.isEmpty ? text : String(decoding: bytes, as: UTF8.self)
  }

  /// True if the country writes traditional characters.
  public static func isTraditional(in country: String) -> Bool { ["TW", "HK", "MO"].contains(country) }
}
