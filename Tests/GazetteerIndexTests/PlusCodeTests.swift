import PlacesKit
import Testing

@testable import GazetteerIndex

/// Cases from the Open Location Code project's test data (encoding.csv, shortCodeTests.csv, validityTests.csv; Apache-2.0).
@Suite struct PlusCodeTests {
  @Test(
    "Points are encoded to codes that contain them",
    arguments: [
      (20.3700625, 2.7821875, "7FG49QCJ+2V"), (47.0000625, 8.0000625, "8FVC2222+22"), (-41.2730625, 174.7859375, "4VCPPQGP+Q9"),
      (90.0, 1.0, "CFX3X2X2+X2"),
    ])
  func encodes(latitude: Double, longitude: Double, code: String) throws {
    let point = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(PlusCode.encode(point) == code)
    let rectangle = try #require(PlusCode(code)?.rectangle)
    #expect(abs(rectangle.center.latitude - min(latitude, 89.9999375)) < 0.0001)
    #expect(abs(rectangle.center.longitude - longitude) < 0.0001)
  }

  @Test(
    "A point at the edge of a cell lies in that cell, although its decimal is not exact",
    arguments: [
      (48.2, 16.37, "8FWR692C+22"), (40.7, -74, "87G8P222+22"), (-33.9, 151.2, "4RRH4622+22"),
    ])
  func edges(latitude: Double, longitude: Double, code: String) throws {
    #expect(PlusCode.encode(try #require(Coordinate(latitude: latitude, longitude: longitude))) == code)
  }

  @Test("A longer code is a smaller cell of the same point")
  func longCodes() throws {
    let point = try #require(Coordinate(latitude: 51.3701125, longitude: -1.217765625))
    #expect(PlusCode.encode(point, length: 11) == "9C3W9QCJ+2VX")
    let rectangle = try #require(PlusCode("9C3W9QCJ+2VX")?.rectangle)
    #expect(rectangle.contains(point))
  }

  @Test(
    "A short code means the nearest code with this end",
    arguments: [("9QCJ+2VX", 51.3852125, -1.217765625), ("CJ+2VX", 51.3708675, -1.217765625), ("3W9QCJ+2VX", 49.0, -3.0)])
  func recovers(short: String, latitude: Double, longitude: Double) throws {
    let reference = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let full = try #require(PlusCode(short)?.recovered(near: reference)?.rectangle?.center)
    #expect(PlusCode.encode(full, length: 11) == "9C3W9QCJ+2VX")
  }

  @Test(
    "An invalid text is not a code",
    arguments: ["", "+", "8FWC2345+G", "8FWC2_45+G6", "8FWC2η45+G6", "8FWC2345+G6+", "8FWC2300+G6", "WC2300+", "8FWC234+56"])
  func refuses(text: String) {
    #expect(PlusCode(text) == nil)
  }

  @Test("A padded code is a large cell") func padded() throws {
    let rectangle = try #require(PlusCode("8FWC0000+")?.rectangle)
    #expect(rectangle.high.latitude - rectangle.low.latitude == 1)
  }

  @Test("A code without a digit is a point, too") func letters() {
    let code = if case .code(let code) = PointQuery("CFXXCFXX+XX") { code.text } else { "a name" }
    #expect(code == "CFXXCFXX+XX")
  }
}
