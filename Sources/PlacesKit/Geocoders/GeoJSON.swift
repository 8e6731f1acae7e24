import JSON
import PlacesKit

/// A number of degrees as services expect it in a URL: without exponent, with at most seven decimals (about a centimetre). A number outside
/// -360…360 is clamped.
public func degrees(_ value: Double) -> String {
  let scaled = Int((min(max(value, -360), 360) * 10_000_000).rounded())
  guard scaled != 0 else { return "0" }
  var decimals = String(abs(scaled) % 10_000_000)
  decimals = String(repeating: "0", count: 7 - decimals.count) + decimals
  while decimals.hasSuffix("0") { decimals.removeLast() }
  return (scaled < 0 ? "-" : "") + String(abs(scaled) / 10_000_000) + (decimals.isEmpty ? "" : "." + decimals)
}

extension Coordinate {
  /// Reads two values, each a number or a string that contains a number. Nil if a value is missing, not a number or out of range.
  public init?(latitude: JSONValue?, longitude: JSONValue?) {
    guard let latitude = latitude?.numberOrText, let longitude = longitude?.numberOrText else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// Reads a GeoJSON point, whose longitude comes first (RFC 7946, section 3.1.1). Nil for any other geometry.
  public init?(point geometry: JSONValue?) {
    guard geometry?["type"]?.string == "Point", let numbers = geometry?["coordinates"] else { return nil }
    self.init(latitude: numbers[1], longitude: numbers[0])
  }

  /// The value of the place's field `coordinate`.
  public var json: JSONValue { ["latitude": .number(latitude), "longitude": .number(longitude)] }
}

extension Rectangle {
  /// Reads four values, each a number or a string that contains a number. Nil if a value is missing or out of range, or if `south` is
  /// greater than `north`.
  public init?(south: JSONValue?, west: JSONValue?, north: JSONValue?, east: JSONValue?) {
    guard let low = Coordinate(latitude: south, longitude: west), let high = Coordinate(latitude: north, longitude: east),
      low.latitude <= high.latitude
    else { return nil }
    self.init(low: low, high: high)
  }

  /// The value of the place's field `viewport`.
  public var json: JSONValue { ["low": low.json, "high": high.json] }
}

extension JSONValue {
  /// The value of a number, or of a string that contains a number; nil for any other value, and for an infinite number.
  public var numberOrText: Double? {
    guard let number = double ?? string.flatMap({ Double($0) }), number.isFinite else { return nil }
    return number
  }

  /// The string without white space at its ends, shortened to 1,000 code points; nil if nothing remains, or if this value is not a string.
  public var filledString: String? {
    guard let string else { return nil }
    // This fast path suffices for most texts, which have no white space at their ends.
    if let first = string.utf8.first, let last = string.utf8.last, isVisible(first), isVisible(last), string.utf8.count <= 1_000 {
      return string
    }
    var scalars = string.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars.isEmpty ? nil : String(scalars.prefix(1_000))
  }

  /// The boolean that OpenStreetMap writes as `yes` or `no`; nil for anything else, such as `limited`.
  public var yesOrNo: Bool? {
    switch string {
    case "yes": true
    case "no": false
    default: nil
    }
  }

  /// True if a byte is a printable ASCII character other than the space.
  private func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// The string in upper case if it consists of two ASCII letters, as a country code does; otherwise nil.
  public var countryCode: String? {
    guard let string, string.utf8.count == 2, string.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
    return string.uppercased()
  }
}
