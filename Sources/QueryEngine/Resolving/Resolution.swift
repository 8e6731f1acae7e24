import Glibc
import PlacesAPI
import PlacesKit

/// The rows of one answer, rated by how well they match a text.
struct Resolution {
  /// The best candidate.
  var place: PlaceRow
  /// Its name, even if the caller did not request it; nil if it is not known.
  var name: String?
  var match: Resolve.Match
  /// An estimate that `place` is the meant one, 0…1, in hundredths.
  var confidence: Double
  /// The best candidate and the further ones, best first, each with its confidence; at most `Resolve.maxCandidates`.
  var candidates: [PlaceRow]

  /// True if the confidence suffices; otherwise the text has several meanings or only a similar place is known.
  var isCertain: Bool { confidence >= Resolve.certainty }

  /// The best of the rows of one answer; nil if there are none.
  /// - Parameters:
  ///   - isLocal: True if the rows come from a provider on this machine, which knows names that its rows do not show.
  ///   - fields: the caller's fields; others are removed from the rows.
  init?(rows: [PlaceRow], for text: String, isLocal: Bool, fields: Set<PlaceField>) {
    let rated = rows.map { (row: $0, rating: PlaceRating($0, for: text)) }
    let ordered = rated.enumerated().sorted {
      guard $0.element.rating == $1.element.rating else { return $1.element.rating < $0.element.rating }
      // For equally similar names the provider's order is not used, because it prefers names that begin with the text to better known ones.
      if $0.element.rating.fit == .fuzzy, let people = $0.element.row.people, let others = $1.element.row.people, people != others {
        return people > others
      }
      return $0.offset < $1.offset
    }.map(\.element)
    guard let best = ordered.first else { return nil }
    let peers = ordered.prefix { $0.rating == best.rating }.map(\.row)
    // No other place of the index has a name that is as similar, in any language.
    let isOnly = isLocal && Resolution.isOnePlace(rows, best.rating)
    let share = Resolution.shares(peers)?.first
    let isKnownBest = isOnly || share.map { $0 >= Resolution.clearShare } ?? false
    // The errors in another script than the name's cannot be counted; the index has compared its names in that script.
    let isComparable = best.rating.letters >= 5 && (best.rating.coverage == 1 || !text.hasLatinLetters)
    var confidence =
      switch best.rating.fit {
      case .fuzzy where best.rating.isSingleError(inText: isKnownBest ? 5 : 6): 0.9
      case .fuzzy where isOnly && isComparable: 0.8
      // The index has more names than a row shows: its only row has one of them.
      case .other where isOnly && best.rating.letters >= 6: 0.8
      default: best.rating.confidence(isLocal: isLocal)
      }
    if !Resolution.isOnePlace(peers, best.rating) {
      confidence *= share ?? 1 / Double(peers.count)
    } else if best.row.isSettlementOrRegion, let share = Resolution.shares(Resolution.namesakes(peers))?.first, share < 0.5 {
      // The name alone means the largest place only if most of the people of its namesakes live there.
      confidence = min(confidence, share)
    }
    func shown(_ row: PlaceRow) -> PlaceRow {
      var row = row
      row.values = row.values.filter { fields.contains($0.key) }
      (row.explain, row.provenance) = (nil, nil)
      row.alternatives = row.alternatives?.map(shown)
      return row
    }
    place = shown(best.row)
    name = best.row.values[.name]?.string
    match = best.rating.match(isLocal: isLocal)
    self.confidence = Resolution.rounded(confidence)
    // A further candidate has at most the confidence of the one before it and what the better ones leave; in hundredths.
    var last = Int((self.confidence * 100).rounded())
    var left = 100
    candidates = []
    for (index, candidate) in ordered.prefix(Resolve.maxCandidates).enumerated() {
      if index > 0 {
        let peers = ordered.filter { $0.rating == candidate.rating }.map(\.row)
        let position = ordered.prefix(index).count { $0.rating == candidate.rating }
        let share = Resolution.shares(peers)?[position] ?? 1 / Double(peers.count)
        last = min(Int(candidate.rating.confidence(isLocal: isLocal) * share * 100), left, last)
      }
      var row = shown(candidate.row)
      row.confidence = Double(last) / 100
      candidates.append(row)
      left -= last
    }
  }

  /// In hundredths; that of an uncertain place stays below `Resolve.certainty`.
  static func rounded(_ confidence: Double) -> Double {
    let rounded = (confidence * 100).rounded() / 100
    return confidence >= Resolve.certainty ? rounded : min(rounded, Resolve.certainty - 0.01)
  }

  /// True if rows that fit equally well mean one place for practical purposes: there is one, or the first is a settlement or region, whose
  /// name alone means the largest of its namesakes, or all belong to one street, or all are within `together` metres.
  private static func isOnePlace(_ rows: [PlaceRow], _ rating: PlaceRating) -> Bool {
    guard rows.count > 1, let first = rows.first else { return true }
    func has(_ field: PlaceField, of row: PlaceRow) -> Bool { row.values[field] != nil && row.values[field] == first.values[field] }
    let hasOneName = rows.allSatisfy { has(.name, of: $0) }
    // A typing error may be one of either name.
    guard rating.fit == .exact || hasOneName else { return false }
    func areWithin(_ metres: Double, _ rows: [PlaceRow]) -> Bool {
      guard let point = first.point else { return false }
      return rows.allSatisfy { $0.point.map { $0.distance(to: point) <= metres } ?? false }
    }
    if first.isSettlementOrRegion {
      // A foreign name that several places share need not mean the first one, unless the others are its own district or suburbs.
      return !rating.isOtherName || hasOneName || areWithin(surroundings, rows)
    }
    if first.types.contains("route"), hasOneName {
      // A street may have several rows, and a bus stop its name.
      let streets = rows.filter { has(.types, of: $0) }
      // The parts of a long street may have the names of several quarters in their addresses.
      return areWithin(streets.allSatisfy { has(.formattedAddress, of: $0) } ? street : partsOfStreet, rows)
    }
    return areWithin(together, rows)
  }

  /// Metres.
  private static let surroundings = 50_000.0
  private static let street = 2_000.0
  private static let partsOfStreet = 1_000.0
  private static let together = 150.0

  /// The probability that each of several equally fitting rows is meant: its share of their total population, if their provider rates
  /// settlements and regions by the logarithm of the population; otherwise nil.
  private static func shares(_ rows: [PlaceRow]) -> [Double]? {
    let known = rows.compactMap(\.people)
    guard known.count == rows.count, !known.isEmpty else { return nil }
    let total = known.reduce(0, +)
    return known.map { $0 / total }
  }

  /// The first row and those that are not its surroundings.
  private static func namesakes(_ rows: [PlaceRow]) -> [PlaceRow] {
    guard let first = rows.first, let point = first.point else { return rows }
    return [first] + rows.dropFirst().filter { $0.point.map { $0.distance(to: point) > surroundings } ?? true }
  }

  /// The share of the people from which the first of several equally similar names is meant.
  private static let clearShare = 0.95
}

extension String {
  /// True if it has a letter of the Latin alphabet, with or without diacritics (up to U+024F).
  fileprivate var hasLatinLetters: Bool { unicodeScalars.contains { $0.value < 0x250 && $0.properties.isAlphabetic } }
}

extension PlaceRow {
  fileprivate var types: [PlaceType] { values[.types]?.array?.compactMap { $0.string.map { PlaceType(rawValue: $0) } } ?? [] }
  fileprivate var isSettlementOrRegion: Bool { types.contains { $0.group == .region } }

  /// The people of a settlement or region, up to a constant factor; nil if its provider does not rate settlements and regions by the logarithm of
  /// their population. An importance of 1 means more than ten million people, and each tenth less is 7.9 times fewer.
  fileprivate var people: Double? {
    guard isSettlementOrRegion, let importance = explain?["importance"]?.double else { return nil }
    return pow(10, min(max(importance, 0), 1) * 9)
  }

  fileprivate var point: Coordinate? {
    guard let point = values[.coordinate], let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
