/// The time at which a service's quota is reset.
public enum QuotaWindow: String, Sendable, Hashable, Codable, CaseIterable {
  /// At midnight UTC.
  case utcDay = "utc-day"
  /// At midnight in California, like Google's quotas.
  case pacificDay = "pacific-day"
  /// On the first of the month, UTC.
  case utcMonth = "utc-month"
}
