import PlacesKit
import SQLite
import Text

/// Orders the houses of a street by how near their numbers are to the typed number: for `hauptstrasse 5` the number 5, then 5a, 7 and 50.
struct HouseNumberOrder {
  private let file: IndexFile
  /// The words of the query that may be a house's number, and their values. A postcode may be among them.
  private let numbers: [(word: String, value: Int)]

  /// The number of houses that a search collects, so that the houses with the nearest numbers are probably among them.
  static let candidateCount = 100

  /// Nil if no word may be a house number, if there is only one word, or if the index has no addresses.
  init?(_ words: [String], in file: IndexFile) {
    guard file.hasAddresses, words.count > 1 else { return nil }
    numbers = words.compactMap { word in
      // At most one letter follows the digits, as in `5a`: `5th` is the name of a street.
      guard let number = HouseNumberOrder.leadingNumber(in: word.utf8), word.utf8.count <= number.digitCount + 1 else { return nil }
      return (word, number.value)
    }
    guard !numbers.isEmpty else { return nil }
    self.file = file
  }

  private struct Street: Hashable {
    var name = ""
    var locality = ""
  }

  /// The rows with the houses of each street sorted by how much their numbers differ from the typed number. The houses of a street exchange
  /// only their own positions. Houses with equal differences keep their order. Other places with an address, such as shops, keep their
  /// positions. Each position keeps its score.
  func ordered(_ rows: [TopResults.Row]) throws(SQLiteError) -> [TopResults.Row] {
    var streets: [Street: [(position: Int, number: Int)]] = [:]
    for (position, row) in rows.enumerated() {
      guard let house = try address(ofHouse: row.rank) else { continue }
      streets[house.street, default: []].append((position, house.number))
    }
    var orderedRows = rows
    for (street, houses) in streets where houses.count > 1 {
      // A number may be a word of the street's name, as in `Platz 5`.
      let nameWords = Set(Folding.words(of: street.name))
      let typedNumbers = numbers.filter { !nameWords.contains($0.word) }.map(\.value)
      func difference(_ number: Int) -> Int { typedNumbers.lazy.map { abs(number - $0) }.min() ?? 0 }
      let nearestFirst = houses.sorted { (difference($0.number), $0.position) < (difference($1.number), $1.position) }
      // The first of the houses' positions gets the house with the nearest number, and so on.
      for (oldHouse, newHouse) in zip(houses, nearestFirst) { orderedRows[oldHouse.position].rank = rows[newHouse.position].rank }
    }
    return orderedRows
  }

  /// The street and the number of a house; nil for any other place.
  private func address(ofHouse rank: UInt32) throws(SQLiteError) -> (street: Street, number: Int)? {
    guard let columns = file.mapped.columns(rank), try file.types.types(columns.types).first?.group == .address,
      let (id, stored) = try file.place(rank)
    else { return nil }
    let record = GazetteerRecord(id: id, stored: stored)
    let street = Street(name: record.street ?? "", locality: record.locality ?? "")
    guard street != Street(), let number = record.houseNumber.flatMap({ HouseNumberOrder.leadingNumber(in: $0.utf8) }) else { return nil }
    return (street, number.value)
  }

  /// The number at the beginning of a text and how many digits it has; nil if there is none or it has more than five digits.
  private static func leadingNumber(in text: some Collection<UInt8>) -> (value: Int, digitCount: Int)? {
    let digits = text.prefix(while: \.isDigit)
    guard (1...5).contains(digits.count) else { return nil }
    return (digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits.count)
  }
}
