import PlacesKit
import SQLite
import Text

/// Finds regions and countries that consist of one city, so that an answer has the city or the area, but not both: people think of Berlin
/// as one place, although the index has the city and the state. A request with a filter of types gets both.
struct CityStateFilter {
  let file: IndexFile
  let filter: PlaceFilter
  let language: String?

  /// The maximum distance in metres between the location of a region or country and its city.
  private static let maxDistance = 5000.0

  /// The rows with each city before the region that is named after it, if both are in the list and the city is about as well known: `8001
  /// zürich` is the city before the canton.
  func citiesFirst(_ rows: [TopResults.Row]) throws(SQLiteError) -> [TopResults.Row] {
    var rows = rows
    for index in rows.indices {
      guard let area = file.mapped.columns(rows[index].rank), area.region > 0, try isRegionOrCityState(rows[index].rank, area) else {
        continue
      }
      for cityIndex in rows.indices[(index + 1)...] {
        let cityRank = rows[cityIndex].rank
        guard let city = file.mapped.columns(cityRank), city.region == area.region, 2 * Int(city.importance) >= Int(area.importance),
          try file.types.types(city.types).contains("locality"), try isNamed(rows[index].rank, as: cityRank)
        else { continue }
        // Each position keeps its score. The region and the places between it and the city move down by one position.
        let movedRanks = rows[index..<cityIndex].map(\.rank)
        rows[index].rank = cityRank
        for (position, movedRank) in zip((index + 1)...cityIndex, movedRanks) { rows[position].rank = movedRank }
        break
      }
    }
    return rows
  }

  /// The regions and countries among the places that have the name and the location of a city among them. The caller leaves them out,
  /// because they repeat the city.
  /// - Parameter keepsFirst: whether a region that precedes its city is not redundant. A country that is a city is always redundant.
  func redundantAreas(in ranks: [UInt32], keepsFirst: Bool) throws(SQLiteError) -> Set<UInt32> {
    guard filter.admitsAllTypes else { return [] }
    var areas: Set<UInt32> = []
    for (index, rank) in ranks.enumerated() {
      guard let area = file.mapped.columns(rank), try isRegionOrCityState(rank, area), let center = area.point.coordinate else { continue }
      let cities = keepsFirst && area.region > 0 ? ranks[..<index] : ranks[...]
      for city in cities where try isCity(city, of: area, around: center) {
        if try isNamed(rank, as: city) { areas.insert(rank) }
      }
    }
    return areas
  }

  /// The codes of countries that consist of one city.
  private static let cityStates: Set<String> = ["GI", "MC", "MO", "SG", "VA"]

  /// Whether a place is a region, or a country that consists of one city.
  private func isRegionOrCityState(_ rank: UInt32, _ columns: PlaceColumns) throws(SQLiteError) -> Bool {
    if columns.region > 0 { return try file.areas.entry(columns.region)?.rank == rank }
    guard let country = try file.areas.entry(columns.country) else { return false }
    return country.rank == rank && CityStateFilter.cityStates.contains(country.code)
  }

  /// Whether a place is a town in an area, near the area's location.
  private func isCity(_ rank: UInt32, of area: PlaceColumns, around center: Coordinate) throws(SQLiteError) -> Bool {
    guard let city = file.mapped.columns(rank), area.region > 0 ? city.region == area.region : city.country == area.country,
      let point = city.point.coordinate, point.distance(to: center) <= CityStateFilter.maxDistance
    else { return false }
    return try file.types.types(city.types).contains("locality")
  }

  /// Whether the area has a name of the city that rows show, or a longer name that contains it, such as Beijing Municipality.
  private func isNamed(_ area: UInt32, as city: UInt32) throws(SQLiteError) -> Bool {
    for shownLanguage in language == nil ? [nil] : [language, nil] {
      guard let cityName = try name(city, in: shownLanguage) else { continue }
      var namedAreas = try file.places(.area, Folding.key(cityName))
      if try namedAreas?.contains(area) == true { return true }
      if try name(area, in: shownLanguage)?.containsWords(cityName) == true { return true }
    }
    return false
  }

  /// The name that a row shows for a place in a language or, if `shownLanguage` is nil, in the place's own; nil if no place has the rank.
  private func name(_ rank: UInt32, in shownLanguage: String?) throws(SQLiteError) -> String? {
    guard let (id, stored) = try file.place(rank) else { return nil }
    return StoredPlaceText(id: id, stored: stored, choice: shownLanguage.map { LanguageChoice($0) }).name
  }
}
