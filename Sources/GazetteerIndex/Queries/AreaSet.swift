/// A set of countries and regions, by their numbers.
struct AreaSet {
  private var words: [UInt64] = []
  private(set) var isEmpty = true

  mutating func insert(_ number: UInt16) {
    let word = Int(number) / 64
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(number % 64)
    isEmpty = false
  }

  func contains(_ number: UInt16) -> Bool {
    let word = Int(number) / 64
    return word < words.count && words[word] & (1 << UInt64(number % 64)) != 0
  }

  /// Whether a place lies in one of the areas.
  func holds(_ columns: PlaceColumns) -> Bool { contains(columns.country) || contains(columns.region) }
}
