import PlacesKit

/// Parses coordinates in the usual notations: `52.52, 13.4`, `52,52; 13,405`, `N 47°08.4' E 9°31.2'`, `52 31 12 N 13 24 36 E`, `lat 52.5
/// lon 13.4`, `55° 45' с.ш. 37° 37' в.д.` (ISO 6709 annex D, and common variants).
enum CoordinateParser {
  /// The point that a text denotes by coordinates, or `nowhere` for coordinates that are out of range, such as `95.5, 13.4`. Nil for a text
  /// that may be a name or an address.
  /// - Parameter language: the user's language, which determines whether `O` is Ost or ouest.
  static func parse(_ text: String, language: String?) -> PointQuery? {
    guard text.utf8.count <= maxLength else { return nil }
    var characters = Array(normalized(text))
    replaceDecimalCommas(in: &characters)
    guard let tokens = tokenized(characters), let angles = parsedAngles(tokens) else { return nil }
    let numbers = angles.flatMap(\.numbers)
    // Whole numbers alone may be house numbers or postcodes. If both angles have a direction, such as `N`, whole numbers are coordinates only
    // if they are in range: `350 S 200 E` is an address.
    let isCertain = numbers.contains { $0.hasFraction || $0.unit != nil } || angles.contains(where: \.isLabelled)
    let haveDirections = angles.count == 2 && angles.allSatisfy { $0.direction != nil }
    guard isCertain || haveDirections, numbers.count > 1 else { return nil }
    return point(angles, language: language).map { .point($0) } ?? (isCertain ? .nowhere : nil)
  }

  /// The maximum length of coordinates in bytes.
  private static let maxLength = 96

  private enum Token {
    case number(Number)
    /// A unit, represented by the number of such units in a degree: 1 for degrees, 60 for minutes, 3600 for seconds.
    case unit(Double)
    /// A direction from the equator or the prime meridian, such as `N`.
    case direction(Direction)
    /// A word such as `lat`, represented by the direction in which the numbers after it are positive.
    case label(Direction)
    /// A comma or semicolon.
    case divider

    var isDivider: Bool { if case .divider = self { true } else { false } }
    var isDirectionOrLabel: Bool { if case .direction = self { true } else if case .label = self { true } else { false } }
  }

  private enum Direction: Character {
    case north = "N"
    case south = "S"
    case east = "E"
    case west = "W"
    /// O is east in German (Ost) and Dutch (oost), and west in the Romance languages (ouest).
    case eastOrWest = "O"

    var isLatitude: Bool { self == .north || self == .south }
  }

  private struct Number {
    var value: Double
    var isNegative = false
    var hasFraction = false
    /// The unit, represented as in `Token`; nil if no unit follows the number.
    var unit: Double?
  }

  /// A latitude or a longitude.
  private struct Angle {
    var numbers: [Number] = []
    var direction: Direction?
    /// Whether a word such as `lat` precedes it.
    var isLabelled = false
    /// Whether it is complete, because a comma or a direction follows it.
    var isClosed = false

    /// The angle in degrees, without regard to its direction; nil if its minutes or seconds are out of range or order.
    var degrees: Double? {
      guard let firstNumber = numbers.first, firstNumber.unit == nil || firstNumber.unit == 1 else { return nil }
      var (sum, lastUnit) = (0.0, 0.0)
      for (index, number) in numbers.enumerated() {
        let unit = number.unit ?? (index == 0 ? 1 : lastUnit * 60)
        // Minutes follow degrees, and seconds follow degrees or minutes. Only the last number has a fraction.
        guard index == 0 || number.value < 60 && !number.isNegative && unit >= lastUnit * 60 && unit <= 3600 else { return nil }
        guard index == numbers.count - 1 || !number.hasFraction else { return nil }
        sum += number.value / unit
        lastUnit = unit
      }
      return firstNumber.isNegative ? -sum : sum
    }
  }

  /// The number of each unit in a degree, by the unit's sign and by its name.
  private static let units: [Character: Double] = ["°": 1, "'": 60, "\"": 3600]
  private static let unitWords: [String: Double] = ["deg": 1, "degree": 1, "degrees": 1, "grad": 1, "min": 60, "sec": 3600]
  private static let directions: [String: Direction] = [
    "n": .north, "north": .north, "nord": .north, "norte": .north, "noord": .north, "с": .north, "сш": .north, "север": .north,
    "s": .south, "south": .south, "süd": .south, "sued": .south, "sud": .south, "sur": .south, "sul": .south, "zuid": .south, "ю": .south,
    "юш": .south, "юг": .south,
    "e": .east, "east": .east, "ost": .east, "est": .east, "este": .east, "leste": .east, "oost": .east, "в": .east, "вд": .east,
    "восток": .east,
    "w": .west, "west": .west, "ouest": .west, "oeste": .west, "ovest": .west, "з": .west, "зд": .west, "запад": .west,
    "o": .eastOrWest,
  ]
  private static let labels: [String: Direction] = [
    "lat": .north, "latitude": .north, "lon": .east, "long": .east, "lng": .east, "longitude": .east,
  ]
  /// Languages in which O means west.
  private static let languagesWithOForWest: Set<String> = ["ca", "es", "eu", "fr", "gl", "it", "oc", "pt"]

  /// The text in lower case, with ASCII signs for minus, minutes and seconds, `°` for degrees, and spaces instead of brackets and other
  /// separators.
  private static func normalized(_ text: String) -> String {
    var result = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar {
      // A full-width form becomes the ASCII character.
      case "\u{FF01}"..."\u{FF5E}": result.unicodeScalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? " ")
      case "−", "–", "‐", "‑": result += "-"
      case "º", "˚": result += "°"
      case "′", "’", "‘", "´": result += "'"
      case "″", "”", "“": result += "\""
      case "(", ")", "[", "]", "@", ":", "=", "&", "\u{A0}", "\u{202F}", "\u{3000}", "\t": result += " "
      case "、": result += ","
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result.replacing("''", with: "\"")
  }

  /// Replaces decimal commas by points. The text has decimal commas if no number has a point, and each of two numbers can have one comma.
  private static func replaceDecimalCommas(in characters: inout [Character]) {
    // The points of `с.ш.` do not belong to a number.
    if characters.indices.dropFirst().contains(where: { characters[$0] == "." && isDigit(characters[$0 - 1]) }) { return }
    let commas = characters.indices.dropFirst().dropLast().filter {
      characters[$0] == "," && isDigit(characters[$0 - 1]) && isDigit(characters[$0 + 1])
    }
    // A single comma separates two numbers, unless letters or signs separate them. `1,2,3` has no decimal commas.
    let hasMarks = characters.contains { $0 == "°" || $0 == "'" || $0.isLetter }
    guard commas.count == 2 || commas.count == 1 && hasMarks, !areJoined(commas, in: characters) else { return }
    for index in commas { characters[index] = "." }
  }

  /// Whether there are two commas with only digits between them, as in `1,2,3`.
  private static func areJoined(_ commas: [Int], in characters: [Character]) -> Bool {
    guard let firstComma = commas.first, let lastComma = commas.last, firstComma < lastComma else { return false }
    return characters[(firstComma + 1)..<lastComma].allSatisfy(isDigit)
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

  /// The tokens of the text; nil if it contains anything that is not part of coordinates.
  private static func tokenized(_ characters: [Character]) -> [Token]? {
    var tokens: [Token] = []
    var index = 0
    /// Reads the characters from `index` on that satisfy a condition.
    func readWhile(_ condition: (Character) -> Bool) -> String {
      let start = index
      while index < characters.count, condition(characters[index]) { index += 1 }
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
        let digits = readWhile { isDigit($0) || $0 == "." }
        guard let value = Double(digits) else { return nil }
        tokens.append(.number(Number(value: value, isNegative: character == "-", hasFraction: digits.contains("."))))
      } else if character.isLetter {
        // `N`, `с.ш.`, `lat`.
        let word = readWhile { $0.isLetter || $0 == "." }.filter { $0 != "." }
        if let direction = directions[word] {
          tokens.append(.direction(direction))
        } else if let label = labels[word] {
          tokens.append(.label(label))
        } else if let unit = unitWords[word] {
          tokens.append(.unit(unit))
        } else if word == "z", index == characters.count, tokens.count > 3, case .number? = tokens.last {
          // The number before `z` is the zoom of a map, as in `@47.14,9.52,15z`. It is dropped.
          tokens.removeLast()
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

  /// The angles that the tokens denote; nil if a unit or a direction is at a wrong place.
  private static func parsedAngles(_ tokens: [Token]) -> [Angle]? {
    var angles: [Angle] = []
    let directionsComeFirst = tokens.first { !$0.isDivider }?.isDirectionOrLabel == true
    let hasDirections = tokens.contains(where: \.isDirectionOrLabel)
    for token in tokens {
      let lastAngleIndex = angles.indices.last
      switch token {
      case .number(let number):
        // A number after an open angle is its minutes or seconds if a unit precedes the number, or if the text has directions.
        if let lastAngleIndex, !angles[lastAngleIndex].isClosed, hasDirections || angles[lastAngleIndex].numbers.last?.unit != nil {
          angles[lastAngleIndex].numbers.append(number)
        } else {
          angles.append(Angle(numbers: [number]))
        }
      case .unit(let unit):
        guard let lastAngleIndex, let numberIndex = angles[lastAngleIndex].numbers.indices.last,
          angles[lastAngleIndex].numbers[numberIndex].unit == nil
        else { return nil }
        // Degrees after another number begin the next angle.
        if unit == 1, numberIndex > 0 {
          var number = angles[lastAngleIndex].numbers.removeLast()
          number.unit = unit
          angles.append(Angle(numbers: [number]))
        } else {
          angles[lastAngleIndex].numbers[numberIndex].unit = unit
        }
      case .direction(let direction):
        // A direction belongs to a labelled angle (`lat 52 N`), to the angle after it (`N 52`), or to the angle before it (`52 N`).
        if let lastAngleIndex, angles[lastAngleIndex].isLabelled, !angles[lastAngleIndex].numbers.isEmpty {
          angles[lastAngleIndex].direction = direction
        } else if directionsComeFirst {
          angles.append(Angle(direction: direction))
        } else {
          guard let lastAngleIndex, angles[lastAngleIndex].direction == nil else { return nil }
          angles[lastAngleIndex].direction = direction
          angles[lastAngleIndex].isClosed = true
        }
      case .label(let direction): angles.append(Angle(direction: direction, isLabelled: true))
      case .divider: if let lastAngleIndex, !angles[lastAngleIndex].numbers.isEmpty { angles[lastAngleIndex].isClosed = true }
      }
    }
    return angles
  }

  /// The point at a latitude and a longitude, in any order; nil if there are not two angles or one is out of range.
  private static func point(_ angles: [Angle], language: String?) -> Coordinate? {
    guard angles.count == 2, let firstAngle = signedDegrees(angles[0], language), let secondAngle = signedDegrees(angles[1], language)
    else { return nil }
    var (latitude, longitude) = (firstAngle, secondAngle)
    if firstAngle.isLatitude == false || secondAngle.isLatitude == true { swap(&latitude, &longitude) }
    guard latitude.isLatitude != false, longitude.isLatitude != true else { return nil }
    return Coordinate(latitude: latitude.degrees, longitude: longitude.degrees)
  }

  /// The signed degrees of an angle, and whether it is a latitude, which is nil if the angle has no direction. Nil for an invalid angle.
  private static func signedDegrees(_ angle: Angle, _ language: String?) -> (degrees: Double, isLatitude: Bool?)? {
    guard let degrees = angle.degrees else { return nil }
    let isWest =
      angle.direction == .west
      || angle.direction == .eastOrWest && languagesWithOForWest.contains(language.map { LanguageChoice.base($0) } ?? "")
    return (angle.direction == .south || isWest ? -degrees : degrees, angle.direction.map(\.isLatitude))
  }
}
