import PlacesKit

extension Autocomplete {
  /// `schema.scan`, compiled for these parameters: other modules would run the generic code.
  public static func scan(_ params: Span<UInt8>, key: inout [UInt8]) -> Parameters? { schema.scan(params, key: &key) }
}

/// The road of cached answers: the key of a request found from its bytes, mostly without decoding a value.
extension Schema {
  /// Writes into `key` what `canonical` gives for the same parameters. Returns the parameters that do not name the answer (session,
  /// seq, deadline, stream, cache), all others at their defaults. Nil sends the request along the long road: its spelling is
  /// unusual, or something is wrong with it. A key of parameters that are wrong after all is that of no valid request.
  public func scan(_ params: Span<UInt8>, key: inout [UInt8]) -> Root? {
    guard fields.count <= 32, let found = members(of: params) else { return nil }
    var root = initial
    key.removeAll(keepingCapacity: true)
    key.append(UInt8(ascii: "{"))
    for index in fields.indices {
      let field = fields[index]
      guard found.ends[index] > 0 else {
        if field.isRequired { return nil }
        continue
      }
      let value = params.extracting(found.starts[index]..<found.ends[index])
      switch field.names {
      case .request: guard field.read(value, into: &root) else { return nil }
      case .answer: guard field.append(value, to: &key, blank: initial) else { return nil }
      }
    }
    key.append(UInt8(ascii: "}"))
    do throws(InvalidParameter) { try check(root) } catch { return nil }
    return root
  }

  /// Where the value of each field stands; its end is 0 where it is absent.
  private struct Members {
    var starts = InlineArray<32, Int>(repeating: 0)
    var ends = InlineArray<32, Int>(repeating: 0)
  }

  private func members(of params: Span<UInt8>) -> Members? {
    var (scanner, found) = (JSONScanner(), Members())
    guard scanner.take(UInt8(ascii: "{"), in: params) else { return nil }
    if scanner.take(UInt8(ascii: "}"), in: params) { return found }
    repeat {
      guard let name = scanner.key(in: params), let index = field(named: name, of: params),
        found.ends[index] == 0, scanner.peek(in: params) != nil, let value = scanner.value(in: params)
      else { return nil }
      found.starts[index] = value.lowerBound
      found.ends[index] = value.upperBound
    } while scanner.take(UInt8(ascii: ","), in: params)
    return scanner.take(UInt8(ascii: "}"), in: params) ? found : nil
  }

  private func field(named name: Range<Int>, of params: Span<UInt8>) -> Int? {
    var start = 0
    for index in ends.indices {
      let end = ends[index]
      if end - start == name.count {
        var offset = 0
        while offset < name.count, params[name.lowerBound + offset] == letters[start + offset] { offset += 1 }
        if offset == name.count { return index }
      }
      start = end
    }
    return nil
  }
}

extension Field {
  /// `"name":`
  fileprivate func appendName(to key: inout [UInt8]) {
    if key.count > 1 { key.append(UInt8(ascii: ",")) }
    key.append(UInt8(ascii: "\""))
    key.append(contentsOf: nameBytes)
    key.append(UInt8(ascii: "\""))
    key.append(UInt8(ascii: ":"))
  }

  fileprivate func append(_ value: Span<UInt8>, to key: inout [UInt8], blank: Root) -> Bool {
    if let isCanonical, isCanonical(value) {
      if !value.equals(standardBytes, in: 0..<value.count) {
        appendName(to: &key)
        value.withUnsafeBufferPointer { key.append(contentsOf: $0) }
      }
      return true
    }
    var root = blank
    guard read(value, into: &root) else { return false }
    guard let canonical = encode(root) else { return true }
    appendName(to: &key)
    key.append(contentsOf: canonical.bytes)
    return true
  }

  fileprivate func read(_ value: Span<UInt8>, into root: inout Root) -> Bool {
    guard let json = value.withUnsafeBufferPointer({ try? JSONValue(parsing: $0) }) else { return false }
    do throws(InvalidParameter) { try decode(json, &root) } catch { return false }
    return true
  }
}

/// Whether bytes of a value are exactly what writing the value would give; "no" only costs time.
enum Canonical {
  /// A whole number from 0 on.
  static let integer: @Sendable (Span<UInt8>) -> Bool = { bytes in
    guard 1...15 ~= bytes.count, bytes[0] != UInt8(ascii: "0") || bytes.count == 1 else { return false }
    for index in bytes.indices where bytes[index] &- UInt8(ascii: "0") > 9 { return false }
    return true
  }

  static let boolean: @Sendable (Span<UInt8>) -> Bool = { $0[0] == UInt8(ascii: "t") || $0[0] == UInt8(ascii: "f") }

  /// A language of two or three letters, without region or script.
  static let language: @Sendable (Span<UInt8>) -> Bool = { bytes in
    guard 4...5 ~= bytes.count else { return false }
    for index in 1..<bytes.count - 1 where bytes[index] &- UInt8(ascii: "a") > 25 { return false }
    return bytes[0] == UInt8(ascii: "\"")
  }

  static let region: @Sendable (Span<UInt8>) -> Bool = { bytes in
    bytes.count == 4 && bytes[0] == UInt8(ascii: "\"") && bytes[1] &- UInt8(ascii: "A") < 26 && bytes[2] &- UInt8(ascii: "A") < 26
  }

  /// A trimmed text in letters that no normalization changes: printable ASCII, Latin with precomposed letters (U+00C0…U+02FF),
  /// Cyrillic (U+0400…U+047F), ideographs (U+4E00…U+9FFF). The text is known to be UTF-8 and shorter than any limit.
  static let text: @Sendable (Span<UInt8>) -> Bool = { bytes in
    guard 3...258 ~= bytes.count, bytes[0] == UInt8(ascii: "\""), bytes[1] != 0x20, bytes[bytes.count - 2] != 0x20 else { return false }
    var index = 1
    while index < bytes.count - 1 {
      switch bytes[index] {
      case UInt8(ascii: "\\"), 0x7F: return false
      case 0x20..<0x7F: index += 1
      case 0xC3...0xCB, 0xD0...0xD1: index += 2
      case 0xE4 where bytes[index + 1] >= 0xB8, 0xE5...0xE9: index += 3
      default: return false
      }
    }
    return true
  }
}

extension Span<UInt8> {
  fileprivate func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
    guard range.count == other.count else { return false }
    for offset in 0..<range.count where self[range.lowerBound + offset] != other[offset] { return false }
    return true
  }
}
