/// Times as the wire spells them.
public enum Timestamp {
  /// RFC 3339 in UTC with whole seconds, from seconds since 1970; years 1970 to 9999.
  public static func rfc3339(_ seconds: Double) -> String {
    let total = Int(seconds.isFinite ? min(max(0, seconds), 253_402_300_799) : 0)
    let (year, month, day) = date(ofDay: total / 86_400)
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let time = total % 86_400
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
  }

  /// The civil date of a day counted from 1970 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
