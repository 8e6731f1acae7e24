import PlacesKit

/// Converts a GeoJSON feature collection (RFC 7946), which is a single JSON text, to a text sequence of its features (RFC 8142). Passes
/// other input on unchanged. Line breaks remain, so that errors can name a line.
final class FeatureCollectionSource: ByteSource {
  private enum State {
    /// Nothing has been read.
    case unread
    /// The input is not a feature collection.
    case unconverted
    /// Inside a feature, or between two features if the depth of `nesting` is 0.
    case features
    /// After the features. `nesting` includes the brace of the collection, so its depth is 0 after the collection.
    case afterFeatures
  }

  private let source: any ByteSource
  private var state = State.unread
  private var nesting = JSONNesting()
  /// The current line, from 1.
  private var line = 1
  /// The beginning of the feature that is not complete yet, and its line.
  private var incompleteFeature: (bytes: [UInt8], line: Int) = ([], 1)

  /// The maximum number of bytes before the first feature. An input with more is not treated as a collection.
  private static let maxHeadLength = 1 << 20

  init(_ source: any ByteSource) { self.source = source }

  var name: String { source.name }
  var position: (done: Int, total: Int?) { source.position }

  func read() throws(GazetteerError) -> [UInt8] {
    if state == .unread { return try readHead() }
    while true {
      let chunk = try source.read()
      guard !chunk.isEmpty else {
        guard state == .features else { return [] }
        throw nesting.depth > 0 ? incompleteFeatureError(isAtEnd: true) : sourceError("ends in the middle of its features, on line \(line)")
      }
      let converted = try convert(chunk[...])
      // An empty chunk would mean the end.
      if !converted.isEmpty { return converted }
    }
  }

  /// Reads the input up to the first feature, and returns the first converted bytes.
  private func readHead() throws(GazetteerError) -> [UInt8] {
    var head: [UInt8] = []
    while true {
      let chunk = try source.read()
      head += chunk
      switch FeatureCollectionSource.findFeatures(in: head) {
      case .begin(let start):
        state = .features
        line += newlineCount(head[..<start])
        // The record separator at the beginning tells `RecordStream` that the output is a text sequence and not lines.
        return [0x1E] + head[..<start].filter { $0 == 0x0A } + (try convert(head[start...]))
      case .incomplete where !chunk.isEmpty && head.count < FeatureCollectionSource.maxHeadLength: continue
      default:
        state = .unconverted
        return head
      }
    }
  }

  /// The result of looking for the features in the bytes read so far.
  private enum Head {
    /// The features begin at this offset.
    case begin(Int)
    /// The input is not a feature collection.
    case notCollection
    /// More bytes are needed.
    case incomplete
  }

  /// Looks for the features, which begin after `"features": [` in the first object.
  private static func findFeatures(in bytes: [UInt8]) -> Head {
    var nesting = JSONNesting()
    // The last string and the index of its first byte. A comma, a number or a word such as `true` resets the string.
    var key: ArraySlice<UInt8> = []
    var keyStart = 0
    for (index, byte) in bytes.enumerated() {
      let (wasInString, depthBefore) = (nesting.isInString, nesting.depth)
      nesting.read(byte)
      if nesting.isInString {
        if !wasInString { keyStart = index + 1 }
      } else if wasInString {
        key = bytes[keyStart..<index]
      } else if nesting.depth > depthBefore {
        if depthBefore == 1, byte == UInt8(ascii: "["), key.elementsEqual("features".utf8) { return .begin(index + 1) }
      } else if nesting.depth < depthBefore {
        if nesting.depth == 0 { return .notCollection }
      } else if ![UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        if nesting.depth == 0 { return .notCollection }
        key = []
      }
    }
    return .incomplete
  }

  /// Converts a chunk of the input after its head.
  private func convert(_ bytes: ArraySlice<UInt8>) throws(GazetteerError) -> [UInt8] {
    switch state {
    case .features: return try convertFeatures(bytes)
    case .afterFeatures:
      for byte in bytes {
        if nesting.depth == 0, ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
          throw .source(path: name, reason: "contains more than one collection: import each under its own name")
        }
        nesting.read(byte)
        if nesting.depth > GeoJSONFeatureReader.limits.depth { throw sourceError("the members after its features are nested too deeply") }
      }
      return bytes.filter { $0 == 0x0A }
    case .unread, .unconverted: return Array(bytes)
    }
  }

  /// Copies the features in a chunk, each after a record separator, and all line breaks; drops the commas between the features. Passes what
  /// follows the features to `convert`.
  private func convertFeatures(_ bytes: ArraySlice<UInt8>) throws(GazetteerError) -> [UInt8] {
    var converted: [UInt8] = []
    // The capacity includes a separator for every 64 bytes, because few features are shorter.
    converted.reserveCapacity(bytes.count + bytes.count / 64)
    var start = bytes.startIndex
    for (index, byte) in zip(bytes.indices, bytes) {
      if byte == 0x0A { line += 1 }
      if nesting.depth > 0 {
        converted.append(byte)
        let isBalanced = nesting.read(byte)
        if nesting.depth > GeoJSONFeatureReader.limits.depth + 1 { throw sourceError("line \(line): a feature is nested too deeply") }
        if !isBalanced {
          incompleteFeature.bytes += bytes[start...index]
          throw incompleteFeatureError(isAtEnd: false)
        }
      } else if byte == UInt8(ascii: "{") {
        converted += [0x1E, byte]
        nesting.read(byte)
        start = index
        incompleteFeature = ([], line)
      } else if byte == UInt8(ascii: "]") {
        state = .afterFeatures
        nesting = JSONNesting(openBrackets: [UInt8(ascii: "{")])
        return converted + (try convert(bytes[(index + 1)...]))
      } else if byte == 0x0A {
        converted.append(byte)
      } else if ![UInt8(ascii: ","), 0x20, 0x09, 0x0D].contains(byte) {
        throw sourceError("line \(line): neither a feature nor the end of the features")
      }
    }
    if nesting.depth > 0 { incompleteFeature.bytes += bytes[start...].prefix(max(0, RecordStream.limit - incompleteFeature.bytes.count)) }
    return converted
  }

  /// The error of the feature that is not complete. If it contains invalid JSON, its brackets may never close, so the syntax error is
  /// reported instead of the end of the input.
  private func incompleteFeatureError(isAtEnd: Bool) -> GazetteerError {
    do {
      _ = try JSONValue(parsing: incompleteFeature.bytes, limits: GeoJSONFeatureReader.limits)
    } catch  where !isAtEnd || !GeoJSONFeatureReader.mayBeCut(error, incompleteFeature.bytes.count) {
      return sourceError(
        "line \(incompleteFeature.line + newlineCount(incompleteFeature.bytes.prefix(error.offset))): not JSON: \(error.reason.rawValue)")
    } catch {}
    return sourceError("ends in the middle of the feature that begins on line \(incompleteFeature.line)")
  }

  private func sourceError(_ reason: String) -> GazetteerError { .source(path: name, reason: "\(reason); the index was not changed") }

  /// The number of line breaks.
  private func newlineCount(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == 0x0A } }
}

/// Tracks the open brackets of a JSON text that is read byte by byte.
private struct JSONNesting {
  private var openBrackets: [UInt8]
  private(set) var isInString = false
  private var isEscaped = false

  init(openBrackets: [UInt8] = []) { self.openBrackets = openBrackets }

  var depth: Int { openBrackets.count }

  /// Reads the next byte. Returns false for a closing bracket of another kind than the last open one, which it closes anyway.
  @discardableResult mutating func read(_ byte: UInt8) -> Bool {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return true
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): openBrackets.append(byte)
    // In ASCII, the code of each closing bracket is that of its opening bracket plus two.
    case UInt8(ascii: "]"), UInt8(ascii: "}"): return openBrackets.popLast() == byte - 2
    default: break
    }
    return true
  }
}
