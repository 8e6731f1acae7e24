/// Street and house number in the order in which a country writes them.
public enum StreetLine {
  /// The line of an address.
  /// - Parameter country: two letters, upper case; nil or empty if unknown.
  public static func text(street: String, houseNumber: String?, country: String?) -> String {
    guard let houseNumber else { return street }
    return country.map(numberFirstCountries.contains) ?? false ? "\(houseNumber) \(street)" : "\(street) \(houseNumber)"
  }

  /// The countries in which the house number precedes the street (address formats of CLDR and the Universal Postal Union).
  private static let numberFirstCountries: Set<String> = [
    "AU", "BD", "CA", "EG", "FR", "GB", "GG", "GI", "HK", "IE", "IL", "IM", "IN", "JE", "KE", "LK", "LU", "MA", "MC", "MT", "MY", "NG",
    "NZ", "PH", "PK", "SA", "SG", "TH", "TN", "US", "VN", "ZA",
  ]
}
