import PlacesKit

/// What the cache may do for a request.
public enum CacheMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Whatever is fresh is used.
  case standard = "default"
  /// No provider is asked.
  case only
  /// Providers are asked, and their answers kept.
  case refresh
  /// Providers are asked, and nothing is kept.
  case bypass
}

// Parameters that several methods share.
extension Field {
  typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

  static func language(_ path: Path<String?>) -> Field { .optional("language", path, .language, "The language of texts.") }

  static func region(_ path: Path<String?>) -> Field { .optional("region", path, .region, "The region that the user is in.") }

  static func origin(_ path: Path<Coordinate?>) -> Field { .optional("origin", path, .coordinate, "Where distances are measured from.") }

  static func bias(_ path: Path<Area?>) -> Field { .optional("bias", path, .area, "The area whose places come first.") }

  static func restriction(_ path: Path<Area?>) -> Field { .optional("restriction", path, .area, "The area that all places lie in.") }

  static func countries(_ path: Path<[String]>) -> Field {
    .standard("countries", path, .list(of: .region, "two-letter CLDR region codes", count: 0...15), [], "Only places in these countries.")
  }

  static func session(_ path: Path<SessionID?>) -> Field {
    .optional("session", path, .session, "The session that this request belongs to.", role: .session)
  }

  static func providers(_ path: Path<[String]>) -> Field {
    .standard("providers", path, .list(of: .providerID, "providers' ids", count: 0...32), [], "Only these providers are asked.")
  }

  static func deadline(_ path: Path<Int?>) -> Field {
    .optional(
      "deadlineMs", path, .integer(10...30_000), "When the reply leaves at the latest; without it, the configuration decides.",
      role: .manner)
  }

  static func stream(_ path: Path<Bool>) -> Field {
    .standard("stream", path, .boolean, false, "Whether partial answers are sent as notifications.", role: .manner)
  }

  static func cache(_ path: Path<CacheMode>) -> Field {
    .standard("cache", path, .word, .standard, "What the cache may do.", role: .cache)
  }

  static func fold(_ path: Path<Bool>) -> Field {
    .standard("fold", path, .boolean, true, "Whether one row stands for one place, with the other sources as its alternatives.")
  }

  static func prefer(_ path: Path<[String]>) -> Field {
    .standard(
      "prefer", path, .ranking(of: .providerID, "providers' ids", most: 32), [],
      "The providers that lead a row of several sources, the most preferred first.")
  }

  static func explain(_ path: Path<Bool>) -> Field { .standard("explain", path, .boolean, false, "Whether rows tell why they are there.") }
}

/// An area cannot both be preferred and be a limit.
func refuseBoth(_ bias: Area?, _ restriction: Area?) throws(InvalidParameter) {
  guard bias == nil || restriction == nil else {
    throw InvalidParameter("restriction", "`bias` and `restriction` exclude each other: give one of them")
  }
}
