import CICU

extension String {
  /// The text in Unicode's normalization form C, so that equal texts have equal bytes: `e` and a combining acute accent become `é`.
  public var composed: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    let units = Array(utf16)
    // Normalization makes a text at most three times as long, in UTF-16 units (UAX 15, table 10).
    guard let length = Int32(exactly: units.count), let capacity = Int32(exactly: units.count * 3) else { return self }
    var written: Int32 = -1
    let composed = [UInt16](unsafeUninitializedCapacity: units.count * 3) { buffer, count in
      written = cicu_compose(units, length, buffer.baseAddress, capacity)
      count = max(0, Int(written))
    }
    return written < 0 ? self : String(decoding: composed, as: UTF16.self)
  }
}
