import PlacesAPI
import PlacesKit
import Text

/// What a text most likely means.
public struct Resolution: Sendable, Hashable {
  /// How the place's name fits the text.
  public enum Fit: Sendable, Hashable {
    /// It is the text, or begins with it, or has its words.
    case name
    /// It is spelt much like it.
    case alike
    /// Only its provider knows why, such as for a name in another language.
    case other
  }
  public var place: PlaceRow
  public var fit: Fit

  /// What is wanted of a place where nobody says: what it is and where, and nothing that costs more, as photos do.
  public static let usualFields: Set<PlaceField> = [.placeID, .name, .formattedAddress, .coordinate, .types]

  public init(place: PlaceRow, fit: Fit = .name) {
    self.place = place
    self.fit = fit
  }
}

extension PlacesClient {
  /// Turns a text that nothing was chosen for into a place, cheapest first: with one search of the providers on this machine, which
  /// cost nothing; where these know no such place, with one of the services that are free; then with those that cost, one after the
  /// other by the price of a search for these fields, or of geocoding; and with those that only suggest after those that search. A place
  /// that is only spelt alike is given where nobody knows a better one. Nil where nobody knows any; an error where nobody could answer.
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
    var alike: Resolution?
    var failure: ClientError?
    var isAnswered = false
    var steps = ResolveSteps(all, for: parameters, of: self)
    while let step = try await steps.next() {
      do throws(ClientError) {
        parameters.providers = step.providers
        let place = try await place(by: step.way, parameters)
        isAnswered = true
        guard let found = place.map({ Resolution(explained: $0, asked: text) }) else { continue }
        // A geocoder guesses: what has not the words of the text is no better than what is spelt alike.
        if found.fit == .name || found.fit == .other && step.way != .geocode { return found }
        alike = alike ?? found
      } catch {
        // A provider that fails or cannot serve these filters is no reason not to ask the others.
        guard case .refused = error else { throw error }
        if step.way != .suggest || failure == nil { failure = error }
      }
    }
    if !isAnswered, let failure { throw failure }
    return alike
  }

  private func place(by way: ResolveSteps.Step.Way, _ search: Search.Parameters) async throws(ClientError) -> PlaceRow? {
    switch way {
    case .search: return try await self.search(search).places.first
    case .suggest: return try await suggested(search)
    case .geocode:
      var address = search
      address.includedType = address.includedType ?? "street_address"
      return try await self.search(address).places.first
    }
  }

  /// The first place that is suggested, with what its provider tells of it.
  private func suggested(_ search: Search.Parameters) async throws(ClientError) -> PlaceRow? {
    // What autocomplete cannot filter by must not be left out in silence.
    guard !search.openNow, search.minRating == nil, search.priceLevels.isEmpty else { return nil }
    var parameters = Autocomplete.Parameters(query: search.query)
    parameters.limit = 1
    parameters.kinds = [.place]
    parameters.types = TypeFilter(types: search.includedType.map { [$0] } ?? [])
    (parameters.language, parameters.region, parameters.origin) = (search.language, search.region, search.origin)
    (parameters.bias, parameters.restriction, parameters.countries) = (search.bias, search.restriction, search.countries)
    (parameters.providers, parameters.deadlineMs, parameters.cache) = (search.providers, search.deadlineMs, search.cache)
    parameters.explain = true
    guard let row = try await autocomplete(parameters).suggestions.first, let id = row.id else { return nil }
    var details = Details.Parameters(id: id, fields: search.fields)
    (details.language, details.region, details.deadlineMs) = (search.language, search.region, search.deadlineMs)
    do throws(ClientError) {
      var place = try await self.details(details).place
      place.explain = row.explain
      return place
    } catch {
      // Its provider gives no details: what the row tells is what is known.
      guard case .refused = error else { throw error }
      return PlaceRow(row, id: id, fields: search.fields)
    }
  }
}

extension Resolution {
  /// Takes the explanation, which was asked for only to learn how the name fits.
  fileprivate init(explained place: PlaceRow, asked text: String) {
    self.init(place: place)
    switch place.explain?["match"]?.string {
    // Muenchen is how München is written without its dots, and no slip.
    case "fuzzy": fit = Resolution.plain(place.values[.name]?.string ?? "") == Resolution.plain(text) ? .name : .alike
    case "other": fit = .other
    default: break
    }
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
