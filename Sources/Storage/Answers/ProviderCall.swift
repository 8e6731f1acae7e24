import PlacesKit

/// One call to one provider, with exactly the parameters that determine its answer. Equal calls of one partition can share an answer. The
/// enum is indirect because the value is large and passed often.
public indirect enum ProviderCall: Sendable, Hashable {
  case autocomplete(AutocompleteRequest)
  case search(SearchRequest)
  case details(DetailsRequest)
  case reverse(ReverseRequest)
  case geocode(SearchRequest)
  case photo(PhotoRequest)

  public var kind: Call {
    switch self {
    case .autocomplete: .autocomplete
    case .search: .search
    case .details: .details
    case .reverse: .reverse
    case .geocode: .geocode
    case .photo: .photo
    }
  }

  /// The language of the requested texts; nil if the request has none.
  public var language: String? {
    switch self {
    case .autocomplete(let request): request.language
    case .search(let request), .geocode(let request): request.language
    case .details(let request): request.language
    case .reverse(let request): request.language
    case .photo: nil
    }
  }

  /// The requested fields, which may determine the price.
  public var fields: Set<PlaceField> {
    switch self {
    case .autocomplete, .photo: []
    case .search(let request), .geocode(let request): request.fields
    case .details(let request): request.fields
    case .reverse(let request): request.fields
    }
  }

  /// The call without the session token.
  var withoutSessionToken: ProviderCall {
    switch self {
    case .autocomplete(var request) where request.sessionToken != nil:
      request.sessionToken = nil
      return .autocomplete(request)
    case .details(var request) where request.sessionToken != nil:
      request.sessionToken = nil
      return .details(request)
    default: return self
    }
  }
}
