import PlacesKit

/// The use of the cache for a request.
public enum CacheMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Fresh answers in the cache are used. A provider is queried if the cache has no fresh answer of it.
  case standard = "default"
  /// Answers in the cache are used. No provider is queried.
  case only
  /// Providers are queried even if the cache has an answer, and their answers are stored.
  case refresh
  /// Providers are queried, and the cache is neither read nor written.
  case bypass
}

extension ParameterType<Int> {
  /// A time limit in milliseconds.
  static let deadline = integer(10...30_000)
}

// Parameters that several methods share.
extension Field {
  typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

  static func language(_ path: Path<String?>) -> Field { .optional("language", path, .language, "The language of the texts in the reply.") }

  static func region(_ path: Path<String?>) -> Field { .optional("region", path, .region, "The user's region.") }

  static func origin(_ path: Path<Coordinate?>) -> Field {
    .optional("origin", path, .coordinate, "The point from which distances are measured.")
  }

  static func bias(_ path: Path<Area?>) -> Field { .optional("bias", path, .area, "Places in this area are ranked higher.") }

  static func restriction(_ path: Path<Area?>) -> Field { .optional("restriction", path, .area, "Only places in this area are returned.") }

  static func countries(_ path: Path<[String]>) -> Field {
    .withDefault(
      "countries", path, .list(of: .region, "two-letter CLDR region codes", count: 0...15), [],
      "Only places in these countries are returned.")
  }

  static func session(_ path: Path<SessionID?>) -> Field {
    .optional("session", path, .session, "The session of this request.", role: .session)
  }

  static func providers(_ path: Path<[String]>) -> Field {
    .withDefault("providers", path, .list(of: .providerID, "providers' ids", count: 0...32), [], "Only these providers are queried.")
  }

  static func deadline(_ path: Path<Int?>) -> Field {
    .optional(
      "deadlineMs", path, .deadline,
      "The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies.",
      role: .delivery)
  }

  static func stream(_ path: Path<Bool>) -> Field {
    .withDefault("stream", path, .boolean, false, "True if partial answers are sent as notifications.", role: .delivery)
  }

  static func cache(_ path: Path<CacheMode>) -> Field {
    .withDefault("cache", path, .word, .standard, "How the cache is used.", role: .cache)
  }

  static func fold(_ path: Path<Bool>) -> Field {
    .withDefault("fold", path, .boolean, true, "True if each row is one place, with its other sources as alternatives.")
  }

  static func prefer(_ path: Path<[String]>) -> Field {
    .withDefault(
      "prefer", path, .ranking(of: .providerID, "providers' ids", maxCount: 32), [],
      "The providers that lead a row with several sources, most preferred first.")
  }

  static func explain(_ path: Path<Bool>) -> Field {
    .withDefault("explain", path, .boolean, false, "True if rows explain why they were returned.")
  }
}

/// Throws an error if both areas are given.
func rejectBoth(_ bias: Area?, _ restriction: Area?) throws(InvalidParameter) {
  guard bias == nil || restriction == nil else {
    throw InvalidParameter("restriction", "`bias` and `restriction` exclude each other: give one of them")
  }
}
