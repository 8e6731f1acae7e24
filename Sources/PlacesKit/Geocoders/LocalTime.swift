import CICU
import PlacesKit

/// Estimates the local time at a place for which only the country and the longitude are known.
public enum LocalTime {
  /// The offsets from UTC that the place may have at an instant, in minutes, ascending; empty for an unknown country.
  ///
  /// A country with one time zone has one offset. In other countries, the borders of the zones are not known. In nearly every place on
  /// Earth, standard time is between 40 minutes behind and 100 minutes ahead of solar time. A zone is therefore possible if its standard
  /// time is within these limits. If no zone is, the zone whose standard time is nearest to solar time is used.
  /// - Parameters:
  ///   - country: the ISO 3166-1 code of two letters.
  ///   - longitude: in degrees; if nil, all zones of the country are possible.
  ///   - instant: seconds since 1970.
  public static func offsets(country: String, longitude: Double?, at instant: Double) -> [Int] {
    var zones = [cicu_zone_offset](repeating: cicu_zone_offset(), count: 32)
    let count = cicu_zone_offsets(country, instant, &zones, Int32(zones.count))
    zones.removeLast(zones.count - Int(count))
    guard let longitude, Set(zones.map(\.current)).count > 1 else { return Set(zones.map { Int($0.current) }).sorted() }
    // The minutes by which a zone's standard time is ahead of solar time.
    func minutesAhead(_ zone: cicu_zone_offset) -> Double { Double(zone.standard) - longitude * 4 }
    let possibleZones = zones.filter { (-40...100).contains(minutesAhead($0)) }
    if possibleZones.isEmpty, let nearestZone = zones.min(by: { abs(minutesAhead($0)) < abs(minutesAhead($1)) }) {
      return [Int(nearestZone.current)]
    }
    return Set(possibleZones.map { Int($0.current) }).sorted()
  }
}
