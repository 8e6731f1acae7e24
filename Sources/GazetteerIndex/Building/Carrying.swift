import Glibc
import SQLite

/// Brings what other sources put into the old index over to the new one.
enum Carrying {
  /// Returns the number of the source that is being built: the one it had, else the next.
  static func over(
    from path: String, replacing source: GazetteerSource, to index: Database, scratch: Database
  ) throws(SQLiteError) -> Int {
    guard access(path, F_OK) == 0 else { return try register(source, number: first(source), in: index) }
    let old: Database
    do {
      old = try Database(path, mode: .immutable)
      guard try old.integer("PRAGMA application_id") == Schema.applicationID,
        let version = try old.integer("PRAGMA user_version"), (Schema.oldestCarried...Schema.version).contains(version)
      else { return try register(source, number: first(source), in: index) }
    } catch {
      // A damaged index has nothing to carry over; it is what a new build mends.
      return try register(source, number: first(source), in: index)
    }
    var own: Int?
    var highest = 2
    let sources = try old.statement("SELECT number, name, attribution, url, places, imported FROM source")
    while try sources.step() {
      highest = max(highest, sources.integer(0))
      if sources.text(1) == source.name {
        own = sources.integer(0)
        continue
      }
      try index.run(
        "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)", Value(sources.integer(0)), .text(sources.text(1)), .text(sources.text(2)),
        .text(sources.text(3)), Value(sources.integer(4)), .real(sources.real(5)))
    }
    let fresh = first(source) > 2 ? highest + 1 : first(source)
    let number = own ?? fresh
    let places = try old.statement("SELECT id, record FROM place")
    while try places.step() {
      let id = places.text(0)
      // Section 0 is what the build itself worked out; it is worked out anew.
      for section in StoredPlace(places.blob(1)[...]) where section.source != number && section.source != 0 {
        try scratch.run("INSERT INTO staged VALUES (?, ?, ?)", .text(id), Value(section.source), .blob(Array(section.fields)))
      }
    }
    return try register(source, number: number, in: index)
  }

  /// Debian's data is believed least, then a GeoNames dump, then what was imported after it.
  private static func first(_ source: GazetteerSource) -> Int { source.name == "debian" ? 1 : source.name == "geonames" ? 2 : 3 }

  private static func register(_ source: GazetteerSource, number: Int, in index: Database) throws(SQLiteError) -> Int {
    try index.run(
      "INSERT INTO source VALUES (?, ?, ?, ?, 0, 0)", Value(number), .text(source.name), .text(source.attribution.text),
      .text(source.attribution.url ?? ""))
    return number
  }
}
