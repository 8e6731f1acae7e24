import PlacesKit

/// Orders places of one name. A city precedes the region, canton or county that is named after it, and a street precedes the stop in it,
/// because people who type the name mean the city or the street. Services do not agree on which of the two places is more important.
struct NamesakeOrder {
  private let records: NormalizedRecords
  /// The types and the importance of each record.
  private let places: [(types: [PlaceType], importance: Double?)]
  /// The types that the request asks for.
  private let requestedTypes: [PlaceType]

  private enum Role { case region, city, stop, street }

  /// A place that has a role among the places of its name.
  private struct Namesake {
    /// Identifies the place: the index of its first record.
    var group: Int
    /// The index of its first row among the scored rows.
    var index: Int
    var members: [Int]
    var role: Role
    var location: Coordinate
    var countries: Set<UInt64>
    var importance: Double?
    var isRequested: Bool
  }

  init(_ records: NormalizedRecords, places: [(types: [PlaceType], importance: Double?)], requested: [PlaceType]) {
    self.records = records
    self.places = places
    requestedTypes = requested
  }

  /// Lowers the score of each region and stop below that of its city or street, if the query matches the city or street at least as well.
  /// The lowered rows keep their relative order.
  /// - Parameter groups: the indices of the records of each place; the first one identifies the place.
  func apply(to scoredRows: inout [ScoredRow], groups: [[Int]]) {
    var rowIndices: [Int: [Int]] = [:]
    for (index, scoredRow) in scoredRows.enumerated() { rowIndices[scoredRow.group, default: []].append(index) }
    var namesakesByName: [UInt64: [Namesake]] = [:]
    for members in groups {
      guard let group = members.first, let index = rowIndices[group]?.first, let name = records[group].names.first,
        let namesake = namesake(members, group: group, index: index)
      else { continue }
      // All places that match exactly have the typed name, whichever is their main name.
      let key = scoredRows[index].match == .exact ? 0 : records.names[name].joinedKey
      namesakesByName[key, default: []].append(namesake)
    }
    for namesakes in namesakesByName.values where namesakes.count > 1 {
      let followers = namesakes.filter { $0.role == .region || $0.role == .stop }
      var below = 0.0
      for follower in followers.sorted(by: { scoredRows[$0.index].score > scoredRows[$1.index].score }) {
        // The lesser match is the better one.
        let leading = namesakes.filter {
          leads($0, follower) && scoredRows[$0.index].effectiveMatch <= scoredRows[follower.index].effectiveMatch
        }
        guard let score = leading.map({ scoredRows[$0.index].score }).max() else { continue }
        below += [ScoredRow].step
        let change = score - below - scoredRows[follower.index].score
        guard change < 0 else { continue }
        let name = follower.role == .region ? "behindCity" : "behindStreet"
        for index in rowIndices[follower.group] ?? [] { scoredRows.add(name, change, to: index) }
      }
    }
  }

  /// The place with the records `members`; nil if it has none of the roles, or no location.
  private func namesake(_ members: [Int], group: Int, index: Int) -> Namesake? {
    let types = members.flatMap { places[$0].types }
    guard let role = role(types, members), let location = members.lazy.compactMap({ records[$0].location }).first else { return nil }
    return Namesake(
      group: group, index: index, members: members, role: role, location: location,
      countries: Set(members.map { records[$0].country }.filter { $0 != 0 }),
      importance: members.compactMap { places[$0].importance }.max(), isRequested: types.contains(where: requestedTypes.contains))
  }

  private func role(_ types: [PlaceType], _ members: [Int]) -> Role? {
    if types.contains("country") { return nil }
    if types.contains("route") { return .street }
    if types.contains(where: { NamesakeOrder.stops.contains($0.rawValue) }) { return .stop }
    let extents = members.compactMap { records[$0].category.extent }
    if extents.contains(.city) || types.contains("locality") { return .city }
    return extents.contains(.region) ? .region : nil
  }

  private static let stops: Set<String> = ["bus_stop", "tram_stop", "transit_stop", "bus_station", "light_rail_station", "transit_station"]

  /// The maximum distances in metres: of a stop from its street, and of a city from the centre of its region.
  private static let (stopReach, cityReach) = (1_000.0, 300_000.0)

  /// Whether the first place precedes the second one.
  private func leads(_ first: Namesake, _ second: Namesake) -> Bool {
    if second.isRequested, !first.isRequested { return false }
    let distance = first.location.distance(to: second.location)
    switch (first.role, second.role) {
    case (.street, .stop): return distance <= NamesakeOrder.stopReach
    case (.city, .region):
      if lies(first, outside: second) { return false }
      // A hamlet may have the name of its region by chance.
      if let city = first.importance, let region = second.importance, city < region / 2 { return false }
      return distance <= NamesakeOrder.cityReach && !first.countries.isDisjoint(with: second.countries)
    default: return false
    }
  }

  /// Whether a source states another first-level region for the city, as for the village Wales in England.
  private func lies(_ city: Namesake, outside region: Namesake) -> Bool {
    guard records.all[region.group].category.level == .firstRegion else { return false }
    return city.members.contains { member in
      let statedRegion = records.words.letters[records.all[member].region]
      // A shorter text is the code of a region.
      guard statedRegion.count > 3 else { return false }
      return !region.members.contains { other in
        records.all[other].names.contains { statedRegion.firstRange(of: records.words.letters[records.names[$0].letters]) != nil }
      }
    }
  }
}
