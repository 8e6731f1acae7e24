/// The uses of answers that a service's contract allows, as rules that the daemon enforces. By default, answers are not shared between
/// users and not blended.
///
/// The rules apply to single rows of answers. None of them permits copying a service's database: an answer has at most 50 rows, and stored
/// data is deleted when the terms require it.
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
  /// The seconds after its expiry during which an answer may still be returned if the service is slow or down; 0 if that is not allowed.
  public var staleSeconds: Double
  public var isolation: Isolation
  public var mixing: Mixing
  /// True if the service may be queried at every keystroke.
  public var autocompleteAllowed: Bool
  /// True if the order of the rows must not change.
  public var keepsOrder: Bool
  /// True if requests must name a contact of the daemon's operator (the setting `contact`).
  public var needsContact: Bool
  /// The name or address of the document that states the rules.
  public var source: String

  /// The services whose rows may be blended with the rows of this service into one record. If rows of the same place may not be blended,
  /// one of them is returned with the others as its alternatives. Completions of the text (`Suggestion.Kind.query`) may always be blended,
  /// because they are the user's own words.
  public enum Mixing: Sendable, Hashable, Codable {
    /// The rows may be blended with rows of all other services whose `mixing` is `free`, if all credits are shown. This is for open data,
    /// such as GeoNames and OpenStreetMap.
    case free
    /// The rows may be blended only with rows of providers of the same family, such as `openstreetmap`.
    case family(String)
    /// The rows may not be blended with rows of another provider.
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

  /// Terms that do not allow any answer to be stored, shared or blended.
  public static let nothing = Terms(
    idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: 0, negativeSeconds: 0, isolation: .session, source: "no terms given")
}
