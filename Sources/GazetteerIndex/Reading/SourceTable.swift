import PlacesKit
import SQLite

/// A source as the index tells it.
struct StoredSource {
  var name: String
  var attribution: Attribution
  var records: Int
  var imported: Double
}

extension IndexFile {
  /// Sources by their numbers.
  func sources() throws(SQLiteError) -> [Int: StoredSource] {
    if let known = knownSources { return known }
    var sources: [Int: StoredSource] = [:]
    let statement = try database.statement("SELECT number, name, attribution, url, places, imported FROM source")
    defer { statement.reset() }
    while try statement.step() {
      let url = statement.text(3)
      sources[statement.integer(0)] = StoredSource(
        name: statement.text(1), attribution: Attribution(text: statement.text(2), url: url.isEmpty ? nil : url),
        records: statement.integer(4), imported: statement.real(5))
    }
    knownSources = sources
    return sources
  }

  /// What must be shown with a place of these sources; some want nothing shown.
  func credits(of numbers: [Int]) throws(SQLiteError) -> [Attribution] {
    guard !numbers.isEmpty else { return [] }
    let sources = try sources()
    return numbers.compactMap { sources[$0]?.attribution }.filter { !$0.text.isEmpty }
  }

  /// Metres to a place; infinite where nobody knows where it is.
  func distance(of rank: UInt32, to point: Coordinate) -> Double {
    guard let columns = mapped.columns(rank), columns.point != .none else { return .infinity }
    return columns.point.coordinate?.distance(to: point) ?? .infinity
  }
}
