import PlacesKit
import SQLite
import Text

/// Tells regions that are nothing but a city: `Berlin` is one place to whoever reads it, though the index holds the city and the state.
/// Photon and Google show one of the two. Who asks for types gets what was asked for.
struct CityStateFilter {
  let file: IndexFile
  let filter: PlaceFilter
  let language: String?

  /// The middle of a region's people is no further from the city that is all of it.
  private static let reach = 5000.0

  /// The regions among the rows that repeat a city above them: of the same name, in the same place.
  func repeated(in rows: [TopResults.Row]) throws(SQLiteError) -> Set<UInt32> {
    // Of a country the city is what is shown; of a region whatever stands first.
    try repeated(in: rows.map(\.rank)) { (area, index) in area.region > 0 ? index : rows.count }
  }

  /// The same of what lies around a point, where the city is what is shown however far its middle is.
  func repeated(around ranks: [UInt32]) throws(SQLiteError) -> Set<UInt32> { try repeated(in: ranks) { _, _ in ranks.count } }

  /// `end` tells up to which row the city of an area in a row may stand.
  private func repeated(in ranks: [UInt32], end: (PlaceColumns, Int) -> Int) throws(SQLiteError) -> Set<UInt32> {
    guard filter.admitsAllTypes else { return [] }
    var repeated: Set<UInt32> = []
    for (index, rank) in ranks.enumerated() {
      guard let area = file.mapped.columns(rank), try isState(rank, area), let center = area.point.coordinate else { continue }
      for city in ranks.prefix(end(area, index)) where try isCity(city, of: area, around: center) {
        if try isNamed(rank, as: city) { repeated.insert(rank) }
      }
    }
    return repeated
  }

  /// Countries that are nothing but a city.
  private static let countries: Set<String> = ["GI", "MC", "MO", "SG", "VA"]

  private func isState(_ rank: UInt32, _ columns: PlaceColumns) throws(SQLiteError) -> Bool {
    if columns.region > 0 { return try file.areas.entry(columns.region)?.rank == rank }
    guard let country = try file.areas.entry(columns.country) else { return false }
    return country.rank == rank && CityStateFilter.countries.contains(country.code)
  }

  private func isCity(_ rank: UInt32, of area: PlaceColumns, around center: Coordinate) throws(SQLiteError) -> Bool {
    guard let city = file.mapped.columns(rank), area.region > 0 ? city.region == area.region : city.country == area.country,
      let point = city.point.coordinate, point.distance(to: center) <= CityStateFilter.reach
    else { return false }
    return try file.types.types(city.types).contains("locality")
  }

  /// Whether a name of the area is the one under which the city is shown: `State of Berlin` is Berlin too, as other sources have it.
  private func isNamed(_ area: UInt32, as city: UInt32) throws(SQLiteError) -> Bool {
    guard let place = try file.place(city) else { return false }
    let name = StoredPlaceText(id: place.id, stored: place.stored, choice: language.map { LanguageChoice($0) }).name
    var areas = try file.places(.area, Folding.key(name))
    return try areas?.next(notBelow: area) == area
  }
}
