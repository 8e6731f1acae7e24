import SQLite
import Text

extension IndexFile {
  /// Whether a place has a name, in whichever language, that is spelled so, mark for mark (`Folding.spelling`).
  func place(_ rank: UInt32, isSpelled spelling: String) throws(SQLiteError) -> Bool {
    guard let stored = try place(rank)?.stored else { return false }
    for section in StoredPlace(stored[...]) {
      for (field, bytes) in FieldSequence(section.fields) {
        guard let name = field.name(in: bytes), mayBeSpelled(name, spelling) else { continue }
        if Folding.spelling(of: String(decoding: name, as: UTF8.self)) == spelling { return true }
      }
    }
    return false
  }

  /// Of the two hundred names that a city may have, few are of a length that spaces and another form of the same letters can explain.
  private func mayBeSpelled(_ name: ArraySlice<UInt8>, _ spelling: String) -> Bool {
    let length = spelling.utf8.count
    return (length / 2...length * 2).contains(name.count) && name.contains { $0 >= 0x80 }
  }
}

extension RecordField {
  /// The letters of a name in its bytes; nil for what is no name.
  fileprivate func name(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch self {
    case .name, .otherName: bytes
    case .taggedName: bytes.firstIndex(of: 0).map { bytes[($0 + 1)...] }
    default: nil
    }
  }
}
