import PlacesKit
import SQLite

/// The lists of types that places have. Each list has a number, and begins with the most specific type.
final class TypeTable {
  private let database: Database
  /// The lists by number; nil until they are read from the file.
  private var lists: [[PlaceType]]?

  init(_ database: Database) { self.database = database }

  /// All lists by number; the list 0 is empty and means no type.
  func all() throws(SQLiteError) -> [[PlaceType]] {
    if let lists { return lists }
    var allLists: [[PlaceType]] = [[]]
    let statement = try database.statement("SELECT types FROM types ORDER BY number")
    defer { statement.reset() }
    while try statement.step() { allLists.append(statement.text(0).split(separator: " ").map { PlaceType(rawValue: String($0)) }) }
    lists = allLists
    return allLists
  }

  /// The list with a number; empty for an unknown number.
  func types(_ number: UInt16) throws(SQLiteError) -> [PlaceType] {
    let lists = try all()
    return Int(number) < lists.count ? lists[Int(number)] : []
  }
}

/// Looks up countries and regions by number and by code.
final class AreaTable {
  /// The code of an area, and the rank of the place that is this area, or 0 if the index has no such place.
  struct Entry {
    var code: String
    var rank: UInt32
  }

  private let database: Database
  /// The entries read so far. Access is not checked for exclusivity, because areas are looked up for every row, and only one task at a time
  /// uses an index file.
  @exclusivity(unchecked) private var entries: [UInt16: Entry] = [:]

  init(_ database: Database) { self.database = database }

  /// The country or region with a number; nil for 0 and for an unknown number.
  func entry(_ number: UInt16) throws(SQLiteError) -> Entry? {
    guard number > 0 else { return nil }
    if let entry = entries[number] { return entry }
    let statement = try database.statement("SELECT code, rank FROM area WHERE number = ?")
    defer { statement.reset() }
    try statement.bind(Int64(number), at: 1)
    guard try statement.step() else { return nil }
    let entry = Entry(code: statement.text(0), rank: UInt32(clamping: statement.integer(1)))
    // At most 65,535 entries are cached; the world has about 4,000 countries and regions.
    entries[number] = entry
    return entry
  }

  /// The number of a code such as `DE` or `US.TX`; nil if no place lies in the area and none is the area.
  func number(_ code: String) throws(SQLiteError) -> UInt16? {
    try database.integer("SELECT number FROM area WHERE code = ?", .text(code)).flatMap { UInt16(exactly: $0) }
  }

  /// The area number of a place that is itself a country or region; nil for any other place.
  func number(ofPlace rank: UInt32, _ columns: PlaceColumns) throws(SQLiteError) -> UInt16? {
    for number in [columns.region, columns.country] {
      if let entry = try entry(number), entry.rank == rank { return number }
    }
    return nil
  }
}

/// Caches the names of areas by area and language. The cache is emptied when it is full.
final class AreaNameCache {
  /// The maximum number of names, which bounds the memory of the cache.
  private static let maxCount = 4_096

  /// The language of each area's local name, by the number of the area. Nil is stored if the area's names do not show the language; a
  /// missing key means that the language was not looked up yet. At most 65,535 entries.
  var languages: [UInt16: String?] = [:]
  private var names: [String: [UInt16: String]] = [:]
  /// The number of names.
  private var count = 0

  subscript(area: UInt16, language: String) -> String? {
    get { names[language]?[area] }
    set {
      if count >= AreaNameCache.maxCount {
        names.removeAll()
        count = 0
      }
      names[language, default: [:]][area] = newValue
      count += 1
    }
  }
}

extension IndexFile {
  /// The sources by number.
  func sources() throws(SQLiteError) -> [Int: GazetteerInfo.Source] {
    if let cachedSources { return cachedSources }
    var sources: [Int: GazetteerInfo.Source] = [:]
    let statement = try database.statement("SELECT number, name, attribution, url, places, imported FROM source")
    defer { statement.reset() }
    while try statement.step() {
      let url = statement.text(3)
      sources[statement.integer(0)] = GazetteerInfo.Source(
        name: statement.text(1), attribution: Attribution(text: statement.text(2), url: url.isEmpty ? nil : url),
        records: statement.integer(4), imported: statement.real(5))
    }
    cachedSources = sources
    return sources
  }

  /// The credits of the sources with these numbers. A source that needs none is left out.
  func credits(of numbers: [Int]) throws(SQLiteError) -> [Attribution] {
    guard !numbers.isEmpty else { return [] }
    let sources = try sources()
    return numbers.compactMap { sources[$0]?.attribution }.filter { !$0.text.isEmpty }
  }

  /// The distance of a place from a point, in metres; infinite if the place's location is unknown.
  func distance(of rank: UInt32, to point: Coordinate) -> Double {
    mapped.columns(rank)?.point.coordinate?.distance(to: point) ?? .infinity
  }
}
