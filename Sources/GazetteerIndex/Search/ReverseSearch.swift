import Glibc
import PlacesKit
import SQLite

/// Finds the places at a point: houses and shops near it, then towns, then region and country.
///
/// The index has no boundaries. A town is treated as a circle whose area grows with its population, so that a point in Paris is in Paris and
/// not in a suburb with a nearer centre. Towns are ordered by distance divided by radius.
struct ReverseSearch {
  let file: IndexFile
  let filter: PlaceFilter
  let center: Coordinate
  /// The greatest distance in metres of a row's location. If it is nil, houses and shops must be within `usualRadius`; a town must be
  /// within it or contain the point; and the centres of the region and the country may be farther away.
  let radius: Double?
  let language: String?

  private static let usualRadius = 10_000.0
  /// The radius in metres of a town of one person: a circle of 200 m², the area for each person in a dense city.
  private static let metresPerRoot = 8.0
  private static let minReach = 300.0
  /// The radius of the largest cities.
  private static let maxReach = 25_000.0
  /// A point outside towns belongs to the country of the nearest town within this distance.
  private static let farthest = 200_000.0

  /// The ranks of at most `limit` places.
  func ranks(limit: Int) throws(SQLiteError) -> [UInt32] {
    var areas = try self.areas()
    let nearby = NearbySearch(file: file, filter: filter)
    let around = try nearby.places(around: center, within: radius ?? ReverseSearch.maxReach)
    var spots: [UInt32] = []
    var towns: [(nearness: Double, found: NearbySearch.Found)] = []
    for found in around where !areas.contains(found.rank) {
      guard found.areaLevel > 0 else {
        if found.distance <= radius ?? ReverseSearch.usualRadius { spots.append(found.rank) }
        continue
      }
      guard let columns = file.mapped.columns(found.rank), try file.areas.number(ofPlace: found.rank, columns) == nil else { continue }
      let nearness = found.distance / ReverseSearch.reach(columns)
      if radius != nil || found.distance <= ReverseSearch.usualRadius || nearness <= 1 { towns.append((nearness, found)) }
    }
    towns.sort { ($0.nearness, $0.found.areaLevel, $0.found.rank) < ($1.nearness, $1.found.areaLevel, $1.found.rank) }
    let cityStates = CityStateFilter(file: file, filter: filter, language: language)
    // The nearest house comes first. After it, one town, its region and its country always have room.
    let kept = min(areas.count + (towns.isEmpty ? 0 : 1), spots.isEmpty ? limit : max(0, limit - 1))
    let shown = spots.prefix(limit - kept)
    var room = max(1, limit - shown.count - areas.count)
    // The region of a city state is redundant only if the city itself is shown, and not only one of its quarters.
    let repeated = try cityStates.repeated(around: towns.prefix(room).map(\.found.rank) + areas)
    areas.removeAll { repeated.contains($0) }
    room += repeated.count
    return Array((shown + towns.prefix(room).map(\.found.rank) + areas).prefix(limit))
  }

  /// The region and country that the filter and the radius admit: those of the town that the point lies in, otherwise of the nearest town.
  private func areas() throws(SQLiteError) -> [UInt32] {
    let towns = NearbySearch(file: file, filter: try PlaceFilter(countries: [], restriction: nil, types: ["locality"], in: file))
    var best: (nearness: Double, columns: PlaceColumns)?
    for found in try towns.places(around: center, within: ReverseSearch.maxReach) {
      guard let columns = file.mapped.columns(found.rank) else { continue }
      let nearness = found.distance / ReverseSearch.reach(columns)
      if nearness < best?.nearness ?? .infinity { best = (nearness, columns) }
    }
    if best == nil, let far = try towns.nearest(center, within: ReverseSearch.farthest, limit: 1).first {
      best = file.mapped.columns(far.rank).map { (.infinity, $0) }
    }
    guard let best else { return [] }
    var areas: [UInt32] = []
    for number in [best.columns.region, best.columns.country] {
      guard let rank = try file.areas.entry(number)?.rank, rank > 0, !areas.contains(rank), let columns = file.mapped.columns(rank),
        filter.admits(columns), radius.map({ file.distance(of: rank, to: center) <= $0 }) ?? true
      else { continue }
      areas.append(rank)
    }
    return areas
  }

  /// A town's radius in metres, from the population that corresponds to its importance.
  private static func reach(_ columns: PlaceColumns) -> Double {
    let people = pow(10, max(0, Double(columns.importance) / 65_535 - 0.15) / 0.85 * 7.6)
    return min(maxReach, max(minReach, metresPerRoot * people.squareRoot()))
  }
}
