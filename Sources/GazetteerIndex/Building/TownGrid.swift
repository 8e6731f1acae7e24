import Glibc
import PlacesKit

/// The towns of an index in cells of half a degree, to find the town that a street or a shop belongs to.
struct TownGrid {
  private struct Town {
    var point: Coordinate
    var population: Int
    var name: String
    var country: String
    var region: String
  }
  private var cells: [UInt64: [Town]] = [:]

  static let grid = MapGrid(cellSize: 0.5)

  /// The maximum distance in metres between a place and its town.
  private static let reach = 15_000.0
  /// The maximum distance in metres between a town or region and the town from which it takes its country.
  private static let countryReach = 60_000.0

  /// The greatest factor of a town's extent (`extent`).
  private var maxExtent = 1.0

  mutating func add(_ record: GazetteerRecord) {
    guard let point = record.location, record.types.contains("locality") else { return }
    maxExtent = max(maxExtent, TownGrid.extent(record.population))
    cells[TownGrid.grid.cell(point), default: []].append(
      Town(point: point, population: record.population, name: record.name, country: record.country, region: record.region))
  }

  /// Sets the country and region of towns without a country, such as those from OpenStreetMap, to those of the nearest town.
  mutating func finish() {
    let known = self
    for (cell, towns) in cells {
      cells[cell] = towns.map { town in
        guard town.country.isEmpty, let near = known.nearest(town.point, within: TownGrid.countryReach, where: { !$0.country.isEmpty })
        else {
          return town
        }
        var town = town
        town.country = near.country
        town.region = near.region
        return town
      }
    }
  }

  /// The locality, country and region that a place lacks, from the town that its address names or the nearest town. Nil if the place lacks
  /// nothing or no town is near.
  func context(of record: GazetteerRecord) -> GazetteerRecord? {
    guard let point = record.location else { return nil }
    let isRegion = record.types.first?.group == .region
    guard record.country.isEmpty || (!isRegion && (record.locality == nil || record.region.isEmpty)) else { return nil }
    let reach = isRegion ? TownGrid.countryReach : TownGrid.reach
    let isInCountry = { (town: Town) in record.country.isEmpty || town.country == record.country }
    let named = record.locality.flatMap { name in
      nearest(point, within: reach) { $0.name == name && !$0.country.isEmpty && isInCountry($0) }
    }
    guard let town = named ?? nearest(point, within: reach, where: isInCountry) else { return nil }
    var context = GazetteerRecord(id: record.id, name: "")
    if record.locality == nil, !isRegion { context.locality = town.name }
    if record.country.isEmpty { context.country = town.country }
    if record.region.isEmpty { context.region = town.region }
    return context.locality == nil && context.country.isEmpty && context.region.isEmpty ? nil : context
  }

  /// The town nearest to a point among those that satisfy a condition; nil if none is within `reach` metres. The distance of a town is
  /// divided by its `extent`.
  private func nearest(_ point: Coordinate, within reach: Double, where condition: (Town) -> Bool) -> Town? {
    var best: (distance: Double, town: Town)?
    for cell in TownGrid.grid.cells(around: point, within: reach * maxExtent) {
      for town in cells[cell] ?? [] where condition(town) {
        let distance = point.distance(to: town.point) / TownGrid.extent(town.population)
        if distance <= reach, distance < best?.distance ?? .infinity { best = (distance, town) }
      }
    }
    return best?.town
  }

  /// How far a town extends, in multiples of the extent of a hamlet: a town of 10,000 people twice as far.
  private static func extent(_ population: Int) -> Double { 1 + log10(Double(max(0, population)) / 100 + 1) / 2 }
}

/// A grid of square cells over the map. Each cell has a number.
struct MapGrid {
  /// The side of a cell in degrees.
  let cellSize: Double

  /// The number of the cell that contains a point.
  func cell(_ point: Coordinate) -> UInt64 { cell(point, 0, 0) }

  /// The numbers of the cell that contains a point and of the eight cells around it.
  func cells(around point: Coordinate) -> [UInt64] { (0..<9).map { cell(point, $0 / 3 - 1, $0 % 3 - 1) } }

  /// The numbers of the cells that may contain points within a distance in metres of a point.
  func cells(around point: Coordinate, within distance: Double) -> [UInt64] {
    let degrees = distance / (Coordinate.earthRadius * .pi / 180)
    let columns = Int((360 / cellSize).rounded())
    // Meridians are nearest to each other at the end that is nearer to a pole.
    let narrowing = cos(min(abs(point.latitude) + degrees, 89) * .pi / 180)
    let (north, east) = (Int((degrees / cellSize).rounded(.up)), Int((degrees / narrowing / cellSize).rounded(.up)))
    let rows = -north...north
    guard 2 * east + 1 < columns else { return rows.flatMap { row in (0..<columns).map { cell(point, row, $0) } } }
    return rows.flatMap { row in (-east...east).map { cell(point, row, $0) } }
  }

  /// The number of the cell that is this many cells north and east of a point's cell.
  private func cell(_ point: Coordinate, _ north: Int, _ east: Int) -> UInt64 {
    let columns = Int((360 / cellSize).rounded())
    let row = max(0, Int(((point.latitude + 90) / cellSize).rounded(.down)) + 1 + north)
    let column = (Int(((point.longitude + 180) / cellSize).rounded(.down)) + east + columns) % columns
    return UInt64(row * columns + column)
  }
}
