import Foundation
import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// Random small indexes answer as a scan of every place does: filters, limits and biases are exact, not a second look at the top.
@Suite struct PropertyTests {
  static let rounds = ProcessInfo.processInfo.environment["PLACES_PROVE"] == nil ? 1 : 200

  /// Cases in which joined words begin a word that is not found otherwise, and in which further corrections are less known than the rows.
  static let awkward = [123, 150, 169]

  /// All that places have, and one that none has.
  static let types = Set(BruteForce.Place.kinds.flatMap(\.types)).union(["bakery"]).sorted { $0.rawValue < $1.rawValue }

  @Test("Filtered and biased answers equal a scan of the whole index", arguments: Set(0..<rounds).union(awkward).sorted())
  func equalsScan(round: Int) throws {
    var gazetteer = try RandomGazetteer(round)
    for _ in 0..<120 {
      var request = AutocompleteRequest(query: gazetteer.query(), limit: Int.random(in: 1...20, using: &gazetteer.random))
      switch Int.random(in: 0...3, using: &gazetteer.random) {
      case 0: request.types = ["locality"]
      case 1: request.types = PropertyTests.types.shuffled(using: &gazetteer.random).suffix(Int.random(in: 1...3, using: &gazetteer.random))
      case 2: request.collection = TypeCollection.allCases.randomElement(using: &gazetteer.random)
      default: break
      }
      if Bool.random(using: &gazetteer.random) { request.countries = ["QN"] }
      (request.restriction, request.bias) = gazetteer.areas()
      let answer = try gazetteer.index.reader.autocomplete(request).rows.compactMap(\.id)
      let expected = gazetteer.scan.ids(request)
      #expect(
        answer == expected,
        "round \(round): \(request.query), \(gazetteer.scan.description(of: (answer + expected).filter { answer.contains($0) != expected.contains($0) })): \(request)"
      )
    }
  }

  @Test("The nearest place comes first even if more places than all pages hold are more important", arguments: ["alb", "museum"])
  func nearestOfMany(query: String) throws {
    let index = try SmallIndex(
      lines: (1...300).map { number in
        SmallIndex.line(
          number, "Alb\(number)", "", 0, Double(number) / 10, "QM", "", 1_000_000 / number,
          code: query == "alb" ? "P\tPPL" : "S\tMUS")
      })
    var request = SearchRequest(query: query, fields: [], rankBy: .distance, limit: 3)
    request.origin = Coordinate(latitude: 0, longitude: 30)
    #expect(try index.reader.search(request).rows.map(\.id) == ["300", "299", "298"])
    request.pageToken = "3"
    #expect(try index.reader.search(request).rows.map(\.id) == ["297", "296", "295"])
  }

  @Test(
    "The nearest places of a type are the nearest of all that match, however unimportant",
    arguments: Set(0..<rounds).union(awkward).sorted())
  func nearest(round: Int) throws {
    var gazetteer = try RandomGazetteer(round)
    for _ in 0..<60 {
      var request = SearchRequest(query: gazetteer.query(), fields: [], limit: Int.random(in: 1...20, using: &gazetteer.random))
      (request.rankBy, request.includedType, request.strictTypeFiltering) = (.distance, "locality", true)
      if Bool.random(using: &gazetteer.random) { request.countries = ["QN"] }
      request.origin = gazetteer.corner()
      request.restriction = gazetteer.areas().restriction
      let answer = try gazetteer.index.reader.search(request).rows.map(\.id)
      #expect(answer == gazetteer.scan.nearest(request), "round \(round): \(request)")
    }
  }
}

/// Places whose names are equal, nested or similar, in an index and in a list, with possible queries.
private struct RandomGazetteer {
  let index: SmallIndex
  let scan: BruteForce
  var random: SeededRandom
  private let vocabulary: [String]

  init(_ round: Int) throws {
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
    index = try SmallIndex(lines: places.map(\.line))
    scan = BruteForce(places)
    self.vocabulary = vocabulary
    self.random = random
  }

  /// Beginnings of words, whole names, and typing errors; never a text that names one of the made-up countries.
  mutating func query() -> String {
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

  mutating func corner() -> Coordinate {
    Coordinate(latitude: .random(in: -3...2, using: &random), longitude: .random(in: -3...2, using: &random)) ?? .zero
  }

  /// A degree each way, or a circle; a restriction, a bias or neither.
  mutating func areas() -> (restriction: Area?, bias: Area?) {
    let corner = corner()
    switch Int.random(in: 0...3, using: &random) {
    case 0:
      let far = Coordinate(latitude: corner.latitude + 1, longitude: corner.longitude + 1) ?? .zero
      return (.rectangle(Rectangle(low: corner, high: far)), nil)
    case 1: return (.circle(center: corner, radius: .random(in: 0...50_000, using: &random)), nil)
    case 2: return (nil, .circle(center: corner, radius: .random(in: 0...50_000, using: &random)))
    default: return (nil, nil)
    }
  }
}
