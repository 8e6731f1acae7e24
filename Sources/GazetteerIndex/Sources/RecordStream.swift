/// Cuts bytes into records: lines, or where the first byte is a record separator (0x1E), GeoJSON text sequences (RFC 8142).
struct RecordStream {
  /// A longer record is skipped as a bad one.
  static let limit = 8 << 20

  private let source: any ByteSource
  private var buffer: [UInt8] = []
  private var start = 0
  private var separator: UInt8?
  private var isAtEnd = false
  /// The line that the last record began on, from 1.
  private(set) var line = 0
  /// Whether the last record is the input's last and no line break ends it, as where the input was cut off.
  private(set) var isOpen = false
  private var nextLine = 1

  init(_ source: any ByteSource) { self.source = source }

  enum Record {
    case bytes(ArraySlice<UInt8>)
    case tooLong
  }

  /// The next record without its separator and without white space around it, never empty; nil at the end.
  mutating func next() throws(GazetteerError) -> Record? {
    while true {
      if let separator, let end = buffer[start...].firstIndex(of: separator) {
        let record = trimmed(start, end)
        countLines(in: buffer[start...end])
        start = end + 1
        if !record.isEmpty { return .bytes(record) }
        continue
      }
      if buffer.count - start > RecordStream.limit {
        try skip()
        return .tooLong
      }
      if isAtEnd {
        let record = trimmed(start, buffer.count)
        countLines(in: buffer[start...])
        start = buffer.count
        isOpen = buffer.last != 0x0A
        return record.isEmpty ? nil : .bytes(record)
      }
      try fill()
    }
  }

  private mutating func fill() throws(GazetteerError) {
    buffer.removeFirst(start)
    start = 0
    let piece = try source.read()
    isAtEnd = piece.isEmpty
    buffer += piece
    if separator == nil, let first = buffer.first { separator = first == 0x1E ? 0x1E : 0x0A }
  }

  private mutating func skip() throws(GazetteerError) {
    while let separator {
      if let end = buffer[start...].firstIndex(of: separator) {
        countLines(in: buffer[start...end])
        start = end + 1
        return
      }
      countLines(in: buffer[start...])
      start = buffer.count
      if isAtEnd { return }
      try fill()
    }
  }

  private mutating func countLines(in bytes: ArraySlice<UInt8>) {
    line = nextLine
    // A record's line is that of its first byte, after any line breaks.
    if separator == 0x1E, bytes.first == 0x0A { line += 1 }
    nextLine += bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
  }

  private func trimmed(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
    // Tabs are columns and stay.
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x1E }
    var slice = buffer[start..<end]
    while let first = slice.first, isSpace(first) { slice = slice.dropFirst() }
    while let last = slice.last, isSpace(last) { slice = slice.dropLast() }
    return slice
  }
}

/// Opens a file, or a named pipe, by its contents: plain, gzip or zip. The path `-` is standard input, which cannot be a zip.
/// - Parameter isCancelled: called while no input arrives, as in `FileSource`.
public func openSource(_ path: String, isCancelled: @escaping () -> Bool = { false }) throws(GazetteerError) -> any ByteSource {
  let isStandardInput = path == "-"
  let file =
    isStandardInput
    ? FileSource(descriptor: 0, name: "standard input", isCancelled: isCancelled) : try FileSource(path: path, isCancelled: isCancelled)
  let start = try file.read()
  if OpenStreetMapFile.begins(start) { throw OpenStreetMapFile.error(file.name) }
  // The directory of a zip is at its end, so a zip must be a file.
  if !isStandardInput, start.starts(with: [0x50, 0x4b]) { return try ZipSource(FileSource.contents(of: path, limit: 2 << 30), name: path) }
  return start.starts(with: [0x1f, 0x8b]) ? try GzipSource(file, start: start) : PrefixedSource(start, file)
}

/// Maps in OpenStreetMap's own forms, whose ways are numbers of nodes until `osmium` puts them together.
public enum OpenStreetMapFile {
  /// Whether a file is one by its name: `.pbf`, `.osm`, also compressed.
  public static func isNamed(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return !Set(name.lowercased().split(separator: ".").dropFirst()).isDisjoint(with: ["osm", "pbf", "o5m"])
      && !name.lowercased().contains("json")
  }

  /// The error for a format that is not supported, with the command to use instead.
  public static func error(_ path: String) -> GazetteerError {
    .source(
      path: path,
      reason:
        "is in OpenStreetMap's own format; run `osmium export -f geojsonseq -u type_id FILE | placesctl gazetteer import --name NAME -`"
    )
  }

  /// PBF has the name of its first block after six bytes; XML begins with a declaration or a tag.
  fileprivate static func begins(_ start: [UInt8]) -> Bool {
    start.dropFirst(6).starts(with: "OSMHeader".utf8) || start.starts(with: "<?xml".utf8) || start.starts(with: "<osm".utf8)
  }
}

/// A source whose first piece was already read to detect its format.
private final class PrefixedSource: ByteSource {
  private var start: [UInt8]?
  private let rest: any ByteSource

  init(_ start: [UInt8], _ rest: any ByteSource) {
    self.start = start
    self.rest = rest
  }

  var name: String { rest.name }
  var position: (done: Int, total: Int?) { rest.position }

  func read() throws(GazetteerError) -> [UInt8] {
    guard let piece = start else { return try rest.read() }
    start = nil
    return piece
  }
}

/// Calls for every line of a file, plain, gzip or zip; for tools that read the same data.
public func eachRecord(of path: String, _ body: (String) throws -> Void) throws {
  var records = RecordStream(try openSource(path))
  while let record = try records.next() {
    if case .bytes(let bytes) = record { try body(String(decoding: bytes, as: UTF8.self)) }
  }
}
