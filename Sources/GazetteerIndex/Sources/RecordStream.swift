/// Divides bytes into records. If the first byte is a record separator (0x1E), the records are the texts of a GeoJSON text sequence (RFC
/// 8142); otherwise they are lines.
struct RecordStream {
  /// The maximum length of a record in bytes. A longer one is skipped as damaged.
  static let limit = 8 << 20

  private let source: any ByteSource
  private var buffer: [UInt8] = []
  /// The index in the buffer of the next record.
  private var start = 0
  /// The byte that separates records: 0x1E or a line break; nil until the first byte is read.
  private var separator: UInt8?
  private var isAtEnd = false
  /// The line on which the last record began, from 1.
  private(set) var line = 0
  /// Whether the last record is at the end of the input and no line break ends it. The input may have been cut off there.
  private(set) var mayBeCut = false
  /// The line on which the next record begins.
  private var nextLine = 1

  init(_ source: any ByteSource) { self.source = source }

  enum Record {
    case bytes(ArraySlice<UInt8>)
    /// A record of more than `limit` bytes, which was skipped.
    case tooLong
  }

  /// The next record that is not empty, without its separator and without white space around it; nil at the end.
  mutating func next() throws(GazetteerError) -> Record? {
    while true {
      if let separator, let end = buffer[start...].firstIndex(of: separator) {
        let record = trimmed(start..<end)
        countLines(in: buffer[start...end])
        start = end + 1
        if !record.isEmpty { return .bytes(record) }
        continue
      }
      if buffer.count - start > RecordStream.limit {
        try skipRecord()
        return .tooLong
      }
      if isAtEnd {
        let record = trimmed(start..<buffer.count)
        countLines(in: buffer[start...])
        start = buffer.count
        mayBeCut = buffer.last != 0x0A
        return record.isEmpty ? nil : .bytes(record)
      }
      try fill()
    }
  }

  /// Reads the next chunk into the buffer.
  private mutating func fill() throws(GazetteerError) {
    buffer.removeFirst(start)
    start = 0
    let chunk = try source.read()
    isAtEnd = chunk.isEmpty
    buffer += chunk
    if separator == nil, let firstByte = buffer.first { separator = firstByte == 0x1E ? 0x1E : 0x0A }
  }

  /// Skips the current record, which is too long.
  private mutating func skipRecord() throws(GazetteerError) {
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

  /// Sets `line` for a record that consists of these bytes, and counts their line breaks.
  private mutating func countLines(in bytes: ArraySlice<UInt8>) {
    line = nextLine
    // A record's line is that of its first byte, after any line breaks.
    if separator == 0x1E, bytes.first == 0x0A { line += 1 }
    nextLine += bytes.count { $0 == 0x0A }
  }

  /// The bytes in a range of the buffer, without white space at both ends.
  private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
    // Tabs separate columns, so they remain.
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x1E }
    var slice = buffer[range]
    while let firstByte = slice.first, isSpace(firstByte) { slice = slice.dropFirst() }
    while let lastByte = slice.last, isSpace(lastByte) { slice = slice.dropLast() }
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
  let firstChunk = try file.peek()
  if OpenStreetMapFile.begins(firstChunk) { throw OpenStreetMapFile.error(file.name) }
  // A zip begins with `PK`. Its directory is at its end, so it must be a file.
  if !isStandardInput, firstChunk.starts(with: [0x50, 0x4b]) {
    return try ZipSource(FileSource.contents(of: path, limit: 2 << 30), name: path)
  }
  // Gzip data begins with these bytes (RFC 1952).
  return firstChunk.starts(with: [0x1f, 0x8b]) ? try GzipSource(file) : file
}

/// Recognizes files in OpenStreetMap's own formats. They cannot be imported, because their ways refer to nodes instead of having
/// coordinates.
public enum OpenStreetMapFile {
  /// Whether the extensions of a file's name include `.pbf`, `.osm` or `.o5m`, as in `monaco.osm.bz2`.
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

  /// Whether these are the first bytes of such a file: PBF has the name of its first block after six bytes; XML begins with a declaration
  /// or a tag.
  fileprivate static func begins(_ start: [UInt8]) -> Bool {
    start.dropFirst(6).starts(with: "OSMHeader".utf8) || start.starts(with: "<?xml".utf8) || start.starts(with: "<osm".utf8)
  }
}

/// Calls the body with every line of a plain, gzip or zip file. Used by tools that read the same data as the builder.
public func eachRecord(of path: String, _ body: (String) throws -> Void) throws {
  var records = RecordStream(try openSource(path))
  while let record = try records.next() {
    if case .bytes(let bytes) = record { try body(String(decoding: bytes, as: UTF8.self)) }
  }
}
