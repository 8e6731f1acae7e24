import PlacesKit

/// Writes times as replies contain them.
public enum Timestamp {
  /// The time in the format of RFC 3339, in UTC, with whole seconds. A time outside the years 1970…9999 is clamped to that range.
  /// - Parameter seconds: seconds since 1970.
  public static func rfc3339(_ seconds: Double) -> String {
    let total = Int(seconds.isFinite ? min(max(0, seconds), Day.latestWall) : 0)
    let (year, month, day) = Day(total / 86_400).civil
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let time = total % 86_400
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
  }
}
