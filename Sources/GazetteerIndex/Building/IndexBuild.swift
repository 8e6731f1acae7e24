import Glibc
import PlacesKit
import SQLite

/// One run of the builder: it writes a new file beside the old index, with a scratch file for sorting.
struct IndexBuild {
  let path: String
  let source: GazetteerSource
  var report = BuildReport()
  let index: Database
  let scratch: Database
  /// The number of `source` in the index.
  let sourceNumber: Int
  private var meter: ProgressMeter
  private let lock: BuildLock

  /// The path of the new file until it is complete.
  private var buildingPath: String { index.path }

  /// Locks the index, creates the new file and the scratch file, and copies the records of the other sources from the old index.
  init(
    path: String, source: GazetteerSource, time: any TimeSource, progress: @escaping (BuildProgress) -> Void,
    isCancelled: @escaping () -> Bool
  ) throws(GazetteerError) {
    self.path = path
    self.source = source
    meter = ProgressMeter(time: time, progress: progress, isCancelled: isCancelled)
    guard IndexSignature.mayBeReplaced(path) else {
      throw .writing(path: path, reason: "the existing file is not a gazetteer index; move it away, or choose another path")
    }
    lock = try BuildLock(path)
    // The names of the files are fixed, so that a build finds and removes the files of an earlier build that was killed.
    let buildingPath = "\(path).building"
    do {
      IndexBuild.remove(buildingPath)
      index = try Database(buildingPath, mode: .readWrite)
      scratch = try Database("\(buildingPath)-scratch", mode: .readWrite)
      // Nothing protects these files from a crash, because no other process reads them and a crashed build is useless. Each file has a
      // cache of 24 MB, and sorting takes as much again.
      for database in [index, scratch] {
        try database.execute(
          "PRAGMA page_size = 8192; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -24000"
        )
      }
      try index.execute("PRAGMA application_id = \(IndexSchema.applicationID); PRAGMA user_version = \(IndexSchema.version)")
      try index.execute(IndexSchema.tables)
      try scratch.execute(IndexSchema.scratch)
      try index.execute("BEGIN")
      try scratch.execute("BEGIN")
      (sourceNumber, report.lost) = try SourceMerge.copyOthers(from: path, replacing: source, to: index, scratch: scratch)
      // A stored place has one byte for the number of a source.
      guard sourceNumber <= UInt8.max else {
        throw GazetteerError.writing(
          path: path, reason: "an index can have \(UInt8.max) imports; import under an existing name, which replaces that import")
      }
    } catch {
      IndexBuild.remove(buildingPath)
      throw GazetteerError(error, buildingIndexAt: path)
    }
  }

  /// Removes the unfinished files.
  func discard() { IndexBuild.remove(buildingPath) }

  /// Removes the files of this build or of one that was killed.
  private static func remove(_ buildingPath: String) {
    for file in [buildingPath, "\(buildingPath)-scratch"] {
      for suffix in ["", "-journal"] { unlink(file + suffix) }
    }
  }

  /// Stages a record of the source: stores it in the scratch file, from which `finish` reads and merges it.
  mutating func stage(_ record: GazetteerRecord) throws {
    try scratch.run("INSERT INTO staged VALUES (?, ?, ?)", .text(record.id), Value(sourceNumber), .blob(record.encoded))
    report.taken += 1
  }

  /// Reads an input, and stages its records.
  /// - Parameter parse: parses one record. It returns the place, the reason to skip the record, or nil for a record without a name.
  mutating func read(
    _ source: any ByteSource, _ parse: (ArraySlice<UInt8>) -> Result<GazetteerRecord, BadRecord>?
  ) throws {
    var records = RecordStream(source)
    meter.begin(.reading)
    while let nextRecord = try records.next() {
      let position = source.position
      try meter.tick(position.done, of: position.total)
      switch nextRecord {
      case .tooLong: reportBadRecord(records.line, "longer than \(RecordStream.limit >> 20) MiB")
      case .bytes(let bytes):
        switch parse(bytes) {
        case .success(let record): try stage(record)
        case .failure(let bad) where bad == .unknownKind: report.unknown += 1
        case .failure(let bad) where records.mayBeCut && bad.mayBeCut && report.taken > 0:
          // Half of an input must not replace the whole of it in the index. If it has no place at all, `readAtLeastOne` throws.
          let fault = "ends in the middle of line \(records.line) (\(bad.reason))"
          let message = "\(fault): the program that wrote it may have failed; the index was not changed"
          throw GazetteerError.source(path: source.name, reason: message)
        case .failure(let bad): reportBadRecord(records.line, bad.reason)
        case nil: report.unnamed += 1
        }
      }
    }
  }

  /// Like `read`, but an input without a single place is an error: an empty pipe usually means that the program before it failed.
  mutating func readAtLeastOne(
    _ source: any ByteSource, _ parse: (ArraySlice<UInt8>) -> Result<GazetteerRecord, BadRecord>?
  ) throws {
    let takenBefore = report.taken
    try read(source, parse)
    guard report.taken == takenBefore else { return }
    let firstFault = report.badRecords.first.map { "line \($0.line): \($0.reason)" }
    let unknownKinds = report.unknown > 0 ? "its named features are of unknown kinds" : nil
    let reason = firstFault ?? unknownKinds ?? (report.unnamed > 0 ? "none of its records has a name" : "it is empty")
    throw GazetteerError.source(path: source.name, reason: "contains no place (\(reason)); the index was not changed")
  }

  private mutating func reportBadRecord(_ line: Int, _ reason: String) {
    report.bad += 1
    if report.badRecords.count < 100 { report.badRecords.append(.init(line: line, reason: reason)) }
  }

  /// Merges, ranks and indexes the records, and replaces the old file.
  mutating func finish() throws {
    var aggregation = PlaceAggregation(scratch: scratch)
    try aggregation.run(&meter)
    var writer = PlaceWriter(index: index, scratch: scratch)
    report.places = try writer.run(&meter)
    let filterWords = try PostingListWriter.writeAll(index: index, scratch: scratch, &meter).words
    let terms = try FrontCodedDictionary.write(termsIn: scratch)
    // `MappedSection` describes this layout: the columns, the filter, the terms, the checksum.
    var section = writer.columnSpool
    for word in filterWords { try section.add(word) }
    try terms.append(to: &section)
    let checksum = section.checksum.value
    try section.add(checksum)
    try section.flush()
    let size = MappedSection.Size(places: report.places, filterWords: filterWords.count, blocks: terms.count, blockWords: terms.wordCount)
    for (key, value) in size.metaEntries + [("mapped_checksum", Int(checksum))] {
      try index.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", .text(key), Value(value))
    }
    let now = Value.real(meter.time.wall())
    try index.run("UPDATE source SET imported = ?, places = ? WHERE number = ?", now, Value(report.taken), Value(sourceNumber))
    try index.run("INSERT INTO meta VALUES ('built', ?)", now)
    try index.execute("COMMIT")
    try scratch.execute("COMMIT")
    report.bytes = try publish(section)
  }

  /// Writes the mapped section behind the database, syncs the file and renames it over the old index. Returns the size of the file.
  private func publish(_ section: IntegerSpool) throws -> Int {
    let file = open(buildingPath, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw BuildFailure.system(errno) }
    defer { close(file) }
    try section.write(to: file, at: index.mappedSectionOffset())
    var status = stat()
    guard fsync(file) == 0, fstat(file, &status) == 0, fchmod(file, 0o644) == 0, rename(buildingPath, path) == 0 else {
      throw BuildFailure.system(errno)
    }
    unlink("\(buildingPath)-scratch")
    // Syncing the folder makes the renaming durable. If that fails, the index is still complete. If the path has no slash, the folder is
    // the working directory.
    let folderPath = path.lastIndex(of: "/").map { String(path[..<$0]) + "/." } ?? "."
    let folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    return Int(status.st_size)
  }
}

extension Database {
  /// The offset of the mapped section in the index file, in bytes.
  func mappedSectionOffset() throws(SQLiteError) -> Int {
    try MappedSection.offset(pages: integer("PRAGMA page_count") ?? 0, pageSize: integer("PRAGMA page_size") ?? 0)
  }
}

/// Reports progress, ten times a second at most, and checks for cancellation.
struct ProgressMeter {
  let time: any TimeSource
  let progress: (BuildProgress) -> Void
  let isCancelled: () -> Bool
  private var phase = BuildProgress.Phase.reading
  private var phaseStart = 0.0
  private var lastReport = 0.0
  private var ticks = 0

  init(time: any TimeSource, progress: @escaping (BuildProgress) -> Void, isCancelled: @escaping () -> Bool) {
    self.time = time
    self.progress = progress
    self.isCancelled = isCancelled
  }

  /// Starts a phase. The next tick reports it.
  mutating func begin(_ phase: BuildProgress.Phase) {
    self.phase = phase
    phaseStart = time.monotonic()
    lastReport = phaseStart - 1
    ticks = 0
  }

  /// Call it for every record. Every 256th call reads the clock, and throws `cancelled` if the build was cancelled.
  mutating func tick(_ done: Int, of total: Int?) throws {
    defer { ticks &+= 1 }
    guard ticks & 255 == 0 else { return }
    if isCancelled() { throw GazetteerError.cancelled }
    let now = time.monotonic()
    guard now - lastReport >= 0.1 || ticks == 0 else { return }
    lastReport = now
    progress(BuildProgress(phase: phase, done: done, total: total, seconds: now - phaseStart))
  }
}
