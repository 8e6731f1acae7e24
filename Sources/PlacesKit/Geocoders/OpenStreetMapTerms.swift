import PlacesKit

extension Terms {
  /// The terms for results of a search in data under the Open Database License. The results may be stored, shown to all users, and blended
  /// with other open data, with attribution. The OpenStreetMap Foundation's Geocoding Guideline (endorsed by its board on 2017-08-24) says:
  /// "Since individual Geocoding Results are insubstantial extracts, they may be stored and used together with other proprietary or third
  /// party data without having a share-alike impact on such other data, provided the Geocoding Results have not been aggregated to create a
  /// new database that contains the whole or a substantial part of the OSM database." Stored results therefore expire, and none is written
  /// to another database. https://osmfoundation.org/wiki/Licence/Community_Guidelines/Geocoding_-_Guideline
  ///
  /// An administrator who does not want the results to be blended sets `merge = "never"` in the provider's file.
  /// - Parameter idsSeconds: how long ids may be stored; nil for OpenStreetMap's own ids, which may be stored for ever.
  public static func openStreetMap(
    idsSeconds: Double? = nil, autocompleteAllowed: Bool, needsContact: Bool = false, source: String
  ) -> Terms {
    Terms(
      idsSeconds: idsSeconds, coordinatesSeconds: 30 * 86_400, otherSeconds: 7 * 86_400, negativeSeconds: 3_600, staleSeconds: 3 * 86_400,
      isolation: .system, mixing: .free, autocompleteAllowed: autocompleteAllowed, needsContact: needsContact,
      source: source)
  }
}

extension Attribution {
  public static let openStreetMap = Attribution(
    text: "© OpenStreetMap contributors", url: "https://www.openstreetmap.org/copyright")
}
