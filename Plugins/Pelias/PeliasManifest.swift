import Geocoders
import PlacesKit

/// The parameters that autocomplete and search have in common.
private let common: [Capability.Parameter: Capability.Support] = [
  .language: .native, .bias: .native, .restrictionRectangle: .native, .restrictionCircle: .native, .countries: .native, .origin: .emulated,
]

let peliasManifest = Manifest(
  plugin: "pelias", name: "Pelias", version: "1.0.0", summary: "A geocoder on open data; a server of your own, or a hosted one with a key.",
  autocomplete: Capability(
    parameters: common.merging([.types: .native, .collection: .native, .inputOffset: .emulated]) { first, _ in first }, minimumLetters: 2,
    maximumRows: 40),
  search: Capability(
    parameters: common.merging([.includedType: .native, .strictTypeFiltering: .native, .openNow: .emulated]) { first, _ in first },
    minimumLetters: 2,
    maximumRows: 40, fields: GeocodedPlace.fields),
  details: Capability(parameters: [.language: .native], maximumRows: 1, fields: GeocodedPlace.fields),
  reverse: Capability(
    parameters: [.language: .native, .types: .native, .collection: .native, .radius: .native], maximumRows: 40, fields: GeocodedPlace.fields
  ),
  needsBaseURL: true, credential: .query(name: "api_key"), needsCredential: false,
  // Ids of addresses and of OpenStreetMap objects are valid until the server's data is rebuilt, which most servers do every week.
  terms: .openStreetMap(
    idsSeconds: 7 * 86_400, autocompleteAllowed: true, source: "https://github.com/pelias/documentation/blob/master/data-licenses.md"),
  attributions: [
    .openStreetMap, Attribution(text: "Who's On First", url: "https://whosonfirst.org/docs/licenses/"),
    Attribution(text: "OpenAddresses", url: "https://openaddresses.io/"),
    Attribution(text: "GeoNames (CC BY 4.0)", url: "https://www.geonames.org/"),
  ],
  rate: Rate(concurrent: 4), typeWords: PeliasLayers.words)
