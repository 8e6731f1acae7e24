import SQLite
import Text

/// Lifts a little what lies in the person's own country: the region of the request, and the country where most speak its language.
struct Home {
  static let region = 1.2
  static let language = 1.05

  private var lifts: [(country: UInt16, factor: Double)] = []
  private(set) var most = 1.0

  /// Lifts nothing.
  init() {}

  init(region: String?, language: String?, in file: IndexFile) throws(SQLiteError) {
    if let region { try lift(region, Home.region, file) }
    if let language, let country = Languages.region(of: language), country != region?.uppercased() {
      try lift(country, Home.language, file)
    }
  }

  private mutating func lift(_ country: String, _ factor: Double, _ file: IndexFile) throws(SQLiteError) {
    guard let number = try file.areas.number(country.uppercased()) else { return }
    lifts.append((number, factor))
    most = max(most, factor)
  }

  func factor(_ country: UInt16) -> Double {
    for lift in lifts where lift.country == country { return lift.factor }
    return 1
  }
}
