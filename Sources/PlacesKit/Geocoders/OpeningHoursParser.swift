/// Parses the rules of a value of `opening_hours`. If a method returns nil, the position is undefined, unless the method says otherwise.
struct OpeningHoursParser {
  private let bytes: [UInt8]
  private var position = 0

  private static let weekdays = ["su", "mo", "tu", "we", "th", "fr", "sa"]
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  init(_ value: String) {
    // People often write en dashes instead of hyphens.
    bytes = Array(value.replacing("\u{2013}", with: "-").utf8)
  }

  /// Reads the whole text; returns nil if it is not a list of rules.
  mutating func rules() -> [OpeningHoursExpression.Rule]? {
    var rules: [OpeningHoursExpression.Rule] = []
    var separator = OpeningHoursExpression.Separator.normal
    while true {
      skipSpaces()
      // A semicolon at the end is ignored.
      if isAtEnd, separator == .normal, !rules.isEmpty { return rules }
      guard var rule = rule() else { return nil }
      rule.separator = separator
      rules.append(rule)
      skipSpaces()
      if isAtEnd { return rules }
      if take(";") {
        separator = .normal
      } else if take("||") {
        separator = .fallback
      } else if take(",") {
        separator = .additional
      } else {
        return nil
      }
    }
  }

  /// Reads one rule: `24/7`, or dates, weekdays and times, each of which may be missing; then the status, which may be missing if anything
  /// precedes it.
  private mutating func rule() -> OpeningHoursExpression.Rule? {
    let start = position
    var rule = OpeningHoursExpression.Rule()
    if !take("24/7") {
      guard wideRangeSelectors(&rule.dates) else { return nil }
      while let list = weekdayList() { rule.dates.weekdays.append(list) }
      skipSpaces()
      // A colon may follow the weekdays, because `Mo-Fr: 08:00-12:00` is common.
      if !rule.dates.weekdays.isEmpty, take(":") { skipSpaces() }
      guard let times = timeSpans() else { return nil }
      rule.times = times
    }
    skipSpaces()
    let hasSelectors = position > start
    guard let status = status(default: hasSelectors ? .open : nil) else { return nil }
    rule.status = status
    return rule
  }

  /// Reads the status and the comment of a rule. Without both, returns `defaultStatus`.
  private mutating func status(default defaultStatus: OpeningHoursExpression.Status?) -> OpeningHoursExpression.Status? {
    var writtenStatus: OpeningHoursExpression.Status?
    if takeWord("open") {
      writtenStatus = .open
    } else if takeWord("closed") || takeWord("off") {
      writtenStatus = .closed
    } else if takeWord("unknown") {
      writtenStatus = .unknown
    }
    skipSpaces()
    guard peek == UInt8(ascii: "\"") else { return writtenStatus ?? defaultStatus }
    // The comment states a condition that only a person can check.
    return comment() ? writtenStatus ?? .unknown : nil
  }

  // MARK: Dates

  /// Reads the `wide_range_selectors` of the specification: years, dates and weeks, and the colon, or comment and colon, that may follow
  /// them for human readers. Returns false if the weeks are invalid.
  private mutating func wideRangeSelectors(_ dates: inout DateSelector) -> Bool {
    if let years = years() { dates.years = years }
    skipSpaces()
    while let range = dateRange(dates.years.count == 1 ? dates.years[0].first : nil) {
      // `2024 Dec 24-2025 Jan 2`: the first year is part of the range, and does not select days by itself.
      if range.first.year != nil { dates.years = [] }
      dates.ranges.append(range)
      let end = position
      skipSpaces()
      guard take(",") else { break }
      skipSpaces()
      let dateStart = position
      // In `Dec 24,26`, the month of the preceding date also applies to a number without a month.
      if case .day(let month, _) = range.last?.date ?? range.first.date, let number = dayNumber() {
        let point = DateRange.Point(date: .day(month: month, day: number))
        dates.ranges.append(DateRange(first: point, last: point))
        continue
      }
      position = dateStart
      // The text after the comma is a separate rule unless it begins with a date.
      if month() == nil, !takeWord("easter"), number(digits: 4) == nil {
        position = end
        break
      }
      position = dateStart
    }
    skipSpaces()
    if takeWord("week") {
      skipSpaces()
      guard let weeks = steppedList(digits: 1...2, in: 1...53) else { return false }
      dates.weeks = weeks
    }
    skipSpaces()
    let start = position
    if comment() {
      skipSpaces()
      if !take(":") { position = start }
    } else {
      _ = take(":")
    }
    skipSpaces()
    return true
  }

  /// Reads years; returns nil, at the same position, if there is none, or if a colon follows it.
  private mutating func years() -> [DateSelector.SteppedRange]? {
    let start = position
    guard var list = steppedList(digits: 4...4, in: 1_900...2_999), peek != UInt8(ascii: ":") else {
      position = start
      return nil
    }
    if take("+"), let lastIndex = list.indices.last { list[lastIndex].last = .max }
    return list
  }

  /// Reads a date or a range of dates; returns nil, at the same position, if there is none.
  /// - Parameter year: the year before the dates; nil unless it is the only one. It applies to the first date if only the last one has one.
  private mutating func dateRange(_ year: Int?) -> DateRange? {
    let start = position
    guard var first = datePoint() else {
      position = start
      return nil
    }
    let end = position
    skipSpaces()
    if take("+") { return DateRange(first: first, last: nil) }
    guard take("-") else {
      position = end
      return DateRange(first: first, last: first)
    }
    skipSpaces()
    var isFromWeekday = false
    if case .weekday = first.date { isFromWeekday = true }
    if let last = datePoint(isAfterWeekday: isFromWeekday) {
      if last.year != nil { first.year = first.year ?? year }
      return DateRange(first: first, last: last)
    }
    position = end
    skipSpaces()
    _ = take("-")
    skipSpaces()
    guard case .day(let month, _) = first.date, let number = dayNumber() else {
      position = end
      return DateRange(first: first, last: first)
    }
    return DateRange(first: first, last: DateRange.Point(year: first.year, date: .day(month: month, day: number)))
  }

  /// Reads one date; returns nil, at the same position, if there is none.
  /// - Parameter isAfterWeekday: true for the end of a range whose start is a weekday of a month.
  private mutating func datePoint(isAfterWeekday: Bool = false) -> DateRange.Point? {
    let start = position
    let year = number(digits: 4)
    if year != nil { skipSpaces() }
    if takeWord("easter") { return DateRange.Point(year: year, date: .easter, offset: dayOffset()) }
    guard let month = month() else {
      position = start
      return nil
    }
    let end = position
    skipSpaces()
    if let day = dayNumber() { return DateRange.Point(year: year, date: .day(month: month, day: day), offset: dayOffset()) }
    // `Mar Su[-1]-Oct Su[-1]` is a range of dates; `Mar Su[-1] 10:00` selects the same day, but is not a range of dates.
    let weekday = weekdayList()
    skipSpaces()
    if let weekday, weekday.count == 1, weekday[0].ordinals.count == 1, isAfterWeekday || isFollowedByRangeEnd() {
      return DateRange.Point(year: year, date: .weekday(month: month, weekday[0]))
    }
    position = end
    return DateRange.Point(year: year, date: .month(month))
  }

  /// True if a hyphen and another date follow.
  private func isFollowedByRangeEnd() -> Bool {
    var lookahead = self
    guard lookahead.take("-") else { return false }
    lookahead.skipSpaces()
    _ = lookahead.number(digits: 4)
    lookahead.skipSpaces()
    return lookahead.month() != nil || lookahead.takeWord("easter")
  }

  /// Reads a day of a month. Returns nil, at the same position, if there is none, or if the number is the hour of a time.
  private mutating func dayNumber() -> Int? {
    let start = position
    // A number is an hour if a colon and a digit follow it. A colon without a digit may follow a date, for human readers.
    let afterDigits = bytes[position...].drop(while: isDigit)
    let isHour = afterDigits.first == UInt8(ascii: ":") && afterDigits.dropFirst().first.map(isDigit) ?? false
    if !isHour, let day = number(digits: 1...2), (1...31).contains(day) { return day }
    position = start
    return nil
  }

  /// Reads `+1 day` or ` -2 days`; returns 0, at the same position, if there is none.
  private mutating func dayOffset() -> Int {
    let start = position
    skipSpaces()
    let sign = takeSign()
    if sign != 0, let count = number(digits: 1...3) {
      skipSpaces()
      if takeWord("days") || takeWord("day") { return sign * count }
    }
    position = start
    return 0
  }

  private mutating func month() -> Int? {
    for (index, name) in OpeningHoursParser.months.enumerated() where takeWord(name) { return index + 1 }
    return nil
  }

  // MARK: Weekdays

  /// Reads a list of weekdays and holidays; returns nil, at the same position, if there is none.
  private mutating func weekdayList() -> [DateSelector.Weekday]? {
    var list: [DateSelector.Weekday] = []
    var end = position
    skipSpaces()
    while let next = weekday() {
      list.append(next)
      end = position
      skipSpaces()
      guard take(",") else { break }
      skipSpaces()
    }
    position = end
    return list.isEmpty ? nil : list
  }

  /// Reads `Mo`, `Mo-Fr`, `Su[1,-1] +1 day`, `PH` or `SH`.
  private mutating func weekday() -> DateSelector.Weekday? {
    if takeWord("ph") || takeWord("sh") {
      _ = dayOffset()
      return DateSelector.Weekday(days: nil)
    }
    guard let first = dayName() else { return nil }
    let end = position
    skipSpaces()
    if take("-") {
      skipSpaces()
      if let last = dayName() { return DateSelector.Weekday(days: .init(first: first, last: last)) }
    }
    position = end
    var weekday = DateSelector.Weekday(days: .init(first: first, last: first))
    guard take("[") else { return weekday }
    repeat {
      skipSpaces()
      let sign = take("-") ? -1 : 1
      guard let firstOrdinal = number(digits: 1...1), (1...5).contains(firstOrdinal) else { return nil }
      if sign > 0, take("-") {
        guard let lastOrdinal = number(digits: 1...1), (firstOrdinal...5).contains(lastOrdinal) else { return nil }
        weekday.ordinals += Array(firstOrdinal...lastOrdinal)
      } else {
        weekday.ordinals.append(sign * firstOrdinal)
      }
      skipSpaces()
    } while take(",")
    guard take("]") else { return nil }
    weekday.offset = dayOffset()
    return weekday
  }

  private mutating func dayName() -> Int? {
    for (index, name) in OpeningHoursParser.weekdays.enumerated() where takeWord(name) { return index }
    return nil
  }

  // MARK: Times

  /// Reads a list of time spans. Returns an empty list if there is none, and nil if a time has neither an end nor a `+`.
  private mutating func timeSpans() -> [TimeSpan]? {
    var spans: [TimeSpan] = []
    var end = position
    while let start = time() {
      var span = TimeSpan(start: start)
      skipSpaces()
      if take("-") {
        skipSpaces()
        guard let last = time() else { return nil }
        span.end = last
        skipSpaces()
        // `10:00-16:00/01:30` states an interval between events during the span. It is ignored.
        if take("/") {
          guard number(digits: 1...3) != nil else { return nil }
          if take(":"), number(digits: 2) == nil { return nil }
        }
      }
      if take("+") { span.isOpenEnded = true }
      guard span.end != nil || span.isOpenEnded else { return nil }
      spans.append(span)
      end = position
      skipSpaces()
      guard take(",") else { break }
      skipSpaces()
    }
    position = end
    return spans
  }

  /// Reads `08:00`, `sunrise` or `(sunset+01:00)`; returns nil, at the same position, if there is none.
  private mutating func time() -> TimeSpan.Time? {
    let start = position
    if take("(") {
      skipSpaces()
      if let event = event() {
        skipSpaces()
        let sign = takeSign()
        if sign != 0, case .clock(let minutes)? = clock(), take(")") {
          return .event(event, offset: sign * minutes)
        }
      }
    } else if let event = event() {
      return .event(event, offset: 0)
    } else if let clock = clock() {
      return clock
    }
    position = start
    return nil
  }

  private mutating func event() -> TimeSpan.Event? { TimeSpan.Event.allCases.first { takeWord($0.rawValue) } }

  /// Reads `08:00`, or an hour without minutes, such as `8`.
  private mutating func clock() -> TimeSpan.Time? {
    guard let hour = number(digits: 1...2), hour <= 48 else { return nil }
    guard take(":") else { return .clock(hour * 60) }
    guard let minute = number(digits: 2), minute < 60, hour * 60 + minute <= 2_880 else { return nil }
    return .clock(hour * 60 + minute)
  }

  // MARK: Characters

  private var isAtEnd: Bool { position >= bytes.count }
  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  private mutating func skipSpaces() { while peek == 0x20 { position += 1 } }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Reads a sign. Returns 1 after `+` and -1 after `-`; 0, at the same position, if there is neither.
  private mutating func takeSign() -> Int {
    if take("+") { return 1 }
    return take("-") ? -1 : 0
  }

  /// Reads `word` in upper or lower case, not followed by another letter; returns false, at the same position, if other text follows.
  /// - Parameter word: in lower case.
  private mutating func takeWord(_ word: String) -> Bool {
    let end = position + word.utf8.count
    guard end <= bytes.count, bytes[position..<end].elementsEqual(word.utf8, by: { isLetter($0) && $0 | 0x20 == $1 }),
      end == bytes.count || !isLetter(bytes[end])
    else { return false }
    position = end
    return true
  }

  private mutating func number(digits: Int) -> Int? { number(digits: digits...digits) }

  /// Reads a number whose count of digits is in the range; returns nil, at the same position, for any other text.
  private mutating func number(digits: ClosedRange<Int>) -> Int? {
    let text = bytes[position...].prefix { isDigit($0) }
    guard digits.contains(text.count), let number = Int(String(decoding: text, as: UTF8.self)) else { return nil }
    position += text.count
    return number
  }

  /// Reads a list such as `1-10,12,14-20/2`; returns nil if it has no number in the range, or if a step is invalid.
  private mutating func steppedList(digits: ClosedRange<Int>, in range: ClosedRange<Int>) -> [DateSelector.SteppedRange]? {
    var list: [DateSelector.SteppedRange] = []
    var end = position
    while let first = number(digits: digits), range.contains(first) {
      var stepped = DateSelector.SteppedRange(first: first, last: first)
      let afterFirst = position
      if take("-"), let last = number(digits: digits), range.contains(last), last >= first {
        stepped.last = last
        if take("/") {
          guard let step = number(digits: 1...2), step > 0 else { return nil }
          stepped.step = step
        }
      } else {
        position = afterFirst
      }
      list.append(stepped)
      end = position
      guard take(",") else { break }
    }
    position = end
    return list.isEmpty ? nil : list
  }

  /// Reads a text between quotation marks; returns false, at the same position, if there is none.
  private mutating func comment() -> Bool {
    guard peek == UInt8(ascii: "\""), let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return false }
    position = end + 1
    return true
  }
}
