/// Parses the storage durations of terms.
enum StorageDuration {
  /// The seconds of a duration. The outer optional is nil if the text is not a duration; the inner one is nil for `forever`.
  static func seconds(_ text: String) -> Double?? {
    if text == "forever" { return .some(nil) }
    if text == "never" { return .some(0) }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let count = Int(parts[0]), (0...100_000).contains(count), let unit = units[String(parts[1])] else { return nil }
    return .some(Double(count) * unit)
  }

  /// The suggestion to write the duration that a text such as `30d`, `2 weeks` or `86400` probably means; nil if the text means none.
  static func suggestion(for text: String) -> String? {
    let digits = text.prefix { $0.isNumber }
    guard let count = Int(digits), (1...100_000).contains(count) else { return nil }
    let unit = text.dropFirst(digits.count).filter { $0.isLetter }.lowercased()
    let probableDuration: String? =
      switch unit {
      case "", "s", "sec", "second", "seconds": duration(count, "second")
      case "min", "mins", "minute", "minutes": duration(count, "minute")
      case "h", "hr", "hrs", "hour", "hours": duration(count, "hour")
      case "d", "day", "days": duration(count, "day")
      case "w", "week", "weeks": duration(count * 7, "day")
      case "m", "mon", "month", "months": duration(count * 30, "day")
      case "y", "year", "years": duration(count * 365, "day")
      default: nil
      }
    return probableDuration.flatMap { seconds($0) == nil ? nil : "write \"\($0)\"" }
  }

  private static func duration(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }

  private static let units: [String: Double] = [
    "second": 1, "seconds": 1, "minute": 60, "minutes": 60, "hour": 3_600, "hours": 3_600, "day": 86_400, "days": 86_400,
  ]
}
