import PlacesKit

/// A query that is no name but a point: coordinates, a `geo:` URI, a Plus Code.
enum PointQuery {
  case point(Coordinate)
  case code(PlusCode)
  /// A short Plus Code and the name of a place near it; empty where the bias has to do.
  case shortCode(PlusCode, near: String)

  /// Nil where the query is anything else.
  init?(_ query: String) {
    // Most queries are names, and every point has a digit or is a Plus Code.
    guard query.utf8.contains(where: { PointQuery.digits.contains($0) || $0 == UInt8(ascii: "+") }) else { return nil }
    if let point = PointQuery.uri(query) ?? PointLink.point(in: query) ?? PointQuery.decimal(query) ?? PointQuery.sexagesimal(query) {
      self = .point(point)
      return
    }
    let parts = query.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "," })
    guard let first = parts.first, let code = PlusCode(first) else { return nil }
    let rest = parts.count > 1 ? parts[1].drop { $0 == " " || $0 == "," } : ""
    if code.rectangle != nil {
      self = .code(code)
    } else if code.isShort {
      self = .shortCode(code, near: String(rest))
    } else {
      return nil
    }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// RFC 5870: `geo:52.52,13.4;u=35`, as maps write it also with `?q=…`.
  private static func uri(_ query: String) -> Coordinate? {
    guard query.lowercased().hasPrefix("geo:") else { return nil }
    let numbers = query.dropFirst(4).prefix { $0 != ";" && $0 != "?" }.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2 || numbers.count == 3, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]) else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// `52.52, 13.4`, `52.52 13.4`, `52.52°N 13.4°E`, `33.9S, 151.2E`: two numbers of which at least one has a fraction, so that
  /// house numbers and postcodes stay what they are.
  private static func decimal(_ query: String) -> Coordinate? {
    let parts = PointQuery.withPoints(query).split { $0 == " " || $0 == "," || $0 == ";" || $0 == "°" }
    var numbers: [(value: Double, hasFraction: Bool, side: Character?)] = []
    for part in parts {
      let upper = PointQuery.sideLast(part.uppercased())
      if upper.count == 1, let side = upper.first, "NSEW".contains(side) {
        guard !numbers.isEmpty, numbers[numbers.count - 1].side == nil else { return nil }
        numbers[numbers.count - 1].side = side
        continue
      }
      let side = upper.last.flatMap { "NSEW".contains($0) ? $0 : nil }
      let digits = side == nil ? upper[...] : upper.dropLast()
      guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }), let value = Double(digits) else {
        return nil
      }
      numbers.append((value, digits.contains("."), side))
    }
    guard numbers.count == 2, numbers.contains(where: \.hasFraction) else { return nil }
    var (first, second) = (numbers[0], numbers[1])
    if let side = first.side, "EW".contains(side) { swap(&first, &second) }
    if let side = first.side, !"NS".contains(side) { return nil }
    if let side = second.side, !"EW".contains(side) { return nil }
    return Coordinate(
      latitude: first.side == "S" ? -first.value : first.value, longitude: second.side == "W" ? -second.value : second.value)
  }

  /// `52,52 13,405`, as most of Europe writes it, with points: only where exactly two numbers have one comma each.
  private static func withPoints(_ query: String) -> String {
    let parts = query.split { $0 == " " || $0 == ";" }
    guard parts.count == 2, parts.allSatisfy({ part in part.count { $0 == "," } == 1 && part.last != "," && !part.contains(".") }) else {
      return query
    }
    return parts.map { $0.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ".") }.joined(separator: " ")
  }

  /// `N47.14` as `47.14N`.
  private static func sideLast(_ part: String) -> String {
    guard part.count > 1, let first = part.first, "NSEW".contains(first) else { return part }
    return part.dropFirst() + String(first)
  }

  /// `47°08'N 9°31'E`, `47° 8' 24" N, 9° 31' 12" E`, `N 47°08.4' E 9°31.2'`: degrees and minutes, with or without seconds (ISO 6709 annex D).
  private static func sexagesimal(_ query: String) -> Coordinate? {
    guard query.utf8.count <= 64, query.contains("°") else { return nil }
    var values: [(value: Double, side: Character)] = []
    var value: Double?
    var waiting: Character?
    var unit = 1.0
    var digits = ""
    for character in query.uppercased() {
      switch character {
      case "0"..."9", ".": digits.append(character)
      case "°", "'", "′", "’", "\"", "″", "”":
        guard let number = Double(digits), unit == 1 || number < 60 else { return nil }
        let expected = character == "°" ? 1.0 : "'′’".contains(character) ? 60 : 3600
        guard expected == 1 ? value == nil : expected >= unit else { return nil }
        value = (value ?? 0) + number / expected
        unit = expected * 60
        digits = ""
      // A side may stand before its number.
      case "N", "S", "E", "W":
        guard digits.isEmpty else { return nil }
        if let done = value, waiting == nil {
          values.append((done, character))
          value = nil
        } else {
          if let done = value, let side = waiting { values.append((done, side)) }
          value = nil
          waiting = character
        }
        unit = 1
      case " ", ",": continue
      default: return nil
      }
    }
    if let done = value, let side = waiting { values.append((done, side)) }
    guard digits.isEmpty, values.count == 2, let north = values.first(where: { "NS".contains($0.side) }),
      let east = values.first(where: { "EW".contains($0.side) })
    else { return nil }
    return Coordinate(latitude: north.side == "S" ? -north.value : north.value, longitude: east.side == "W" ? -east.value : east.value)
  }
}
