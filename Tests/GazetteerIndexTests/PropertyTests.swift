import Foundation
import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// Random small indexes answer as a scan of every place does: filters, limits and biases are exact, not a second look at the top.
@Suite struct PropertyTests {
  static let rounds = ProcessInfo.processInfo.environment["PLACES_PROVE"] == nil ? 1 : 200

  /// Where words written together begin a word that nothing else finds, and where more corrections are less known than the rows.
  static let awkward = [123, 150, 169]

  /// All that places have, and one that none has.
  static let types = Set(BruteForce.Place.kinds.flatMap(\.types)).union(["bakery"]).sorted { $0.rawValue < $1.rawValue }

  @Test("Filtered and biased answers equal a scan of the whole index", arguments: Set(0..<rounds).union(awkward).sorted())
  func equalsScan(round: Int) throws {
    var random = SeededRandom(seed: UInt64(round) &+ 77)
    // Few letters and few words, so that names meet, nest and nearly meet.
    func word() -> String { String((0..<Int.random(in: 2...9, using: &random)).map { _ in "abel".randomElement(using: &random) ?? "a" }) }
    let vocabulary = (0..<24).map { _ in word() }
    func name() -> String {
      (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in vocabulary.randomElement(using: &random) }.joined(separator: " ")
    }
    let places = (1...400).map { id in
      BruteForce.Place(
        id: String(id + 1000), name: name(), otherNames: Bool.random(using: &random) ? [name()] : [],
        location: Coordinate(latitude: .random(in: -3...3, using: &random), longitude: .random(in: -3...3, using: &random)) ?? .zero,
        country: ["QM", "QN", "QO"].randomElement(using: &random) ?? "QM", population: Int.random(in: 0...2_000_000, using: &random),
        kind: BruteForce.Place.kinds.randomElement(using: &random) ?? BruteForce.Place.kinds[0])
    }
    let index = try SmallIndex(lines: places.map(\.line))
    let scan = BruteForce(places)
    for _ in 0..<120 {
      var request = AutocompleteRequest(query: query(vocabulary, &random), limit: Int.random(in: 1...20, using: &random))
      switch Int.random(in: 0...3, using: &random) {
      case 0: request.types = ["locality"]
      case 1: request.types = PropertyTests.types.shuffled(using: &random).suffix(Int.random(in: 1...3, using: &random))
      case 2: request.collection = TypeCollection.allCases.randomElement(using: &random)
      default: break
      }
      if Bool.random(using: &random) { request.countries = ["QN"] }
      let corner = Coordinate(latitude: .random(in: -3...2, using: &random), longitude: .random(in: -3...2, using: &random)) ?? .zero
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        let far = Coordinate(latitude: corner.latitude + 1, longitude: corner.longitude + 1) ?? .zero
        request.restriction = .rectangle(Rectangle(low: corner, high: far))
      case 1: request.restriction = .circle(center: corner, radius: .random(in: 0...50_000, using: &random))
      case 2: request.bias = .circle(center: corner, radius: .random(in: 0...50_000, using: &random))
      default: break
      }
      let answer = try index.reader.autocomplete(request).rows.compactMap(\.id)
      #expect(answer == scan.ids(request), "round \(round): \(request)")
    }
  }

  /// Beginnings of words, whole names, and typing errors; never a text that names one of the made-up countries.
  private func query(_ vocabulary: [String], _ random: inout SeededRandom) -> String {
    var text = (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in vocabulary.randomElement(using: &random) }.joined(
      separator: " ")
    text = String(text.prefix(Int.random(in: 1...max(1, text.count), using: &random)))
    if Int.random(in: 0...3, using: &random) == 0 {
      var letters = Array(text)
      let place = Int.random(in: 0..<letters.count, using: &random)
      letters[place] = "abel".randomElement(using: &random) ?? "a"
      text = String(letters)
    }
    return text
  }
}
