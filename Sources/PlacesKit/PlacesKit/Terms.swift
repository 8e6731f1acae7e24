/// The uses of answers that a service's contract allows, as rules that the daemon enforces. By default nothing is stored, shared or
/// blended.
///
/// The rules are about single rows of answers. None of them permits extracting a service's database: an answer has at most 50 rows, and
/// stored rows expire.
public struct Terms: Sendable, Hashable, Codable {
  /// The users who may receive an answer that was stored for one user's request.
  public enum Isolation: String, Sendable, Hashable, Codable {
    /// Every user of this machine.
    case system
    /// Only the requesting user.
    case user
    /// Only the session of the request.
    case session
  }

  /// The seconds for which ids may be stored; nil for no limit, 0 if they must not be stored.
  public var idsSeconds: Double?
  /// The seconds for which coordinates may be stored; nil for no limit, 0 if they must not be stored.
  public var coordinatesSeconds: Double?
  /// The seconds for which all other data may be stored; nil for no limit, 0 if it must not be stored.
  public var otherSeconds: Double?
  /// The seconds for which an empty answer may be stored.
  public var negativeSeconds: Double
  /// Seconds after its expiry during which an answer may still be served if the service is slow or down; 0 for not at all.
  public var staleSeconds: Double
  public var isolation: Isolation
  public var mixing: Mixing
  /// True if the service may be queried at every keystroke.
  public var autocompleteAllowed: Bool
  /// True if the order of the rows must not change.
  public var keepsOrder: Bool
  /// True if requests must name a contact of the operator (setting `contact`).
  public var needsContact: Bool
  /// The document with the rules.
  public var source: String

  /// The services whose rows may be blended with this one's into one record. Rows of one place that may not be blended become one row and
  /// its alternatives. Completions of the text (`Suggestion.Kind.query`) are the user's own words and always blend.
  public enum Mixing: Sendable, Hashable, Codable {
    /// The rows may be blended with rows of all other services whose `mixing` is `free`, if all credits are shown: open data, such as
    /// GeoNames and OpenStreetMap.
    case free
    /// The rows may be blended only with rows of providers of the same family, such as `openstreetmap`.
    case family(String)
    /// The rows may be blended with nothing from another provider.
    case never
  }

  public init(
    idsSeconds: Double?, coordinatesSeconds: Double?, otherSeconds: Double?, negativeSeconds: Double = 60, staleSeconds: Double = 0,
    isolation: Isolation = .user, mixing: Mixing = .never, autocompleteAllowed: Bool = true, keepsOrder: Bool = false,
    needsContact: Bool = false, source: String
  ) {
    self.idsSeconds = idsSeconds
    self.coordinatesSeconds = coordinatesSeconds
    self.otherSeconds = otherSeconds
    self.negativeSeconds = negativeSeconds
    self.staleSeconds = staleSeconds
    self.isolation = isolation
    self.mixing = mixing
    self.autocompleteAllowed = autocompleteAllowed
    self.keepsOrder = keepsOrder
    self.needsContact = needsContact
    self.source = source
  }

  /// The terms by which nothing may be stored, shared or blended.
  public static let nothing = Terms(
    idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: 0, negativeSeconds: 0, isolation: .session, source: "no terms given")
}
