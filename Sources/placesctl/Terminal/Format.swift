import PlacesAPI
import PlacesKit

/// Formats numbers, amounts and times as text.
enum Format {
  /// A distance in metres if it is less than a kilometre, otherwise in kilometres.
  static func distance(_ metres: Double) -> String {
    guard metres.isFinite, metres >= 0, metres < 1e9 else { return "" }
    // The rounded number decides, so that no distance is 1000 m or 100.0 km.
    if metres.rounded() < 1000 { return "\(Int(metres.rounded())) m" }
    return (metres / 100).rounded() < 1000 ? "\(fixed(metres / 1000, 1)) km" : "\(Int((metres / 1000).rounded())) km"
  }

  /// A time in milliseconds, seconds, minutes or hours, depending on its length.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    if (seconds * 1000).rounded() < 1000 { return "\(Int((seconds * 1000).rounded())) ms" }
    if seconds < 90 { return "\(fixed(seconds, seconds < 10 ? 1 : 0)) s" }
    let minutes = Int((seconds / 60).rounded())
    return minutes < 90 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  static func bytes(_ count: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(count)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(count) B" : "\(fixed(value, 1)) \(units[unit])"
  }

  /// An amount of money, such as `2.83 USD`, from millionths of the currency's unit. Only the number if the currency is unknown.
  /// - Parameter decimals: the number of decimals, such as that of neighbouring amounts; nil for as many as needed.
  static func money(_ micros: Int, _ currency: String, decimals: Int? = nil) -> String {
    let (wholeUnits, fraction) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(String(1_000_000 + fraction).dropFirst().prefix(decimals ?? self.decimals([micros])))
    let number = (micros < 0 ? "-" : "") + "\(wholeUnits).\(digits)"
    return currency == BudgetRow.unknownCurrency ? number : "\(number) \(currency)"
  }

  /// The number of decimals that shows all of these amounts exactly, at least two.
  static func decimals(_ micros: some Sequence<Int>) -> Int {
    micros.reduce(2) { most, amount in
      let digits = String(1_000_000 + amount.magnitude % 1_000_000).dropFirst()
      return max(most, digits.lastIndex { $0 != "0" }.map { digits.distance(from: digits.startIndex, to: $0) + 1 } ?? 0)
    }
  }

  /// A number and its noun, such as `1 call` or `1,200 calls`. If `plural` is nil, it is the noun with an `s`.
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// Seconds since 1970 as a day and a time, UTC.
  static func date(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e11 else { return "?" }
    let wholeSeconds = Int(seconds.rounded(.down))
    let day = Day(wholeSeconds >= 0 ? wholeSeconds / 86_400 : (wholeSeconds - 86_399) / 86_400)
    let secondOfDay = wholeSeconds - day.number * 86_400
    let civil = day.civil
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(twoDigits(secondOfDay / 3600)):\(twoDigits(secondOfDay / 60 % 60))"
    return "\(civil.year)-\(twoDigits(civil.month))-\(twoDigits(civil.day)) \(time)"
  }

  /// The number with thousands separators.
  static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return (number < 0 ? "-" : "") + result
  }

  /// A number with a fixed number of decimals, independent of the C library's locale.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return "\(value)" }
    let whole = Int(scaled.magnitude)
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return sign + "\(whole)" }
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}
