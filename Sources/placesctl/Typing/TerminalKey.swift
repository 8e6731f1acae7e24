/// A key press.
enum TerminalKey: Sendable, Hashable {
  case text(String)
  case backspace
  /// Deletes everything, or the last word.
  case clear, word
  case up, down, enter, escape
  /// Ctrl-C, Ctrl-D, or a terminal that was closed.
  case leave
}

/// Turns a terminal's bytes into keys, however they are cut (ECMA-48 sequences, UTF-8).
struct KeyDecoder: Sendable {
  private var bytes: [UInt8] = []
  private static let escape: UInt8 = 0x1B

  /// True if the bytes may be the start of a longer sequence.
  var isPending: Bool { !bytes.isEmpty }

  mutating func take(_ more: some Sequence<UInt8>) -> [TerminalKey] {
    bytes += more
    var keys: [TerminalKey] = []
    while let (length, key) = next() {
      bytes.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// No further byte arrived in time: the escape byte was the key Escape and not the start of a sequence.
  mutating func quiet() -> [TerminalKey] {
    defer { bytes = [] }
    return bytes.first == KeyDecoder.escape ? [.escape] : []
  }

  /// The first key and how many bytes it takes; nil while bytes are missing.
  private func next() -> (Int, TerminalKey?)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case KeyDecoder.escape: return sequence()
    case 0x0D, 0x0A: return (1, .enter)
    case 0x7F, 0x08: return (1, .backspace)
    case 0x15: return (1, .clear)
    case 0x17: return (1, .word)
    case 0x10: return (1, .up)
    case 0x0E: return (1, .down)
    case 0x03, 0x04: return (1, .leave)
    case 0..<0x20: return (1, nil)
    default: return letter(first)
    }
  }

  /// `ESC [ … final`, `ESC O final`; anything else begins with the key Escape.
  private func sequence() -> (Int, TerminalKey?)? {
    guard bytes.count > 1 else { return nil }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return (1, .escape) }
    guard let end = bytes[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // No key has a sequence this long.
      return bytes.count > 32 ? (bytes.count, nil) : nil
    }
    switch bytes[end] {
    case UInt8(ascii: "A"): return (end + 1, .up)
    case UInt8(ascii: "B"): return (end + 1, .down)
    default: return (end + 1, nil)
    }
  }

  private func letter(_ first: UInt8) -> (Int, TerminalKey?)? {
    let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
    guard length > 0 else { return (1, nil) }
    guard bytes.count >= length else { return nil }
    guard let text = String(validating: bytes[..<length], as: UTF8.self) else { return (1, nil) }
    return (length, .text(text))
  }
}
