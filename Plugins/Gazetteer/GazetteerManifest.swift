import GazetteerIndex
import PlacesKit

extension GazetteerProvider {
  static let manifest = Manifest(
    plugin: "gazetteer",
    name: "Gazetteer",
    version: "1.0",
    summary: "Places of the world from an index on this machine, built from Debian's GeoNames data, GeoNames dumps and OpenStreetMap.",
    autocomplete: Capability(
      parameters: [
        .language: .native, .region: .native, .bias: .native, .restrictionCircle: .native, .restrictionRectangle: .native,
        .origin: .native, .types: .native, .collection: .native, .countries: .native, .inputOffset: .native,
        .endsWord: .native,
      ],
      minimumLetters: 1, maximumRows: 50),
    search: Capability(
      parameters: [
        .language: .native, .region: .native, .bias: .native, .restrictionCircle: .native, .restrictionRectangle: .native,
        .origin: .native, .countries: .native, .includedType: .native, .strictTypeFiltering: .native, .openNow: .emulated,
        .rankByDistance: .native, .withoutQuery: .native,
      ],
      minimumLetters: 1, maximumRows: 20, fields: fields, pages: true),
    details: Capability(parameters: [.language: .native, .region: .native], maximumRows: 1, fields: fields),
    reverse: Capability(parameters: [.language: .native, .types: .native, .radius: .native], maximumRows: 20, fields: fields),
    settings: [
      Setting("index", .string, "Path of the index; by default `gazetteer.db` in the first data folder that has one.")
    ],
    terms: Terms(
      idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: nil, negativeSeconds: 60, isolation: .system, mixing: .free,
      source: "GeoNames, CC BY 4.0 (https://www.geonames.org/export/); imported OpenStreetMap data, ODbL 1.0"),
    attributions: [GazetteerSource.geoNamesCredit],
    rate: Rate(concurrent: 64), givesLocalNames: true)

  /// The fields that the index can have.
  private static let fields: Set<PlaceField> = [
    .placeID, .name, .addressComponents, .formattedAddress, .coordinate, .plusCode, .types, .wheelchairAccessibleEntrance,
    .phoneNumber, .openingHours, .website,
  ]
}
