import Glibc
import SQLite

/// Copies the records of the other sources from the old index to the new one.
enum SourceMerge {
  /// Throws `writing` if the path is a file that is not an index.
  static func check(_ path: String) throws(GazetteerError) {
    guard IndexSignature.mayBeReplaced(path) else {
      throw .writing(path: path, reason: "the existing file is not a gazetteer index; move it away, or choose another path")
    }
  }

  /// Returns the number of the source that is built (its old one, or else the next), and the names of the sources that were lost.
  ///
  /// A build of Debian's data replaces a damaged index, and the records of the other sources are lost.
  /// - Throws: `damaged` for a damaged index and any other source, which must not drop the others silently; `writing` for the new file.
  static func copyOthers(
    from path: String, replacing source: GazetteerSource, to index: Database, scratch: Database
  ) throws -> (number: Int, lost: [String]) {
    var number = first(source)
    var others: [String] = []
    var lost: [String] = []
    var status = stat()
    if stat(path, &status) == 0, status.st_size > 0 {
      do {
        number = try copy(from: path, replacing: source, to: index, scratch: scratch, &others)
      } catch GazetteerError.damaged where source.name == GazetteerSource.debian.name {
        lost = others
        try index.execute("DELETE FROM source")
        try scratch.execute("DELETE FROM staged")
      }
    }
    try register(source, number: number, in: index)
    return (number, lost)
  }

  private static func copy(
    from path: String, replacing source: GazetteerSource, to index: Database, scratch: Database, _ others: inout [String]
  ) throws -> Int {
    let old = try opened(path)
    var own: Int?
    var highest = 2
    let sources = try reading(path) {
      try old.statement("SELECT number, name, attribution, url, places, imported FROM source")
    }
    while try reading(path, sources.step) {
      highest = max(highest, sources.integer(0))
      if sources.text(1) == source.name {
        own = sources.integer(0)
        continue
      }
      others.append(sources.text(1))
      try index.run(
        "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)", Value(sources.integer(0)), .text(sources.text(1)), .text(sources.text(2)),
        .text(sources.text(3)), Value(sources.integer(4)), .real(sources.real(5)))
    }
    let number = own ?? (first(source) > 2 ? highest + 1 : first(source))
    let places = try reading(path) { try old.statement("SELECT id, record FROM place") }
    while try reading(path, places.step) {
      let id = places.text(0)
      // Section 0 is derived by each build.
      for section in RecordSections(places.blob(1)[...]) where section.source != number && section.source != 0 {
        let original = section.source > 2 ? TownDeduplication.original(section.fields, at: id) : nil
        try scratch.run(
          "INSERT INTO staged VALUES (?, ?, ?)", .text(original?.id ?? id), Value(section.source),
          .blob(original?.fields ?? Array(section.fields)))
      }
    }
    return number
  }

  private static func opened(_ path: String) throws -> Database {
    let (old, application, version) = try reading(path) {
      let old = try Database(path, mode: .immutable)
      return (old, try old.integer("PRAGMA application_id"), try old.integer("PRAGMA user_version") ?? 0)
    }
    guard application == IndexSchema.applicationID, (IndexSchema.oldestCarried...IndexSchema.version).contains(version) else {
      throw GazetteerError.damaged(
        path: path, reason: application == IndexSchema.applicationID ? "made by another version" : "not a gazetteer index")
    }
    return old
  }

  private static func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError { throw GazetteerError.damaged(path: path, reason: error.message) }
  }

  /// Imports take precedence over a GeoNames dump, and that over Debian's data.
  private static func first(_ source: GazetteerSource) -> Int { source.name == "debian" ? 1 : source.name == "geonames" ? 2 : 3 }

  private static func register(_ source: GazetteerSource, number: Int, in index: Database) throws {
    try index.run(
      "INSERT INTO source VALUES (?, ?, ?, ?, 0, 0)", Value(number), .text(source.name), .text(source.attribution.text),
      .text(source.attribution.url ?? ""))
  }
}
