import PlacesKit

/// Who may see what is kept.
public enum Partition: Sendable, Hashable, Codable {
  case everybody
  case user(UInt32)
  /// Kept in memory alone.
  case session(String)

  /// As the databases spell it; nil for what never gets there.
  var column: Int? {
    switch self {
    case .everybody: -1
    case .user(let user): Int(user)
    case .session: nil
    }
  }

  init(column: Int) { self = UInt32(exactly: column).map(Partition.user) ?? .everybody }
}

/// What a kept answer answers. Equal keys mean that one answer serves for both.
public struct AnswerKey: Sendable, Hashable, Codable {
  /// A request as its provider gets it, without the session's token, which has no part in the answer.
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

  /// The instance's id.
  public var provider: String
  /// The terms under which it was kept, as a number: answers kept under other terms are not found any more.
  public var terms: Int64
  public var request: Request
  public var partition: Partition

  public init(provider: String, terms: Terms, request: Request, partition: Partition) {
    self.init(provider: provider, terms: terms.fingerprint, request: request, partition: partition)
  }

  /// The same for terms whose `fingerprint` is at hand.
  public init(provider: String, terms: Int64, request: Request, partition: Partition) {
    self.provider = provider
    self.terms = terms
    self.request = request.withoutToken
    self.partition = partition
  }
}

extension Terms {
  /// A number that changes when anything changes that decides what is kept, for how long and for whom.
  public var fingerprint: Int64 {
    var checksum = Checksum()
    for seconds in [idsSeconds, coordinatesSeconds, otherSeconds, negativeSeconds, staleSeconds] { checksum.add(seconds ?? -1) }
    checksum.add(isolation.rawValue)
    checksum.add(source)
    return checksum.value
  }
}
