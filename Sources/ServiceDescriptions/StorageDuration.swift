/// Parses the storage durations of terms.
enum StorageDuration {
  /// Seconds; nil inside for no limit. Nil outside if the text is not a duration.
  static func seconds(_ text: String) -> Double?? {
    if text == "forever" { return .some(nil) }
    if text == "never" { return .some(0) }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let count = Int(parts[0]), (0...100_000).contains(count), let unit = units[String(parts[1])] else { return nil }
    return .some(Double(count) * unit)
  }

  private static let units: [String: Double] = [
    "second": 1, "seconds": 1, "minute": 60, "minutes": 60, "hour": 3_600, "hours": 3_600, "day": 86_400, "days": 86_400,
  ]
}
