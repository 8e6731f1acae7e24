import Geocoders
import PlacesKit

/// The abilities and terms of a Photon server; details need an additional Nominatim server.
enum PhotonManifest {
  /// The languages of the public dumps.
  static let defaultLanguages = ["en", "de", "fr"]

  static let publicHost = "photon.komoot.io"

  /// True if requests go to komoot's public server: there is no base_url, or it is that server's address.
  static func isPublic(_ baseURL: String?) -> Bool {
    guard let baseURL, let url = ServiceURL(baseURL) else { return true }
    return url.host == publicHost || url.host == publicHost + "."
  }

  static func manifest(hasDetails: Bool) -> Manifest {
    // The parameters that autocomplete and search have in common.
    let common: [Capability.Parameter: Capability.Support] = [
      .language: .native, .bias: .native, .restrictionRectangle: .native, .restrictionCircle: .emulated, .countries: .native,
      .origin: .emulated,
    ]
    let forAutocomplete = common.merging([.types: .native, .collection: .native, .inputOffset: .emulated]) { first, _ in first }
    let forSearch = common.merging([
      .includedType: .native, .strictTypeFiltering: .native, .openNow: .emulated, .rankByDistance: .native,
    ]) { first, _ in first }
    let fields = GeocodedPlace.fields
    return Manifest(
      plugin: "photon", name: "Photon", version: "1.0.0", summary: "A geocoder for type-ahead on OpenStreetMap data, by komoot.",
      autocomplete: Capability(parameters: forAutocomplete, minimumLetters: 2, maximumRows: 50),
      search: Capability(parameters: forSearch, minimumLetters: 2, maximumRows: 50, fields: fields),
      details: hasDetails ? Capability(parameters: [.language: .native], maximumRows: 1, fields: fields) : nil,
      reverse: Capability(
        parameters: [.language: .native, .types: .native, .collection: .native, .radius: .native], maximumRows: 50, fields: fields),
      hosts: [publicHost], settings: settings,
      terms: .openStreetMap(
        autocompleteAllowed: true, source: "https://photon.komoot.io/ (fair use) and https://www.openstreetmap.org/copyright"),
      attributions: [.openStreetMap], rate: Rate(perSecond: 2, burst: 6, concurrent: 2), givesLocalNames: true,
      typeWords: OpenStreetMapTypes.words)
  }

  private static let settings = [
    Setting(
      "languages", .strings, "The languages that the server's data was imported with.",
      defaultValue: .array(defaultLanguages.map { .string($0) })),
    Setting("nominatim_url", .url, "A Nominatim of your own on the same data, which gives details by id."),
  ]
}
