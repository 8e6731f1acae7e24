import PlacesKit

/// Reads the system's list of time zones (tzdata), which has the country and the position of a city in each zone.
enum ZoneTable {
  /// The positions by the country's two-letter code; empty if the system has no list.
  static func points(path: String = "/usr/share/zoneinfo/zone.tab") -> [String: [Coordinate]] {
    (try? PluginCommands.contents(path)).map { points(String(decoding: $0, as: UTF8.self)) } ?? [:]
  }

  /// Reads lines that contain, separated by tabs, a country's code, a position in ISO 6709 (`+4230+00131`, or with seconds), and the zone's
  /// name.
  static func points(_ text: String) -> [String: [Coordinate]] {
    var points: [String: [Coordinate]] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t")
      guard columns.count >= 3, let point = position(columns[1]) else { continue }
      points[String(columns[0]), default: []].append(point)
    }
    return points
  }

  private static func position(_ text: Substring) -> Coordinate? {
    guard let sign = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    guard let latitude = degrees(text[..<sign], digits: 2), let longitude = degrees(text[sign...], digits: 3) else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Reads a sign, degrees with this number of digits, and minutes with two digits. Seconds may follow and are ignored.
  private static func degrees(_ text: Substring, digits: Int) -> Double? {
    let number = text.dropFirst()
    guard let degrees = Double(number.prefix(digits)), let minutes = Double(number.dropFirst(digits).prefix(2)) else { return nil }
    let value = degrees + minutes / 60
    return text.hasPrefix("-") ? -value : value
  }
}
