import JSON
import PlacesAPI
import PlacesKit
import Testing

@testable import placesctl

@Suite("The opening hours on the card of a place") struct OpeningHoursTodayTests {
  /// Opening hours of one period, from a day and hour to another.
  static func period(_ openDay: Int, _ openHour: Int, to closeDay: Int, _ closeHour: Int) -> JSONValue {
    func moment(_ day: Int, _ hour: Int) -> JSONValue { ["day": .integer(Int64(day)), "hour": .integer(Int64(hour)), "minute": 0] }
    return ["periods": [["open": moment(openDay, openHour), "close": moment(closeDay, closeHour)]]]
  }

  @Test(
    "The hours of today are those of the place's own day",
    arguments: [
      (["weekdayText": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], "periods": []], "Fri"),
      (["periods": [["open": ["day": 5, "hour": 8, "minute": 30], "close": ["day": 5, "hour": 18, "minute": 0]]]], "today 08:30–18:00"),
      (
        ["periods": [["open": ["day": 1, "hour": 8, "minute": 0], "close": ["day": 1, "hour": 9, "minute": 0]]], "openNow": false],
        "closed now, closed today"
      ),
      (["periods": [["open": ["day": 0, "hour": 0, "minute": 0]]], "openNow": true], "open now, today all day"),
      (
        [
          "periods": [
            ["open": ["day": 5, "hour": 20, "minute": 0], "close": ["day": 6, "hour": 3, "minute": 0]],
            ["open": ["day": 4, "hour": 20, "minute": 0], "close": ["day": 5, "hour": 2, "minute": 30]],
          ]
        ], "today 00:00–02:30, 20:00–03:00"
      ),
      // Periods longer than a day, on each of their days; and ones that end at midnight.
      (OpeningHoursTodayTests.period(4, 20, to: 6, 3), "today all day"),
      (OpeningHoursTodayTests.period(5, 20, to: 0, 3), "today 20:00–24:00"),
      (OpeningHoursTodayTests.period(3, 20, to: 5, 3), "today 00:00–03:00"),
      (OpeningHoursTodayTests.period(6, 10, to: 4, 12), "closed today"),
      (OpeningHoursTodayTests.period(5, 20, to: 6, 0), "today 20:00–24:00"),
      (OpeningHoursTodayTests.period(5, 0, to: 6, 0), "today all day"),
      (["periods": [], "text": "Mo-Fr 08:00-12:00,13:30-18:00; Sa off"], "closed now, today 08:00–12:00, 13:30–18:00"), ([:], ""),
    ] as [(JSONValue, String)])
  func today(_ hours: JSONValue, _ text: String) throws {
    let bytes = """
      {"place":{"id":"a:1","row":"r1","openingHours":\(hours.text),"utcOffsetMinutes":120,"sources":[],"attributions":[]},
      "providers":[],"attributions":[]}
      """
    let place = try Details.Result(json: Array(bytes.utf8)).place
    // Thursday, 1 January 1970, 23:00 UTC, which is Friday there.
    #expect((OpeningHoursToday(place, now: 82_800).text ?? "") == text)
  }
}
