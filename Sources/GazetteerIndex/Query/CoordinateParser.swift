import PlacesKit

/// Parses coordinates in the usual notations: `52.52, 13.4`, `52,52; 13,405`, `N 47°08.4' E 9°31.2'`, `52 31 12 N 13 24 36 E`, `lat 52.5 lon 13.4`,
/// `55° 45' с.ш. 37° 37' в.д.` (ISO 6709 annex D, and common variants).
enum CoordinateParser {
  case point(Coordinate)
  /// A text that can only be coordinates, but is out of range, such as `95.5, 13.4`.
  case nowhere

  /// Nil for a text that may be a name or an address.
  static func reading(of text: String, language: String?) -> CoordinateParser? {
    guard text.utf8.count <= longest else { return nil }
    var characters = Array(CoordinateParser.plain(text))
    CoordinateParser.pointDecimals(in: &characters)
    guard let tokens = CoordinateParser.tokens(characters), let values = CoordinateParser.values(tokens) else { return nil }
    let numbers = values.flatMap(\.numbers)
    // House numbers and postcodes are not coordinates, and `350 S 200 E` is an address, since it is out of range.
    let isCertain = numbers.contains { $0.hasFraction || $0.unit != nil } || values.contains(where: \.isLabelled)
    let haveDirections = values.count == 2 && values.allSatisfy { $0.side != nil }
    guard isCertain || haveDirections, numbers.count > 1 else { return nil }
    guard let point = CoordinateParser.point(values, language: language) else { return isCertain ? .nowhere : nil }
    return .point(point)
  }

  private static let longest = 96

  private enum Token {
    case number(Number)
    /// Degrees, minutes or seconds, as the number of them in a degree.
    case unit(Double)
    case side(Side)
    case label(Side)
    /// A comma or semicolon.
    case divider
  }

  private enum Side: Character {
    case north = "N"
    case south = "S"
    case east = "E"
    case west = "W"
    /// East in German and Dutch, west in the Romance languages.
    case o = "O"

    var isLatitude: Bool { self == .north || self == .south }
  }

  private struct Number {
    var value: Double
    var isNegative = false
    var hasFraction = false
    var unit: Double?
  }

  /// A latitude or a longitude.
  private struct Angle {
    var numbers: [Number] = []
    var side: Side?
    /// Whether a word such as `lat` precedes it.
    var isLabelled = false
    /// Whether it is complete, since a comma or a side follows it.
    var isClosed = false

    /// Nil if its minutes or seconds are out of range or order.
    var degrees: Double? {
      guard let first = numbers.first, first.unit == nil || first.unit == 1 else { return nil }
      var (sum, last) = (0.0, 0.0)
      for (index, number) in numbers.enumerated() {
        let unit = number.unit ?? (index == 0 ? 1 : last * 60)
        guard index == 0 || number.value < 60 && !number.isNegative && unit >= last * 60 && unit <= 3600 else { return nil }
        guard index == numbers.count - 1 || !number.hasFraction else { return nil }
        sum += number.value / unit
        last = unit
      }
      return first.isNegative ? -sum : sum
    }
  }

  private static let units: [Character: Double] = ["°": 1, "'": 60, "\"": 3600]
  private static let unitWords: [String: Double] = ["deg": 1, "degree": 1, "degrees": 1, "grad": 1, "min": 60, "sec": 3600]
  private static let sides: [String: Side] = [
    "n": .north, "north": .north, "nord": .north, "norte": .north, "noord": .north, "с": .north, "сш": .north, "север": .north,
    "s": .south, "south": .south, "süd": .south, "sued": .south, "sud": .south, "sur": .south, "sul": .south, "zuid": .south, "ю": .south,
    "юш": .south, "юг": .south,
    "e": .east, "east": .east, "ost": .east, "est": .east, "este": .east, "leste": .east, "oost": .east, "в": .east, "вд": .east,
    "восток": .east,
    "w": .west, "west": .west, "ouest": .west, "oeste": .west, "ovest": .west, "з": .west, "зд": .west, "запад": .west,
    "o": .o,
  ]
  private static let labels: [String: Side] = [
    "lat": .north, "latitude": .north, "lon": .east, "long": .east, "lng": .east, "longitude": .east,
  ]
  /// Languages in which O means west.
  private static let languagesWithOForWest: Set<String> = ["ca", "es", "eu", "fr", "gl", "it", "oc", "pt"]

  /// Normalizes full-width letters and the signs for minus, degrees, minutes and seconds, and removes brackets.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar {
      case "\u{FF01}"..."\u{FF5E}": plain.unicodeScalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? " ")
      case "−", "–", "‐", "‑": plain += "-"
      case "º", "˚": plain += "°"
      case "′", "’", "‘", "´": plain += "'"
      case "″", "”", "“": plain += "\""
      case "(", ")", "[", "]", "@", ":", "=", "&", "\u{A0}", "\u{202F}", "\u{3000}", "\t": plain += " "
      case "、": plain += ","
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain.replacing("''", with: "\"")
  }

  /// Replaces decimal commas by points, if no number has a point and each of two numbers has one comma.
  private static func pointDecimals(in characters: inout [Character]) {
    // The points of `с.ш.` do not belong to a number.
    if characters.indices.dropFirst().contains(where: { characters[$0] == "." && isDigit(characters[$0 - 1]) }) { return }
    let commas = characters.indices.dropFirst().dropLast().filter {
      characters[$0] == "," && isDigit(characters[$0 - 1]) && isDigit(characters[$0 + 1])
    }
    // A single comma separates two numbers, unless sides or marks separate them; `1,2,3` has no decimal commas.
    let hasMarks = characters.contains { $0 == "°" || $0 == "'" || $0.isLetter }
    guard commas.count == 2 || commas.count == 1 && hasMarks, !areJoined(commas, in: characters) else { return }
    for index in commas { characters[index] = "." }
  }

  /// Whether only digits are between the two.
  private static func areJoined(_ commas: [Int], in characters: [Character]) -> Bool {
    guard let first = commas.first, let last = commas.last, first < last else { return false }
    return characters[(first + 1)..<last].allSatisfy(isDigit)
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

  /// Nil if the text contains anything else.
  private static func tokens(_ characters: [Character]) -> [Token]? {
    var tokens: [Token] = []
    var index = 0
    /// The longest run of such characters from here.
    func run(_ isOne: (Character) -> Bool) -> String {
      let start = index
      while index < characters.count, isOne(characters[index]) { index += 1 }
      return String(characters[start..<index])
    }
    while index < characters.count {
      let character = characters[index]
      if isDigit(character) || "+-.".contains(character) {
        if "+-".contains(character) {
          // `3-5` is a range of houses.
          guard index == 0 || !isDigit(characters[index - 1]) else { return nil }
          index += 1
        }
        let digits = run { isDigit($0) || $0 == "." }
        guard let value = Double(digits) else { return nil }
        tokens.append(.number(Number(value: value, isNegative: character == "-", hasFraction: digits.contains("."))))
      } else if character.isLetter {
        // `N`, `с.ш.`, `lat`.
        let word = run { $0.isLetter || $0 == "." }.filter { $0 != "." }
        if let side = sides[word] {
          tokens.append(.side(side))
        } else if let label = labels[word] {
          tokens.append(.label(label))
        } else if let unit = unitWords[word] {
          tokens.append(.unit(unit))
        } else if word == "z", index == characters.count, tokens.count > 3, case .number = tokens.removeLast() {
          // The zoom of a map.
        } else {
          return nil
        }
      } else if let unit = units[character] {
        tokens.append(.unit(unit))
        index += 1
      } else if character == "," || character == ";" {
        tokens.append(.divider)
        index += 1
      } else if character == " " {
        index += 1
      } else {
        return nil
      }
    }
    return tokens
  }

  /// The numbers with their sides; nil if a mark does not follow a number.
  private static func values(_ tokens: [Token]) -> [Angle]? {
    var values: [Angle] = []
    var leads = false
    for token in tokens {
      switch token {
      case .divider: continue
      case .side, .label: leads = true
      case .number, .unit: break
      }
      break
    }
    let hasSides = tokens.contains { if case .side = $0 { true } else if case .label = $0 { true } else { false } }
    for token in tokens {
      let last = values.indices.last
      switch token {
      case .number(let number):
        if let last, !values[last].isClosed, hasSides || values[last].numbers.last?.unit != nil {
          values[last].numbers.append(number)
        } else {
          values.append(Angle(numbers: [number]))
        }
      case .unit(let unit):
        guard let last, let number = values[last].numbers.indices.last, values[last].numbers[number].unit == nil else { return nil }
        // Degrees after another number begin the next angle.
        if unit == 1, number > 0 {
          var moved = values[last].numbers.removeLast()
          moved.unit = unit
          values.append(Angle(numbers: [moved]))
        } else {
          values[last].numbers[number].unit = unit
        }
      case .side(let side):
        if let last, values[last].isLabelled, !values[last].numbers.isEmpty {
          values[last].side = side
        } else if leads {
          values.append(Angle(side: side))
        } else {
          guard let last, values[last].side == nil else { return nil }
          values[last].side = side
          values[last].isClosed = true
        }
      case .label(let side): values.append(Angle(side: side, isLabelled: true))
      case .divider: if let last, !values[last].numbers.isEmpty { values[last].isClosed = true }
      }
    }
    return values
  }

  private static func point(_ values: [Angle], language: String?) -> Coordinate? {
    guard values.count == 2, let first = degrees(values[0], language), let second = degrees(values[1], language) else { return nil }
    var (latitude, longitude) = (first, second)
    if first.isLatitude == false || second.isLatitude == true { swap(&latitude, &longitude) }
    guard latitude.isLatitude != false, longitude.isLatitude != true else { return nil }
    return Coordinate(latitude: latitude.degrees, longitude: longitude.degrees)
  }

  /// The signed degrees, and whether they are a latitude; nil if that is open.
  private static func degrees(_ angle: Angle, _ language: String?) -> (degrees: Double, isLatitude: Bool?)? {
    guard let degrees = angle.degrees else { return nil }
    let isWest = angle.side == .west || angle.side == .o && languagesWithOForWest.contains(language.map { PlaceTerms.base($0) } ?? "")
    return (angle.side == .south || isWest ? -degrees : degrees, angle.side.map(\.isLatitude))
  }
}
