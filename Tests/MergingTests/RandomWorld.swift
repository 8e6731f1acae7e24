import Merging
import PlacesKit

/// Places that exist, and services that know them more or less.
struct RandomWorld {
  struct TruePlace {
    var number: Int
    var name: String
    var otherScript: String?
    var location: Coordinate
    var phone: String
    var types: [PlaceType]
  }

  private static let names = [
    ("Berlin", "Берлин"), ("Bern", "Берн"), ("Bergamo", "Бергамо"), ("Berlin Döner House", nil), ("Bäckerei Steinecke", nil),
    ("Hotel Adler", nil),
    ("Café Central", nil), ("Athens", "Αθήνα"), ("Gate 3", nil), ("Gate 4", nil), ("Burger King", nil), ("ATM", nil), ("東京", nil),
    ("!!!", nil),
    ("Springfield", nil), ("St. Gallen", nil),
  ]

  private(set) var places: [TruePlace] = []

  init(count: Int, random: inout some RandomNumberGenerator) {
    let center = (latitude: Double.random(in: -60...60, using: &random), longitude: Double.random(in: -179...179, using: &random))
    for number in 0..<count {
      let (name, script) = RandomWorld.names[Int.random(in: 0..<RandomWorld.names.count, using: &random)]
      let spread = [0.0005, 0.01, 0.5][Int.random(in: 0..<3, using: &random)]
      let location = Coordinate(
        latitude: center.latitude + Double.random(in: -spread...spread, using: &random),
        longitude: center.longitude + Double.random(in: -spread...spread, using: &random))
      guard let location else { continue }
      places.append(
        TruePlace(
          number: number, name: name, otherScript: script, location: location, phone: "+49 30 \(1_000_000 + number * 7)",
          types: script == nil ? ["restaurant"] : ["locality"]))
    }
  }

  /// A service's answer: some of the places, in random order, each with some of its data, some twice.
  func batch(provider: String, terms: Terms, rows limit: Int, random: inout some RandomNumberGenerator) -> ProviderBatch<Suggestion> {
    var rows: [Suggestion] = []
    for place in places.shuffled(using: &random).prefix(limit) {
      let row = suggestion(of: place, provider: provider, random: &random)
      rows.append(row)
      if Int.random(in: 0..<12, using: &random) == 0 { rows.append(row) }
    }
    if Bool.random(using: &random) { rows.append(Suggestion(kind: .query, text: FormattedText("ber weather"))) }
    return ProviderBatch(
      provider: provider, weight: Double(Int.random(in: 1...3, using: &random)) / 2, terms: terms,
      attributions: [Attribution(text: "© \(provider)")], rows: rows, fetchedAt: Double(rows.count))
  }

  private func suggestion(of place: TruePlace, provider: String, random: inout some RandomNumberGenerator) -> Suggestion {
    func knows(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    let name = knows(0.3) ? place.otherScript ?? place.name : knows(0.2) ? place.name.uppercased() : place.name
    var evidence = Evidence()
    if knows(0.4) { evidence.phone = place.phone }
    if knows(0.3) { evidence.equivalents = ["wikidata:Q\(place.number)"] }
    if knows(0.05) { evidence.equivalents = ["wikidata:Q\(place.number + 1)"] }
    if knows(0.5) { evidence.locality = "Berlin" }
    let location = Coordinate(
      latitude: place.location.latitude + Double.random(in: -0.0003...0.0003, using: &random),
      longitude: place.location.longitude + Double.random(in: -0.0003...0.0003, using: &random))
    return Suggestion(
      kind: .place, id: "\(place.number)", text: FormattedText(name), types: knows(0.8) ? place.types : [],
      language: knows(0.5) ? "en" : nil, location: knows(0.8) ? location : nil, importance: knows(0.5) ? 0.5 : nil, evidence: evidence)
  }
}

extension Terms {
  /// Terms that only state how rows may be mixed and ordered.
  static func mixing(_ mixing: Mixing, keepsOrder: Bool = false) -> Terms {
    Terms(idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: nil, mixing: mixing, keepsOrder: keepsOrder, source: "a test")
  }

  static func random(_ random: inout some RandomNumberGenerator) -> Terms {
    let kinds: [Mixing] = [.free, .free, .free, .family("openstreetmap"), .family("openstreetmap"), .family("other"), .never]
    return mixing(kinds[Int.random(in: 0..<kinds.count, using: &random)], keepsOrder: Int.random(in: 0..<4, using: &random) == 0)
  }
}

/// A request's answers from random services.
func randomBatches(seed: UInt64, providers: Int = 5, places: Int = 12) -> [ProviderBatch<Suggestion>] {
  var random = Seeded(seed)
  let world = RandomWorld(count: places, random: &random)
  return (0..<providers).map { number in
    world.batch(provider: "p\(number)", terms: .random(&random), rows: Int.random(in: 0...places, using: &random), random: &random)
  }
}

/// The same answers as rows of a search, which has no suggested queries.
func randomPlaces(seed: UInt64) -> [ProviderBatch<Place>] {
  randomBatches(seed: seed).map { batch in
    ProviderBatch(
      provider: batch.provider, weight: batch.weight, terms: batch.terms, attributions: batch.attributions,
      rows: batch.rows.compactMap { row -> Place? in
        guard row.kind == .place, let id = row.id else { return nil }
        return Place(
          id: id, values: [.name: .string(row.text.text)], types: row.types, location: row.location, language: row.language,
          importance: row.importance, evidence: row.evidence)
      }, fetchedAt: batch.fetchedAt)
  }
}
