import PlacesAPI
import PlacesKit
import Text

/// What a text most likely means.
public struct Resolution: Sendable, Hashable {
  /// How the place's name fits the text, the worst first.
  public enum Fit: Sendable, Hashable, Comparable {
    /// It is only some of the text's words, and nothing else of the place has the others: nobody on this machine knows what the whole
    /// text means.
    case part
    /// Only its provider knows why, such as for a name in another language.
    case other
    /// It is spelt much like it.
    case alike
    /// It is the text, or begins with it, or has its words.
    case name
  }
  public var place: PlaceRow
  /// The place's name, also where `fields` does not ask for it; nil where asking for it might have cost something.
  public var name: String?
  public var fit: Fit
  /// How those fared that were asked, in that order.
  public var providers: [ProviderReport]

  /// What is wanted of a place where nobody says: what it is and where, and nothing that costs more, as photos do.
  public static let usualFields: Set<PlaceField> = [.placeID, .name, .formattedAddress, .coordinate, .types]

  public init(place: PlaceRow, name: String? = nil, fit: Fit = .name, providers: [ProviderReport] = []) {
    self.place = place
    self.name = name
    self.fit = fit
    self.providers = providers
  }
}

extension PlacesClient {
  /// Turns a text that nothing was chosen for into a place, cheapest first: with one search of the providers on this machine, which
  /// cost nothing; where these know no such place, with one of the services that are free; then with those that cost, one after the
  /// other by the price of a search for these fields, or of geocoding; and with those that only suggest after those that search. A place
  /// that is only spelt alike is given where the next service to answer knows none that fits, one that is named by a part of the text only
  /// where nobody knows any other. Nil where nobody knows any; an error where nobody could answer.
  public func resolve(
    _ text: String, fields: Set<PlaceField> = Resolution.usualFields,
    adjust: @Sendable (inout Search.Parameters) -> Void = { _ in }
  ) async throws(ClientError) -> Resolution? {
    var parameters = Search.Parameters(query: text, fields: fields)
    adjust(&parameters)
    parameters.limit = 1
    // The explanation tells how the name fits.
    parameters.explain = true
    let wanted = parameters.providers
    let all = try await call(ProvidersList.self, NoParameters()).providers.filter { wanted.isEmpty || wanted.contains($0.id) }
    let local = Set(all.filter { !$0.leavesMachine }.map(\.id))
    var best: Resolution?
    var failure: ClientError?
    var reports: [ProviderReport] = []
    var isAnswered = false
    var steps = ResolveSteps(all, for: parameters, of: self)
    while let step = try await steps.next() {
      do throws(ClientError) {
        parameters.providers = step.providers
        // What tells how the text fits.
        parameters.fields = step.isFree ? fields.union([.name, .formattedAddress]) : fields
        let found = try await place(by: step.way, parameters)
        reports += found.reports
        isAnswered = true
        // Who was asked before may say the same once more.
        guard let place = found.place, place.id != best?.place.id else { continue }
        var resolution = Resolution(explained: place, asked: text, fields: fields)
        resolution.providers = reports
        // A service that geocodes knows countries and streets in more spellings than its answers show.
        if resolution.fit == .part, !local.contains(place.id.provider) { resolution.fit = .other }
        if resolution.fit == .name { return resolution }
        // Berlin is no better answer to `londn` than a London that somebody knows as spelt alike, and to ask others for a slip of the finger
        // may cost something.
        if best?.fit == .alike, resolution.fit != .part { break }
        // A geocoder guesses.
        if resolution.fit == .other, step.way != .geocode { return resolution }
        if best.map({ resolution.fit > $0.fit }) ?? true { best = resolution }
      } catch {
        // A provider that fails or cannot serve these filters is no reason not to ask the others.
        guard case .refused(let refusal) = error else { throw error }
        reports += refusal.providers
        if step.way != .suggest || failure == nil { failure = error }
      }
    }
    if !isAnswered, let failure { throw failure }
    best?.providers = reports
    return best
  }

  private typealias Found = (place: PlaceRow?, reports: [ProviderReport])

  private func place(by way: ResolveSteps.Step.Way, _ search: Search.Parameters) async throws(ClientError) -> Found {
    switch way {
    case .search: return try await searched(search)
    case .suggest: return try await suggested(search)
    case .geocode:
      var address = search
      address.includedType = address.includedType ?? "street_address"
      return try await searched(address)
    }
  }

  private func searched(_ search: Search.Parameters) async throws(ClientError) -> Found {
    let result = try await self.search(search)
    return (result.places.first, result.providers)
  }

  /// The first place that is suggested, with what its provider tells of it.
  private func suggested(_ search: Search.Parameters) async throws(ClientError) -> Found {
    // What autocomplete cannot filter by must not be left out in silence.
    guard !search.openNow, search.minRating == nil, search.priceLevels.isEmpty else { return (nil, []) }
    var parameters = Autocomplete.Parameters(query: search.query)
    parameters.limit = 1
    parameters.kinds = [.place]
    parameters.types = TypeFilter(types: search.includedType.map { [$0] } ?? [])
    (parameters.language, parameters.region, parameters.origin) = (search.language, search.region, search.origin)
    (parameters.bias, parameters.restriction, parameters.countries) = (search.bias, search.restriction, search.countries)
    (parameters.providers, parameters.deadlineMs, parameters.cache) = (search.providers, search.deadlineMs, search.cache)
    parameters.explain = true
    let result = try await autocomplete(parameters)
    guard let row = result.suggestions.first, let id = row.id else { return (nil, result.providers) }
    var details = Details.Parameters(id: id, fields: search.fields)
    (details.language, details.region, details.deadlineMs) = (search.language, search.region, search.deadlineMs)
    do throws(ClientError) {
      var place = try await self.details(details).place
      place.explain = row.explain
      return (place, result.providers)
    } catch {
      // Its provider gives no details: what the row tells is what is known.
      guard case .refused = error else { throw error }
      return (PlaceRow(row, id: id, fields: search.fields), result.providers)
    }
  }
}

extension Resolution {
  /// Takes the explanation, which was asked for only to learn how the name fits, and a name that nobody wanted.
  fileprivate init(explained place: PlaceRow, asked text: String, fields: Set<PlaceField>) {
    let name = place.values[.name]?.string
    self.init(place: place, name: name)
    switch place.explain?["match"]?.string {
    // Muenchen is how München is written without its dots, and no slip.
    case "fuzzy": fit = Resolution.plain(name ?? "") == Resolution.plain(text) ? .name : .alike
    case "part": fit = .part
    case "other": fit = .other
    default: break
    }
    self.place.values = self.place.values.filter { fields.contains($0.key) }
    self.place.explain = nil
    self.place.provenance = nil
  }

  private static func plain(_ text: String) -> String {
    ["ae", "oe", "ue", "ss"].reduce(Folding.key(text)) { $0.replacing($1, with: $1.prefix(1)) }
  }
}

extension PlaceRow {
  fileprivate init(_ row: SuggestionRow, id: PlaceID, fields: Set<PlaceField>) {
    var values: [PlaceField: JSONValue] = [.placeID: .string(id.text), .name: .string((row.primary ?? row.text).text)]
    values[.formattedAddress] = .string(row.text.text)
    if !row.types.isEmpty { values[.types] = .array(row.types.map { .string($0.rawValue) }) }
    if let point = row.location { values[.coordinate] = ["latitude": .number(point.latitude), "longitude": .number(point.longitude)] }
    self.init(
      id: id, row: row.row, values: values.filter { fields.contains($0.key) }, distance: row.distance, sources: row.sources,
      attributions: row.attributions ?? [], explain: row.explain)
  }
}
