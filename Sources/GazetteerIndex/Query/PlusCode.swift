import PlacesKit

/// Open Location Codes (https://github.com/google/open-location-code, specification of 2018): `9F4MGC2M+H4`.
struct PlusCode: Equatable {
  private static let digits = Array("23456789CFGHJMPQRVWX".utf8)
  /// The number of letters before the plus sign of a full code.
  private static let fullLength = 8

  /// The code's letters in upper case, without the plus sign and padding.
  private let letters: [UInt8]
  /// The number of letters before the plus sign, padding included: eight in a full code, two, four or six in a short one.
  private let lettersBeforePlus: Int

  /// Parses a full or short code; nil for any other text.
  init?(_ text: some StringProtocol) {
    let text = Array(text.uppercased().utf8)
    guard let plus = text.firstIndex(of: UInt8(ascii: "+")), plus <= PlusCode.fullLength, plus % 2 == 0, plus >= 2,
      // The first letter after the plus sign is half of a pair, so it is not alone. A code has at most 15 letters.
      text.count - plus - 1 != 1, text.count <= 16
    else { return nil }
    var letters = Array(text[..<plus])
    let padding = letters.firstIndex(of: UInt8(ascii: "0")) ?? letters.count
    // Padding fills a full code up to the plus sign and ends it.
    if padding < letters.count {
      guard plus == PlusCode.fullLength, padding % 2 == 0, padding >= 2, text.count == plus + 1,
        letters[padding...].allSatisfy({ $0 == UInt8(ascii: "0") })
      else { return nil }
      letters.removeSubrange(padding...)
    }
    letters += text[(plus + 1)...]
    guard letters.allSatisfy({ PlusCode.digits.contains($0) }), letters.count > 2 || plus == PlusCode.fullLength else { return nil }
    self.letters = letters
    lettersBeforePlus = plus
  }

  /// The code with its plus sign and padding, in capitals.
  var text: String {
    let padding = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, lettersBeforePlus - letters.count))
    return String(
      decoding: letters.prefix(lettersBeforePlus) + padding + [UInt8(ascii: "+")] + letters.dropFirst(lettersBeforePlus), as: UTF8.self)
  }

  var isShort: Bool { lettersBeforePlus < PlusCode.fullLength }

  /// The rectangle of a full code; nil for a short code or one beyond the poles.
  var rectangle: Rectangle? {
    guard !isShort else { return nil }
    var latitude = -90.0
    var longitude = -180.0
    // The first ten letters are five pairs. Each pair divides a cell into 20 rows and 20 columns. The first pair divides this cell, so its
    // cells have sides of 20 degrees.
    var height = 400.0
    var width = 400.0
    var index = 0
    while index + 1 < min(letters.count, 10) {
      height /= 20
      width /= 20
      latitude += Double(digit(at: index)) * height
      longitude += Double(digit(at: index + 1)) * width
      index += 2
    }
    // Each letter after the tenth divides a cell into five rows and four columns.
    for index in stride(from: 10, to: letters.count, by: 1) {
      height /= 5
      width /= 4
      latitude += Double(digit(at: index) / 4) * height
      longitude += Double(digit(at: index) % 4) * width
    }
    guard let low = Coordinate(latitude: latitude, longitude: longitude),
      let high = Coordinate(latitude: min(90, latitude + height), longitude: min(180, longitude + width))
    else { return nil }
    return Rectangle(low: low, high: high)
  }

  /// The letter at an index as a digit of base 20, 0…19.
  private func digit(at index: Int) -> Int { PlusCode.digits.firstIndex(of: letters[index]) ?? 0 }

  /// The full code that a short code means near a reference point: of all full codes that end like the short one, the nearest. A full code is
  /// returned unchanged. Nil if there is no such code.
  func recovered(near reference: Coordinate) -> PlusCode? {
    guard isShort else { return self }
    let missingCount = PlusCode.fullLength - lettersBeforePlus
    // The side in degrees of the area that the missing letters denote. The short code recurs at this distance.
    let side = missingCount == 2 ? 20.0 : missingCount == 4 ? 1.0 : 0.05
    let prefix = PlusCode.encode(reference).utf8.prefix(missingCount)
    let text = String(
      decoding: Array(prefix) + letters[..<lettersBeforePlus] + [UInt8(ascii: "+")] + letters[lettersBeforePlus...], as: UTF8.self)
    guard let center = PlusCode(text)?.rectangle?.center else { return nil }
    var latitude = center.latitude
    var longitude = center.longitude
    if reference.latitude + side / 2 < latitude, latitude - side >= -90 {
      latitude -= side
    } else if reference.latitude - side / 2 > latitude, latitude + side <= 90 {
      latitude += side
    }
    if reference.longitude + side / 2 < longitude {
      longitude -= side
    } else if reference.longitude - side / 2 > longitude {
      longitude += side
    }
    if longitude < -180 { longitude += 360 }
    if longitude >= 180 { longitude -= 360 }
    guard let moved = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    return PlusCode(PlusCode.encode(moved, length: max(10, letters.count + missingCount)))
  }

  /// The full code of a point.
  /// - Parameter length: the number of letters, 10 to 15; other values are clamped.
  static func encode(_ point: Coordinate, length: Int = 10) -> String {
    let length = min(max(length, 10), 15)
    // The number of the finest rows and columns in a degree. Ten letters divide a degree into 8000 rows and columns. Five more letters divide
    // each of these rows into 5^5, and each of these columns into 4^5.
    let (rowsPerDegree, columnsPerDegree) = (8000 * 3125, 8000 * 1024)
    // As in the reference implementation, a millionth of a cell is ignored: (48.2 + 90) · rowsPerDegree is slightly less than a whole number,
    // because 48.2 is not exact in floating point.
    func cellIndex(_ degrees: Double, _ cellsPerDegree: Int) -> Int {
      Int(((degrees * Double(cellsPerDegree) * 1e6).rounded() / 1e6).rounded(.down))
    }
    var row = cellIndex(point.latitude + 90, rowsPerDegree)
    var column = cellIndex(point.longitude + 180, columnsPerDegree)
    row = min(row, 180 * rowsPerDegree - 1)
    column %= 360 * columnsPerDegree
    // The letters are found from the last to the first: five of the finest grid, then five pairs.
    var letters: [UInt8] = []
    for _ in 0..<5 {
      letters.append(digits[row % 5 * 4 + column % 4])
      row /= 5
      column /= 4
    }
    for _ in 0..<5 {
      letters.append(digits[column % 20])
      letters.append(digits[row % 20])
      column /= 20
      row /= 20
    }
    var code = Array(letters.reversed().prefix(length))
    code.insert(UInt8(ascii: "+"), at: fullLength)
    return String(decoding: code, as: UTF8.self)
  }
}
