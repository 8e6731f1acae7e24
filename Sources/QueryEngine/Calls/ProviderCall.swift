import PlacesKit

/// One question to one provider, with everything that decides its answer and nothing else: two equal calls of one
/// partition are the same call. Behind a reference, since a request is large, and is carried through many hands.
indirect enum ProviderCall: Sendable, Hashable {
  case autocomplete(AutocompleteRequest)
  case search(SearchRequest)
  case details(DetailsRequest)
  case reverse(ReverseRequest)
  case geocode(SearchRequest)

  var kind: Call {
    switch self {
    case .autocomplete: .autocomplete
    case .search: .search
    case .details: .details
    case .reverse: .reverse
    case .geocode: .geocode
    }
  }

  /// The fields that the service will be asked for, which may decide the price.
  var fields: Set<PlaceField> {
    switch self {
    case .autocomplete: []
    case .search(let request), .geocode(let request): request.fields
    case .details(let request): request.fields
    case .reverse(let request): request.fields
    }
  }

  /// Puts the question to the service.
  func ask(_ service: any PlaceService) async throws(ProviderError) -> ProviderAnswer {
    switch self {
    case .autocomplete(let request): .suggestions(try await service.autocomplete(request))
    case .search(let request): .places(try await service.search(request))
    case .details(let request): .places(Page(rows: [try await service.details(request)], exhaustive: true))
    case .reverse(let request): .places(try await service.reverse(request))
    case .geocode(let request): .places(try await service.geocode(request))
    }
  }

  /// The same, with the requests that are sent for it charged to a meter.
  func ask(_ service: any PlaceService, meter: any RequestMeter) async -> Result<ProviderAnswer, ProviderError> {
    do throws(ProviderError) { return .success(try await ask(service.metered(by: meter))) } catch { return .failure(error) }
  }

  /// The same for a service that computes in the caller's task, and is to end at a deadline (monotonic seconds) by itself.
  func ask(_ service: any PlaceService, until deadline: Double) async -> Result<ProviderAnswer, ProviderError> {
    await CallDeadline.$current.withValue(deadline) { () async -> Result<ProviderAnswer, ProviderError> in
      do throws(ProviderError) { return .success(try await ask(service)) } catch { return .failure(error) }
    }
  }
}

/// What a provider gave.
enum ProviderAnswer: Sendable, Hashable {
  case suggestions(Page<Suggestion>)
  case places(Page<Place>)

  var suggestions: [Suggestion] { if case .suggestions(let page) = self { page.rows } else { [] } }
  var places: [Place] { if case .places(let page) = self { page.rows } else { [] } }

  var count: Int {
    switch self {
    case .suggestions(let page): page.rows.count
    case .places(let page): page.rows.count
    }
  }

  /// Whether these are all rows that match.
  var exhaustive: Bool {
    switch self {
    case .suggestions(let page): page.exhaustive
    case .places(let page): page.exhaustive
    }
  }

  /// The provider's token of the next page.
  var next: String? {
    switch self {
    case .suggestions(let page): page.next
    case .places(let page): page.next
    }
  }
}
