/// A day in UTC, in the proleptic Gregorian calendar.
public struct Day: Sendable, Hashable, Comparable, Codable {
  /// The number of days since 1 January 1970.
  public var number: Int

  /// The latest valid wall time, in seconds since 1970: the end of the year 9999.
  public static let latestWall = 253_402_300_799.0

  public init(_ number: Int) { self.number = number }

  /// The day of a wall time in seconds since 1970. A time outside the years 1970…9999 gives the first or the last day of these years;
  /// an infinite time or NaN gives 1 January 1970.
  public init(wall: Double) {
    number = wall.isFinite ? Int(min(max(0, wall), Day.latestWall) / 86_400) : 0
  }

  /// The day with this date (`days_from_civil` in Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013).
  public init(year: Int, month: Int, day: Int) {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
    let yearOfEra = yearFromMarch - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of this day (`civil_from_days` in the same source).
  public var civil: (year: Int, month: Int, day: Int) {
    let shiftedNumber = number + 719_468
    let era = (shiftedNumber >= 0 ? shiftedNumber : shiftedNumber - 146_096) / 146_097
    let dayOfEra = shiftedNumber - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// Seconds since 1970 at which the day begins.
  public var start: Double { Double(number) * 86_400 }
  /// Seconds since 1970 at which the next day begins.
  public var end: Double { start + 86_400 }
  public var month: Month { Month(civil.year * 12 + civil.month - 1) }

  public static func < (a: Day, b: Day) -> Bool { a.number < b.number }
}

/// A calendar month in UTC.
public struct Month: Sendable, Hashable, Comparable, Codable {
  /// The year times 12, plus 0 for January to 11 for December.
  public var number: Int

  public init(_ number: Int) { self.number = number }

  /// The first day of the month.
  public var first: Day { Day(year: number / 12, month: number % 12 + 1, day: 1) }
  /// Seconds since 1970 at which the next month begins.
  public var end: Double { Month(number + 1).first.start }

  public static func < (a: Month, b: Month) -> Bool { a.number < b.number }
}
