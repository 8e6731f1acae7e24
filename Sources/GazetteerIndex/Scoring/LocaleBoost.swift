import SQLite
import Text

/// Raises places in the user's country a little: the region of the request, and the country in which most people speak its language.
struct LocaleBoost {
  static let region = 1.2
  static let language = 1.05

  private var factors: [(country: UInt16, factor: Double)] = []
  private(set) var maxFactor = 1.0

  /// Raises nothing.
  init() {}

  init(region: String?, language: String?, in file: IndexFile) throws(SQLiteError) {
    if let region { try raise(region, by: LocaleBoost.region, file) }
    if let language, let country = Languages.region(of: language), country != region?.uppercased() {
      try raise(country, by: LocaleBoost.language, file)
    }
  }

  private mutating func raise(_ country: String, by factor: Double, _ file: IndexFile) throws(SQLiteError) {
    guard let number = try file.areas.number(country.uppercased()) else { return }
    factors.append((number, factor))
    maxFactor = max(maxFactor, factor)
  }

  func factor(_ country: UInt16) -> Double {
    for entry in factors where entry.country == country { return entry.factor }
    return 1
  }
}
