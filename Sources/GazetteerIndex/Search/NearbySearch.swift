import PlacesKit
import SQLite

/// Finds the places around a point with the index's R-tree.
struct NearbySearch {
  let file: IndexFile
  let filter: PlaceFilter

  struct NearbyPlace {
    var rank: UInt32
    /// The distance from the centre in metres.
    var distance: Double
    /// The position of the place's type in `areaTypes`, from 1; 0 for a place that is not an area.
    var areaLevel: Int
  }

  /// The types of areas, the smallest first.
  private static let areaTypes: [PlaceType] = [
    "neighborhood", "sublocality", "locality", "postal_code", "administrative_area_level_3", "administrative_area_level_2",
    "administrative_area_level_1", "country", "archipelago", "continent",
  ]

  /// The radius in metres of the first circle. It is small, because in a city even this circle contains enough places.
  private static let firstRadius = 250.0
  /// The factor by which the radius grows if a circle has too few places. Each larger circle is searched anew.
  private static let radiusGrowth = 4.0

  /// The nearest places, nearest first. The searched circle grows until it contains enough places. Of places at the same distance, those
  /// that are not areas come first, then smaller areas, then more important places.
  /// - Parameter radius: the maximum distance in metres.
  func nearest(_ center: Coordinate, within radius: Double, limit: Int) throws(SQLiteError) -> [NearbyPlace] {
    var currentRadius = min(radius, NearbySearch.firstRadius)
    while true {
      let nearbyPlaces = try places(around: center, within: currentRadius)
      if nearbyPlaces.count >= limit || currentRadius >= radius { return Array(nearbyPlaces.prefix(limit)) }
      currentRadius = min(radius, currentRadius * NearbySearch.radiusGrowth)
    }
  }

  /// All places within a circle, in the order of `nearest`.
  func places(around center: Coordinate, within radius: Double) throws(SQLiteError) -> [NearbyPlace] {
    var nearbyPlaces: [NearbyPlace] = []
    // The area level of each list of types, by the number of the list (`TypeTable`).
    let areaLevels = try file.types.all().map { types in
      types.lazy.compactMap { NearbySearch.areaTypes.firstIndex(of: $0) }.first.map { $0 + 1 } ?? 0
    }
    for rectangle in Rectangle(around: center, radius: radius).split {
      for rank in try ranks(in: rectangle) {
        guard let columns = file.mapped.columns(rank), filter.admits(columns), let point = columns.point.coordinate else { continue }
        let distance = center.distance(to: point)
        guard distance <= radius else { continue }
        let listNumber = Int(columns.types)
        let areaLevel = listNumber < areaLevels.count ? areaLevels[listNumber] : 0
        nearbyPlaces.append(NearbyPlace(rank: rank, distance: distance, areaLevel: areaLevel))
      }
    }
    return nearbyPlaces.sorted { ($0.distance, $0.areaLevel, $0.rank) < ($1.distance, $1.areaLevel, $1.rank) }
  }

  /// The ranks of the places in a rectangle that does not cross the antimeridian.
  private func ranks(in rectangle: Rectangle) throws(SQLiteError) -> [UInt32] {
    let (low, high) = (FixedPoint(rectangle.low), FixedPoint(rectangle.high))
    let statement = try file.database.statement("SELECT rank FROM spot WHERE south >= ? AND north <= ? AND west >= ? AND east <= ?")
    defer { statement.reset() }
    try statement.bind([low.latitude, high.latitude, low.longitude, high.longitude].map { .integer(Int64($0)) })
    var ranks: [UInt32] = []
    while try statement.step() { ranks.append(UInt32(clamping: statement.integer(0))) }
    return ranks
  }
}
