/// The messages of a compiled gettext catalog (GNU gettext manual, "The Format of GNU MO Files").
struct MessageCatalog {
  let messages: [(id: String, text: String)]

  /// Nil if the bytes are not a catalog.
  init?(_ bytes: [UInt8]) {
    guard let head = bytes[checked: 0, 20] else { return nil }
    // Catalogs in big-endian order, which Debian does not have, begin with the reversed signature and are not read.
    guard head.number(0, 4) == 0x9504_12de else { return nil }
    func number(_ offset: Int) -> Int? { bytes[checked: offset, 4]?.number(0, 4) }
    /// The text of an entry in a table of lengths and offsets.
    func text(_ table: Int, _ index: Int) -> String? {
      guard let length = number(table + index * 8), let start = number(table + index * 8 + 4), let encoded = bytes[checked: start, length]
      else { return nil }
      return String(decoding: encoded, as: UTF8.self)
    }
    // The header: the number of messages, and the offsets of the tables of ids and of texts.
    guard let count = number(8), let ids = number(12), let texts = number(16), count <= bytes.count / 16 else { return nil }
    var messages: [(String, String)] = []
    messages.reserveCapacity(count)
    for index in 0..<count {
      guard let id = text(ids, index), let translation = text(texts, index) else { return nil }
      // The empty id is the header.
      if !id.isEmpty, !translation.isEmpty { messages.append((id, translation)) }
    }
    self.messages = messages
  }
}
