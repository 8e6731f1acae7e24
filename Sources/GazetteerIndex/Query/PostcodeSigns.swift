import SQLite

/// Recognizes the signs of countries that people write before postcodes, as in `FL-9490 Vaduz` and `D-10115 Berlin`.
///
/// The signs are the distinguishing signs of the Convention on Road Traffic. CEPT recommended their use before postcodes until 1994. Codes
/// of ISO 3166, as in `AT-1010`, are not here, because they are names of the countries in the index.
enum PostcodeSigns {
  /// Each sign, the country's code and the number of digits of its postcodes.
  private static let table: [String: (country: String, digitCount: Int)] = [
    "a": ("AT", 4), "b": ("BE", 4), "ch": ("CH", 4), "d": ("DE", 5), "e": ("ES", 5), "f": ("FR", 5), "fin": ("FI", 5), "fl": ("LI", 4),
    "h": ("HU", 4), "i": ("IT", 5), "l": ("LU", 4), "n": ("NO", 4), "s": ("SE", 5),
  ]

  /// Whether a text is a number with as many digits as the postcodes of the country; false for a country that is not in the table.
  fileprivate static func isPostcode(_ number: String, in country: String) -> Bool {
    number.utf8.allSatisfy(\.isDigit) && table.values.contains { $0 == (country, number.utf8.count) }
  }

  /// Removes a sign that precedes a postcode. Returns the other words and the code of the sign's country; nil if there is no such sign.
  static func split(_ words: [String]) -> (words: [String], country: String)? {
    for (index, (sign, postcode)) in zip(words, words.dropFirst()).enumerated() {
      guard let entry = table[sign], postcode.utf8.count == entry.digitCount, postcode.utf8.allSatisfy(\.isDigit) else { continue }
      return (Array(words[..<index] + words[(index + 1)...]), entry.country)
    }
    return nil
  }
}

extension IndexFile {
  /// Whether a number may be a postcode of the place: the place is a town without known postcodes, and the postcodes of its country have as
  /// many digits as the number.
  func mayHavePostcode(_ rank: UInt32, _ number: String) throws(SQLiteError) -> Bool {
    guard let columns = mapped.columns(rank), let country = try areas.entry(columns.country)?.code,
      PostcodeSigns.isPostcode(number, in: country), try types.types(columns.types).contains("locality"), let (id, stored) = try place(rank)
    else { return false }
    return GazetteerRecord(id: id, stored: stored).postcodes.isEmpty
  }

  /// Whether the place is known to have the postcode: only towns have such a list, from the addresses in them.
  func hasPostcode(_ rank: UInt32, _ postcode: String) throws(SQLiteError) -> Bool {
    guard let (id, stored) = try place(rank) else { return false }
    return GazetteerRecord(id: id, stored: stored).postcodes.contains(postcode)
  }
}
