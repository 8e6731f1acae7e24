/// The house numbers of an address, and the unit inside the house.
///
/// Reads ranges (`45-46`), lists (`3 & 5`, `3/5`), numbers with a letter (`12a`), numbers that a spreadsheet wrote as a decimal
/// (`15203.0`), hyphenated numbers that are not a range (`219-47`), units (`#02-12`, `Suite 4`), and a number after a street whose name is
/// a number (`Rua 13, 45`).
struct HouseNumber: Sendable, Equatable {
  /// The first and the last number of a range. Without a range both are the number; without a number both are 0.
  private(set) var first = 0
  private(set) var last = 0
  /// The letter after the first number, or 0.
  private(set) var letter: UInt8 = 0
  /// The second part of a hyphenated number, or 0.
  private(set) var hyphenated = 0
  /// A hyphenated number without its hyphen, as `6103` for `61-03`, or 0.
  private var withoutHyphen = 0
  /// A second house of a list, or 0.
  private(set) var other = 0
  /// The key of the unit, or 0.
  private(set) var unit: UInt64 = 0

  var isEmpty: Bool { first == 0 }

  init() {}

  init(_ address: String) {
    var scanner = AddressScanner()
    for byte in address.utf8.prefix(WordBuffer.maxLength) { scanner.take(byte) }
    scanner.end()
    let numbers = scanner.numbers
    unit = numbers.first { $0.isUnit }?.key ?? 0
    guard var index = numbers.firstIndex(where: { !$0.isUnit && $0.mayBeHouse }) else {
      // `#5 Main Street` has no other number.
      if let only = numbers.first, only.isUnit, only.isFirst { (first, last, unit) = (only.value, only.value, 0) }
      return
    }
    // The first number may be the name of the street, as in `Rua 13, 45`.
    if numbers[index].followsLeadingStreetKind, index + 1 < numbers.count, numbers[index + 1].separator == UInt8(ascii: ","),
      numbers[index + 1].mayBeHouse, !numbers[index + 1].isUnit
    {
      index += 1
    }
    (first, last, letter) = (numbers[index].value, numbers[index].value, numbers[index].letter)
    guard index + 1 < numbers.count, !numbers[index + 1].isUnit, numbers[index + 1].isAdjacent else { return }
    let next = numbers[index + 1]
    switch next.separator {
    case UInt8(ascii: "-"):
      if next.digits >= numbers[index].digits, next.value > first, next.value - first <= HouseNumber.widestRange {
        last = next.value
      } else {
        hyphenated = next.value
        withoutHyphen = (0..<min(next.digits, 4)).reduce(first) { value, _ in value * 10 } + next.value
      }
    case UInt8(ascii: "&"), UInt8(ascii: "/"): if next.mayBeHouse { other = next.value }
    // `3, 5 Main Street`, but not the postcode of `Main Street 3, 1010 Wien`.
    case UInt8(ascii: ","): if numbers[index].isFirst, next.digits <= 4, next.mayBeHouse { other = next.value }
    default: break
    }
  }

  /// The greatest difference between the ends of a range.
  private static let widestRange = 200

  /// Whether two addresses have a house in common. Letters are compared only if both addresses have one.
  func isSame(_ other: HouseNumber) -> Bool {
    if hyphenated != 0, other.hyphenated != 0, hyphenated != other.hyphenated { return false }
    if letter != 0, other.letter != 0, letter != other.letter, first == other.first { return false }
    if withoutHyphen != 0, other.withoutHyphen == 0, withoutHyphen == other.first { return true }
    if other.withoutHyphen != 0, withoutHyphen == 0, other.withoutHyphen == first { return true }
    return contains(other.first, through: other.last) || (other.other != 0 && contains(other.other, through: other.other))
      || (self.other != 0 && other.contains(self.other, through: self.other))
  }

  /// The least difference between a number of this address and one of the other; 0 if the ranges overlap.
  func difference(to other: HouseNumber) -> Int { max(0, max(first, other.first) - min(last, other.last)) }

  /// Whether the ranges overlap. A range whose ends are both even or both odd is one side of a street and has no house of the other side.
  private func contains(_ low: Int, through high: Int) -> Bool {
    guard max(first, low) <= min(last, high) else { return false }
    let areOneSided = (last - first).isMultiple(of: 2) && (high - low).isMultiple(of: 2)
    return !areOneSided || (low - first).isMultiple(of: 2)
  }
}

/// Finds the numbers of an address. The characters and words before a number determine its properties, such as `isUnit`.
private struct AddressScanner {
  struct Number {
    var value = 0
    var digits = 0
    /// The letter after the digits, or 0.
    var letter: UInt8 = 0
    /// The number of letters and digits from the first letter on. A house number has at most one.
    var extraLetters = 0
    /// `-`, `&`, `/` or `,` if only this character and spaces are between this number and the previous one; otherwise 0.
    var separator: UInt8 = 0
    /// Whether no word is between this number and the previous one.
    var isAdjacent = false
    /// Whether this is the number of a unit, such as a suite.
    var isUnit = false
    /// Whether the address begins with it.
    var isFirst = false
    /// Whether the address begins with a word such as `Rua`, which this number follows.
    var followsLeadingStreetKind = false
    /// The bytes of the digits and letters.
    var key: UInt64 = 0
    var mayBeHouse: Bool { digits > 0 && digits <= 5 && extraLetters <= 1 && value > 0 }
  }

  private(set) var numbers: [Number] = []
  /// The current number; nil outside of a number.
  private var number: Number?
  /// The bytes of the current word, and their number.
  private var word: UInt64 = 0
  private var wordLength = 0
  /// The number of words so far.
  private var wordCount = 0
  private var previousWord: UInt64 = 0
  /// The separator since the previous number, or 0.
  private var separator: UInt8 = 0
  /// Whether no word is between the last number and the current position.
  private var isAfterNumber = false
  /// Whether the number at the current position follows `#`.
  private var isAfterHash = false
  /// Whether the decimals of a number are being read.
  private var isFraction = false
  /// The first byte of the current character.
  private var lead: UInt8 = 0

  mutating func take(_ byte: UInt8) {
    if !(0x80...0xBF).contains(byte) { lead = byte }
    switch byte {
    case 0x30...0x39: digit(byte)
    case 0x41...0x5A: letter(byte | 0x20)
    case 0x61...0x7A, 0xC3...0xC5: letter(byte)
    case 0x80...0xBF: continueCharacter(byte)
    case UInt8(ascii: ".") where number != nil && number?.extraLetters == 0: isFraction = true
    case 0x27: break  // An apostrophe.
    default:
      close()
      switch byte {
      case UInt8(ascii: "#"): isAfterHash = true
      case UInt8(ascii: "-"), UInt8(ascii: "&"), UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: "+"):
        separator = byte == UInt8(ascii: "+") ? UInt8(ascii: "&") : byte
      case UInt8(ascii: "("), UInt8(ascii: ";"): isAfterNumber = false
      default: break
      }
    }
  }

  mutating func end() { close() }

  /// Takes a byte of a character after its first byte. The bytes of a Latin letter count as letters, and a dash as a hyphen. Any other
  /// character separates words, as `号` does.
  private mutating func continueCharacter(_ byte: UInt8) {
    // The last byte of – and —.
    if lead == 0xE2, byte == 0x93 || byte == 0x94 { separator = UInt8(ascii: "-") }
    if (0xC3...0xC5).contains(lead) { letter(byte) }
  }

  private mutating func digit(_ byte: UInt8) {
    if isFraction { return }
    if wordLength > 0 {
      // `A2` is a word rather than the number of a house.
      letter(byte)
      return
    }
    var current = number ?? Number()
    if current.extraLetters > 0 { current.extraLetters += 1 }
    if current.digits < 9 { current.value = current.value * 10 + Int(byte - 0x30) }
    current.digits += 1
    current.key = current.key << 8 | UInt64(byte)
    number = current
  }

  private mutating func letter(_ byte: UInt8) {
    if var current = number, !isFraction {
      current.extraLetters += 1
      current.letter = byte
      current.key = current.key << 8 | UInt64(byte)
      number = current
      return
    }
    if number != nil { close() }
    word = word << 8 | UInt64(byte)
    wordLength += 1
  }

  /// Ends the current number or word.
  private mutating func close() {
    isFraction = false
    if var current = number {
      current.separator = separator
      current.isAdjacent = isAfterNumber
      // The second half of `#02-12` belongs to the unit.
      let continuesUnit = isAfterNumber && separator == UInt8(ascii: "-") && numbers.last?.isUnit == true
      current.isUnit = isAfterHash || continuesUnit || AddressScanner.unitWords.contains(previousWord)
      current.isFirst = wordCount == 0 && numbers.isEmpty
      current.followsLeadingStreetKind = wordCount == 1 && numbers.isEmpty && AddressScanner.streetKinds.contains(previousWord)
      if current.extraLetters != 1 { current.letter = 0 }
      numbers.append(current)
      number = nil
      (previousWord, separator, isAfterNumber, isAfterHash) = (0, 0, true, false)
    } else if wordLength > 0 {
      if wordLength <= 8, AddressScanner.conjunctions.contains(word), isAfterNumber {
        separator = UInt8(ascii: "&")
      } else {
        wordCount += 1
        previousWord = wordLength <= 8 ? word : 0
        (separator, isAfterNumber, isAfterHash) = (0, false, false)
      }
    }
    (word, wordLength) = (0, 0)
  }

  private static func keys(_ words: String) -> Set<UInt64> {
    Set(words.split(whereSeparator: \.isWhitespace).map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } })
  }

  private static let unitWords = keys("unit suite ste apt flat room rm floor fl level lvl shop stall office sala loja local lot top stiege")
  private static let conjunctions = keys("and und et y e to bis")
  private static let streetKinds = keys(
    "rua calle cl carrera cra cr avenida av avenue ave road rd street jalan jl lorong lor soi moo highway hwy route rte ulica ul via rue quadra rodovia"
  )
}
