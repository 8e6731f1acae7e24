/// The time at which a service's quota is reset.
public enum QuotaWindow: String, Sendable, Hashable, Codable, CaseIterable {
  /// At midnight UTC.
  case utcDay = "utc-day"
  /// At midnight in California, as Google resets its quotas.
  case pacificDay = "pacific-day"
  /// At midnight UTC on the first day of the month.
  case utcMonth = "utc-month"
}
