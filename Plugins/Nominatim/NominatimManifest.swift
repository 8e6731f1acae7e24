import Geocoders
import PlacesKit

/// The abilities and terms of a Nominatim server, which depend on its operator.
enum NominatimManifest {
  static let publicHost = "nominatim.openstreetmap.org"

  /// True if the usage policy of OpenStreetMap's own servers applies: there is no base_url, or it is the address of one of these servers.
  static func isPublic(_ baseURL: String?) -> Bool {
    guard let baseURL, let url = ServiceURL(baseURL) else { return true }
    return url.host == "openstreetmap.org" || url.host.hasSuffix(".openstreetmap.org") || url.host.hasSuffix(".openstreetmap.org.")
  }

  static func manifest(isPublic: Bool, autocomplete: Bool) -> Manifest {
    // The parameters that autocomplete and search have in common.
    let common: [Capability.Parameter: Capability.Support] = [
      .language: .native, .bias: .native, .restrictionRectangle: .native, .restrictionCircle: .emulated, .countries: .native,
      .origin: .emulated,
    ]
    let forAutocomplete = common.merging([.types: .native, .collection: .native, .inputOffset: .emulated]) { first, _ in first }
    let forSearch = common.merging([.includedType: .native, .strictTypeFiltering: .native, .openNow: .emulated]) { first, _ in first }
    let fields = GeocodedPlace.fields
    return Manifest(
      plugin: "nominatim", name: "Nominatim", version: "1.0.0", summary: "OpenStreetMap's geocoder: search, lookup and reverse geocoding.",
      // Nominatim finds whole words only, and words of fewer than three letters rarely mean a place.
      autocomplete: autocomplete ? Capability(parameters: forAutocomplete, minimumLetters: 3, maximumRows: 40) : nil,
      search: Capability(parameters: forSearch, minimumLetters: 2, maximumRows: 40, fields: fields, pages: true),
      details: Capability(parameters: [.language: .native], maximumRows: 1, fields: fields),
      reverse: Capability(
        parameters: [.language: .native, .types: .native, .collection: .native, .radius: .emulated], maximumRows: 1, fields: fields),
      hosts: [publicHost], settings: settings,
      terms: .openStreetMap(
        autocompleteAllowed: autocomplete, needsContact: true,
        source: isPublic ? "https://operations.osmfoundation.org/policies/nominatim/" : "https://www.openstreetmap.org/copyright"),
      attributions: [.openStreetMap],
      // The public server allows one request a second to all users of an application together.
      rate: isPublic ? Rate(perSecond: 1, burst: 1, concurrent: 1) : Rate(concurrent: 4),
      givesLocalNames: true, typeWords: OpenStreetMapTypes.words)
  }

  private static let settings = [
    Setting("contact", .string, "A mail address or page where the operator can be reached; the public server asks for it."),
    Setting(
      "autocomplete", .boolean, "Whether a server of your own may be asked as somebody types; it finds whole words only.",
      defaultValue: false),
  ]
}
