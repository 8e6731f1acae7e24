import PlacesKit

extension QuotaWindow {
  /// The seconds from a wall time (since 1970) to the window's end; more than 0. Daylight saving time follows the US rules in force since
  /// 2007 (Energy Policy Act of 2005).
  public func secondsLeft(at wall: Double) -> Double {
    let wall = wall.isFinite ? min(max(0, wall), Day.latestWall) : 0
    switch self {
    case .utcDay: return Day(wall: wall).end - wall
    case .utcMonth: return Day(wall: wall).month.end - wall
    case .pacificDay:
      let offset = QuotaWindow.pacificOffset(at: wall)
      let local = Day(wall: wall + offset)
      // Clocks change at two in the morning, so the next midnight may have a different offset.
      let end = local.end - QuotaWindow.pacificOffset(at: local.end - offset)
      return end > wall ? end - wall : end + 86_400 - wall
    }
  }

  /// Pacific time's offset from UTC in seconds. Daylight time lasts from the second Sunday of March, 10:00 UTC, to the first Sunday of
  /// November, 09:00 UTC.
  static func pacificOffset(at wall: Double) -> Double {
    let year = Day(wall: wall).civil.year
    let start = QuotaWindow.sunday(2, ofMonth: 3, in: year).start + 10 * 3_600
    let end = QuotaWindow.sunday(1, ofMonth: 11, in: year).start + 9 * 3_600
    return (start..<end).contains(wall) ? -7 * 3_600 : -8 * 3_600
  }

  /// The first Sunday of a month (`ordinal` 1), the second one (2), and so on. The weekday, 0 for Sunday, is computed from 1 January 1970,
  /// which was a Thursday.
  private static func sunday(_ ordinal: Int, ofMonth month: Int, in year: Int) -> Day {
    let firstDay = Day(year: year, month: month, day: 1)
    let weekday = (firstDay.number + 4) % 7
    return Day(firstDay.number + (7 - weekday) % 7 + 7 * (ordinal - 1))
  }
}
