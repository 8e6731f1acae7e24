import Foundation  // Calendar, to compare the arithmetic with.
import Resilience
import PlacesKit
import Testing

@Suite("Days, months and quota windows")
struct CalendarTests {
  @Test("days and months agree with the calendar over four centuries")
  func agree() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for number in stride(from: 0, through: 146_097, by: 17) {
      let day = Day(number)
      let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: day.start))
      #expect(day.civil.year == parts.year && day.civil.month == parts.month && day.civil.day == parts.day)
      #expect(Day(year: day.civil.year, month: day.civil.month, day: day.civil.day) == day)
      #expect(day.month.first <= day && day.start < day.month.end)
    }
  }

  @Test("an impossible time does not trap", arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
  func strange(wall: Double) {
    #expect((0...2_932_896).contains(Day(wall: wall).number))
    #expect(QuotaWindow.pacificDay.secondsLeft(at: wall) > 0)
  }

  @Test("midnight in California agrees with the time zone database, on both sides of each change to or from daylight saving")
  func pacific() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
    for hour in stride(from: 0, to: 3 * 366 * 24, by: 1) {
      let wall = 1_767_225_600.0 + Double(hour) * 3_600 + 1
      let today = calendar.startOfDay(for: Date(timeIntervalSince1970: wall))
      let midnight = try #require(calendar.date(byAdding: .day, value: 1, to: today))
      #expect(QuotaWindow.pacificDay.secondsLeft(at: wall) == midnight.timeIntervalSince1970 - wall, "hour \(hour)")
    }
  }

  @Test("a UTC month ends on the first of the next")
  func month() { #expect(QuotaWindow.utcMonth.secondsLeft(at: 1_798_761_599) == 1) }
}
