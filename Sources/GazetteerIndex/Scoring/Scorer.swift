import SQLite
import Text

/// The part of a name that a query matches.
enum MatchExtent {
  /// The beginning of a name or of a word. A whole name that counts no more, such as one in another language, has this extent too.
  case prefix
  /// Whole words.
  case words
  /// A whole name.
  case name
}

/// Scores a candidate: the weight of its match, times its importance raised for a place near the bias and for a whole name, times a factor
/// if it lies in the user's country.
struct Scorer {
  /// Raises places near the request's bias.
  var proximity: ProximityBoost?
  /// Raises places in the user's country.
  var locale = LocaleBoost()

  /// The maximum factor of both boosts together.
  var maxBoost: Double { locale.maxFactor * (proximity?.maxFactor ?? 1) }

  /// The minimum importance, for scoring, of a place whose whole name was typed: `coop` means a shop before Cooper City, but `spa` means
  /// Spain before the town of Spa. Since a prefix weighs less than a whole name, only countries and large cities precede the place. With a
  /// bias the minimum is lower, since the user may be typing the longer name of a place nearby.
  private static let (wholeNameImportance, wholeNameImportanceWithBias) = (0.56, 0.48)

  /// The share of a place's importance that is added to this minimum, so that of the places that are raised to the minimum, the more
  /// important ones come first.
  private static let importanceShare = 0.1

  func score(_ columns: PlaceColumns, weight: Double, extent: MatchExtent) -> Double {
    let proximityFactor = proximity?.factor(columns.point) ?? 1
    return weight * locale.factor(columns.country) * raised(columns.relativeImportance, by: proximityFactor, extent)
  }

  /// An importance, raised by a factor of `ProximityBoost` and for a match of a whole name. The result rises with the importance and the
  /// factor.
  func raised(_ importance: Double, by proximityFactor: Double, _ extent: MatchExtent) -> Double {
    let boosted = ProximityBoost.boosted(importance, by: proximityFactor, extent)
    guard extent == .name else { return boosted }
    let minimum = proximity == nil ? Scorer.wholeNameImportance : Scorer.wholeNameImportanceWithBias
    return max(boosted, minimum + Scorer.importanceShare * boosted)
  }

  /// The highest score that a place of this importance, or a less important one, can reach.
  /// - Parameter maxProximityFactor: the maximum proximity factor of the places in question.
  func upperBound(_ columns: PlaceColumns, weight: Double, maxProximityFactor: Double, extent: MatchExtent) -> Double {
    weight * locale.maxFactor * raised(columns.relativeImportance, by: maxProximityFactor, extent)
  }
}

/// Raises places in the user's country a little. The user's country is the region of the request or, with a smaller factor, the most likely
/// country of the request's language.
struct LocaleBoost {
  /// The factor for places in the request's region.
  static let regionFactor = 1.2
  /// The factor for places in the most likely country of the request's language.
  static let languageFactor = 1.05

  /// The numbers of the raised countries, and their factors.
  private var factors: [(country: UInt16, factor: Double)] = []
  private(set) var maxFactor = 1.0

  /// Raises nothing.
  init() {}

  init(region: String?, language: String?, in file: IndexFile) throws(SQLiteError) {
    if let region { try raise(region, by: LocaleBoost.regionFactor, file) }
    if let language, let country = Languages.region(of: language), country != region?.uppercased() {
      try raise(country, by: LocaleBoost.languageFactor, file)
    }
  }

  private mutating func raise(_ country: String, by factor: Double, _ file: IndexFile) throws(SQLiteError) {
    guard let number = try file.areas.number(country.uppercased()) else { return }
    factors.append((number, factor))
    maxFactor = max(maxFactor, factor)
  }

  /// The factor of a country, by its number; 1 if it is not raised.
  func factor(_ country: UInt16) -> Double {
    for entry in factors where entry.country == country { return entry.factor }
    return 1
  }
}
