import PlacesKit

/// A complete answer of one provider that may be stored. Errors and partial answers are never stored.
public enum Answer: Sendable, Hashable, Codable {
  /// The answer to an autocomplete call.
  case suggestions(Page<Suggestion>)
  /// The answer to a search, a reverse search or a geocoder's call.
  case places(Page<Place>)
  /// The answer to a details call.
  case place(Place)
  /// The service does not know the place.
  case notFound

  /// The number of rows.
  public var rowCount: Int {
    switch self {
    case .suggestions(let page): page.rows.count
    case .places(let page): page.rows.count
    case .place: 1
    case .notFound: 0
    }
  }

  /// True for an answer without rows. The terms contain a separate lifetime for such answers.
  public var isNegative: Bool { rowCount == 0 }

  /// The time in seconds for which the terms allow storing the whole answer: the lifetime of its shortest-lived part. It is at most 30
  /// days, even if the terms set no limit.
  public func lifetime(under terms: Terms) -> Double {
    let maxLifetime = 30 * 86_400.0
    func limited(_ seconds: Double?) -> Double { seconds.map { $0.isFinite ? max(0, $0) : maxLifetime } ?? maxLifetime }
    if isNegative { return min(maxLifetime, limited(terms.negativeSeconds)) }
    // Every row contains text, whose class of data is `other`.
    var lifetime = min(maxLifetime, limited(terms.otherSeconds))
    if hasIDs { lifetime = min(lifetime, limited(terms.idsSeconds)) }
    if hasCoordinates { lifetime = min(lifetime, limited(terms.coordinatesSeconds)) }
    return lifetime
  }

  private var hasIDs: Bool {
    switch self {
    case .suggestions(let page): page.rows.contains { $0.id != nil }
    case .places, .place: true
    case .notFound: false
    }
  }

  private var hasCoordinates: Bool {
    switch self {
    case .suggestions(let page): page.rows.contains { $0.location != nil || $0.viewport != nil }
    case .places(let page): page.rows.contains(where: \.hasCoordinates)
    case .place(let place): place.hasCoordinates
    case .notFound: false
    }
  }

  /// The approximate size in memory, in bytes. The constants below estimate the size of a value of each type without its texts.
  public var approximateBytes: Int {
    switch self {
    case .suggestions(let page): page.rows.reduce(64) { $0 + $1.approximateBytes }
    case .places(let page): page.rows.reduce(64) { $0 + $1.approximateBytes }
    case .place(let place): place.approximateBytes
    case .notFound: 64
    }
  }
}

extension Place {
  var hasCoordinates: Bool { location != nil || values.keys.contains { $0.dataClass == .coordinates } }

  fileprivate var approximateBytes: Int { values.values.reduce(512 + evidence.approximateBytes) { $0 + 48 + $1.approximateBytes } }
}

extension Suggestion {
  fileprivate var approximateBytes: Int {
    512 + evidence.approximateBytes + text.text.utf8.count + (primary?.text.utf8.count ?? 0) + (secondary?.text.utf8.count ?? 0)
      + (iconImageURL?.utf8.count ?? 0) + (url?.utf8.count ?? 0)
  }
}

extension Evidence {
  fileprivate var approximateBytes: Int { (otherNames + equivalents).reduce(address?.utf8.count ?? 0) { $0 + 16 + $1.utf8.count } }
}

extension JSONValue {
  fileprivate var approximateBytes: Int {
    switch self {
    case .string(let text): 16 + text.utf8.count
    case .array(let elements): elements.reduce(32) { $0 + 16 + $1.approximateBytes }
    case .object(let object): object.members.reduce(32) { $0 + 32 + $1.key.utf8.count + $1.value.approximateBytes }
    default: 16
    }
  }
}
