import PlacesKit

/// The order of two rows of one name in one place: a city precedes the region, canton or county that is named after it, and a street precedes
/// the stop there. People mean the city and the street; services differ in which of them is the more important.
struct NamesakeOrder {
  private let rows: NormalizedRecords
  /// The types and the importance of each record.
  private let places: [(types: [PlaceType], importance: Double?)]

  private enum Role { case region, city, stop, street }

  private struct Namesake {
    var index: Int
    var role: Role
    var record: NormalizedRecord
    var importance: Double?
  }

  init(_ rows: NormalizedRecords, places: [(types: [PlaceType], importance: Double?)]) {
    self.rows = rows
    self.places = places
  }

  /// Lowers each region and stop to a score below that of its city or street.
  func apply(to scoredRows: inout [ScoredRow]) {
    var named: [UInt64: [Namesake]] = [:]
    for (index, scoredRow) in scoredRows.enumerated() where places.indices.contains(scoredRow.group) {
      let record = rows.records[scoredRow.group]
      let (types, importance) = places[scoredRow.group]
      guard let name = record.names.first, let role = role(types, record) else { continue }
      named[rows.names[name].joinedKey, default: []].append(
        Namesake(index: index, role: role, record: record, importance: importance))
    }
    for namesakes in named.values where namesakes.count > 1 {
      for area in namesakes where area.role == .region || area.role == .stop {
        let leading = namesakes.filter { leads($0, area) }
        guard let score = leading.map({ scoredRows[$0.index].score }).max(), scoredRows[area.index].score >= score else { continue }
        let name = area.role == .region ? "behindCity" : "behindStreet"
        scoredRows.add(name, score - [ScoredRow].step - scoredRows[area.index].score, to: area.index)
      }
    }
  }

  private func role(_ types: [PlaceType], _ record: NormalizedRecord) -> Role? {
    if types.contains("country") { return nil }
    if types.contains("route") { return .street }
    if types.contains(where: { NamesakeOrder.stops.contains($0.rawValue) }) { return .stop }
    switch record.category.extent {
    case .region: return .region
    case .city: return .city
    default: return types.contains("locality") ? .city : nil
    }
  }

  private static let stops: Set<String> = ["bus_stop", "tram_stop", "transit_stop", "bus_station", "light_rail_station", "transit_station"]

  /// A stop is named after a street that is so near, in metres; a city is at most so far from the centre of its region.
  private static let (stopReach, cityReach) = (3_000.0, 300_000.0)

  private func leads(_ first: Namesake, _ second: Namesake) -> Bool {
    guard let here = first.record.location, let there = second.record.location else { return false }
    let distance = here.distance(to: there)
    switch (first.role, second.role) {
    case (.street, .stop): return distance <= NamesakeOrder.stopReach
    case (.city, .region):
      // A hamlet may have the name of its region by chance.
      if let city = first.importance, let region = second.importance, city < region / 2 { return false }
      return distance <= NamesakeOrder.cityReach && first.record.country == second.record.country && first.record.country != 0
    default: return false
    }
  }
}
