import PlacesKit

/// How the values of a parameter are brought to their one canonical spelling without being decoded. What a spelling does not know is
/// decoded and encoded, which gives the same and takes longer.
enum Spelling: Sendable {
  /// A whole number from 0 on, also written `4.0` or `40e-1`.
  case wholeNumber(ClosedRange<Int>)
  /// A list of words, whose order means nothing; in the canonical order.
  case words(WordList)
  case text, language, region

  /// The value of a JSON number that is a whole one; nil for any other, and for those of more than eighteen digits, or fifteen with a
  /// fraction or an exponent.
  static func wholeNumber(_ number: Span<UInt8>) -> Int? {
    var (value, index, shift) = (0, 0, 0)
    func isDigit(_ index: Int) -> Bool { index < number.count && number[index] &- UInt8(ascii: "0") < 10 }
    while isDigit(index) {
      value = value &* 10 &+ Int(number[index] &- UInt8(ascii: "0"))
      index += 1
    }
    if index == number.count { return 1...18 ~= index ? value : nil }
    guard 1...15 ~= index else { return nil }
    if index < number.count, number[index] == UInt8(ascii: ".") {
      index += 1
      while isDigit(index) {
        value = value &* 10 &+ Int(number[index] &- UInt8(ascii: "0"))
        index += 1
        shift -= 1
      }
      guard index <= 16 else { return nil }
    }
    if index < number.count, number[index] | 0x20 == UInt8(ascii: "e") {
      var (exponent, isNegative) = (0, false)
      index += 1
      if index < number.count, !isDigit(index) {
        isNegative = number[index] == UInt8(ascii: "-")
        index += 1
      }
      while isDigit(index), exponent < 100 {
        exponent = exponent * 10 + Int(number[index] &- UInt8(ascii: "0"))
        index += 1
      }
      shift += isNegative ? -exponent : exponent
    }
    guard index == number.count, abs(shift) <= 15 else { return nil }
    while shift > 0 {
      guard value < 1 << 50 else { return nil }
      value *= 10
      shift -= 1
    }
    while shift < 0 {
      guard value % 10 == 0 else { return nil }
      value /= 10
      shift += 1
    }
    return value
  }

  /// A language of two or three letters, without region or script.
  static func isCanonical(language bytes: Span<UInt8>) -> Bool {
    guard 4...5 ~= bytes.count else { return false }
    for index in 1..<bytes.count - 1 where bytes[index] &- UInt8(ascii: "a") > 25 { return false }
    return bytes[0] == UInt8(ascii: "\"")
  }

  /// Two capital letters.
  static func isCanonical(region bytes: Span<UInt8>) -> Bool {
    bytes.count == 4 && bytes[0] == UInt8(ascii: "\"") && bytes[1] &- UInt8(ascii: "A") < 26 && bytes[2] &- UInt8(ascii: "A") < 26
  }

  /// A trimmed text in letters that no normalization changes: printable ASCII, Latin with precomposed letters (U+00C0…U+02FF),
  /// Cyrillic (U+0400…U+047F), ideographs (U+4E00…U+9FFF). The text is known to be a JSON string.
  static func isCanonical(text bytes: Span<UInt8>) -> Bool {
    guard 3...258 ~= bytes.count, bytes[0] == UInt8(ascii: "\""), bytes[1] != 0x20, bytes[bytes.count - 2] != 0x20 else { return false }
    var index = 1
    while true {
      index = JSONScanner.skipPlain(in: bytes, from: index)
      switch bytes[index] {
      case UInt8(ascii: "\""): return true
      case 0xC3...0xCB, 0xD0...0xD1: index += 2
      case 0xE4 where bytes[index + 1] >= 0xB8, 0xE5...0xE9: index += 3
      default: return false
      }
    }
  }
}

/// The words that a list may hold, in their canonical order.
final class WordList: Sendable {
  private let words: [[UInt8]]

  init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }

  /// Which of the words a JSON list names, a bit for each; nil for an empty list and where it names anything else.
  func chosen(by list: Span<UInt8>) -> UInt64? {
    var (scanner, chosen) = (JSONScanner(), UInt64(0))
    guard scanner.take(UInt8(ascii: "["), in: list) else { return nil }
    repeat {
      guard let word = scanner.plainString(in: list), let index = index(of: list.extracting(word)) else { return nil }
      chosen |= 1 << UInt64(index)
    } while scanner.take(UInt8(ascii: ","), in: list)
    return scanner.take(UInt8(ascii: "]"), in: list) ? chosen : nil
  }

  private func index(of word: Span<UInt8>) -> Int? {
    for index in words.indices where word.equals(words[index]) { return index }
    return nil
  }

  /// Appends the list of the words whose bits are set.
  func append(_ chosen: UInt64, to key: inout ReplyKey) {
    var separator = UInt8(ascii: "[")
    for index in words.indices where chosen >> UInt64(index) & 1 == 1 {
      key.append(separator)
      key.append(UInt8(ascii: "\""))
      key.append(words[index])
      key.append(UInt8(ascii: "\""))
      separator = UInt8(ascii: ",")
    }
    key.append(UInt8(ascii: "]"))
  }
}
