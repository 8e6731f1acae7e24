import PlacesKit

/// A link to a point of a map, as people copy it from a browser: OpenStreetMap's (`#map=15/47.14/9.52`, `?mlat=47.14&mlon=9.52`) and
/// Google's (`/@47.14,9.52,15z`, `?q=47.14,9.52`, `!3d47.14!4d9.52`).
enum PointLink {
  /// Nil where the text is no link, or one without a point.
  static func point(in text: String) -> Coordinate? {
    guard text.utf8.count <= 2048, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
    // The marker is what is meant, before the middle of the map.
    if let latitude = number(after: "!3d", in: text), let longitude = number(after: "!4d", in: text) {
      return Coordinate(latitude: latitude, longitude: longitude)
    }
    if let latitude = number(after: "mlat=", in: text), let longitude = number(after: "mlon=", in: text) {
      return Coordinate(latitude: latitude, longitude: longitude)
    }
    for start in ["?q=", "&q=", "query=", "/@", "ll="] { if let point = pair(after: start, by: ",", in: text) { return point } }
    guard let map = rest(after: "#map=", in: text), let slash = map.firstIndex(of: "/") else { return nil }
    return pair(map[map.index(after: slash)...], by: "/")
  }

  private static func pair(after start: String, by separator: Character, in text: String) -> Coordinate? {
    rest(after: start, in: text).flatMap { pair($0, by: separator) }
  }

  private static func pair(_ text: Substring, by separator: Character) -> Coordinate? {
    let first = digits(text)
    let second = text[first.endIndex...]
    guard second.first == separator, let latitude = Double(first), let longitude = Double(digits(second.dropFirst())) else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func number(after start: String, in text: String) -> Double? {
    rest(after: start, in: text).flatMap { Double(digits($0)) }
  }

  private static func digits(_ text: Substring) -> Substring { text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" } }

  private static func rest(after start: String, in text: String) -> Substring? {
    text.ranges(of: start).first.map { text[$0.upperBound...] }
  }
}
