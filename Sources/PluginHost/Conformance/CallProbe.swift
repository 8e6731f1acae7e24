import PlacesKit

/// Makes one plausible request of each kind, and extracts the parts of the answer that can be checked.
enum CallProbe {
  /// The query of all requests that have no sample: a word that no error message contains by chance.
  static let query = "qzberlinxj"

  /// True if an error's text contains the query. The query of a sample must occur as whole words, because a short one, such as `par`, may
  /// be a part of another word by chance, such as `parse`.
  static func repeats(_ query: String, in text: String) -> Bool {
    func words(_ text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }
    return query == CallProbe.query ? text.contains(query) : !words(query).isEmpty && words(text).contains(words(query))
  }

  /// Makes one call and returns the rows of the answer, or the error.
  /// - Parameter id: the id of the place or the photo that a details or photo call requests.
  static func ask(
    _ call: Call, of service: any PlaceService, query: String = CallProbe.query, id: String = "N1"
  ) async -> Result<[CheckedRow], ProviderError> {
    do throws(ProviderError) {
      // Like the daemon's requests, this one asks for no more rows and no other kinds than the manifest declares, and for a language only
      // if the provider supports the parameter natively.
      let capability = service.manifest.capability(call)
      let fields = capability?.fields ?? [.name]
      let limit = max(1, min(5, capability?.maximumRows ?? 5))
      let language = capability?.support(.language) == .native ? "en" : nil
      switch call {
      case .autocomplete:
        let kinds = capability?.kinds ?? [.place, .query]
        let request = AutocompleteRequest(query: query, limit: limit, language: language, kinds: kinds)
        return .success(try await service.autocomplete(request).rows.map(CheckedRow.init))
      case .search:
        return .success(
          try await service.search(SearchRequest(query: query, fields: fields, limit: limit, language: language)).rows.map(CheckedRow.init))
      case .geocode:
        return .success(
          try await service.geocode(SearchRequest(query: query, fields: fields, limit: limit, language: language)).rows.map(CheckedRow.init)
        )
      case .photo:
        _ = try await service.photoIfOffered(PhotoRequest(id: id, maxWidth: 100, maxHeight: 100))
        return .success([])
      case .details: return .success([CheckedRow(try await service.details(DetailsRequest(id: id, fields: fields, language: language)))])
      case .reverse:
        guard let point = Coordinate(latitude: 52.5, longitude: 13.4) else { return .success([]) }
        return .success(
          try await service.reverse(ReverseRequest(location: point, limit: limit, fields: fields, language: language)).rows.map(
            CheckedRow.init))
      }
    } catch {
      return .failure(error)
    }
  }
}

/// A row of any answer, checked against the contract.
struct CheckedRow: Sendable {
  let id: String?
  /// The kind of a suggestion; nil for a row of any other call, which has no kind.
  private(set) var kind: Suggestion.Kind?
  private var faults: [String] = []

  init(_ row: Suggestion) {
    id = row.id
    kind = row.kind
    if !row.hasFittingID { faults.append(CheckedRow.longID) }
    if row.text.text.isEmpty { faults.append("a row has no text") }
    if row.kind == .place && row.id?.isEmpty ?? true { faults.append("a place has no id") }
    if let importance = row.importance, !(0...1).contains(importance) { faults.append("an importance is outside 0…1") }
    for text in [row.text, row.primary, row.secondary].compactMap({ $0 }) {
      var orderedText = text
      orderedText.dropUnorderedMatches()
      if orderedText != text { faults.append("matches are not ascending ranges within their text") }
    }
  }

  init(_ place: Place) {
    id = place.id
    if !place.hasFittingID { faults.append(CheckedRow.longID) }
    if place.id.isEmpty { faults.append("a place has no id") }
    if let importance = place.importance, !(0...1).contains(importance) { faults.append("an importance is outside 0…1") }
  }

  private static let longID = "an id is too long: the daemon drops the row"

  func findings(_ subject: String) -> [ConformanceFinding] { faults.map { ConformanceFinding(.error, subject, $0) } }
}
