import PlacesKit

/// A query that is no name but a point: coordinates, a `geo:` URI, a Plus Code.
enum PointQuery {
  case point(Coordinate)
  case code(PlusCode)
  /// A short Plus Code and the name of a place near it; empty where the bias has to do.
  case shortCode(PlusCode, near: String)

  /// Nil where the query is anything else.
  init?(_ query: String) {
    if let point = PointQuery.uri(query) ?? PointQuery.decimal(query) {
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
    let parts = query.split { $0 == " " || $0 == "," || $0 == ";" || $0 == "°" }
    var numbers: [(value: Double, hasFraction: Bool, side: Character?)] = []
    for part in parts {
      let upper = part.uppercased()
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
}
