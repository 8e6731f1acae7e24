import SQLite

/// A set of countries and regions, by their numbers.
struct AreaSet {
  /// Whether the set contains the area with each number.
  private var members: [Bool]
  /// The places in the areas.
  let postings: FilterPostings
  let isEmpty: Bool

  init(_ numbers: Set<UInt16>) {
    members = Array(repeating: false, count: Int(numbers.max() ?? 0) + 1)
    for number in numbers { members[Int(number)] = true }
    isEmpty = numbers.isEmpty
    postings = FilterPostings(.locatedIn, numbers.map { $0...$0 })
  }

  func contains(_ number: UInt16) -> Bool { Int(number) < members.count && members[Int(number)] }

  /// Whether a place lies in one of the areas.
  func contains(_ columns: PlaceColumns) -> Bool { contains(columns.country) || contains(columns.region) }
}

/// A way to read a query as the name of a place and the areas in which the place lies: `paris texas`, `springfield il us`, `de berlin`.
struct AreaQualifier {
  /// The words of the place's name.
  var name: ArraySlice<String>
  /// The sets of areas; the place must lie in an area of each set.
  var areas: [AreaSet]
  /// The factor by which the weight of a match of the name is multiplied.
  var weight: Double
  /// Whether the user may still be typing the last word: the `fr` of `san fr` is more likely the prefix of another word than France.
  var isUnfinished = false
}

extension CandidateSearch {
  /// The minimum length in bytes of a prefix of an area's name. A shorter one begins too many names: `la p` is not LA in Pennsylvania.
  private static let minAreaPrefixLength = 2

  /// The maximum length in bytes of an area's code. A last word of at most this length is also the prefix of many words.
  private static let maxCodeLength = 3

  /// The maximum number of words of a query in which areas are searched. The number of ways to divide a query grows with the square of its
  /// number of words.
  private static let maxQualifiedWords = 8

  /// The ways to read the end or the beginning of the words as areas, and the other words as the name of a place.
  func areaQualifiers(_ words: [String]) throws(SQLiteError) -> [AreaQualifier] {
    guard (2...CandidateSearch.maxQualifiedWords).contains(words.count) else { return [] }
    var qualifiers: [AreaQualifier] = []
    if let (name, country) = PostcodeSigns.split(words), let number = try file.areas.number(country) {
      qualifiers.append(AreaQualifier(name: name[...], areas: [AreaSet([number])], weight: MatchWeight.inArea))
    }
    let mayEndInPrefix = !query.isSubmitted && !query.endsWithSpace
    let endsInCode = words.last.map { $0.utf8.count <= CandidateSearch.maxCodeLength } ?? false
    for index in 1..<words.count {
      // In a submitted query the area may be abbreviated, too: `portland ore`.
      for (areas, weight) in try areaReadings(words[index...], mayEndInPrefix: !query.endsWithSpace && !endsInTown) {
        let isPrefix = weight < MatchWeight.inArea
        let isUnfinished = mayEndInPrefix && (isPrefix || endsInCode)
        qualifiers.append(AreaQualifier(name: words[..<index], areas: areas, weight: weight, isUnfinished: isUnfinished))
      }
      for (areas, weight) in try areaReadings(words[..<index], mayEndInPrefix: false) {
        qualifiers.append(AreaQualifier(name: words[index...], areas: areas, weight: weight))
      }
    }
    return qualifiers
  }

  /// The readings of all of the words as one area, or as two areas that both contain the place, and the weight of each reading.
  /// - Parameter mayEndInPrefix: whether the last word may be a prefix of an area's name.
  private func areaReadings(
    _ words: ArraySlice<String>, mayEndInPrefix: Bool
  ) throws(SQLiteError) -> [(areas: [AreaSet], weight: Double)] {
    var readings: [([AreaSet], Double)] = []
    for (set, weight) in try areasNamed(words, mayEndInPrefix: mayEndInPrefix) { readings.append(([set], weight)) }
    for index in words.indices.dropFirst() {
      for (firstSet, _) in try areasNamed(words[..<index], mayEndInPrefix: false) {
        for (secondSet, weight) in try areasNamed(words[index...], mayEndInPrefix: mayEndInPrefix) {
          readings.append(([firstSet, secondSet], weight))
        }
      }
    }
    return readings
  }

  /// The set of areas with the words as a name and, if the last word may be a prefix, the set of areas whose names begin with the words;
  /// each set with its weight.
  private func areasNamed(_ words: ArraySlice<String>, mayEndInPrefix: Bool) throws(SQLiteError) -> [(AreaSet, Double)] {
    let key = words.joined()
    var weightedSets: [(AreaSet, Double)] = []
    let withWholeName = try file.areas(file.places(.area, key))
    if !withWholeName.isEmpty { weightedSets.append((withWholeName, MatchWeight.inArea)) }
    guard mayEndInPrefix, key.utf8.count >= CandidateSearch.minAreaPrefixLength, key.utf8.first?.isDigit == false else {
      return weightedSets
    }
    // A code in a submitted query is not a prefix: `portland me` means Maine, not an area whose name begins with these letters.
    if query.isSubmitted, !withWholeName.isEmpty, key.utf8.count <= CandidateSearch.maxCodeLength { return weightedSets }
    let withPrefix = try file.areas(file.places(.area, startingWith: key))
    if !withPrefix.isEmpty { weightedSets.append((withPrefix, MatchWeight.inAreaPrefix)) }
    return weightedSets
  }
}

extension IndexFile {
  /// The countries and regions among the places of a list.
  func areas(_ list: PostingCursor?) throws(SQLiteError) -> AreaSet {
    var numbers: Set<UInt16> = []
    guard var list else { return AreaSet(numbers) }
    while let rank = try list.next() {
      guard let columns = mapped.columns(rank), let number = try areas.number(ofPlace: rank, columns) else { continue }
      numbers.insert(number)
    }
    return AreaSet(numbers)
  }
}
