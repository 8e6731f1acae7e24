import PlacesKit

/// The abilities, prices and terms of Google's services. Prices are Google's 2026 list as third parties quote it, in USD; an administrator
/// corrects them with `prices` in the configuration. Terms: Maps Service Specific Terms §3.2.3, §6.3.2, §14.3.
let googleManifest = Manifest(
  plugin: "google", name: "Google Places", version: "1.0", summary: "Places API (New) and Geocoding API of Google Maps Platform",
  autocomplete: Capability(
    parameters: [
      .language: .native, .region: .native, .bias: .native, .restrictionCircle: .native, .restrictionRectangle: .native,
      .origin: .native, .types: .native, .collection: .native, .countries: .native, .inputOffset: .native,
    ], minimumLetters: 3, maximumRows: 5, kinds: [.place, .query]),
  search: Capability(
    parameters: [
      .language: .native, .region: .native, .bias: .native, .restrictionCircle: .emulated, .restrictionRectangle: .native,
      .origin: .emulated, .countries: .emulated, .includedType: .partly, .strictTypeFiltering: .native, .openNow: .native,
      .minRating: .native, .priceLevels: .native, .rankByDistance: .native, .withoutQuery: .native,
    ], maximumRows: 20, fields: Set(PlaceField.allCases), pages: true),
  details: Capability(parameters: [.language: .native, .region: .native, .photo: .native], fields: Set(PlaceField.allCases)),
  reverse: Capability(
    parameters: [.language: .native, .types: .emulated, .radius: .emulated], maximumRows: 20, fields: GoogleGeocoding.fields),
  geocode: Capability(
    parameters: [
      .language: .native, .region: .native, .bias: .native, .restrictionCircle: .emulated, .restrictionRectangle: .emulated,
      .origin: .emulated, .countries: .partly, .rankByDistance: .emulated,
    ], maximumRows: 20, fields: GoogleGeocoding.fields),
  hosts: ["places.googleapis.com", "maps.googleapis.com", GooglePhoto.host], credential: .header(name: "X-Goog-Api-Key", prefix: ""),
  needsCredential: true,
  terms: Terms(
    idsSeconds: nil, coordinatesSeconds: 30 * 86_400, otherSeconds: 0, negativeSeconds: 0, staleSeconds: 0, isolation: .user,
    mixing: .never, source: "Google Maps Platform Service Specific Terms, 10 June 2026"),
  attributions: [Attribution(text: "Google Maps", url: "https://maps.google.com/")],
  rate: Rate(perSecond: 10, burst: 20, concurrent: 8), quotaWindow: .pacificDay, prices: googlePrices,
  // If a details call of the Essentials tier ends a session, the autocomplete calls after the twelfth are free.
  sessions: SessionRule(
    endings: [
      "details-essentials": .first(12), "details-ids": .all, "details-pro": .none, "details-enterprise": .none,
      "details-atmosphere": .none,
    ], idleSeconds: 180),
  coordinateDecimals: 4, typeWords: GoogleTypes.searchWords)

/// Price classes. The tier of a field, and thus its class, can differ between Text Search and Place Details.
private let googlePrices = PriceTable(
  currency: "USD",
  classes: [
    PriceClass("autocomplete", micros: 2_830, freePerMonth: 10_000),
    PriceClass("details-ids", micros: 0),
    PriceClass("details-essentials", micros: 5_000, freePerMonth: 10_000),
    PriceClass("details-pro", micros: 17_000, freePerMonth: 5_000),
    PriceClass("details-enterprise", micros: 20_000, freePerMonth: 1_000),
    PriceClass("details-atmosphere", micros: 25_000, freePerMonth: 1_000),
    PriceClass("photo", micros: 7_000, freePerMonth: 1_000),
    PriceClass("search-ids", micros: 0),
    PriceClass("search-pro", micros: 32_000, freePerMonth: 5_000),
    PriceClass("search-enterprise", micros: 35_000, freePerMonth: 1_000),
    PriceClass("search-atmosphere", micros: 40_000, freePerMonth: 1_000),
    PriceClass("geocoding", micros: 5_000, freePerMonth: 10_000),
  ],
  calls: [
    .autocomplete: "autocomplete", .search: "search-ids", .details: "details-ids", .reverse: "geocoding", .geocode: "geocoding",
    .photo: "photo",
  ],
  fieldClasses: [
    .details: Dictionary(uniqueKeysWithValues: PlaceField.allCases.map { ($0, "details-\(GoogleFields.detailsTier($0))") }),
    .search: Dictionary(uniqueKeysWithValues: PlaceField.allCases.map { ($0, "search-\(GoogleFields.searchTier($0))") }),
  ])
