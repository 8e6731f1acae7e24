import PlacesKit

/// The category of a place: the groups of the type table that the words of a service's category belong to.
struct Category: Sendable {
  /// One bit for each group of the words; 0 if none is known.
  private(set) var groups: UInt32 = 0
  /// The key of the most specific category: the last part of a path, or the first type. 0 if there is none.
  private(set) var specific: UInt64 = 0
  /// One bit for each word for a part of a larger place, such as ATM or pharmacy (`CategoryTable.parts`).
  private(set) var parts: UInt32 = 0
  /// Whether the place is a station, a stop or an airport.
  private(set) var isStation = false
  /// The extent of a place of this category; nil if it is unknown.
  private(set) var extent: Extent?

  /// One bit for each level that the types state.
  private var levels: UInt8 = 0

  /// Countries, their first-level regions, smaller regions, and cities, towns and villages. Many of these have the name of one of another
  /// level: the city, the canton and the district of Bern.
  enum Level: UInt8, Sendable { case country, firstRegion, region, settlement }

  /// The level of a country, region or settlement; nil for any other place, or if the types state several levels.
  var level: Level? { levels.nonzeroBitCount == 1 ? Level(rawValue: UInt8(levels.trailingZeroBitCount)) : nil }

  /// The extent of a place. The distance between two services' locations of the place depends on it.
  enum Extent: UInt8, Sendable, Comparable, CaseIterable {
    case address, business, village, city, region
    static func < (a: Extent, b: Extent) -> Bool { a.rawValue < b.rawValue }
  }

  init() {}

  init(types: [PlaceType]) {
    for type in types {
      if let known = CategoryTable.types[type.rawValue] {
        groups |= known.groups
        parts |= known.parts
        isStation = isStation || known.isStation
        levels |= known.levels
        take(known.extent)
      } else {
        add(words: type.rawValue)
      }
    }
    if let first = types.first { specific = CategoryTable.specific(first.rawValue) }
  }

  /// - Parameter words: free words, such as `Dining and Drinking > Bar` or `amenity=cafe`.
  init(words: String) {
    add(words: words)
    specific = CategoryTable.specific(words)
  }

  private mutating func add(words: String) {
    let lowered = words.lowercased()
    take(CategoryTable.extents[lowered])
    if let level = CategoryTable.levels[lowered] { levels |= 1 << level.rawValue }
    if let group = PlaceType(rawValue: lowered).group { groups |= CategoryTable.bit(group) }
    for word in lowered.split(whereSeparator: { !$0.isLetter }) {
      if let group = CategoryTable.groups[String(word)] { groups |= CategoryTable.bit(group) }
      parts |= CategoryTable.parts[String(word)] ?? 0
      isStation = isStation || CategoryTable.stations.contains(String(word))
      if extent == nil, let found = CategoryTable.extents[String(word)], groups == 0 || found >= .village { extent = found }
    }
  }

  /// Takes an extent if it is the smallest one so far.
  private mutating func take(_ other: Extent?) {
    guard let other else { return }
    extent = extent.map { min($0, other) } ?? other
  }
}
