/// A set of countries and regions, by their numbers.
struct AreaSet {
  private var words: [UInt64] = []
  let shortlist: Shortlist
  let isEmpty: Bool

  init(_ numbers: Set<UInt16>) {
    for number in numbers {
      let word = Int(number) / 64
      while words.count <= word { words.append(0) }
      words[word] |= 1 << UInt64(number % 64)
    }
    isEmpty = numbers.isEmpty
    shortlist = Shortlist(.locatedIn, numbers.map { $0...$0 })
  }

  func contains(_ number: UInt16) -> Bool {
    let word = Int(number) / 64
    return word < words.count && words[word] & (1 << UInt64(number % 64)) != 0
  }

  /// Whether a place lies in one of the areas.
  func holds(_ columns: PlaceColumns) -> Bool { contains(columns.country) || contains(columns.region) }
}
