import Glibc
import PlacesKit
import SQLite

/// What is at a point of the map, for asking what is there: not what happens to be nearest.
///
/// A town reaches as far as its people need room, so that a point in Paris is in Paris and not in the suburb whose middle is nearer; of the
/// towns around, that one comes first whose reach the point is deepest within.
struct ReverseSearch {
  let file: IndexFile
  let filter: PlaceFilter
  let center: Coordinate
  /// Metres from the point to a row's location at most. Nil for what is usual: what is near, and what the point lies in, however far
  /// away its middle is.
  let radius: Double?
  let language: String?

  private static let usualRadius = 10_000.0
  /// Metres from the middle of a town to its edge, for a town of one person: a circle in which each has 200 m², as in dense cities.
  private static let metresPerRoot = 8.0
  private static let leastReach = 300.0
  /// The largest cities reach so far.
  private static let mostReach = 25_000.0
  /// A point without a town belongs to the country of the nearest one, unless that is farther away.
  private static let farthest = 200_000.0

  /// The ranks of at most so many places.
  func ranks(limit: Int) throws(SQLiteError) -> [UInt32] {
    var areas = try self.areas()
    let nearby = NearbySearch(file: file, filter: filter)
    let around = try nearby.places(around: center, within: radius ?? ReverseSearch.mostReach)
    var spots: [UInt32] = []
    var towns: [(nearness: Double, found: NearbySearch.Found)] = []
    for found in around where !areas.contains(found.rank) {
      guard found.breadth > 0 else {
        if found.distance <= radius ?? ReverseSearch.usualRadius { spots.append(found.rank) }
        continue
      }
      guard let columns = file.mapped.columns(found.rank), try file.areas.number(ofPlace: found.rank, columns) == nil else { continue }
      let nearness = found.distance / ReverseSearch.reach(columns)
      if radius != nil || found.distance <= ReverseSearch.usualRadius || nearness <= 1 { towns.append((nearness, found)) }
    }
    towns.sort { ($0.nearness, $0.found.breadth, $0.found.rank) < ($1.nearness, $1.found.breadth, $1.found.rank) }
    let cityStates = CityStateFilter(file: file, filter: filter, language: language)
    // The nearest house is what is at the point. Behind it, room for one town, its region and its country is kept, since they say where
    // everything else is.
    let kept = min(areas.count + (towns.isEmpty ? 0 : 1), spots.isEmpty ? limit : max(0, limit - 1))
    let shown = spots.prefix(limit - kept)
    var room = max(1, limit - shown.count - areas.count)
    // Only beside a city that is shown its region says nothing: behind one of its quarters it is the only one to name it.
    let repeated = try cityStates.repeated(around: towns.prefix(room).map(\.found.rank) + areas)
    areas.removeAll { repeated.contains($0) }
    room += repeated.count
    return Array((shown + towns.prefix(room).map(\.found.rank) + areas).prefix(limit))
  }

  /// Region and country, as far as the filter and the radius admit them: those of the town that the point is in, else of the nearest one.
  private func areas() throws(SQLiteError) -> [UInt32] {
    let towns = NearbySearch(file: file, filter: try PlaceFilter(countries: [], restriction: nil, types: ["locality"], in: file))
    var best: (nearness: Double, columns: PlaceColumns)?
    for found in try towns.places(around: center, within: ReverseSearch.mostReach) {
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

  /// Metres from a town's middle to its edge, by the people that its importance stands for.
  private static func reach(_ columns: PlaceColumns) -> Double {
    let people = pow(10, max(0, Double(columns.importance) / 65_535 - 0.15) / 0.85 * 7.6)
    return min(mostReach, max(leastReach, metresPerRoot * people.squareRoot()))
  }
}
