import PlacesKit
import Text

@testable import GazetteerIndex

/// Ranks places by looking at every one of them, straight from the rules: what the index must answer too.
struct BruteForce {
  struct Place {
    var id: String
    var name: String
    var otherNames: [String]
    var location: Coordinate
    var country: String
    var population: Int
    var rank = 0
    var importance = 0.0
  }

  private let places: [Place]

  init(_ places: [Place]) {
    self.places = places.map { place in
      var place = place
      var record = GazetteerRecord(id: place.id, name: place.name)
      record.population = place.population
      record.types = ["locality"]
      place.importance = (record.importance * 65_535).rounded() / 65_535
      return place
    }.sorted { ($1.importance, $0.id) < ($0.importance, $1.id) }.enumerated().map { index, place in
      var place = place
      place.rank = index
      return place
    }
  }

  /// The ids of the best places, best first.
  func ids(_ request: AutocompleteRequest) -> [String] {
    let words = Folding.words(of: request.query)
    let admitted = places.filter { place in
      (request.countries.isEmpty || request.countries.contains(place.country)) && (request.restriction?.contains(place.location) ?? true)
    }
    var scored = ranked(admitted, request.bias) { weight($0, words) }
    if scored.count < min(3, request.limit) {
      for errors in 1...2 {
        let more = ranked(admitted, request.bias) { BruteForce.weightWithErrors($0, Array(words.joined().utf8), errors) }
        scored += more.filter { id in !scored.contains(id) }
        if !scored.isEmpty { break }
      }
    }
    return Array(scored.prefix(request.limit))
  }

  private func ranked(_ places: [Place], _ bias: Area?, _ weight: (Place) -> Double) -> [String] {
    let proximity = bias.map { Proximity($0) }
    let scored = places.compactMap { place -> (Place, Double)? in
      let weight = weight(place)
      guard weight > 0 else { return nil }
      return (place, weight * place.importance * (proximity?.factor(FixedPoint(place.location)) ?? 1))
    }
    return scored.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.rank < $1.0.rank }.map(\.0.id)
  }

  /// The names of a place that are not its own, and its words where they are more than the own name's.
  private static func others(_ place: Place) -> (names: [String], words: Set<String>) {
    let own = Set(Folding.words(of: place.name))
    let all = own.union(place.otherNames.flatMap { Folding.words(of: $0) })
    return (place.otherNames.map { Folding.key($0) }.filter { $0 != Folding.key(place.name) }, all.count > own.count ? all : [])
  }

  /// Whether a text is most of another, and not the beginning of a name or word of more places than keep lists of their own.
  private func isNearly(_ text: String, _ whole: String, _ texts: (Place) -> [String]) -> Bool {
    guard whole.hasPrefix(text), whole.utf8.count <= IndexFile.longest(nearly: text.utf8.count) else { return false }
    return places.filter { texts($0).contains { $0.hasPrefix(text) } }.count <= TermWriter.heavy
  }

  private func weight(_ place: Place, _ words: [String]) -> Double {
    guard let last = words.last else { return 0 }
    let typed = words.joined()
    let main = Folding.key(place.name)
    let others = place.otherNames.map { Folding.key($0) }
    let own = Set(Folding.words(of: place.name))
    let all = BruteForce.others(place).words
    var weights: [Double] = [0]
    if main == typed { weights.append(MatchWeight.name) }
    if others.contains(typed) { weights.append(MatchWeight.otherName) }
    if main.hasPrefix(typed) { weights.append(MatchWeight.nameStart) }
    if others.contains(where: { name in isNearly(typed, name) { BruteForce.others($0).names } }) {
      weights.append(MatchWeight.otherNameStart)
    }
    if words.dropLast().allSatisfy({ own.contains($0) }) {
      if own.contains(last) { weights.append(MatchWeight.words) }
      if own.contains(where: { $0.hasPrefix(last) }) { weights.append(MatchWeight.wordStarts) }
    }
    if words.dropLast().allSatisfy({ all.contains($0) }) {
      if all.contains(last) { weights.append(MatchWeight.otherWords) }
      let isStart = all.contains { word in isNearly(last, word) { Array(BruteForce.others($0).words) } }
      if isStart { weights.append(MatchWeight.otherWordStarts) }
    }
    return weights.max() ?? 0
  }

  private static func weightWithErrors(_ place: Place, _ typed: [UInt8], _ errors: Int) -> Double {
    let allowed = min(errors, typed.count < 4 ? 0 : typed.count < 8 ? 1 : 2)
    guard allowed > 0 else { return 0 }
    let main = Array(Folding.key(place.name).utf8)
    let others = place.otherNames.map { Array(Folding.key($0).utf8) }
    func words(_ name: String) -> [[UInt8]] { Folding.words(of: name).map { Array($0.utf8) } }
    func weight(_ distance: Int, _ kind: Double) -> Double { (1...allowed).contains(distance) ? MatchWeight.errors[distance] * kind : 0 }
    func start(_ text: [UInt8]) -> Int { (0...text.count).map { distance(typed, Array(text[..<$0])) }.min() ?? .max }
    var weights = [weight(start(main), MatchWeight.nameStart), weight(distance(typed, main), MatchWeight.name)]
    weights += others.map { weight(distance(typed, $0), MatchWeight.otherName) }
    weights += words(place.name).map { weight(start($0), MatchWeight.wordStarts) }
    return weights.max() ?? 0
  }

  /// Optimal string alignment, by the whole table.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { table[i][0] = i }
    for j in 0...b.count { table[0][j] = j }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    for i in 1...a.count {
      for j in 1...b.count {
        table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1) }
      }
    }
    return table[a.count][b.count]
  }
}
