import PlacesKit
import Testing

@testable import PlacesAPI

/// A reply as the daemon writes it.
struct ReplySample: Sendable, CustomTestStringConvertible {
  var method: String
  var shape: Shape
  var bytes: [UInt8]
  var testDescription: String { method }

  init<M: Method>(_ method: M.Type, _ result: M.Result) {
    self.method = M.name
    shape = M.reply
    bytes = result.bytes
  }

  init(_ partial: Partial) {
    method = Partial.method
    shape = Partial.shape
    var writer = JSONWriter()
    partial.write(to: &writer)
    bytes = writer.bytes
  }
}

/// Replies with all that they may hold, and with the least.
enum ReplySamples {
  static let full: [ReplySample] = [
    ReplySample(
      Autocomplete.self,
      .init(suggestions: [suggestion], providers: [report], attributions: [credit], complete: true, revision: 2)),
    ReplySample(Select.self, Empty()), ReplySample(Search.self, places), ReplySample(Reverse.self, places),
    ReplySample(
      Resolve.self,
      .init(
        certain: true, confidence: 0.98, match: .exact, name: "Vaduz", place: place, candidates: [place], providers: [report],
        attributions: [credit])),
    ReplySample(Details.self, .init(place: place, providers: [report], attributions: [credit])),
    ReplySample(Photo.self, .init(PhotoImage(format: .png, bytes: [1]), providers: [report], attributions: [credit])),
    ReplySample(ChoicesList.self, .init(choices: [.init(id: PlaceID(provider: "p", native: "1"), text: "ber", weight: 0.5, at: time)])),
    ReplySample(ChoicesForget.self, .init(choices: 1)),
    ReplySample(
      ServiceInfo.self,
      .init(
        version: "1", capabilities: ["stream"],
        limits: .init(requestBytes: 1, replyBytes: 1, depth: 1, batch: 1, inFlight: 1, unreadBytes: 1),
        defaults: .init(deadlineMs: 1, language: "de", region: "DE", bias: .circle(center: .zero, radius: 5)), suggestedDebounceMs: 1,
        minimumLetters: 1, warnings: ["w"])),
    ReplySample(TypesList.self, .init { _ in ["google": ["bar"]] }),
    ReplySample(ProvidersList.self, .init(providers: [status])),
    ReplySample(ProvidersGet.self, .init(provider: status, manifest: manifest)),
    ReplySample(ProvidersTest.self, .init(report: report, rows: ["x"], costMicros: 1, currency: "USD", status: "s", serviceMessage: "m")),
    ReplySample(ProvidersEnable.self, .init(provider: status)), ReplySample(ProvidersDisable.self, .init(provider: status)),
    ReplySample(ProvidersReset.self, .init(provider: status)), ReplySample(ProvidersResume.self, .init(provider: status)),
    ReplySample(ProvidersLog.self, .init(lines: ["x"])),
    ReplySample(
      CacheStats.self,
      .init(providers: [.init(provider: "p", answers: 1, places: 1, choices: 1, bytes: 1, hits: 1, misses: 1, isConfigured: false)])),
    ReplySample(CachePurge.self, .init(answers: 1, places: 1, choices: 1)),
    ReplySample(CacheExpire.self, .init(answers: 1, places: 1, choices: 1)),
    ReplySample(
      CacheList.self,
      .init(entries: [
        .init(provider: "p", call: .details, key: "k", user: 1, rows: 1, bytes: 1, storedAt: time, expiresAt: time)
      ])),
    ReplySample(BudgetGet.self, .init(providers: [account])), ReplySample(BudgetConfirm.self, .init(provider: account)),
    ReplySample(ServiceReload.self, .init(reloaded: false, errors: ["x"], atNextStart: ["limits"], failed: ["x"])),
    ReplySample(ServiceLog.self, .init(level: .notice, lines: ["x"])),
    ReplySample(Partial(request: 1, revision: 1, suggestions: [suggestion], places: [place], providers: [report], attributions: [credit])),
  ]

  static let least: [ReplySample] = [
    ReplySample(
      Autocomplete.self,
      .init(
        suggestions: [SuggestionRow(Suggestion(kind: .query, text: FormattedText("x")), row: "r1", id: nil, sources: [])],
        providers: [bare],
        attributions: [], complete: true, revision: 1)),
    ReplySample(
      Search.self,
      .init(
        places: [PlaceRow(id: PlaceID(provider: "p", native: "1"), row: "r1", values: [:], sources: [], attributions: [])],
        providers: [bare], attributions: [], complete: true)),
    ReplySample(Resolve.self, .init(certain: false, confidence: 0)),
    ReplySample(
      ProvidersGet.self,
      .init(
        provider: ProviderStatus(id: "p", name: "P", plugin: "p", version: "1", state: .ready, leavesMachine: false, calls: []),
        manifest: Manifest(plugin: "p", name: "P", version: "1", summary: "", terms: .nothing, attributions: []))),
    ReplySample(
      BudgetGet.self,
      .init(providers: [
        BudgetRow(
          provider: "p", currency: "EUR", day: .init(spent: .init(), reserved: .init(), endsAt: time),
          month: .init(spent: .init(), reserved: .init(), endsAt: time))
      ])),
    ReplySample(Partial(request: 1, revision: 1, providers: [], attributions: [])),
  ]

  private static let time = "2026-01-01T00:00:00Z"
  private static let credit = AttributionRow(provider: "p", text: "©", url: "https://example.org/")
  private static let source = Source(provider: "p", id: PlaceID("p:1"), rank: 1)
  private static let bare = ProviderReport(provider: "p", outcome: .ok)
  private static let report = ProviderReport(
    provider: "p", outcome: .overBudget, count: 1, latencyMs: 1, served: .stale, cause: "quota", message: "m", detail: "d", retryAfterMs: 5)

  private static let explanation: JSONValue = [
    "match": "prefix", "matchedName": "Cologne", "score": 1.5, "parts": [["name": "text", "value": 1]], "importance": 0.5,
    "partialMatch": true, "leads": "weight",
    "tied": [], "merges": [["first": "p:1", "second": "q:1", "probability": 0.9, "reasons": [["name": "name", "value": 1]]]],
    "maybe": [], "fields": [["field": "name", "provider": "p", "at": "2026-01-01T00:00:00Z"]],
  ]

  private static let suggestion: SuggestionRow = {
    let text = FormattedText("Köln", matches: [TextRange(start: 0, end: 2)])
    var suggestion = Suggestion(kind: .place, text: text)
    suggestion.primary = text
    suggestion.secondary = text
    suggestion.types = ["locality"]
    suggestion.language = "de"
    suggestion.location = .zero
    suggestion.viewport = Rectangle(low: .zero, high: .zero)
    suggestion.iconImageURL = "https://icon.example"
    suggestion.url = "https://page.example"
    return SuggestionRow(
      suggestion, row: "r1", id: PlaceID("p:1"), sources: [source], distance: 1.5, group: "g1", attributions: [credit],
      alternatives: [SuggestionRow(suggestion, row: "r1", id: PlaceID("q:1"), sources: [source])], explain: explanation)
  }()

  private static let places = PlacesResult(
    places: [place], providers: [report], attributions: [credit], complete: true, nextPageToken: "t")

  /// The shapes of the fields, as documented at the cases of `PlaceField`.
  private static let place: PlaceRow = {
    let moment: JSONValue = ["day": 0, "hour": 9, "minute": 30, "date": "2026-12-24", "truncated": true]
    let hours: JSONValue = [
      "openNow": true, "periods": [["open": moment, "close": moment]], "weekdayText": ["x"], "text": "x", "kind": "kitchen",
      "specialDays": ["2026-12-24"], "nextOpen": .string(time), "nextClose": .string(time),
    ]
    let point: JSONValue = ["latitude": 1, "longitude": 2.5]
    let values: [PlaceField: JSONValue] = [
      .addressComponents: [["long": "Germany", "short": "DE", "types": ["country"]]], .businessStatus: "operational",
      .coordinate: point, .photos: [["id": "1", "width": 1, "height": 1, "attributions": [["text": "x", "url": "y"]]]],
      .plusCode: ["global": "9F4MGC22+22", "compound": "GC22+22 Berlin"], .types: ["bar"], .utcOffsetMinutes: 60,
      .viewport: ["low": point, "high": point], .currentOpeningHours: hours, .secondaryOpeningHours: [hours], .openingHours: hours,
      .priceLevel: "free", .rating: 4.5, .userRatingsTotal: 3, .priceRange: ["currency": "EUR", "low": 10, "high": 20.5],
      .accessibilityOptions: ["wheelchairAccessibleParking": true], .paymentOptions: ["acceptsNfc": false],
      .parkingOptions: ["valetParking": true],
      .reviews: [
        [
          "text": "x", "language": "en", "rating": 5, "time": .string(time), "url": "https://x.example",
          "author": ["text": "x", "url": "https://x.example"],
        ]
      ],
      .evChargeOptions: [
        ["type": "x", "count": 2, "maxKilowatts": 22.5, "available": 1, "outOfService": 1, "updated": .string(time)]
      ], .fuelOptions: [["type": "x", "currency": "EUR", "price": 1.5, "updated": .string(time)]],
    ]
    let texts: Set<PlaceField> = [
      .placeID, .name, .formattedAddress, .iconBackgroundColor, .iconImageURL, .phoneNumber, .website, .editorialSummary, .movedPlaceID,
      .shortFormattedAddress, .primaryType, .timeZone, .mapURL, .nationalPhoneNumber,
    ]
    let all = PlaceField.allCases.map { ($0, values[$0] ?? (texts.contains($0) ? "text" : true)) }
    var row = PlaceRow(
      id: PlaceID(provider: "p", native: "1"), row: "r1", values: Dictionary(uniqueKeysWithValues: all), distance: 1, group: "g",
      sources: [source], attributions: [credit],
      alternatives: [PlaceRow(id: PlaceID(provider: "q", native: "1"), row: "r1", values: [:], sources: [source], attributions: [credit])],
      provenance: [.name: .init(provider: "p", at: time)], explain: explanation)
    row.confidence = 0.5
    row.partialMatch = true
    return row
  }()

  private static let status: ProviderStatus = {
    var counters = ProviderStatus.Counters()
    counters.medianMs = 1
    counters.dropped = 1
    counters.abandoned = 1
    counters.p99Ms = 2
    var status = ProviderStatus(
      id: "p", name: "P", plugin: "p", version: "1", state: .suspended, reason: "r", cause: "dns", until: time, isolation: "process",
      leavesMachine: true, isFree: false, calls: [.search], counters: counters)
    status.origins = ["https://example.org"]
    return status
  }()

  private static let account: BudgetRow = {
    let window = BudgetRow.Window(
      spent: .init(calls: 1, micros: 1), reserved: .init(calls: 1, micros: 1), callLimit: 1, microsLimit: 1, endsAt: time)
    var row = BudgetRow(
      provider: "p", currency: "EUR", day: window, month: window, uncounted: true, needsConfirmation: "x", unavailable: "y")
    row.userShare = 0.25
    return row
  }()

  private static let manifest: Manifest = {
    let capability = Capability(parameters: [.language: .native], fields: [.name])
    return Manifest(
      plugin: "p", name: "P", version: "1", summary: "s", autocomplete: capability, search: capability, details: capability,
      reverse: capability, geocode: capability, hosts: ["example.org"], needsBaseURL: true, credential: .header(name: "X-Key", prefix: ""),
      needsCredential: true,
      settings: [Setting("contact", .string, "s", required: true, defaultValue: "x", choices: ["x"])],
      terms: Terms(idsSeconds: nil, coordinatesSeconds: 1, otherSeconds: 0, mixing: .family("openstreetmap"), source: "s"),
      attributions: [Attribution(text: "t", url: "u")], rate: Rate(perSecond: 1),
      prices: PriceTable(
        classes: [PriceClass("a", micros: 1)], calls: [.search: "a"], fieldClasses: [.details: [.name: "a"]]),
      sessions: SessionRule(endings: ["a": .first(12), "b": .all]), countries: ["DE"], area: .circle(center: .zero, radius: 1),
      coordinateDecimals: 3, typeWords: ["bar": ["pub"]])
  }()
}
