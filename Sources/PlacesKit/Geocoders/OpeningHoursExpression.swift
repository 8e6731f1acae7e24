import Glibc
import PlacesKit

/// A value of OpenStreetMap's key `opening_hours`, by version 0.7.2 of its specification
/// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification).
///
/// Deviations: dates of public and school holidays are not known, so `PH` and `SH` match no day; times such as `8-18` without minutes and
/// lower-case day names are accepted; a date offset to a weekday (`Dec 25-Su`) is not supported.
public struct OpeningHoursExpression: Sendable {
  public enum Status: Sendable, Hashable {
    case open, closed
    /// The rule says `unknown` or has only a comment, or its closing time is not known (`18:00+`).
    case unknown
  }

  /// How a rule is combined with the rules before it: after `;`, `,` or `||`.
  enum Separator { case normal, additional, fallback }

  /// One rule, such as `Mo-Fr 08:00-18:00` or `PH off`.
  struct Rule {
    var separator = Separator.normal
    var dates = DateSelector()
    /// The times of day; empty for the whole day.
    var times: [TimeSpan] = []
    var status = Status.open
  }

  private let rules: [Rule]
  /// The maximum length of a value in bytes; longer values are rejected. OpenStreetMap's limit is 255 characters, of up to four bytes each.
  static let maxLength = 1_020

  /// Nil if the value does not follow the specification.
  public init?(_ value: String) {
    guard value.utf8.count <= OpeningHoursExpression.maxLength else { return nil }
    var parser = OpeningHoursParser(value)
    guard let rules = parser.rules() else { return nil }
    self.rules = rules
  }

  /// The status at an instant.
  /// - Parameters:
  ///   - instant: seconds since 1970.
  ///   - offset: minutes east of UTC.
  ///   - location: determines the times of `sunrise`, `sunset`, `dawn` and `dusk`; if nil, sunrise is at 06:00 and sunset at 18:00.
  public func status(at instant: Double, offset: Int, location: Coordinate? = nil) -> Status {
    let seconds = max(0, min(instant, Day.latestWall)) + Double(offset * 60)
    let day = Day(Int((seconds / 86_400).rounded(.down)))
    let minute = Int(((seconds - day.start) / 60).rounded(.down))
    let sun = SunTimes(day: day, offset: offset, location: location)
    // A span that began yesterday may continue today. It counts only if no rule for today covers the minute.
    let yesterday = Day(day.number - 1)
    return status(on: day, at: minute, sun)
      ?? status(on: yesterday, at: minute + 1_440, SunTimes(day: yesterday, offset: offset, location: location)) ?? .closed
  }

  /// The status by the rules for one day; nil if none of them covers the minute.
  /// - Parameter minute: minutes since the beginning of the day; from 1,440 on, the minute is on the next day.
  private func status(on day: Day, at minute: Int, _ sun: SunTimes) -> Status? {
    var status: Status?
    // True if an earlier rule is limited to certain days, whether or not it applies to this day.
    var hasDates = false
    for rule in rules {
      defer { hasDates = hasDates || !rule.dates.isEmpty }
      guard rule.dates.contains(day) else { continue }
      switch rule.separator {
      case .fallback: if status == .open || status == .unknown { continue }
      // A rule with opening hours replaces earlier rules for the day, unless it is for all days and an earlier rule is not. A rule that
      // closes the place replaces them only for its own times.
      case .normal: if rule.status != .closed, !rule.dates.isEmpty || !hasDates { status = nil }
      case .additional: break
      }
      if rule.times.isEmpty {
        if minute < 1_440 { status = rule.status }
        continue
      }
      for span in rule.times {
        if let spanStatus = span.status(at: minute, sun) { status = spanStatus == .open ? rule.status : spanStatus }
      }
    }
    return status
  }
}

/// Selects the days of a rule. A day is selected if it matches every kind of selector that is present; without selectors, every day is.
struct DateSelector {
  var years: [SteppedRange] = []
  var ranges: [DateRange] = []
  var weeks: [SteppedRange] = []
  /// Lists of weekdays and holidays. A day must match at least one entry of every list. `PH Mo` has two lists.
  var weekdays: [[Weekday]] = []

  var isEmpty: Bool { years.isEmpty && ranges.isEmpty && weeks.isEmpty && weekdays.isEmpty }

  /// The numbers from `first` to `last` in steps of `step`. If `first` is greater than `last`, the range wraps around. Such a range
  /// needs the step 1.
  struct SteppedRange {
    var first: Int
    var last: Int
    var step = 1
    func contains(_ number: Int) -> Bool {
      if first <= last { return (first...last).contains(number) && (number - first) % step == 0 }
      return step == 1 && (number >= first || number <= last)
    }
  }

  /// A weekday or a range of weekdays, such as `Mo-Fr` or `Su[-1]`, or holidays.
  struct Weekday {
    /// The days of the week, from 0 for Sunday; `(first: 5, last: 1)` is Friday to Monday. Nil for holidays, whose dates are not known.
    var days: SteppedRange?
    /// Which weekdays of the month are selected, such as 1 for the first and -1 for the last; empty for all.
    var ordinals: [Int] = []
    /// The number of days to add to the weekday, as in `Su[1] +1 day`.
    var offset = 0

    func contains(_ day: Day) -> Bool {
      guard let days else { return false }
      let day = Day(day.number - offset)
      guard days.contains(day.weekday) else { return false }
      let (year, month, number) = day.civil
      return ordinals.isEmpty
        || ordinals.contains((number - 1) / 7 + 1) || ordinals.contains(-((daysOfMonth(year, month) - number) / 7 + 1))
    }
  }

  func contains(_ day: Day) -> Bool {
    (years.isEmpty || years.contains { $0.contains(day.civil.year) }) && (ranges.isEmpty || ranges.contains { $0.contains(day) })
      && (weeks.isEmpty || weeks.contains { $0.contains(day.isoWeek) })
      && weekdays.allSatisfy { list in list.contains { $0.contains(day) } }
  }
}

/// A range of dates, in every year or in the years of its ends.
struct DateRange {
  enum Date {
    /// A whole month.
    case month(Int)
    case day(month: Int, day: Int)
    /// A weekday of a month, such as the last Sunday of March.
    case weekday(month: Int, DateSelector.Weekday)
    case easter
  }

  /// The beginning or the end of a range of dates.
  struct Point {
    /// Nil for every year.
    var year: Int?
    var date: Date
    /// The number of days to add to the date, as in `easter +1 day`.
    var offset = 0

    /// The day of this date in a year. A whole month gives its last day if `isEnd` is true, and otherwise its first.
    func day(_ year: Int, isEnd: Bool) -> Day {
      let day =
        switch date {
        case .month(let month): Day(year: year, month: month, day: isEnd ? daysOfMonth(year, month) : 1)
        case .day(let month, let day): Day(year: year, month: month, day: day)
        case .weekday(let month, let weekday):
          (0..<daysOfMonth(year, month)).lazy.map { Day(Day(year: year, month: month, day: 1).number + $0) }.first(where: weekday.contains)
            ?? Day(year: year, month: month, day: 1)
        case .easter: easterSunday(year)
        }
      return Day(day.number + offset)
    }
  }

  var first: Point
  /// The last date; nil if the range has no end, as in `2024 Mar 1+`.
  var last: Point?

  func contains(_ day: Day) -> Bool {
    let year = day.civil.year
    guard let last else { return day >= first.day(first.year ?? year, isEnd: false) }
    if let start = first.year {
      return day >= first.day(start, isEnd: false) && day <= last.day(last.year ?? start, isEnd: true)
    }
    let (start, end) = (first.day(year, isEnd: false), last.day(year, isEnd: true))
    return start <= end ? (start...end).contains(day) : day >= start || day <= end
  }
}

/// A span of a day's time; it may end on the next day.
struct TimeSpan {
  /// A time of day that depends on the sun.
  enum Event: String, CaseIterable { case dawn, sunrise, sunset, dusk }

  enum Time {
    /// Minutes since midnight, at most 48 hours.
    case clock(Int)
    case event(Event, offset: Int)

    /// Minutes since midnight of the span's day.
    func minute(_ sun: SunTimes) -> Int {
      switch self {
      case .clock(let minute): minute
      case .event(let event, let offset): max(0, sun.minute(of: event) + offset)
      }
    }
  }

  var start: Time
  /// The end of the span; nil if it is not given, as in `10:00+`.
  var end: Time?
  /// True if the closing time is not known: after `start`, as in `10:00+`, or after `end`, as in `10:00-18:00+`.
  var isOpenEnded = false

  /// The status at a minute of the span's day; nil for a minute outside of the span.
  func status(at minute: Int, _ sun: SunTimes) -> OpeningHoursExpression.Status? {
    let startMinute = start.minute(sun)
    guard minute >= startMinute else { return nil }
    var endMinute = startMinute
    if let end {
      endMinute = end.minute(sun)
      if endMinute <= startMinute { endMinute += 1_440 }
      if minute < endMinute { return .open }
    }
    // If the closing time is not known, the place may be open until midnight, or until eight hours after the last known time if that is
    // later.
    return isOpenEnded && minute < max(1_440, endMinute + 480) ? .unknown : nil
  }
}

/// Sunrise and sunset of a day, in minutes of local time.
struct SunTimes {
  let day: Day
  /// Minutes east of UTC.
  let offset: Int
  let location: Coordinate?

  /// The times that apply if the location is unknown, or if the event does not happen there on that day; from the specification.
  private static let usualMinutes: [TimeSpan.Event: Int] = [.dawn: 330, .sunrise: 360, .sunset: 1_080, .dusk: 1_110]

  func minute(of event: TimeSpan.Event) -> Int {
    let isMorning = event == .dawn || event == .sunrise
    // Degrees of the sun's centre below the horizon: 6 at the end of civil twilight, and 0.833 at sunrise and sunset, because of refraction
    // and the sun's radius.
    let depression = event == .dawn || event == .dusk ? 6.0 : 0.833
    guard let location, let (noon, halfDay) = SunTimes.noonAndHalfDay(day, location, depression) else {
      return SunTimes.usualMinutes[event] ?? 0
    }
    return Int((noon + (isMorning ? -halfDay : halfDay)).rounded()) + offset
  }

  /// Solar noon, in minutes of UTC, and half the time during which the sun is higher than `depression` degrees below the horizon, in
  /// minutes (sunrise equation; Meeus, Astronomical Algorithms, 1998, chapters 15 and 25, in low precision). Nil if the sun does not cross
  /// that height on that day.
  private static func noonAndHalfDay(_ day: Day, _ location: Coordinate, _ depression: Double) -> (Double, Double)? {
    func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    // Days since 1 January 2000, 12:00.
    let date = Double(day.number - 10_957) - location.longitude / 360
    let anomaly = (357.5291 + 0.98560028 * date).truncatingRemainder(dividingBy: 360)
    let centre = 1.9148 * sine(anomaly) + 0.02 * sine(2 * anomaly) + 0.0003 * sine(3 * anomaly)
    let ecliptic = (anomaly + centre + 282.9372).truncatingRemainder(dividingBy: 360)
    let noon = 720 - location.longitude * 4 + 1_440 * (0.0053 * sine(anomaly) - 0.0069 * sine(2 * ecliptic))
    let declination = asin(sine(ecliptic) * sine(23.44))
    let latitude = location.latitude * .pi / 180
    let cosine = (sine(-depression) - sin(latitude) * sin(declination)) / (cos(latitude) * cos(declination))
    return abs(cosine) < 1 ? (noon, acos(cosine) * 180 / .pi * 4) : nil
  }
}

private func daysOfMonth(_ year: Int, _ month: Int) -> Int {
  guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
  let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  return isLeapYear ? 29 : 28
}

/// Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher's algorithm).
private func easterSunday(_ year: Int) -> Day {
  let (goldenNumber, century, yearOfCentury) = (year % 19, year / 100, year % 100)
  let epact = (19 * goldenNumber + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
  let weekday = (32 + 2 * (century % 4) + 2 * (yearOfCentury / 4) - epact - yearOfCentury % 4) % 7
  let shift = (goldenNumber + 11 * epact + 22 * weekday) / 451
  let number = epact + weekday - 7 * shift + 114
  return Day(year: year, month: number / 31, day: number % 31 + 1)
}

extension Day {
  /// The day of the week, from 0 for Sunday. Day 0, 1 January 1970, was a Thursday.
  fileprivate var weekday: Int { ((number + 4) % 7 + 7) % 7 }

  /// The number of the week by ISO 8601. A week belongs to the year that contains its Thursday.
  fileprivate var isoWeek: Int {
    let thursday = Day(number - (weekday + 6) % 7 + 3)
    return (thursday.number - Day(year: thursday.civil.year, month: 1, day: 1).number) / 7 + 1
  }
}
