import PlacesKit

/// Foursquare's abilities, prices and terms. The prices are those that a third party quotes (2026): 1,000 Pro calls cost USD 15 after
/// 10,000 free calls a month, 1,000 Premium calls USD 18.75. Terms: usage guidelines of 2026-02-12, acceptable use policy of 2024-03-12 (no
/// mixing with share-alike material).
let foursquareManifest = Manifest(
  plugin: "foursquare", name: "Foursquare", version: "1.0", summary: "Foursquare Places API of 2025-06-17",
  autocomplete: Capability(
    parameters: [
      .bias: .native, .restrictionCircle: .emulated, .restrictionRectangle: .emulated, .origin: .emulated, .types: .native,
      .collection: .native, .countries: .emulated,
    ], minimumLetters: FoursquareAutocomplete.minQueryLength, maximumRows: 50, kinds: [.place, .query]),
  search: Capability(
    parameters: [
      .bias: .native, .restrictionCircle: .emulated, .restrictionRectangle: .native, .origin: .emulated, .countries: .emulated,
      .includedType: .partly, .strictTypeFiltering: .native, .openNow: .native, .minRating: .emulated, .priceLevels: .partly,
      .rankByDistance: .native, .withoutQuery: .native,
    ], maximumRows: 50, fields: FoursquareFields.supported, pages: true),
  details: Capability(parameters: [.photo: .native], fields: FoursquareFields.supported.union([.viewport])),
  hosts: [FoursquareRequests.host, FoursquarePhoto.host],
  credential: .header(name: "Authorization", prefix: "Bearer "), needsCredential: true,
  settings: [
    Setting(
      "bias", .string, "which kind of autocomplete result Foursquare should prefer", choices: ["place", "search", "geo"])
  ],
  terms: Terms(
    idsSeconds: nil, coordinatesSeconds: 0, otherSeconds: 0, negativeSeconds: 0, staleSeconds: 0, isolation: .user, mixing: .never,
    source: "Foursquare usage guidelines, 12 February 2026 (pay-as-you-go)"),
  attributions: [Attribution(text: "Powered by Foursquare", url: "https://foursquare.com/")],
  rate: Rate(perSecond: 50, burst: 10, concurrent: 8), quotaWindow: .utcMonth,
  prices: PriceTable(
    currency: "USD",
    classes: [
      PriceClass("autocomplete", micros: 15_000, freePerMonth: 10_000), PriceClass("pro", micros: 15_000, freePerMonth: 10_000),
      PriceClass("premium", micros: 18_750),
    ],
    calls: [.autocomplete: "autocomplete", .search: "pro", .details: "pro"],
    fieldClasses: [
      .search: Dictionary(uniqueKeysWithValues: FoursquareFields.premium.map { ($0, "premium") }),
      .details: Dictionary(uniqueKeysWithValues: FoursquareFields.premium.map { ($0, "premium") }),
    ]),
  // Without a session token, each keystroke is charged. Foursquare does not document how it bills a session with a token, so none of its
  // calls is counted as free.
  sessions: SessionRule(endings: [:]),
  coordinateDecimals: 3, typeWords: FoursquareTypes.categoryIDs)
