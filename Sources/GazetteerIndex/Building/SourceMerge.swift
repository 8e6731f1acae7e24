import Glibc
import SQLite

/// The numbers of the sources in an index. A higher number takes precedence: imports over a GeoNames dump, and the dump over Debian's data.
enum SourceNumber {
  /// The number of the sections that contain what the build derives (`RecordSections`).
  static let derived = 0
  static let debian = 1
  static let geoNames = 2

  /// Whether a source is an import of features, such as OpenStreetMap data. The comments of the builder call it a map.
  static func isMap(_ number: Int) -> Bool { number > geoNames }
}

/// Copies the records of the other sources from the old index to the new one.
enum SourceMerge {
  /// Copies the records of all sources except `source`. Returns the number of `source`, which is its number in the old index or else a new
  /// one; and the names of the sources that were lost.
  ///
  /// A build of Debian's data replaces a damaged index. The records of the other sources are then lost.
  /// - Throws: `damaged` if the old index is damaged and `source` is not Debian's data, because such an import must not drop the other
  ///   sources silently; SQLite's error if the new index cannot be written.
  static func copyOthers(
    from path: String, replacing source: GazetteerSource, to index: Database, scratch: Database
  ) throws -> (number: Int, lost: [String]) {
    var number = fixedNumber(of: source) ?? SourceNumber.geoNames + 1
    var otherSources: [String] = []
    var lost: [String] = []
    var status = stat()
    if stat(path, &status) == 0, status.st_size > 0 {
      do {
        number = try copy(from: path, replacing: source, to: index, scratch: scratch, &otherSources)
      } catch GazetteerError.damaged where source.name == GazetteerSource.debian.name {
        lost = otherSources
        try index.execute("DELETE FROM source")
        try scratch.execute("DELETE FROM staged")
      }
    }
    try index.run(
      "INSERT INTO source VALUES (?, ?, ?, ?, 0, 0)", Value(number), .text(source.name), .text(source.attribution.text),
      .text(source.attribution.url ?? ""))
    return (number, lost)
  }

  /// Copies the records from an undamaged index. Returns the number of `source`.
  /// - Parameter otherSources: receives the names of the other sources, also if an error is thrown.
  private static func copy(
    from path: String, replacing source: GazetteerSource, to index: Database, scratch: Database, _ otherSources: inout [String]
  ) throws -> Int {
    let old = try openIndex(path)
    var existingNumber: Int?
    var highestNumber = SourceNumber.geoNames
    let sources = try readOldIndex(path) {
      try old.statement("SELECT number, name, attribution, url, places, imported FROM source")
    }
    while try readOldIndex(path, sources.step) {
      highestNumber = max(highestNumber, sources.integer(0))
      if sources.text(1) == source.name {
        existingNumber = sources.integer(0)
        continue
      }
      otherSources.append(sources.text(1))
      try index.run(
        "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)", Value(sources.integer(0)), .text(sources.text(1)), .text(sources.text(2)),
        .text(sources.text(3)), Value(sources.integer(4)), .real(sources.real(5)))
    }
    let number = existingNumber ?? fixedNumber(of: source) ?? highestNumber + 1
    let places = try readOldIndex(path) { try old.statement("SELECT id, record FROM place") }
    while try readOldIndex(path, places.step) {
      let id = places.text(0)
      for section in RecordSections(places.blob(1)[...]) where ![number, SourceNumber.derived].contains(section.source) {
        let original = SourceNumber.isMap(section.source) ? TownDeduplication.originalRecord(id: id, section.fields) : nil
        try scratch.run(
          "INSERT INTO staged VALUES (?, ?, ?)", .text(original?.id ?? id), Value(section.source),
          .blob(original?.fields ?? Array(section.fields)))
      }
    }
    return number
  }

  /// Opens the old index, if its version can be copied. Throws `damaged`.
  private static func openIndex(_ path: String) throws -> Database {
    let (old, application, version) = try readOldIndex(path) {
      let old = try Database(path, mode: .immutable)
      return (old, try old.integer("PRAGMA application_id"), try old.integer("PRAGMA user_version") ?? 0)
    }
    guard application == IndexSchema.applicationID, (IndexSchema.oldestCopiedVersion...IndexSchema.version).contains(version) else {
      let isIndex = application == IndexSchema.applicationID
      throw GazetteerError.damaged(
        path: path, reason: isIndex ? "it was made by another version of placesd" : "it is not a gazetteer index")
    }
    return old
  }

  /// Runs a body that reads the old index, and converts an SQLite error to `damaged`.
  private static func readOldIndex<Output>(_ path: String, _ body: () throws -> Output) throws -> Output {
    do { return try body() } catch let error as SQLiteError { throw GazetteerError.damaged(path: path, reason: error.message) }
  }

  /// The number that a source has in every index; nil for an import of features.
  private static func fixedNumber(of source: GazetteerSource) -> Int? {
    switch source.name {
    case GazetteerSource.debian.name: SourceNumber.debian
    case GazetteerSource.geoNames.name: SourceNumber.geoNames
    default: nil
    }
  }
}
