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
    var scored = ranked(admitted, request.bias) { BruteForce.weight($0, words) }
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

  private static func weight(_ place: Place, _ words: [String]) -> Double {
    guard let last = words.last else { return 0 }
    let typed = words.joined()
    let main = Folding.key(place.name)
    let others = place.otherNames.map { Folding.key($0) }
    let all = ([place.name] + place.otherNames).flatMap { Folding.words(of: $0) }
    var weights: [Double] = [0]
    if main == typed { weights.append(MatchWeight.name) }
    if others.contains(typed) { weights.append(MatchWeight.otherName) }
    if main.hasPrefix(typed) { weights.append(MatchWeight.nameStart) }
    if others.contains(where: { $0.hasPrefix(typed) }) { weights.append(MatchWeight.otherNameStart) }
    if words.dropLast().allSatisfy({ all.contains($0) }) {
      if all.contains(last) { weights.append(MatchWeight.words) }
      if all.contains(where: { $0.hasPrefix(last) }) { weights.append(MatchWeight.wordStarts) }
    }
    return weights.max() ?? 0
  }

  private static func weightWithErrors(_ place: Place, _ typed: [UInt8], _ errors: Int) -> Double {
    let allowed = min(errors, typed.count < 4 ? 0 : typed.count < 8 ? 1 : 2)
    guard allowed > 0 else { return 0 }
    let main = Array(Folding.key(place.name).utf8)
    let others = place.otherNames.map { Array(Folding.key($0).utf8) }
    let words = ([place.name] + place.otherNames).flatMap { Folding.words(of: $0) }.map { Array($0.utf8) }
    func weight(_ distance: Int, _ kind: Double) -> Double { (1...allowed).contains(distance) ? MatchWeight.errors[distance] * kind : 0 }
    func start(_ text: [UInt8]) -> Int { (0...text.count).map { distance(typed, Array(text[..<$0])) }.min() ?? .max }
    return
      ([weight(start(main), MatchWeight.nameStart), weight(distance(typed, main), MatchWeight.name)]
      + others.map { weight(start($0), MatchWeight.otherNameStart) } + words.map { weight(start($0), MatchWeight.wordStarts) }).max() ?? 0
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
