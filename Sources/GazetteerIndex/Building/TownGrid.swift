import Glibc
import PlacesKit

/// Finds the town that a street or a shop belongs to. The towns are stored in cells of half a degree.
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

  /// The maximum distance in metres between a place and its town, divided by the town's `extent`.
  private static let townReach = 15_000.0
  /// The maximum distance in metres, divided by `extent`, between a town or region and the town from which it takes its country.
  private static let countryReach = 60_000.0

  /// The largest `extent` of any added town.
  private var maxExtent = 1.0

  /// Adds a record, if it is a town with a location.
  mutating func add(_ record: GazetteerRecord) {
    guard let point = record.location, record.types.contains("locality") else { return }
    maxExtent = max(maxExtent, TownGrid.extent(record.population))
    cells[TownGrid.grid.cell(point), default: []].append(
      Town(point: point, population: record.population, name: record.name, country: record.country, region: record.region))
  }

  /// Sets the country and region of towns without a country, such as those from OpenStreetMap, to those of the nearest town.
  mutating func finish() {
    // A town that gets a country here must not pass it on to others.
    let originalGrid = self
    for (cell, towns) in cells {
      cells[cell] = towns.map { town in
        guard town.country.isEmpty,
          let neighbor = originalGrid.nearest(town.point, within: TownGrid.countryReach, where: { !$0.country.isEmpty })
        else {
          return town
        }
        var town = town
        town.country = neighbor.country
        town.region = neighbor.region
        return town
      }
    }
  }

  /// The locality, country and region that a place lacks, as a record without a name. They are those of the town that its address names, or
  /// else of the nearest town. Nil if the place lacks nothing or no town is near.
  func missingFields(of record: GazetteerRecord) -> GazetteerRecord? {
    guard let point = record.location else { return nil }
    // A region, such as a town or a district, needs no locality.
    let isRegion = record.types.first?.group == .region
    guard record.country.isEmpty || (!isRegion && (record.locality == nil || record.region.isEmpty)) else { return nil }
    let reach = isRegion ? TownGrid.countryReach : TownGrid.townReach
    let isInCountry = { (town: Town) in record.country.isEmpty || town.country == record.country }
    let namedTown = record.locality.flatMap { name in
      nearest(point, within: reach) { $0.name == name && !$0.country.isEmpty && isInCountry($0) }
    }
    guard let town = namedTown ?? nearest(point, within: reach, where: isInCountry) else { return nil }
    var missing = GazetteerRecord(id: record.id, name: "")
    if record.locality == nil, !isRegion { missing.locality = town.name }
    if record.country.isEmpty { missing.country = town.country }
    if record.region.isEmpty { missing.region = town.region }
    return missing.locality == nil && missing.country.isEmpty && missing.region.isEmpty ? nil : missing
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

  /// The factor by which distances to a town are divided: 1 for a hamlet, 2 for a town of 10,000 people.
  private static func extent(_ population: Int) -> Double { 1 + log10(Double(max(0, population)) / 100 + 1) / 2 }
}

/// A grid of cells over the Earth, each with a number.
struct MapGrid {
  /// The height and width of a cell in degrees.
  let cellSize: Double

  /// The number of the cell that contains a point.
  func cell(_ point: Coordinate) -> UInt64 { cell(point, 0, 0) }

  /// The numbers of the cell that contains a point and of the eight cells around it.
  func cells(around point: Coordinate) -> [UInt64] { (0..<9).map { cell(point, $0 / 3 - 1, $0 % 3 - 1) } }

  /// The numbers of the cells that may contain points within a distance in metres of a point.
  func cells(around point: Coordinate, within distance: Double) -> [UInt64] {
    let degrees = distance / (Coordinate.earthRadius * .pi / 180)
    let columns = Int((360 / cellSize).rounded())
    // A degree of longitude is shortest at the point of the circle that is nearest to a pole.
    let narrowing = cos(min(abs(point.latitude) + degrees, 89) * .pi / 180)
    let rowReach = Int((degrees / cellSize).rounded(.up))
    let columnReach = Int((degrees / narrowing / cellSize).rounded(.up))
    let rows = -rowReach...rowReach
    guard 2 * columnReach + 1 < columns else { return rows.flatMap { row in (0..<columns).map { cell(point, row, $0) } } }
    return rows.flatMap { row in (-columnReach...columnReach).map { cell(point, row, $0) } }
  }

  /// The number of the cell that is this many cells north and east of a point's cell.
  private func cell(_ point: Coordinate, _ north: Int, _ east: Int) -> UInt64 {
    let columns = Int((360 / cellSize).rounded())
    // Rows are numbered from 1, so that the row south of the southernmost one has the number 0.
    let row = max(0, Int(((point.latitude + 90) / cellSize).rounded(.down)) + 1 + north)
    let column = (Int(((point.longitude + 180) / cellSize).rounded(.down)) + east + columns) % columns
    return UInt64(row * columns + column)
  }
}
