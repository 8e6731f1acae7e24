import SQLite

/// Orders houses by how near their numbers are to the one typed: for `hauptstrasse 5` the number 5, then 5a, 7 and 50.
struct HouseNumberOrder {
  private let file: IndexFile
  /// Street names and postcodes have numbers too, so that any of those typed may be the house's.
  private let numbers: [Int]

  /// The number of candidates among which the nearest numbers are searched.
  static let candidates = 100

  /// Nil if the words have no house number, or no other words.
  init?(_ words: [String], in file: IndexFile) {
    guard file.hasAddresses, words.count > 1 else { return nil }
    numbers = words.compactMap { HouseNumberOrder.value(of: $0.utf8) }
    guard !numbers.isEmpty else { return nil }
    self.file = file
  }

  /// The rows: those with a house number exchange their positions, equal differences in their former order. The scores stay with the positions.
  func ordered(_ rows: [TopResults.Row]) throws(SQLiteError) -> [TopResults.Row] {
    var houses: [(position: Int, difference: Int)] = []
    for (position, row) in rows.enumerated() {
      guard let value = try houseNumber(of: row.rank) else { continue }
      houses.append((position, numbers.lazy.map { abs(value - $0) }.min() ?? 0))
    }
    guard houses.count > 1 else { return rows }
    var ordered = rows
    let nearest = houses.sorted { $0.difference != $1.difference ? $0.difference < $1.difference : $0.position < $1.position }
    for (house, next) in zip(houses, nearest) { ordered[house.position].rank = rows[next.position].rank }
    return ordered
  }

  /// The number of a house; nil for any other place.
  private func houseNumber(of rank: UInt32) throws(SQLiteError) -> Int? {
    guard let (_, stored) = try file.place(rank) else { return nil }
    for section in RecordSections(stored[...]) {
      for (field, bytes) in FieldSequence(section.fields) {
        // Names are the last fields.
        if field == .taggedName || field == .otherName { break }
        if field == .houseNumber { return HouseNumberOrder.value(of: bytes) }
      }
    }
    return nil
  }

  /// The number at the beginning of a text of at most five letters and digits, such as `5a`.
  private static func value(of text: some Collection<UInt8>) -> Int? {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...5).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
