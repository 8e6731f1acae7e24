import Geocoders
import PlacesKit
import PlacesTesting
import Testing

@Suite("OpenStreetMap opening hours")
struct OpeningHoursExpressionTests {
  /// A civil time as seconds since 1970, for an offset of 0.
  private func time(_ text: String) -> Double {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    return Day(year: numbers[0], month: numbers[1], day: numbers[2]).start + Double(numbers[3] * 60 + numbers[4]) * 60
  }

  private func status(_ value: String, _ at: String, location: Coordinate? = nil, offset: Int = 0) -> OpeningHoursExpression.Status? {
    OpeningHoursExpression(value)?.status(at: time(at) - Double(offset * 60), offset: offset, location: location)
  }

  // 1 June 2026 is a Monday.
  @Test(
    "The examples of the specification and the wiki have the documented status",
    arguments: [
      ("24/7", ["2026-06-01 03:00"], []),
      ("Mo-Fr 08:00-17:30", ["2026-06-01 08:00", "2026-06-05 17:29"], ["2026-06-01 07:59", "2026-06-05 17:30", "2026-06-06 12:00"]),
      (
        "Mo-Fr 08:00-12:00,13:00-17:30", ["2026-06-01 11:59", "2026-06-01 13:00"],
        ["2026-06-01 12:00", "2026-06-01 12:59", "2026-06-07 11:00"]
      ),
      (
        "Mo-Fr 08:00-12:00,13:00-17:30; Sa 08:00-12:00", ["2026-06-06 11:00", "2026-06-03 14:00"],
        ["2026-06-06 13:30", "2026-06-07 10:00"]
      ),
      ("Mo-Fr 08:00-18:00; We 12:00-14:00", ["2026-06-03 13:00", "2026-06-02 09:00"], ["2026-06-03 09:00", "2026-06-03 15:00"]),
      ("Mo-Fr 08:00-18:00; We off", ["2026-06-02 09:00"], ["2026-06-03 09:00"]),
      ("Mo-Fr 08:00-18:00; We closed", ["2026-06-04 09:00"], ["2026-06-03 09:00"]),
      ("Mo-Fr 10:00-20:00; 12:00-14:00 off", ["2026-06-01 11:00", "2026-06-01 14:00"], ["2026-06-01 13:00", "2026-06-06 15:00"]),
      ("Mo-Fr 08:00-12:00, We 14:00-18:00", ["2026-06-03 09:00", "2026-06-03 15:00"], ["2026-06-02 15:00"]),
      (
        "Mo,Tu,Th,Fr 12:00-18:00; Sa,PH 12:00-17:00; Th[3],Th[-1] off", ["2026-06-04 13:00", "2026-06-06 16:00"],
        ["2026-06-18 13:00", "2026-06-25 13:00"]
      ),
      (
        "open; Tu-Su 08:30-09:00 off; Tu-Su,PH 14:00-14:30 off; Mo 08:00-13:00 off", ["2026-06-01 14:15", "2026-06-02 10:00"],
        ["2026-06-01 09:00", "2026-06-02 08:45", "2026-06-07 14:15"]
      ),
      (
        "Fr-Sa 18:00-06:00; PH off", ["2026-06-05 23:00", "2026-06-06 05:59", "2026-06-07 05:00"],
        ["2026-06-05 05:00", "2026-06-07 06:00", "2026-06-07 19:00"]
      ),
      ("Su-Tu 11:00-01:00", ["2026-05-31 11:00", "2026-06-03 00:30"], ["2026-06-03 01:00", "2026-06-03 11:00"]),
      ("Mo-Su 08:00-26:00", ["2026-06-02 01:59"], ["2026-06-02 02:00"]),
      ("Fr-Mo 10:00-12:00", ["2026-06-01 11:00", "2026-06-07 11:00"], ["2026-06-02 11:00"]),
      ("Sa[1] 10:00-12:00", ["2026-06-06 11:00"], ["2026-06-13 11:00"]),
      (
        "Su[1,3] 10:00-12:00; Mo[-1] 10:00-12:00", ["2026-06-07 11:00", "2026-06-21 11:00", "2026-06-29 11:00"],
        ["2026-06-14 11:00", "2026-06-22 11:00"]
      ),
      ("Th[1-2] 10:00-12:00", ["2026-06-11 10:00"], ["2026-06-18 10:00"]),
      ("Sa[1] +1 day 10:00-12:00", ["2026-06-07 11:00"], ["2026-06-06 11:00"]),
      ("Dec 25: 09:00-12:00", ["2026-12-25 10:00"], ["2026-12-24 10:00"]),
      ("Jan-Mar 09:00-12:00", ["2026-02-01 10:00"], ["2026-04-01 10:00"]),
      ("Nov-Feb Mo-Fr 09:00-12:00", ["2026-12-01 10:00", "2027-02-01 10:00"], ["2027-03-01 10:00", "2026-12-05 10:00"]),
      ("10:00-12:00; Dec 24-26 off", ["2026-12-27 11:00"], ["2026-12-25 11:00"]),
      ("10:00-12:00; Dec 24,31 off", ["2026-12-25 11:00"], ["2026-12-24 11:00", "2026-12-31 11:00"]),
      ("Dec 24-Jan 02: 10:00-12:00", ["2026-12-31 11:00", "2027-01-02 11:00"], ["2027-01-03 11:00"]),
      ("2026 Dec 24-2027 Jan 02 10:00-12:00", ["2027-01-01 11:00"], ["2026-01-01 11:00"]),
      ("2026-2027/2 10:00-12:00", ["2026-06-01 11:00"], ["2027-06-01 11:00"]),
      ("2027+ Mo 10:00-12:00", ["2027-06-07 11:00"], ["2026-06-01 11:00"]),
      (
        "Mar Su[-1]-Oct Su[-1] 10:00-12:00", ["2026-03-29 11:00", "2026-06-10 11:00", "2026-10-25 11:00"],
        ["2026-03-28 11:00", "2026-10-26 11:00"]
      ),
      ("Mar-Oct Su[-1] 10:00-12:00", ["2026-03-29 11:00", "2026-10-25 11:00"], ["2026-06-10 11:00", "2026-10-26 11:00"]),
      ("week 1-53/2 Fr 09:00-12:00", ["2026-06-05 10:00"], ["2026-06-12 10:00", "2026-06-19 08:00"]),
      ("easter 10:00-12:00; easter +1 day off", ["2026-04-05 11:00", "2027-03-28 11:00"], ["2026-04-06 11:00"]),
      ("10:00-12:00; easter -2 days-easter +1 day off", ["2026-04-07 11:00"], ["2026-04-03 11:00", "2026-04-06 11:00"]),
      ("sunrise-sunset", ["2026-06-01 07:00"], ["2026-06-01 05:00", "2026-06-01 18:00"]),
      ("(sunrise+01:00)-(sunset-00:30)", ["2026-06-01 07:00", "2026-06-01 17:29"], ["2026-06-01 06:30", "2026-06-01 17:30"]),
      ("Mo-Fr 08:00-11:00 || Tu-Th,PH open \"Emergency only\"", ["2026-06-01 09:00", "2026-06-02 15:00"], ["2026-06-01 15:00"]),
      ("We-Fr 10:00-24:00 open \"it is open\"; Fr 12:00-13:00 off", ["2026-06-03 23:59"], ["2026-06-05 12:30"]),
      ("mo-fr 8-18; sa 9:00\u{2013}13:00;", ["2026-06-01 17:59", "2026-06-06 09:00"], ["2026-06-06 13:00"]),
      ("Mo-Fr: 08:00-12:00", ["2026-06-01 11:00"], ["2026-06-01 12:00"]),
      ("Mo 10:00-16:00/90", ["2026-06-01 15:00"], ["2026-06-01 16:00"]),
    ] as [(String, [String], [String])])
  func examples(value: String, open: [String], closed: [String]) {
    for time in open { #expect(status(value, time) == .open, "\(value) at \(time)") }
    for time in closed { #expect(status(value, time) == .closed, "\(value) at \(time)") }
  }

  @Test("The status of a rule that only a person can decide is unknown")
  func unknown() {
    for value in [
      "\"by appointment\"", "Mo-Fr unknown", "Mo 08:00-12:00 || \"call\"", "14:00+", "10:00-13:00+", "Mo 13:00-15:00 \"maybe\"",
    ] {
      #expect(status(value, "2026-06-01 14:00") == .unknown, "\(value)")
    }
    #expect(status("22:00+", "2026-06-02 05:59") == .unknown)
    #expect(status("22:00+", "2026-06-02 06:00") == .closed)
  }

  @Test("A rule for holidays matches no day")
  func holidays() {
    #expect(status("Mo-Fr 08:00-18:00; PH off", "2026-12-25 10:00") == .open)
    #expect(status("PH 08:00-18:00", "2026-12-25 10:00") == .closed)
    #expect(status("SH Mo 08:00-18:00", "2026-06-01 10:00") == .closed)
  }

  @Test(
    "A text that is not a value is rejected",
    arguments: [
      "", " ", "summer", "Mo-Fr", "Mo 10:00", "Mo 10-", "Mo 25:61-26:00", "Mo[6] 10:00-12:00", "10:00-12:00 and more", "\"open", ";;", "||",
      "Mo 49:00-50:00",
      "week 54 off", "Dec 32 off", "Dec 25-Su off", String(repeating: "Mo off;", count: 200),
    ])
  func rejected(value: String) {
    // A day without times is a value: the whole day.
    #expect((OpeningHoursExpression(value) == nil) == (value != "Mo-Fr"))
  }

  @Test(
    "Sunrise and sunset depend on the location",
    arguments: [(52.52, 13.4, 120, 4 * 60 + 43, 21 * 60 + 33), (-33.87, 151.2, 600, 7 * 60, 16 * 60 + 54)])
  func sun(latitude: Double, longitude: Double, offset: Int, sunrise: Int, sunset: Int) throws {
    let location = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let open = (0..<1_440).filter { minute in
      let time = "2026-06-20 \(minute / 60):\(minute % 60)"
      return status("sunrise-sunset", time, location: location, offset: offset) == .open
    }
    #expect(abs((open.first ?? 0) - sunrise) <= 3 && abs((open.last ?? 0) + 1 - sunset) <= 3, "\(open.first ?? 0) \(open.last ?? 0)")
    // Where the sun does not set, the specification's usual times apply.
    #expect(status("sunrise-sunset", "2026-06-20 12:00", location: Coordinate(latitude: 80, longitude: 0)) == .open)
  }

  @Test("The status of any text depends only on the local time")
  func properties() {
    var random = SeededRandom(seed: 12)
    let words = [
      "Mo", "-", "Fr", " ", "10:00", ",", ";", "||", "off", "PH", "[", "1", "]", "Dec", "24", "2026", "week", "easter", "+", "/", "\"", ":",
      "sunset", "(",
    ]
    for _ in 0..<5_000 {
      let value = (0..<Int.random(in: 1...14, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      guard let expression = OpeningHoursExpression(value) else { continue }
      let instant = Double(Int.random(in: 0...4_000_000, using: &random)) * 600
      let status = expression.status(at: instant, offset: 0)
      #expect(expression.status(at: instant - 3_600, offset: 60) == status || instant < 3_600, "\(value) at \(instant)")
    }
  }

  @Test("A country has a local time, and so has a point in a country with several")
  func offsets() {
    let june = Day(year: 2026, month: 6, day: 1).start
    #expect(LocalTime.offsets(country: "DE", longitude: 13.4, at: june) == [120])
    #expect(LocalTime.offsets(country: "DE", longitude: nil, at: Day(year: 2026, month: 1, day: 5).start) == [60])
    #expect(LocalTime.offsets(country: "IN", longitude: 77, at: june) == [330])
    #expect(LocalTime.offsets(country: "US", longitude: -74, at: june) == [-240])
    // Seattle and El Paso lie near the border of two zones.
    #expect(LocalTime.offsets(country: "US", longitude: -122.3, at: june).contains(-420))
    #expect(LocalTime.offsets(country: "US", longitude: -106.5, at: june).contains(-360))
    #expect(LocalTime.offsets(country: "XQ", longitude: 0, at: june).isEmpty)
  }
}
