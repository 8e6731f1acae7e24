import CICU
import PlacesKit

/// The local time at a place, from its country and location only.
public enum LocalTime {
  /// The offsets from UTC that the place may have at an instant, in minutes; empty for an unknown country.
  ///
  /// A country with one time zone has one offset. In other countries the borders of zones are unknown. The standard time of nearly every
  /// place is between 40 minutes behind and 100 minutes ahead of solar time, so the offsets of the zones for which this is true are
  /// possible. If there is no such zone, the zone whose standard time is nearest to solar time is used.
  /// - Parameters:
  ///   - country: ISO 3166-1 code of two letters.
  ///   - longitude: degrees.
  ///   - instant: seconds since 1970.
  public static func offsets(country: String, longitude: Double?, at instant: Double) -> [Int] {
    var zones = [cicu_zone_offset](repeating: cicu_zone_offset(), count: 32)
    let count = cicu_zone_offsets(country, instant, &zones, Int32(zones.count))
    zones.removeLast(zones.count - Int(count))
    guard let longitude, Set(zones.map(\.current)).count > 1 else { return Set(zones.map { Int($0.current) }).sorted() }
    // The minutes by which a zone's standard time is ahead of solar time.
    func minutesAhead(_ zone: cicu_zone_offset) -> Double { Double(zone.standard) - longitude * 4 }
    let possibleZones = zones.filter { (-40...100).contains(minutesAhead($0)) }
    let nearestZone = zones.min { abs(minutesAhead($0)) < abs(minutesAhead($1)) }
    return Set((possibleZones.isEmpty ? [nearestZone].compactMap { $0 } : possibleZones).map { Int($0.current) }).sorted()
  }
}
