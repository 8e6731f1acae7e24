import PlacesKit

/// A query that denotes a point: coordinates, a `geo:` URI, a link to a map, a Plus Code.
enum PointQuery {
  case point(Coordinate)
  case code(PlusCode)
  /// A short Plus Code and the name of a place near it. If the name is empty, the code is near the bias of the request.
  case shortCode(PlusCode, near: String)
  /// Coordinates that are out of range, or too few or too many.
  case nowhere

  /// Parses a query; nil if it does not denote a point.
  /// - Parameter language: the user's language, which determines whether `O` is Ost or ouest.
  init?(_ query: String, language: String? = nil) {
    // Every notation contains a digit or, for a Plus Code, a plus sign. 0xEF is the first byte of a full-width digit.
    guard query.utf8.contains(where: { $0.isDigit || $0 == UInt8(ascii: "+") || $0 == 0xEF }) else { return nil }
    let linkedPoint = PointQuery.pointOfURI(query) ?? MapLink.point(in: query)
    if let parsed = linkedPoint.map(PointQuery.point) ?? CoordinateParser.parse(query, language: language) {
      self = parsed
      return
    }
    let parts = query.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "," })
    guard let codeText = parts.first, let code = PlusCode(codeText) else { return nil }
    let placeName = parts.count > 1 ? parts[1].drop { $0 == " " || $0 == "," } : ""
    if code.rectangle != nil {
      self = .code(code)
    } else if code.isShort {
      self = .shortCode(code, near: String(placeName))
    } else {
      return nil
    }
  }

  /// The point of a `geo:` URI (RFC 5870), such as `geo:52.52,13.4;u=35`, also with `?z=…`; nil for any other text. Android's
  /// `geo:0,0?q=52.52,13.4(Label)` means the point after `q=` (https://developer.android.com/guide/components/intents-common#ViewMap).
  private static func pointOfURI(_ query: String) -> Coordinate? {
    guard query.lowercased().hasPrefix("geo:") else { return nil }
    let parts = query.dropFirst(4).split(separator: "?", maxSplits: 1)
    let point = parts.first.flatMap { coordinate(ofNumbers: $0.prefix { $0 != ";" }) }
    guard point == .zero, let label = parts.dropFirst().first?.split(separator: "&").first(where: { $0.lowercased().hasPrefix("q=") })
    else { return point }
    let text = label.dropFirst(2).replacing("%2C", with: ",").replacing("%2c", with: ",")
    return coordinate(ofNumbers: text.prefix { $0 != "(" && $0 != "%" }) ?? point
  }

  /// The point that a latitude, a longitude and optionally a height denote, with commas between them.
  private static func coordinate(ofNumbers text: Substring) -> Coordinate? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2 || numbers.count == 3, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// Parses the notations of a point for programs that accept a point as an option, such as `placesctl`.
public enum PointNotation {
  /// Whether a text consists of coordinates that are out of range, or too few or too many.
  public static func isNowhere(_ text: String) -> Bool {
    if case .nowhere = CoordinateParser.parse(text, language: nil) { true } else { false }
  }

  /// The point that a text denotes by coordinates or a full Plus Code; nil if it may be a name or an address.
  public static func coordinate(in text: String) -> Coordinate? {
    if case .point(let point) = CoordinateParser.parse(text, language: nil) { return point }
    return PlusCode(text)?.rectangle?.center
  }
}

/// Reads a link to a point of a map, copied from a browser: OpenStreetMap's (`#map=15/47.14/9.52`, `?mlat=47.14&mlon=9.52`) and
/// Google's (`/@47.14,9.52,15z`, `?q=47.14,9.52`, `!3d47.14!4d9.52`).
enum MapLink {
  /// The point of a link; nil if the text is not a link, or the link has no point.
  static func point(in text: String) -> Coordinate? {
    guard text.utf8.count <= 2048, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
    // A marker takes precedence over the centre of the map.
    if let latitude = number(after: "!3d", in: text), let longitude = number(after: "!4d", in: text) {
      return Coordinate(latitude: latitude, longitude: longitude)
    }
    if let latitude = number(after: "mlat=", in: text), let longitude = number(after: "mlon=", in: text) {
      return Coordinate(latitude: latitude, longitude: longitude)
    }
    for key in ["?q=", "&q=", "query=", "/@", "ll="] {
      if let numbers = remainder(of: text, after: key), let point = coordinate(ofPair: numbers, separatedBy: ",") { return point }
    }
    // The zoom of the map precedes the numbers.
    guard let map = remainder(of: text, after: "#map="), let slash = map.firstIndex(of: "/") else { return nil }
    return coordinate(ofPair: map[map.index(after: slash)...], separatedBy: "/")
  }

  /// The point of the two numbers at the beginning of a text, with a separator between them.
  private static func coordinate(ofPair text: Substring, separatedBy separator: Character) -> Coordinate? {
    let latitudeText = leadingNumber(of: text)
    let afterLatitude = text[latitudeText.endIndex...]
    guard afterLatitude.first == separator, let latitude = Double(latitudeText),
      let longitude = Double(leadingNumber(of: afterLatitude.dropFirst()))
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The number after the first occurrence of a key; nil if there is none.
  private static func number(after key: String, in text: String) -> Double? {
    remainder(of: text, after: key).flatMap { Double(leadingNumber(of: $0)) }
  }

  /// The number at the beginning of a text, as text; empty if there is none.
  private static func leadingNumber(of text: Substring) -> Substring {
    text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
  }

  /// The text after the first occurrence of a key; nil if the key does not occur.
  private static func remainder(of text: String, after key: String) -> Substring? {
    text.ranges(of: key).first.map { text[$0.upperBound...] }
  }
}
