import Glibc
import PlacesAPI
import PlacesKit

/// The best places of one answer, rated by how well they match a text.
struct Resolution {
  /// The best candidate.
  var place: PlaceRow
  /// The name of the best candidate, even if the caller did not request it; nil if it is not known.
  var name: String?
  var match: Resolve.Match
  /// The estimated probability that the text means `place`, 0…1, rounded to hundredths.
  var confidence: Double
  /// All candidates, best first, each with its confidence; at most `Resolve.maxCandidates`.
  var candidates: [PlaceRow]

  /// The maximum distance in metres between the centre of a bias and a place that counts as being at the centre.
  static let walkingDistance = 500.0

  /// True if the confidence suffices. Otherwise the text has several meanings, or only a similar place is known.
  var isCertain: Bool { confidence >= Resolve.certainty }

  /// True if it matches the text better or, if both match alike, only this one is certain.
  func isBetter(than other: Resolution) -> Bool { match == other.match ? isCertain && !other.isCertain : match > other.match }

  /// The best of the rows of one answer; nil if there are none. The rows are ordered by their ratings. The confidence in the first
  /// row is that of its rating, lowered if other rows may be meant. Each further candidate receives a part of the remaining probability.
  /// - Parameters:
  ///   - isLocal: true if the rows come from a provider on this machine, which knows names that its rows do not show.
  ///   - bias: the area whose places are preferred; nil for none.
  ///   - type: the type that the caller prefers; nil for none.
  ///   - fields: the fields that the caller requested. Other fields are removed from the rows.
  init?(rows: [PlaceRow], for text: String, isLocal: Bool, bias: Area?, type: PlaceType? = nil, fields: Set<PlaceField>) {
    let rated = RatedRows(rows, for: text, isLocal: isLocal, bias: bias, preferring: type)
    guard let best = rated.rows.first else { return nil }
    func withRequestedFields(_ row: PlaceRow) -> PlaceRow {
      var row = row
      row.values = row.values.filter { fields.contains($0.key) }
      (row.explain, row.provenance) = (nil, nil)
      row.alternatives = row.alternatives?.map(withRequestedFields)
      return row
    }
    place = withRequestedFields(best.row)
    name = best.row.values[.name]?.string
    match = best.rating.reportedMatch(isLocal: isLocal)
    confidence = Resolution.rounded(rated.confidenceInFirst(best))
    candidates = zip(rated.rows, rated.confidences(first: confidence)).map { candidate, confidence in
      var row = withRequestedFields(candidate.row)
      row.confidence = confidence
      return row
    }
  }

  /// The confidence rounded to hundredths. The confidence of an uncertain place stays below `Resolve.certainty`.
  static func rounded(_ confidence: Double) -> Double {
    let rounded = (confidence * 100).rounded() / 100
    return confidence >= Resolve.certainty ? rounded : min(rounded, Resolve.certainty - 0.01)
  }
}

/// The rows of one answer with their ratings for a text, best first.
private struct RatedRows {
  typealias RatedRow = (row: PlaceRow, rating: PlaceRating)

  let rows: [RatedRow]
  let text: String
  let isLocal: Bool
  let bias: Area?

  init(_ rows: [PlaceRow], for text: String, isLocal: Bool, bias: Area?, preferring type: PlaceType?) {
    let rated: [RatedRow] = rows.map { ($0, PlaceRating($0, for: text, near: bias, preferring: type)) }
    self.rows = rated.enumerated().sorted { RatedRows.precedes($0, $1, near: bias) }.map(\.element)
    (self.text, self.isLocal, self.bias) = (text, isLocal, bias)
  }

  /// True if the first row is better than the second one.
  private static func precedes(
    _ first: EnumeratedSequence<[RatedRow]>.Element, _ second: EnumeratedSequence<[RatedRow]>.Element, near bias: Area?
  ) -> Bool {
    let (rating, otherRating) = (first.element.rating, second.element.rating)
    guard rating == otherRating else { return otherRating < rating }
    // For equally similar names, the larger or nearer place is better. The provider's order is not used, because it ranks names that
    // begin with the text before better known places.
    if rating.fit == .fuzzy, let weight = first.element.row.weight(near: bias), let otherWeight = second.element.row.weight(near: bias),
      weight != otherWeight
    {
      return weight > otherWeight
    }
    // Of several places with one name, such as shops, the nearest is meant. Settlements and regions have no distance here.
    if rating.fit == .exact, let distance = first.element.row.distance(fromCenterOf: bias),
      let otherDistance = second.element.row.distance(fromCenterOf: bias), distance != otherDistance
    {
      return distance < otherDistance
    }
    return first.offset < second.offset
  }

  /// The estimated probability, 0…1, that the text means the first row.
  func confidenceInFirst(_ best: RatedRow) -> Double {
    let equalRows = rows.prefix { $0.rating == best.rating }.map(\.row)
    // True if a provider on this machine returned only one place. Then no other place in its index has a name that is as similar.
    let isOnlyPlace = isLocal && Self.isOnePlace(rows.map(\.row), best.rating)
    let share = Self.shareOfFirstName(equalRows, near: bias)
    func isKnownBest(minShare: Double) -> Bool { isOnlyPlace || share.map { $0 >= minShare } ?? false }
    // A text without Latin letters may be in another script than the shown name. Then its errors cannot be counted here, but the index has
    // compared it with names in its script.
    let isComparable = best.rating.letterCount >= 5 && (best.rating.coverage == 1 || !text.hasLatinLetters)
    // The constants 0.9 and 0.8 reach `Resolve.certainty`.
    var confidence =
      switch best.rating.fit {
      case .fuzzy where Self.isUnknownTown(best): best.rating.confidence(isLocal: isLocal)
      case .fuzzy where best.rating.hasSingleEdit(minLetters: isKnownBest(minShare: Self.clearShareOfError) ? 5 : 6): 0.9
      case .fuzzy where isOnlyPlace && isComparable: 0.8
      default: best.rating.confidence(isLocal: isLocal)
      }
    if best.rating.fit == .exact, let bias, Self.isClearlyNearest(equalRows, bias) {
      // The other rows are too far away to be meant, so the confidence is not lowered.
    } else if !Self.isOnePlace(equalRows, best.rating) {
      confidence *= share ?? 1 / Double(equalRows.count)
      // The best row does not show the text in its name, so the text may be another name of any of these places. A postcode means a large
      // town no more than a small one.
      if best.rating.isPostcode || best.rating.isOtherName && !best.rating.isPartOfName && !isKnownBest(minShare: Self.clearShare) {
        confidence = min(confidence, Resolve.certainty - 0.01)
      }
    } else if best.row.isSettlementOrRegion, let share = shareAmongNamesakes(of: best), share < Self.namesakeShare {
      // A name without further words means the first place only if that place clearly outweighs all others with this name together.
      confidence = min(confidence, share)
    }
    if let share = shareAmongLongerNames(of: best) { confidence = min(confidence, share) }
    if mayMeanLongerName(best) || Self.mayMeanBusinessElsewhere(equalRows) { confidence = min(confidence, Resolve.certainty - 0.01) }
    return confidence
  }

  /// True if the text lacks articles or legal forms of the first row's name, and is also a part of another place's name: `gutenberg` may mean
  /// Gutenberg AG or Burg Gutenberg.
  private func mayMeanLongerName(_ best: RatedRow) -> Bool {
    guard best.rating.lacksOnlyMinorWords, let point = best.row.point else { return false }
    return rows.contains { other in
      other.rating.isPartOfName && other.row.point.map { $0.distance(to: point) > Self.maxSamePlaceDistance } ?? true
    }
  }

  /// True if the text differs from the name of a settlement by an error, and may be the correct name of another settlement, which the
  /// provider does not know: Davos for Davis, California, if the index has larger towns only. Two names of many letters are rarely
  /// so similar, and an unknown place is less likely to be meant than a city of 100,000 people.
  private static func isUnknownTown(_ best: RatedRow) -> Bool {
    guard best.row.isSettlementOrRegion, best.rating.letterCount < minLettersOfTown,
      let importance = best.row.explain?["importance"]?.double
    else { return false }
    return importance < (best.rating.letterCount <= maxLettersOfShortName ? shortNameImportance : cityImportance)
  }
  /// The number of letters from which few names of two towns are similar.
  private static let minLettersOfTown = 9
  /// The importance in the gazetteer of a settlement of some 100,000 people whose name is known in few languages.
  private static let cityImportance = 0.66
  /// The maximum number of letters of a short name, and the minimum importance of a settlement with such a name: many names are as similar
  /// to a short name.
  private static let (maxLettersOfShortName, shortNameImportance) = (5, 0.7)

  /// True if the first of several equally rated rows is a little known settlement, and another row is a business or street in another part
  /// of the world: `jones` need not mean Jones, Oklahoma. A business near the settlement is named after it.
  private static func mayMeanBusinessElsewhere(_ rows: [PlaceRow]) -> Bool {
    guard let first = rows.first, first.isSettlementOrRegion, let point = first.point,
      let importance = first.explain?["importance"]?.double, importance < wellKnownImportance
    else { return false }
    return rows.contains { row in
      !row.isSettlementOrRegion && row.point.map { $0.distance(to: point) > surroundingsRadius } ?? false
    }
  }
  /// The least importance in the gazetteer of a well-known settlement: a city of a million people, or a smaller one whose name is known in
  /// many languages.
  private static let wellKnownImportance = 0.75

  /// The confidence in each of the first `Resolve.maxCandidates` rows. It does not increase from row to row, and the sum is at most 1.
  /// - Parameter first: the confidence in the first row.
  func confidences(first: Double) -> [Double] {
    // The confidence in the preceding row, and the probability that remains for the following rows, both in hundredths.
    var latest = Int((first * 100).rounded())
    var remaining = 100
    return rows.prefix(Resolve.maxCandidates).enumerated().map { index, candidate in
      if index > 0 {
        let equalRows = rows.filter { $0.rating == candidate.rating }.map(\.row)
        let indexAmongEqual = rows.prefix(index).count { $0.rating == candidate.rating }
        let share = Self.shares(equalRows, near: bias)?[indexAmongEqual] ?? 1 / Double(equalRows.count)
        latest = min(Int(candidate.rating.confidence(isLocal: isLocal) * share * 100), remaining, latest)
      }
      remaining -= latest
      return Double(latest) / 100
    }
  }

  /// The share of the first row, a settlement or region, in the weight of all places that the text may mean; nil if the weight of one of
  /// them is not known.
  private func shareAmongNamesakes(of best: RatedRow) -> Double? {
    // The country of the best row is left out if it shows another name, even if the provider knows the text as a name of the country.
    let namesakes = rows.filter {
      $0.rating == best.rating && !($0.rating.isOtherName && !best.rating.isOtherName && $0.row.isCountry(of: best.row))
    }
    // Places of the same type that people may call by the text, because it is the beginning of their names: the two countries called Congo.
    let longerNamesakes = rows.dropFirst().filter {
      best.rating.fit == .exact && $0.rating.beginsName && $0.row.types.first == best.row.types.first
    }
    return Self.shares(Self.withoutParts((namesakes + longerNamesakes).map(\.row)), near: bias)?.first
  }

  /// The share of the first row in the weight of all towns that may be called by the same part of their names, such as `Neustadt`; nil if
  /// the text is not a part of the first row's name. The provider may know this short name for only one of the towns.
  private func shareAmongLongerNames(of best: RatedRow) -> Double? {
    guard best.rating.isOtherName, best.rating.isPartOfName, best.row.isSettlementOrRegion else { return nil }
    let longerNamedRows = rows.dropFirst().filter { $0.rating.isPartOfName && $0.row.isSettlementOrRegion }.map(\.row)
    let towns = Self.withoutParts([best.row] + longerNamedRows)
    return Self.shares(towns, near: bias)?.first ?? 1 / Double(towns.count)
  }

  /// True if rows that fit equally well mean one place for practical purposes: there is only one row, all rows are of one street, or all
  /// are within `maxSamePlaceDistance`. A settlement or region as the first row means one place too, because its name without further
  /// words means the largest place with this name.
  private static func isOnePlace(_ rows: [PlaceRow], _ rating: PlaceRating) -> Bool {
    guard rows.count > 1, let first = rows.first else { return true }
    func hasSame(_ field: PlaceField, _ row: PlaceRow) -> Bool { row.values[field] != nil && row.values[field] == first.values[field] }
    let hasOneName = rows.allSatisfy { hasSame(.name, $0) }
    // With a typing error, or without some words, the text may mean either name.
    guard rating.fit == .exact || hasOneName else { return false }
    func areWithin(_ metres: Double, _ rows: [PlaceRow]) -> Bool {
      guard let point = first.point else { return false }
      return rows.allSatisfy { $0.point.map { $0.distance(to: point) <= metres } ?? false }
    }
    // A postcode of two towns means neither of them, even if they have one name, unless they are one place.
    if rating.isPostcode { return areWithin(surroundingsRadius, rows) }
    if first.isSettlementOrRegion {
      // If the places share only a name that the rows do not show, such as one in another language, the text need not mean the first place,
      // unless the others are its districts or suburbs.
      return !rating.isOtherName || hasOneName || areWithin(surroundingsRadius, rows)
    }
    if first.types.contains("route"), hasOneName {
      // A street may have several rows, and a bus stop may have the same name.
      let streets = rows.filter { hasSame(.types, $0) }
      // The parts of a long street may have different quarters in their addresses.
      return areWithin(streets.allSatisfy { hasSame(.formattedAddress, $0) } ? maxStreetLength : maxStreetPartDistance, rows)
    }
    return areWithin(maxSamePlaceDistance, rows)
  }

  /// The radius in metres in which the districts and suburbs of a settlement are.
  private static let surroundingsRadius = 50_000.0
  /// The maximum distances in metres between the rows of one street, with equal and with different addresses.
  private static let maxStreetLength = 2_000.0
  private static let maxStreetPartDistance = 1_000.0
  /// The maximum distance in metres between the rows of any other place.
  private static let maxSamePlaceDistance = 150.0

  /// The probability that a text means each of several rows of equal rating: the row's share of their total weight. Nil if the weight of a
  /// row is not known.
  private static func shares(_ rows: [PlaceRow], near bias: Area?) -> [Double]? {
    let weights = rows.compactMap { $0.weight(near: bias) }
    guard weights.count == rows.count, !weights.isEmpty else { return nil }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// The probability that a text means the first of several equally rated rows; nil if the weight of a row is not known. A name means the
  /// most prominent place that has it. So all rows with the first row's name count for the first row: the result is their share of the
  /// total weight. But if the first row has less than half of this share, only its own share counts.
  private static func shareOfFirstName(_ rows: [PlaceRow], near bias: Area?) -> Double? {
    guard let shares = shares(rows, near: bias), let first = shares.first else { return nil }
    let shareOfName = zip(rows, shares).reduce(0) { $0 + ($1.0.values[.name] == rows[0].values[.name] ? $1.1 : 0) }
    return first >= shareOfName / 2 ? shareOfName : first
  }

  /// The first row, and the rows that are not parts of it: those that are outside its surroundings and, if it is a country, outside that
  /// country.
  private static func withoutParts(_ rows: [PlaceRow]) -> [PlaceRow] {
    guard let first = rows.first, let point = first.point else { return rows }
    let country = first.types.contains("country") ? first.country : nil
    return [first]
      + rows.dropFirst().filter { row in
        if let country, row.country == country { return false }
        return row.point.map { $0.distance(to: point) > surroundingsRadius } ?? true
      }
  }

  /// True if the first of several equally rated rows is at the bias's centre, and each other row is either the same place or at least
  /// `clearDistanceRatio` times as far away. False for settlements and regions.
  private static func isClearlyNearest(_ rows: [PlaceRow], _ bias: Area) -> Bool {
    guard case .circle = bias, let first = rows.first, !first.isSettlementOrRegion, let point = first.point else { return false }
    let distance = point.distance(to: bias.center)
    guard distance <= Resolution.walkingDistance else { return false }
    return rows.allSatisfy { row in
      guard let other = row.point else { return false }
      return other.distance(to: point) <= maxSamePlaceDistance
        || other.distance(to: bias.center) >= max(distance, minCountedDistance) * clearDistanceRatio
    }
  }

  /// The minimum distance in metres that is compared: a shorter distance of the nearest place counts as this one.
  private static let minCountedDistance = 50.0
  /// If each other place is at least this many times as far away as the nearest one, the nearest one is meant.
  private static let clearDistanceRatio = 5.0
  /// If the first of several places of one name has at least this share of their total weight, it is meant.
  private static let namesakeShare = 2.0 / 3

  /// If the places with the first of several equally similar names have at least this share of the total weight, that name is meant.
  private static let clearShare = 0.95
  /// The same for a name with one typing error in five letters.
  private static let clearShareOfError = 0.9
}

extension String {
  /// True if it has a letter of the Latin alphabet, with or without diacritics (up to U+024F).
  var hasLatinLetters: Bool { unicodeScalars.contains { $0.value < 0x250 && $0.properties.isAlphabetic } }
}

extension PlaceRow {
  var types: [PlaceType] { values[.types]?.array?.compactMap { $0.string.map { PlaceType(rawValue: $0) } } ?? [] }
  var isSettlementOrRegion: Bool { types.contains { $0.group == .region } }

  /// The weight of a settlement or region among places of the same name: a number in proportion to its population, estimated from its
  /// importance. Nil for other places, and if no importance is known. In the gazetteer, the importance grows with the logarithm of the
  /// population: 1 means over ten million people, and with each tenth less, the estimate is 7.9 times smaller. Other providers' importances
  /// are read in the same way. Near the centre of the bias, the importance is raised as in ranking, see `ProximityFactor`.
  fileprivate func weight(near bias: Area?) -> Double? {
    guard isSettlementOrRegion, var importance = explain?["importance"]?.double else { return nil }
    if let bias, let point { importance *= ProximityFactor(radius: bias.radius).value(at: point.distance(to: bias.center)) }
    return pow(10, min(max(importance, 0), 1) * 9)
  }

  /// The code of the country, from the address.
  fileprivate var country: String? {
    let component = values[.addressComponents]?.array?.last { $0["types"]?.array?.contains("country") == true }
    return component?["short"]?.string
  }

  fileprivate func isCountry(of place: PlaceRow) -> Bool { types.contains("country") && country != nil && country == place.country }

  /// The distance in metres from the centre of an area; nil for settlements and regions.
  fileprivate func distance(fromCenterOf bias: Area?) -> Double? {
    guard let bias, !isSettlementOrRegion else { return nil }
    return point?.distance(to: bias.center)
  }

  var point: Coordinate? {
    guard let point = values[.coordinate], let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
