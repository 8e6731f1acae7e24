import CICU

/// Decodes texts in the charsets that HTTP headers name.
public enum Charset {
  /// Decodes bytes in the charset with the given name, such as `windows-1251`. Returns nil if the name is unknown, the bytes are not valid
  /// in the charset, or there are more than 16 MiB of them; invalid bytes are not replaced. `ISO-8859-1` is read as `windows-1252`, as
  /// browsers read it, because servers that declare the former send the latter (WHATWG Encoding Standard).
  public static func decode(_ bytes: [UInt8], charset: String) -> String? {
    let name = charset.lowercased()
    guard (1...40).contains(name.utf8.count), name.utf8.allSatisfy(isNameByte), bytes.count <= 16 << 20 else { return nil }
    if ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) { return String(validating: bytes, as: UTF8.self) }
    let nameForICU = ["iso-8859-1", "latin1", "iso8859-1"].contains(name) ? "windows-1252" : name
    // A byte becomes at most two UTF-16 units, and a unit at most three bytes of UTF-8.
    let capacity = bytes.count * 6 + 1
    var length: Int32 = -1
    let text = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      length = buffer.withMemoryRebound(to: CChar.self) { text in
        bytes.withUnsafeBytes {
          cicu_decode(nameForICU, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), text.baseAddress, Int32(text.count))
        }
      }
      count = max(0, Int(length))
    }
    return length < 0 ? nil : String(validating: text, as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: false
    }
  }
}
