import PlacesKit
import Testing

@testable import ServiceDescriptions

@Suite("Positions in metres of a national grid") struct NationalGridTests {
  /// The worked example of "A Guide to Coordinate Systems in Great Britain", the water tower at Caister, whose position in WGS 84 OSTN15
  /// gives as 52°39′28.72″ N 1°42′57.79″ E; and two points of Ordnance Survey's test file for OSTN15, at both ends of the grid.
  @Test(
    "Points agree with those of the Ordnance Survey to five metres",
    arguments: [
      (651_409.903, 313_177.270, 52.657_979, 1.716_052), (91_492.146, 11_318.804, 49.922_261_94, -6.299_777_53),
      (421_300.525, 1_072_147.239, 59.534_707_94, -1.625_169_66),
    ])
  func point(easting: Double, northing: Double, latitude: Double, longitude: Double) throws {
    let found = try #require(NationalGrid.britain.coordinate(easting: easting, northing: northing))
    let expected = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(found.distance(to: expected) < 6, "\(found.distance(to: expected)) m")
  }

  @Test("A point outside of the grid has no position")
  func outside() {
    for (easting, northing) in [(-1.0, 0.0), (0, -1), (700_001, 0), (0, 1_300_001), (.nan, 0), (0, .infinity)] {
      #expect(NationalGrid.britain.coordinate(easting: easting, northing: northing) == nil)
    }
  }
}
