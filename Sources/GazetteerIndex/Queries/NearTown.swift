import PlacesKit
import SQLite

extension Matcher {
  /// Metres that a district, or a village that is told by its town, lies from the town's middle at most.
  private static let reach = 25_000.0

  /// Places that some words name, near a better known one that the others name: of `soho london` Soho, also where no map tells that it
  /// lies in London.
  func nearTown(_ words: [String]) throws(SQLiteError) -> TopList {
    var found = another()
    // Nobody types more words than that for a district and its town.
    guard (2...6).contains(words.count), !words.contains(where: { $0.contains(where: \.isNumber) }) else { return found.top }
    let anyTown = try PlaceFilter(countries: [], restriction: nil, collection: .regions, in: file)
    for index in 1..<words.count {
      for (name, town) in [(words[..<index], words[index...]), (words[index...], words[..<index])] {
        var towns = Matcher(file: file, filter: anyTown, proximity: proximity, reading: reading, home: home, limit: 1)
        try towns.matchWhole(town, times: 1, in: [])
        guard let row = towns.top.rows.first, let center = file.mapped.columns(row.rank)?.point.coordinate else { continue }
        let around = Proximity(.circle(center: center, radius: Matcher.reach))
        var near = Matcher(file: file, filter: filter, proximity: around, reading: reading, home: home, limit: top.limit)
        try near.matchWhole(name, times: MatchWeight.part, in: [])
        for place in near.top.rows where place.rank > row.rank && file.distance(of: place.rank, to: center) <= Matcher.reach {
          found.top.add(place.rank, place.score)
        }
      }
    }
    return found.top
  }
}
