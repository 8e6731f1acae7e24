import PlacesKit
import Text

/// Recognises rows of one source that are parts of one place although their ids differ: the rows of a stop, with a point for each
/// direction; and the row of a city and that of the region that consists of the city, as Vienna does.
enum PlaceParts {
  /// The maximum distances in metres: between the points of a stop, and between the points of a city and of the region that consists of it.
  fileprivate static let (stopReach, cityReach) = (150.0, 5_000.0)
  /// The maximum difference between the importance of a city and of the region that consists of it. In the gazetteer Zug and its canton
  /// differ by 0.08, Geneva and its canton by 0.04, Vienna as a city and as a state by 0.005.
  fileprivate static let equalImportance = 0.01

  static let stops: Set<PlaceType> = ["bus_stop", "tram_stop"]

  /// Whether two of the rows of one source may be parts of one place.
  static func mayExist(in rows: [some MergeableRow]) -> Bool {
    for second in rows.indices where hasPartType(rows[second].types) {
      for first in rows[..<second].indices where hasPartType(rows[first].types) {
        guard let here = rows[first].location, let there = rows[second].location, here.distance(to: there) <= cityReach else { continue }
        if Folding.key(rows[first].title) == Folding.key(rows[second].title) { return true }
      }
    }
    return false
  }

  private static func hasPartType(_ types: [PlaceType]) -> Bool { types.contains { $0.group == .region || stops.contains($0) } }
}

extension NormalizedRecord {
  /// Whether the row is a stop, a city or a region with a location. Only such rows may be parts of one place.
  var mayBePart: Bool { location != nil && (isStop || (category.extent ?? .address) >= .city) }
}

extension NormalizedRecords {
  /// Whether two rows with the same name are parts of one place.
  func arePartsOfOnePlace(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (all[a], all[b])
    guard first.mayBePart, second.mayBePart, let here = first.location, let there = second.location,
      let name = first.names.first, let other = second.names.first, names[name].joinedKey == names[other].joinedKey
    else { return false }
    if first.isStop || second.isStop {
      return first.isStop && second.isStop && here.distance(to: there) <= PlaceParts.stopReach
    }
    guard first.category.extent == .region || second.category.extent == .region, here.distance(to: there) <= PlaceParts.cityReach,
      let importance = first.importance, let other = second.importance
    else { return false }
    return abs(importance - other) <= PlaceParts.equalImportance
  }
}
