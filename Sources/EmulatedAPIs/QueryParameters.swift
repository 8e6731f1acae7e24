import PlacesKit

/// The parameters of a query string (application/x-www-form-urlencoded). All members except `isSet` treat a parameter without a value as
/// absent. A pair whose name or value is not UTF-8 is dropped.
public struct QueryParameters: Sendable, Hashable {
  private var pairs: [Pair] = []
  /// The maximum number of pairs; further ones are ignored.
  static let maxPairs = 128

  private struct Pair: Sendable, Hashable {
    var name: String
    var value: String
  }

  public init() {}

  public init(_ bytes: ArraySlice<UInt8>) {
    for part in bytes.split(separator: UInt8(ascii: "&"), maxSplits: QueryParameters.maxPairs, omittingEmptySubsequences: true)
      .prefix(QueryParameters.maxPairs)
    {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      guard let name = PercentDecoding.text(part[..<equals], plusIsSpace: true),
        let value = PercentDecoding.text(equals == part.endIndex ? [] : part[(equals + 1)...], plusIsSpace: true)
      else { continue }
      pairs.append(Pair(name: name, value: value))
    }
  }

  public init(_ text: String) { self.init(Array(text.utf8)[...]) }

  /// The first value of a parameter that is not empty; nil if there is none.
  public subscript(name: String) -> String? { pairs.first { $0.name == name && !$0.value.isEmpty }?.value }

  /// The value of the first of these parameters that has one; nil if none has.
  func first(_ names: String...) -> String? {
    for name in names { if let value = self[name] { return value } }
    return nil
  }

  /// All values of a parameter, split at commas.
  func list(_ name: String) -> [String] {
    pairs.filter { $0.name == name }.flatMap { $0.value.split(separator: ",") }.map { String($0.trimmed) }.filter { !$0.isEmpty }
  }

  /// All values of a parameter, except empty ones. A client may repeat the parameter.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

  /// A boolean as Nominatim reads it: `0` and `false` are false, any other value is true. Nil if absent.
  func flag(_ name: String) -> Bool? { self[name].map { !["0", "false", "False"].contains($0) } }

  /// True if the parameter is present, with or without a value (`&opennow`), unless its value means false as for `flag`. For Google's
  /// switches, which clients send in both forms.
  func isSet(_ name: String) -> Bool { flag(name) ?? pairs.contains { $0.name == name } }

  /// A finite number; nil if absent or invalid.
  func number(_ name: String) -> Double? { self[name].flatMap { Decimal.number($0) } }

  /// The value without its decimals, or the nearest bound if it is outside of the range. `standard` if the parameter is absent or invalid,
  /// or if its magnitude is 1e9 or more, which no client means.
  func integer(_ name: String, in range: ClosedRange<Int>, standard: Int) -> Int {
    guard let value = number(name), value.magnitude < 1e9 else { return standard }
    return min(max(Int(value), range.lowerBound), range.upperBound)
  }

  /// The point whose latitude and longitude, in degrees, are the values of two parameters; nil if one is absent or invalid.
  func coordinate(_ latitudeName: String, _ longitudeName: String) -> Coordinate? {
    guard let latitude = number(latitudeName), let longitude = number(longitudeName) else { return nil }
    return Coordinate(latitude: latitude, wrapping: longitude)
  }
}

extension Coordinate {
  /// Converts a longitude beyond 180 degrees to the same meridian within the range; maps that repeat the world send such longitudes. Nil
  /// for a latitude outside of its range, and for a longitude beyond a million degrees, which no map sends.
  init?(latitude: Double, wrapping longitude: Double) {
    guard longitude.isFinite, longitude.magnitude <= 1e6 else { return nil }
    let wrapped = (-180...180).contains(longitude) ? longitude : longitude - 360 * ((longitude + 180) / 360).rounded(.down)
    self.init(latitude: latitude, longitude: wrapped)
  }
}

/// Reads decimal numbers in the parameters of URLs.
enum Decimal {
  /// A finite number, written with digits, a sign, a point and an exponent; nil for anything else, such as `nan` or `0x10`.
  static func number(_ text: some StringProtocol) -> Double? {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty, trimmed.utf8.count <= 32,
      trimmed.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || "+-.eE".utf8.contains($0) }), let number = Double(trimmed), number.isFinite
    else { return nil }
    return number
  }

  /// `count` numbers separated by commas, semicolons or spaces; nil for any other text.
  static func list(_ text: some StringProtocol, count: Int) -> [Double]? {
    let parts = text.split { $0 == "," || $0 == " " || $0 == ";" }
    guard parts.count == count else { return nil }
    let numbers = parts.compactMap { number($0) }
    return numbers.count == count ? numbers : nil
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: SubSequence {
    guard let firstKept = firstIndex(where: { !$0.isWhitespace }), let lastKept = lastIndex(where: { !$0.isWhitespace }) else {
      return self[startIndex..<startIndex]
    }
    return self[firstKept...lastKept]
  }
}

/// Decodes percent-encoded text (RFC 3986, section 2.1).
enum PercentDecoding {
  /// The decoded text; nil if it is not UTF-8. A percent sign without two hexadecimal digits is kept as it is.
  static func text(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    if !bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) { return String(validating: bytes, as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = value(ofDigit: bytes[index + 1]),
        let low = value(ofDigit: bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }

  /// The value of a hexadecimal digit; nil for any other byte.
  private static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
