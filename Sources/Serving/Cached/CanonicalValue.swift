/// One spelling for each JSON value: numbers as their eight bytes, members in the order of their keys, elements of a set in
/// order and each once.
enum CanonicalValue {
  private static let mostMembers = 16
  private static let deepest = 5

  /// Steps over a value. False for what is not usual.
  static func skip(_ scanner: inout ParameterScanner, depth: Int = 0) -> Bool {
    guard depth < deepest else { return false }
    switch scanner.peek() {
    case UInt8(ascii: "\""): return scanner.plainString() != nil
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return scanner.boolean() != nil
    case UInt8(ascii: "{"):
      return skipList(&scanner, from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { $0.key() != nil && skip(&$0, depth: depth + 1) }
    case UInt8(ascii: "["):
      return skipList(&scanner, from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { skip(&$0, depth: depth + 1) }
    default: return scanner.number() != nil
    }
  }

  private static func skipList(
    _ scanner: inout ParameterScanner, from open: UInt8, to close: UInt8, element: (inout ParameterScanner) -> Bool
  ) -> Bool {
    guard scanner.take(open) else { return false }
    if scanner.take(close) { return true }
    repeat { guard element(&scanner) else { return false } } while scanner.take(UInt8(ascii: ","))
    return scanner.take(close)
  }

  /// Appends a value that `skip` has passed. `asSet` puts the elements of an array, which must be strings, in order.
  static func append(_ scanner: inout ParameterScanner, to key: inout [UInt8], asSet: Bool = false) -> Bool {
    switch scanner.peek() {
    case UInt8(ascii: "\""):
      guard let range = scanner.plainString() else { return false }
      key.append(UInt8(ascii: "s"))
      for index in range { key.append(scanner.bytes[index]) }
      key.append(0)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard let value = scanner.boolean() else { return false }
      key.append(value ? UInt8(ascii: "t") : UInt8(ascii: "f"))
    case UInt8(ascii: "{"): return appendObject(&scanner, to: &key)
    case UInt8(ascii: "["): return asSet ? appendSet(&scanner, to: &key) : appendArray(&scanner, to: &key)
    default:
      guard let number = scanner.number() else { return false }
      key.append(UInt8(ascii: "n"))
      // Zero has two spellings and one meaning.
      withUnsafeBytes(of: (number == 0 ? 0 : number).bitPattern) { key.append(contentsOf: $0) }
    }
    return true
  }

  private static func appendArray(_ scanner: inout ParameterScanner, to key: inout [UInt8]) -> Bool {
    key.append(UInt8(ascii: "["))
    _ = scanner.take(UInt8(ascii: "["))
    if !scanner.take(UInt8(ascii: "]")) {
      repeat { guard append(&scanner, to: &key) else { return false } } while scanner.take(UInt8(ascii: ","))
      guard scanner.take(UInt8(ascii: "]")) else { return false }
    }
    key.append(UInt8(ascii: "]"))
    return true
  }

  /// Strings in the order of their bytes. An element that stands twice is for the long road to judge.
  private static func appendSet(_ scanner: inout ParameterScanner, to key: inout [UInt8]) -> Bool {
    var elements: [Range<Int>] = []
    _ = scanner.take(UInt8(ascii: "["))
    if !scanner.take(UInt8(ascii: "]")) {
      repeat {
        guard let element = scanner.plainString(), elements.count < mostMembers else { return false }
        elements.append(element)
      } while scanner.take(UInt8(ascii: ","))
      guard scanner.take(UInt8(ascii: "]")) else { return false }
    }
    elements.sort { scanner.bytes.precedes($0, $1) }
    key.append(UInt8(ascii: "["))
    for element in elements {
      for index in element { key.append(scanner.bytes[index]) }
      key.append(0)
    }
    key.append(UInt8(ascii: "]"))
    return true
  }

  private static func appendObject(_ scanner: inout ParameterScanner, to key: inout [UInt8]) -> Bool {
    var members: [(key: Range<Int>, value: Int)] = []
    _ = scanner.take(UInt8(ascii: "{"))
    if !scanner.take(UInt8(ascii: "}")) {
      repeat {
        guard let name = scanner.key(), members.count < mostMembers else { return false }
        members.append((name, scanner.position))
        guard skip(&scanner) else { return false }
      } while scanner.take(UInt8(ascii: ","))
      guard scanner.take(UInt8(ascii: "}")) else { return false }
    }
    members.sort { scanner.bytes.precedes($0.key, $1.key) }
    key.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      // A key that stands twice is an error, which the long road tells.
      if index > 0, !scanner.bytes.precedes(members[index - 1].key, member.key) { return false }
      for position in member.key { key.append(scanner.bytes[position]) }
      key.append(0)
      var value = ParameterScanner(scanner.bytes, at: member.value)
      guard append(&value, to: &key) else { return false }
    }
    key.append(UInt8(ascii: "}"))
    return true
  }
}
