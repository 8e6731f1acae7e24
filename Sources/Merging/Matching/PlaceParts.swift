import PlacesKit

/// Several rows of one map for one place: a stop with a point for each direction, and a city that is a region, as Vienna is, with a row for
/// the city and one for the region. Their ids differ.
enum PlaceParts {
  /// The maximum distances in metres: of the points of a stop, and of a city from the centre of the region that it is.
  fileprivate static let (stopReach, cityReach) = (150.0, 5_000.0)

  static let stops: Set<PlaceType> = ["bus_stop", "tram_stop"]

  /// Whether the ids of a list of one source do not show that all of its places are different.
  static func mayBe(in rows: [some MergeableRow]) -> Bool {
    for second in rows.indices where hasPartType(rows[second].types) {
      for first in rows[..<second].indices where rows[first].title == rows[second].title && hasPartType(rows[first].types) { return true }
    }
    return false
  }

  private static func hasPartType(_ types: [PlaceType]) -> Bool {
    guard let first = types.first else { return false }
    return first.group == .region || stops.contains(first)
  }
}

extension NormalizedRecord {
  /// Whether it can be a part of a place.
  var mayBePart: Bool { location != nil && (isStop || (category.extent ?? .address) >= .city) }
}

extension NormalizedRecords {
  /// Whether two rows with the same name are parts of one place.
  func areParts(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (all[a], all[b])
    guard first.mayBePart, second.mayBePart, let here = first.location, let there = second.location,
      let name = first.names.first, let other = second.names.first, names[name].joinedKey == names[other].joinedKey
    else { return false }
    if first.isStop || second.isStop {
      return first.isStop && second.isStop && here.distance(to: there) <= PlaceParts.stopReach
    }
    return (first.category.extent == .region || second.category.extent == .region) && here.distance(to: there) <= PlaceParts.cityReach
  }
}
