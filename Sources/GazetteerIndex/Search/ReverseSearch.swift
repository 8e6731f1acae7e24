import Glibc
import PlacesKit
import SQLite

/// Finds the places at a point: houses and shops near it, then towns, then region and country.
///
/// The index has no boundaries. A town is treated as a circle whose area grows with its population, so that a point in Paris is in Paris
/// and not in a suburb whose centre is nearer. Towns are ordered by their distance divided by the radius of their circle.
struct ReverseSearch {
  let file: IndexFile
  let filter: PlaceFilter
  /// The point whose surroundings are searched.
  let center: Coordinate
  /// The maximum distance in metres of a row's location. If it is nil, houses and shops must be within `usualRadius`; a town must be
  /// within this radius too, or contain the point; and the locations of the region and the country may be farther away.
  let radius: Double?
  let language: String?

  /// The radius in metres that is used for houses, shops and towns if the request has none.
  private static let usualRadius = 10_000.0
  /// The radius in metres of a circle of 200 m², the area for each person in a dense city.
  private static let radiusOfOnePerson = 8.0
  /// The radius in metres of the smallest towns.
  private static let minTownRadius = 300.0
  /// The radius in metres of the largest cities.
  static let maxTownRadius = 25_000.0
  /// A point outside towns belongs to the country of the nearest town within this distance in metres.
  private static let maxCountryDistance = 200_000.0

  /// A town near the point, or another area that is neither a region nor a country, such as a quarter.
  private struct NearbyTown {
    var rank: UInt32
    /// Whether the point is in the town.
    var containsPoint: Bool
    /// The distance of the point from the town's centre, divided by the town's radius.
    var distance: Double
    /// The kind of area, as in `NearbySearch.NearbyPlace`.
    var areaLevel: Int

    /// Whether a town comes before another one. Towns that the point is in come before other towns.
    static func precedes(_ town: NearbyTown, _ otherTown: NearbyTown) -> Bool {
      if town.containsPoint != otherTown.containsPoint { return town.containsPoint }
      return (town.distance, town.areaLevel, town.rank) < (otherTown.distance, otherTown.areaLevel, otherTown.rank)
    }
  }

  /// The ranks of at most `limit` places.
  /// - Parameters:
  ///   - limit: the maximum number of places.
  ///   - surroundings: tells which towns the point is in. They precede other towns.
  func ranks(limit: Int, _ surroundings: inout SurroundingAreas) throws(SQLiteError) -> [UInt32] {
    var areaRanks = try areas()
    let (spots, towns) = try spotsAndTowns(besides: areaRanks, &surroundings)
    // The best known of the towns that the point is in, which is the one with the lowest rank. The first town may be a quarter of this city.
    let city = towns.prefix { $0.containsPoint }.map(\.rank).min()
    let cityStates = CityStateFilter(file: file, filter: filter, language: language)
    /// The ranks of the first `count` towns. If the city is not among them, it replaces the last one, but not the first.
    func firstTowns(_ count: Int) -> [UInt32] {
      var townRanks = towns.prefix(count).map(\.rank)
      if let city, townRanks.count > 1, !townRanks.contains(city) { townRanks[townRanks.count - 1] = city }
      return townRanks
    }
    // Rows are reserved for the town, its city, its region and its country, but the nearest house or shop always has one.
    let hasSeparateCity = city != nil && city != towns.first?.rank
    let reservedTowns = towns.isEmpty ? 0 : hasSeparateCity ? 2 : 1
    let reservedCount = min(areaRanks.count + reservedTowns, spots.isEmpty ? limit : max(0, limit - 1))
    let shownSpots = spots.prefix(limit - reservedCount)
    var townCount = max(1, limit - shownSpots.count - areaRanks.count)
    // The region of a city state is redundant only if the city itself is shown, and not only one of its quarters.
    let redundantAreas = try cityStates.redundantAreas(in: firstTowns(townCount) + areaRanks, keepsFirst: false)
    areaRanks.removeAll { redundantAreas.contains($0) }
    townCount += redundantAreas.count
    return Array((shownSpots + firstTowns(townCount) + areaRanks).prefix(limit))
  }

  /// The places around the point: the ranks of the spots, which are places that are not areas, such as houses and shops, nearest first; and
  /// the towns in the order of `NearbyTown.precedes`.
  /// - Parameters:
  ///   - areaRanks: the region and country of the point, which are left out.
  ///   - surroundings: tells which towns the point is in.
  private func spotsAndTowns(
    besides areaRanks: [UInt32], _ surroundings: inout SurroundingAreas
  ) throws(SQLiteError) -> (spots: [UInt32], towns: [NearbyTown]) {
    let nearby = NearbySearch(file: file, filter: filter)
    var spots: [UInt32] = []
    var towns: [NearbyTown] = []
    for place in try nearby.places(around: center, within: radius ?? ReverseSearch.maxTownRadius) where !areaRanks.contains(place.rank) {
      guard place.areaLevel > 0 else {
        if place.distance <= radius ?? ReverseSearch.usualRadius { spots.append(place.rank) }
        continue
      }
      // Other regions and countries are left out.
      guard let columns = file.mapped.columns(place.rank), try file.areas.number(ofPlace: place.rank, columns) == nil else { continue }
      let distance = place.distance / ReverseSearch.townRadius(columns)
      guard radius != nil || place.distance <= ReverseSearch.usualRadius || distance <= 1 else { continue }
      let containsPoint = try surroundings.contains(place.rank)
      towns.append(NearbyTown(rank: place.rank, containsPoint: containsPoint, distance: distance, areaLevel: place.areaLevel))
    }
    towns.sort(by: NearbyTown.precedes)
    return (spots, towns)
  }

  /// The ranks of the point's region and country, without those that the filter or the radius excludes. The region and country are those of
  /// the town in which the point lies, otherwise of the nearest town.
  private func areas() throws(SQLiteError) -> [UInt32] {
    guard let townRank = try file.town(near: center, within: ReverseSearch.maxCountryDistance), let town = file.mapped.columns(townRank)
    else { return [] }
    var areaRanks: [UInt32] = []
    for number in [town.region, town.country] {
      guard let rank = try file.areas.entry(number)?.rank, rank > 0, !areaRanks.contains(rank), let columns = file.mapped.columns(rank),
        filter.admits(columns), radius.map({ file.distance(of: rank, to: center) <= $0 }) ?? true
      else { continue }
      areaRanks.append(rank)
    }
    return areaRanks
  }

  /// A town's radius in metres. It is derived from the population, and the population from the importance: this is the inverse of
  /// `GazetteerRecord.importance`, if its bonus for names in other languages (0…0.1) is assumed to grow with the population.
  static func townRadius(_ columns: PlaceColumns) -> Double {
    let people = pow(10, max(0, columns.relativeImportance - 0.15) / (0.75 + 0.1) * 7.6)
    return min(maxTownRadius, max(minTownRadius, radiusOfOnePerson * people.squareRoot()))
  }
}

/// A town, treated as a circle, and the distance of a point from its centre.
struct SurroundingTown {
  let rank: UInt32
  let columns: PlaceColumns
  /// The radius of the circle in metres.
  let radius: Double
  /// The distance of the point from the centre, divided by the radius.
  let distance: Double

  /// Whether this town is a part of another one, as Brooklyn is of New York: it has at most about half as many people, and its centre is in
  /// the other's circle and region.
  func isPart(of town: SurroundingTown) -> Bool {
    // The area of a circle is proportional to the population, so half of the people have a circle whose radius is smaller by √2.
    guard radius * 1.4 <= town.radius, columns.region == town.columns.region, columns.country == town.columns.country,
      let center = columns.point.coordinate, let otherCenter = town.columns.point.coordinate
    else { return false }
    return center.distance(to: otherCenter) <= town.radius
  }
}

/// Tells which towns, regions and countries a point is in.
struct SurroundingAreas {
  private let file: IndexFile
  private let point: Coordinate
  /// The towns that the point is in, and the nearest town; nil until a place is asked for.
  private var located: (towns: Set<UInt32>, nearest: PlaceColumns?)?

  init(of point: Coordinate, in file: IndexFile) {
    self.file = file
    self.point = point
  }

  /// Whether the point is in the place. The point's region and country are those of the nearest town within 25 km.
  mutating func contains(_ rank: UInt32) throws(SQLiteError) -> Bool {
    guard let columns = file.mapped.columns(rank) else { return false }
    if located == nil { located = try findTowns() }
    guard let area = try file.areas.number(ofPlace: rank, columns) else { return located?.towns.contains(rank) == true }
    return located?.nearest.map { $0.region == area || $0.country == area } ?? false
  }

  /// The towns that the point is in, and the nearest town. Circles of neighbouring towns overlap, so the point is in one of them: the town
  /// whose centre is nearest in radiuses of the town. It is also in the towns of which this town is a part, and in its parts.
  private func findTowns() throws(SQLiteError) -> (towns: Set<UInt32>, nearest: PlaceColumns?) {
    let towns = try file.towns(around: point)
    var surroundingTowns: [SurroundingTown] = []
    for town in towns where town.distance <= 1 && surroundingTowns.allSatisfy({ $0.isPart(of: town) || town.isPart(of: $0) }) {
      surroundingTowns.append(town)
    }
    return (Set(surroundingTowns.map(\.rank)), towns.first?.columns)
  }
}
