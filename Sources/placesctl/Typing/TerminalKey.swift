/// A key press.
enum TerminalKey: Sendable, Hashable {
  /// A typed letter, or a pasted text on one line.
  case text(String)
  /// Deletes the letter before the cursor, or the one after it.
  case backspace, delete
  /// Deletes the text before the cursor, or the last word of it.
  case clear, deleteWord
  case left, right, home, end
  case up, down, enter, escape
  /// Ctrl-C, Ctrl-D, or a terminal that was closed.
  case quit
}

/// Converts a terminal's bytes to keys (ECMA-48 sequences, UTF-8, xterm's bracketed paste). The bytes may arrive in parts of any size.
struct KeyDecoder: Sendable {
  private var bytes: [UInt8] = []
  /// The pasted text so far; nil outside of a paste.
  private var pastedBytes: [UInt8]?
  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The maximum number of bytes of a pasted text that are kept, more than the field accepts.
  private static let maxPaste = 4_096

  /// Seconds to wait for further bytes before `flush` is called; nil if none are expected. The end of a paste may be lost, but may also be
  /// late on a slow line.
  var timeLimit: Double? {
    if pastedBytes != nil { return 1 }
    return bytes.isEmpty ? nil : 0.05
  }

  /// Adds the bytes that have arrived, and returns the keys that are complete.
  mutating func take(_ newBytes: some Sequence<UInt8>) -> [TerminalKey] {
    bytes += newBytes
    var keys: [TerminalKey] = []
    while true {
      if pastedBytes != nil {
        guard let text = readPaste() else { return keys }
        if !text.isEmpty { keys.append(.text(text)) }
      } else if let (length, key) = nextKey() {
        bytes.removeFirst(length)
        if let key { keys.append(key) }
      } else {
        return keys
      }
    }
  }

  /// Moves the bytes of a paste to `pastedBytes`. When the paste ends, returns its text on one line, without control characters. Before the
  /// end, returns nil.
  private mutating func readPaste() -> String? {
    let end = bytes.firstRange(of: KeyDecoder.pasteEnd)
    // If the end marker is missing, the last bytes may be its beginning, and stay in `bytes`.
    let length = end?.lowerBound ?? max(0, bytes.count - KeyDecoder.pasteEnd.count + 1)
    let text = (pastedBytes ?? []) + bytes.prefix(min(length, KeyDecoder.maxPaste - (pastedBytes?.count ?? 0)))
    bytes.removeFirst(end?.upperBound ?? length)
    pastedBytes = end == nil ? text : nil
    return end == nil ? nil : KeyDecoder.onOneLine(text)
  }

  /// The text of a paste with each group of white space and control characters replaced by one space.
  private static func onOneLine(_ text: [UInt8]) -> String {
    let words = String(decoding: text, as: UTF8.self).split {
      $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return words.joined(separator: " ")
  }

  /// Returns the keys of the remaining bytes. Call it if no further byte has arrived within `timeLimit`: then an escape byte was the key
  /// Escape and not the start of a sequence, or the end of a paste was lost.
  mutating func flush() -> [TerminalKey] {
    defer { (bytes, pastedBytes) = ([], nil) }
    if let pastedBytes {
      let text = KeyDecoder.onOneLine(pastedBytes + bytes)
      return text.isEmpty ? [] : [.text(text)]
    }
    return bytes.first == KeyDecoder.escape ? [.escape] : []
  }

  /// The first key and its number of bytes; nil while bytes are missing. The key is nil for bytes without a meaning here.
  private mutating func nextKey() -> (Int, TerminalKey?)? {
    guard let firstByte = bytes.first else { return nil }
    // The control characters have the meanings of readline(3): Ctrl-U is 0x15, Ctrl-W is 0x17, Ctrl-A is 0x01.
    switch firstByte {
    case KeyDecoder.escape: return sequenceKey()
    case 0x0D, 0x0A: return (1, .enter)
    case 0x7F, 0x08: return (1, .backspace)
    case 0x15: return (1, .clear)
    case 0x17: return (1, .deleteWord)
    case 0x01: return (1, .home)
    case 0x05: return (1, .end)
    case 0x02: return (1, .left)
    case 0x06: return (1, .right)
    case 0x10: return (1, .up)
    case 0x0E: return (1, .down)
    case 0x03, 0x04: return (1, .quit)
    case 0..<0x20: return (1, nil)
    default: return letterKey(firstByte)
    }
  }

  /// The key of `ESC [ … final`, of `ESC O final` or of Alt-Backspace. In any other bytes, the first key is Escape.
  private mutating func sequenceKey() -> (Int, TerminalKey?)? {
    guard bytes.count > 1 else { return nil }
    if bytes[1] == 0x7F || bytes[1] == 0x08 { return (2, .deleteWord) }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return (1, .escape) }
    guard let end = bytes[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // No key has a sequence this long.
      return bytes.count > 32 ? (bytes.count, nil) : nil
    }
    switch bytes[end] {
    case UInt8(ascii: "A"): return (end + 1, .up)
    case UInt8(ascii: "B"): return (end + 1, .down)
    case UInt8(ascii: "C"): return (end + 1, .right)
    case UInt8(ascii: "D"): return (end + 1, .left)
    case UInt8(ascii: "H"): return (end + 1, .home)
    case UInt8(ascii: "F"): return (end + 1, .end)
    case UInt8(ascii: "~"): return (end + 1, numberedKey(bytes[2..<end]))
    default: return (end + 1, nil)
    }
  }

  /// The key of `ESC [ number ~`; nil for a key without a meaning here, and for the beginning of a paste.
  private mutating func numberedKey(_ number: ArraySlice<UInt8>) -> TerminalKey? {
    switch String(decoding: number, as: UTF8.self) {
    case "1", "7": return .home
    case "4", "8": return .end
    case "3": return .delete
    case "200":
      pastedBytes = []
      return nil
    default: return nil
    }
  }

  /// The key of a letter in UTF-8; bytes that are not valid UTF-8 have no meaning.
  private func letterKey(_ firstByte: UInt8) -> (Int, TerminalKey?)? {
    let length =
      switch firstByte {
      case ..<0x80: 1
      case 0xC0..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0...: 4
      default: 0
      }
    guard length > 0 else { return (1, nil) }
    guard bytes.count >= length else { return nil }
    guard let text = String(validating: bytes[..<length], as: UTF8.self) else { return (1, nil) }
    return (length, .text(text))
  }
}
