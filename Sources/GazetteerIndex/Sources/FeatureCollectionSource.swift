import PlacesKit

/// Converts a GeoJSON feature collection (RFC 7946), which is a single JSON text, to a sequence of its features (RFC 8142). Other input is
/// unchanged. Line breaks remain, so that errors can name a line.
final class FeatureCollectionSource: ByteSource {
  private enum State {
    case unread
    case other
    /// Between the features (0), or inside one at this nesting depth.
    case features(depth: Int)
    /// After the last feature, at this nesting depth.
    case rest(depth: Int)
  }

  private let source: any ByteSource
  private var state = State.unread
  private var isInString = false
  private var isEscaped = false
  /// The current line, from 1.
  private var line = 1
  /// The beginning of the feature that is not complete yet, and its line.
  private var open: (bytes: [UInt8], line: Int) = ([], 1)
  /// The open brackets of that feature.
  private var brackets: [UInt8] = []

  /// The limit for the bytes before the first feature.
  private static let maxHeadLength = 1 << 20

  init(_ source: any ByteSource) { self.source = source }

  var name: String { source.name }
  var position: (done: Int, total: Int?) { source.position }

  func read() throws(GazetteerError) -> [UInt8] {
    if case .unread = state { return try begin() }
    while true {
      let piece = try source.read()
      guard !piece.isEmpty else {
        if case .features(let depth) = state {
          throw depth > 0 ? fault(isAtEnd: true) : wrong("ends in the middle of its features, on line \(line)")
        }
        return []
      }
      let given = try cut(piece[...])
      // An empty chunk means the end.
      if !given.isEmpty { return given }
    }
  }

  private func begin() throws(GazetteerError) -> [UInt8] {
    var head: [UInt8] = []
    while true {
      let piece = try source.read()
      head += piece
      switch FeatureCollectionSource.features(in: head) {
      case .begin(let start):
        state = .features(depth: 0)
        line += newlines(head[..<start])
        // The separator at the beginning marks a text sequence, as opposed to lines.
        return [0x1E] + head[..<start].filter { $0 == 0x0A } + (try cut(head[start...]))
      case .unknown where !piece.isEmpty && head.count < FeatureCollectionSource.maxHeadLength: continue
      default:
        state = .other
        return head
      }
    }
  }

  private enum Head: Equatable {
    case begin(Int)
    case none
    case unknown
  }

  /// The offset of the features, after `"features": [` of the first object; `unknown` if more bytes are needed.
  private static func features(in bytes: [UInt8]) -> Head {
    var depth = 0
    var text: [UInt8]?
    var isEscaped = false
    var key: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if let open = text {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          key = open
          text = nil
        } else {
          // A longer text is not the key.
          text = open.count < 16 ? open + [byte] : open
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): text = []
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 1, byte == UInt8(ascii: "["), key.elementsEqual("features".utf8) { return .begin(index + 1) }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth <= 0 { return .none }
      case UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: break
      default:
        if depth == 0 { return .none }
        key = []
      }
    }
    return .unknown
  }

  private func cut(_ bytes: ArraySlice<UInt8>) throws(GazetteerError) -> [UInt8] {
    guard case .features(var depth) = state else {
      guard case .rest(var depth) = state else { return Array(bytes) }
      for byte in bytes {
        if depth == 0, ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
          throw .source(path: name, reason: "contains more than one collection: import each under its own name")
        }
        depth = self.depth(behind: byte, depth)
      }
      state = .rest(depth: depth)
      return bytes.filter { $0 == 0x0A }
    }
    var given: [UInt8] = []
    given.reserveCapacity(bytes.count + bytes.count / 64)
    var start = bytes.startIndex
    for (index, byte) in zip(bytes.indices, bytes) {
      if byte == 0x0A { line += 1 }
      if depth > 0 {
        given.append(byte)
        let before = depth
        depth = self.depth(behind: byte, depth)
        if depth > before { brackets.append(byte) }
        if depth > GeoJSONFeatureReader.limits.depth + 1 { throw wrong("line \(line): a feature is nested too deeply") }
        // In ASCII, both closing brackets are two after the opening ones.
        if depth < before, brackets.popLast() != byte - 2 {
          open.bytes += bytes[start...index]
          throw fault(isAtEnd: false)
        }
      } else if byte == UInt8(ascii: "{") {
        given += [0x1E, byte]
        depth = 1
        start = index
        open = ([], line)
        brackets = [byte]
      } else if byte == UInt8(ascii: "]") {
        // The bracket of the collection is still open.
        state = .rest(depth: 1)
        return given + (try cut(bytes[(index + 1)...]))
      } else if byte == 0x0A {
        given.append(byte)
      } else if ![UInt8(ascii: ","), 0x20, 0x09, 0x0D].contains(byte) {
        throw wrong("line \(line): neither a feature nor the end of the features")
      }
    }
    if depth > 0 { open.bytes += bytes[start...].prefix(max(0, RecordStream.limit - open.bytes.count)) }
    state = .features(depth: depth)
    return given
  }

  /// The error of the incomplete feature. After invalid JSON its brackets may not close, so the syntax error is reported instead of the end of
  /// the input.
  private func fault(isAtEnd: Bool) -> GazetteerError {
    do {
      _ = try JSONValue(parsing: open.bytes, limits: GeoJSONFeatureReader.limits)
    } catch  where !isAtEnd || !GeoJSONFeatureReader.isBegun(error, open.bytes.count) {
      return wrong("line \(open.line + newlines(open.bytes.prefix(error.offset))): not JSON: \(error.reason.rawValue)")
    } catch {}
    return wrong("ends in the middle of the feature that begins on line \(open.line)")
  }

  private func wrong(_ reason: String) -> GazetteerError { .source(path: name, reason: "\(reason); the index was not changed") }

  private func newlines(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == 0x0A } }

  private func depth(behind byte: UInt8, _ depth: Int) -> Int {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return depth
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): return depth + 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"): return depth - 1
    default: break
    }
    return depth
  }
}
