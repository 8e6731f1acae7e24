import Glibc
import PlacesAPI
import PlacesKit

/// The place that a text most likely means, and how certain that is.
public struct Resolution: Sendable, Hashable {
  /// How the place fits the text, worst first.
  public enum Fit: Sendable, Hashable, Comparable {
    /// The place has only some of the text's words, and no known place has the others.
    case part
    /// The provider returned the place for a reason that its texts do not show, such as a name in another language.
    case other
    /// The place's name begins with the text, or a word of it with a word of the text.
    case prefix
    /// The place has the text's words with typing errors.
    case alike
    /// The place has all words of the text, and its name has further words.
    case words
    /// The text is the place's whole name, alone or with words of its address.
    case name
  }
  /// The best candidate.
  public var place: PlaceRow
  /// Its name, even if the caller's fields omit it; nil if requesting it might have cost money.
  public var name: String?
  public var fit: Fit
  /// An estimate that `place` is the meant one, 0…1.
  public var confidence: Double
  /// The best candidate and the further ones, best first; at most `maxCandidates`.
  public var candidates: [PlaceRow]
  /// The reports of the queried providers, in the order of the queries.
  public var providers: [ProviderReport]

  /// True if the confidence reaches `certainty`; otherwise the text has several meanings or only a similar place is known.
  public var isCertain: Bool { confidence >= Resolution.certainty }

  /// The least confidence at which a resolution is certain.
  public static let certainty = 0.8
  public static let maxCandidates = 10

  /// The default fields: identity, type and location, without fields such as photos that cost more.
  public static let usualFields: Set<PlaceField> = [.placeID, .name, .formattedAddress, .coordinate, .types]

  public init(
    place: PlaceRow, name: String? = nil, fit: Fit = .name, confidence: Double = 1, candidates: [PlaceRow] = [],
    providers: [ProviderReport] = []
  ) {
    self.place = place
    self.name = name
    self.fit = fit
    self.confidence = confidence
    self.candidates = candidates.isEmpty ? [place] : candidates
    self.providers = providers
  }
}

extension Resolution {
  /// The best of the rows of one answer; nil if there are none.
  /// - Parameters:
  ///   - isLocal: True if the rows come from a provider on this machine, which knows names that its rows do not show.
  ///   - fields: the caller's fields; others are removed from the rows.
  init?(rows: [PlaceRow], for text: String, isLocal: Bool, fields: Set<PlaceField>) {
    let rated = rows.map { (row: $0, rating: PlaceRating($0, for: text)) }
    let ordered = rated.enumerated().sorted {
      guard $0.element.rating == $1.element.rating else { return $1.element.rating < $0.element.rating }
      // For equally similar names the provider's order is not used, because it prefers names that begin with the text to better known ones.
      if $0.element.rating.fit == .alike, let people = $0.element.row.people, let others = $1.element.row.people, people != others {
        return people > others
      }
      return $0.offset < $1.offset
    }.map(\.element)
    guard let best = ordered.first else { return nil }
    let peers = ordered.prefix { $0.rating == best.rating }.map(\.row)
    var fit = best.rating.fit
    // A geocoder knows countries and streets in more spellings than its answer shows.
    if fit == .part, !isLocal { fit = .other }
    // No other place of the index has a name that is as similar, in any language.
    let isOnly = isLocal && Resolution.isOnePlace(rows, best.rating)
    // The errors in another script than the name's cannot be counted; the index has compared its names in that script.
    let isComparable = best.rating.letters >= 5 && (best.rating.coverage == 1 || !text.hasLatinLetters)
    let share = Resolution.share(ofFirst: peers)
    let isKnownBest = isOnly || share.map { $0 >= Resolution.clearShare } ?? false
    var confidence =
      switch fit {
      case .name: 0.98
      case .words: 0.6 + 0.3 * best.rating.coverage
      case .alike: best.rating.isSingleError(inText: isKnownBest ? 5 : 6) ? 0.9 : isOnly && isComparable ? 0.8 : 0.6
      case .prefix: 0.5
      // The index has more names than a row shows: its only row has one of them.
      case .other: isOnly && best.rating.letters >= 6 ? 0.8 : 0.5
      case .part: 0.1
      }
    if !Resolution.isOnePlace(peers, best.rating) {
      confidence *= share ?? 1 / Double(peers.count)
    } else if best.row.isSettlementOrRegion, let share = Resolution.share(ofFirst: Resolution.namesakes(peers)), share < 0.5 {
      // The name alone means the largest place only if most of the people of its namesakes live there.
      confidence = min(confidence, share)
    }
    func shown(_ row: PlaceRow) -> PlaceRow {
      var row = row
      row.values = row.values.filter { fields.contains($0.key) }
      (row.explain, row.provenance) = (nil, nil)
      return row
    }
    self.init(
      place: shown(best.row), name: best.row.values[.name]?.string, fit: fit, confidence: confidence,
      candidates: ordered.prefix(Resolution.maxCandidates).map { shown($0.row) })
  }

  /// True if rows that fit equally well mean one place for practical purposes: there is one, or the first is a settlement or region, whose
  /// name alone means the largest of its namesakes, or all belong to one street, or all are within `together` metres.
  private static func isOnePlace(_ rows: [PlaceRow], _ rating: PlaceRating) -> Bool {
    guard rows.count > 1, let first = rows.first else { return true }
    func has(_ field: PlaceField, of row: PlaceRow) -> Bool { row.values[field] != nil && row.values[field] == first.values[field] }
    let hasOneName = rows.allSatisfy { has(.name, of: $0) }
    // A typing error may be one of either name.
    guard rating.fit == .name || hasOneName else { return false }
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

  /// The probability that the first of several equally fitting rows is meant: its share of their total population, if their provider rates
  /// settlements and regions by the logarithm of the population; otherwise nil.
  private static func share(ofFirst rows: [PlaceRow]) -> Double? {
    let known = rows.compactMap(\.people)
    guard known.count == rows.count, let first = known.first else { return nil }
    return first / known.reduce(0, +)
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
    return pow(10, importance * 9)
  }

  fileprivate var point: Coordinate? {
    guard let point = values[.coordinate], let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
