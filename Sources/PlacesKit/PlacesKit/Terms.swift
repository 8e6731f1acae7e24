/// What a service's contract allows to be done with its answers, as rules that the daemon enforces. Without terms nothing is kept, shared or
/// blended.
///
/// Rows are single results of a search, and `mixing` is about these. No terms allow to extract a database: an answer has at most 50 rows, and
/// what was kept expires.
public struct Terms: Sendable, Hashable, Codable {
  /// Who may see an answer that one user caused.
  public enum Isolation: String, Sendable, Hashable, Codable {
    /// Every user of this machine.
    case system
    /// Only the user who asked.
    case user
    /// Only the session that asked.
    case session
  }

  /// Seconds that ids may be kept; nil for no limit, 0 for not at all.
  public var idsSeconds: Double?
  /// Seconds that coordinates may be kept.
  public var coordinatesSeconds: Double?
  /// Seconds that everything else may be kept.
  public var otherSeconds: Double?
  /// Seconds that "nothing found" may be kept.
  public var negativeSeconds: Double
  /// Seconds after its expiry that an answer may still be given while the service is slow or down; 0 for never.
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

  /// Which other services' rows may be blended with this one's into one record. Rows of one place that may not be blended are one row and its
  /// alternatives. Completions of the text (`Suggestion.Kind.query`) are the user's own words and blend whatever the terms.
  public enum Mixing: Sendable, Hashable, Codable {
    /// With all others that are free, all credits shown: open data, such as GeoNames and OpenStreetMap.
    case free
    /// Only rows of providers with the same family, such as `openstreetmap`.
    case family(String)
    /// With nothing from another provider.
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

  /// Nothing may be kept, shared or blended.
  public static let nothing = Terms(
    idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: 0, negativeSeconds: 0, isolation: .session, source: "no terms given")
}
