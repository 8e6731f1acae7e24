import PlacesKit

extension Terms {
  /// Data under the Open Database License: it may be kept and shown to all; what is made by blending may be passed on only under
  /// the same licence, so that it is blended with its own family alone.
  /// - Parameter idsSeconds: nil where the ids are OpenStreetMap's own, which stay.
  public static func openStreetMap(
    idsSeconds: Double? = nil, autocompleteAllowed: Bool, needsContact: Bool = false, source: String
  ) -> Terms {
    Terms(
      idsSeconds: idsSeconds, coordinatesSeconds: 30 * 86_400, otherSeconds: 7 * 86_400, negativeSeconds: 3_600, staleSeconds: 3 * 86_400,
      isolation: .system, mixing: .family("openstreetmap"), autocompleteAllowed: autocompleteAllowed, needsContact: needsContact,
      source: source)
  }
}

extension Attribution {
  public static let openStreetMap = Attribution(
    text: "© OpenStreetMap contributors", url: "https://www.openstreetmap.org/copyright")
}
