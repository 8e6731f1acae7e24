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

  mutating func add(_ record: GazetteerRecord) {
    guard let point = record.location, record.types.contains("locality") else { return }
    cells[TownGrid.grid.cell(point), default: []].append(
      Town(point: point, population: record.population, name: record.name, country: record.country, region: record.region))
  }

  /// Sets the country and region of towns without a country, such as those from OpenStreetMap, to those of the nearest town.
  mutating func finish() {
    let known = cells.mapValues { $0.filter { !$0.country.isEmpty } }
    for (cell, towns) in cells {
      cells[cell] = towns.map { town in
        guard town.country.isEmpty, let near = TownGrid.nearest(town.point, in: known, reach: TownGrid.countryReach) else { return town }
        var town = town
        town.country = near.country
        town.region = near.region
        return town
      }
    }
  }

  /// The locality, country and region that a place lacks, from the nearest town; nil if the place lacks nothing or no town is near.
  func context(of record: GazetteerRecord) -> GazetteerRecord? {
    guard let point = record.location else { return nil }
    let isRegion = record.types.first?.group == .region
    guard record.country.isEmpty || (record.locality == nil && !isRegion) else { return nil }
    let reach = isRegion ? TownGrid.countryReach : TownGrid.reach
    guard let town = TownGrid.nearest(point, in: cells, reach: reach, country: record.country) else { return nil }
    var context = GazetteerRecord(id: record.id, name: "")
    if record.locality == nil, !isRegion { context.locality = town.name }
    if record.country.isEmpty { context.country = town.country }
    if record.region.isEmpty, record.country.isEmpty || record.country == town.country { context.region = town.region }
    return context
  }

  /// The town nearest to a point; nil if none is within `reach`. The distance of a town is divided by a factor that grows with the
  /// town's population.
  /// - Parameter country: the code of the country in which the town lies; empty for any country.
  private static func nearest(_ point: Coordinate, in cells: [UInt64: [Town]], reach: Double, country: String = "") -> Town? {
    var best: (distance: Double, town: Town)?
    for cell in TownGrid.grid.cells(around: point) {
      for town in cells[cell] ?? [] where country.isEmpty || town.country == country {
        // A town of 10,000 people extends twice as far as a hamlet.
        let distance = point.distance(to: town.point) / (1 + log10(Double(town.population) / 100 + 1) / 2)
        if distance <= reach, distance < best?.distance ?? .infinity { best = (distance, town) }
      }
    }
    return best?.town
  }
}

/// A grid of square cells over the map. Each cell has a number.
struct MapGrid {
  /// The side of a cell in degrees.
  let cellSize: Double

  /// The number of the cell that contains a point.
  func cell(_ point: Coordinate) -> UInt64 { cell(point, 0, 0) }

  /// The numbers of the cell that contains a point and of the eight cells around it.
  func cells(around point: Coordinate) -> [UInt64] { (0..<9).map { cell(point, $0 / 3 - 1, $0 % 3 - 1) } }

  /// The number of the cell that is this many cells north and east of a point's cell.
  private func cell(_ point: Coordinate, _ north: Int, _ east: Int) -> UInt64 {
    let columns = Int((360 / cellSize).rounded())
    let row = Int(((point.latitude + 90) / cellSize).rounded(.down)) + 1 + north
    let column = (Int(((point.longitude + 180) / cellSize).rounded(.down)) + east + columns) % columns
    return UInt64(row * columns + column)
  }
}
