import PlacesKit

/// The users who may receive a stored answer.
public enum Partition: Sendable, Hashable, Codable {
  case everybody
  case user(UInt32)
  /// Stored in memory only.
  case session(String)

  /// The value of the column `user` in the databases; nil for a partition that is never stored on disk.
  var column: Int? {
    switch self {
    case .everybody: -1
    case .user(let user): Int(user)
    case .session: nil
    }
  }

  init(column: Int) { self = UInt32(exactly: column).map(Partition.user) ?? .everybody }
}

/// The key of a stored answer. An answer is valid for every request with an equal key.
public struct AnswerKey: Sendable, Hashable, Codable {
  /// A request as it is sent to the provider, without the session token, which does not affect the answer.
  public enum Request: Sendable, Hashable, Codable {
    case autocomplete(AutocompleteRequest)
    case search(SearchRequest)
    case details(DetailsRequest)
    case reverse(ReverseRequest)
    case geocode(SearchRequest)

    public var call: Call {
      switch self {
      case .autocomplete: .autocomplete
      case .search: .search
      case .details: .details
      case .reverse: .reverse
      case .geocode: .geocode
      }
    }

    var language: String? {
      switch self {
      case .autocomplete(let request): request.language
      case .search(let request), .geocode(let request): request.language
      case .details(let request): request.language
      case .reverse(let request): request.language
      }
    }

    fileprivate var withoutToken: Request {
      switch self {
      case .autocomplete(var request):
        request.sessionToken = nil
        return .autocomplete(request)
      case .details(var request):
        request.sessionToken = nil
        return .details(request)
      default: return self
      }
    }
  }

  /// The provider's id in the configuration.
  public var provider: String
  /// The fingerprint of the terms under which the answer was stored: answers stored under other terms are not found.
  public var terms: Int64
  public var request: Request
  public var partition: Partition

  public init(provider: String, terms: Terms, request: Request, partition: Partition) {
    self.init(provider: provider, terms: terms.fingerprint, request: request, partition: partition)
  }

  /// Creates a key with a precomputed `fingerprint` of the terms.
  public init(provider: String, terms: Int64, request: Request, partition: Partition) {
    self.provider = provider
    self.terms = terms
    self.request = request.withoutToken
    self.partition = partition
  }
}

extension Terms {
  /// A number that changes with every term that decides what is stored, for how long and for whom.
  public var fingerprint: Int64 {
    var checksum = Checksum()
    for seconds in [idsSeconds, coordinatesSeconds, otherSeconds, negativeSeconds, staleSeconds] { checksum.add(seconds ?? -1) }
    checksum.add(isolation.rawValue)
    checksum.add(source)
    return checksum.value
  }
}
