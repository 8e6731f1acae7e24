import PlacesKit
import SQLite

/// Tells regions that are nothing but a city: `Berlin` is one place to whoever reads it, though the index holds the city and the state.
/// Photon and Google show one of the two. Who asks for types gets what was asked for.
struct CityStates {
  let file: IndexFile
  let filter: PlaceFilter
  let language: String?

  /// The middle of a region's people is no further from the city that is all of it.
  private static let reach = 5000.0

  /// The regions among the rows that repeat a city above them: of the same name, in the same place.
  func repeated(in rows: [TopList.Row]) throws(SQLiteError) -> Set<UInt32> {
    guard filter.admitsAllTypes else { return [] }
    var repeated: Set<UInt32> = []
    for (index, row) in rows.enumerated() {
      guard index > 0, let region = try file.columns.columns(row.rank), region.region > 0,
        try file.areas.entry(region.region)?.rank == row.rank, let center = region.point.coordinate
      else { continue }
      let above = rows[..<index]
      for city in above where try isCity(city.rank, of: region, around: center) {
        if try name(city.rank) == name(row.rank) { repeated.insert(row.rank) }
      }
    }
    return repeated
  }

  private func isCity(_ rank: UInt32, of region: PlaceColumns, around center: Coordinate) throws(SQLiteError) -> Bool {
    guard let city = try file.columns.columns(rank), city.region == region.region, let point = city.point.coordinate,
      point.distance(to: center) <= CityStates.reach
    else { return false }
    return try file.types.types(city.types).contains("locality")
  }

  private func name(_ rank: UInt32) throws(SQLiteError) -> String? {
    let choice = language.map { LanguageChoice($0) }
    return try file.place(rank).map { PlaceText(id: $0.id, stored: $0.stored, choice: choice).name }
  }
}
