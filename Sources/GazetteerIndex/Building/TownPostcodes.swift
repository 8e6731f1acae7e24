import PlacesKit
import Text

/// The postcodes of towns, from the addresses in them: a map has them on houses and seldom on the town.
struct TownPostcodes {
  /// The number of addresses with each code, by the hash of the town's name and cell.
  private var counts: [UInt64: [String: Int]] = [:]

  /// The maximum number of codes of a town, which is enough for Berlin. A town with more has a code for each street, and none is used.
  private static let maxCodes = 250
  /// A code that fewer than one in this many addresses has is an error, or belongs to a neighbouring town.
  private static let doubtful = 50

  mutating func add(_ record: GazetteerRecord) {
    guard let code = record.postcode, let town = record.locality, let point = record.location else { return }
    counts[TownPostcodes.key(town, TownGrid.cell(point, 0, 0)), default: [:]][code, default: 0] += 1
  }

  /// The codes of a town, the most frequent one first.
  func codes(of record: GazetteerRecord) -> [String] {
    guard !counts.isEmpty, record.types.first == "locality", let point = record.location else { return [] }
    var found: [String: Int] = [:]
    for name in Set(([record.name] + record.names.map(\.text)).map { Folding.key($0) }) {
      for north in -1...1 {
        for east in -1...1 {
          found.merge(counts[TownPostcodes.key(folded: name, TownGrid.cell(point, north, east))] ?? [:], uniquingKeysWith: +)
        }
      }
    }
    let least = max(2, (found.values.max() ?? 0) / TownPostcodes.doubtful)
    let codes = found.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    return codes.count > TownPostcodes.maxCodes ? [] : codes
  }

  private static func key(_ town: String, _ cell: Int) -> UInt64 { key(folded: Folding.key(town), cell) }

  private static func key(folded town: String, _ cell: Int) -> UInt64 {
    FNV1a.extended(FNV1a.hash(town.utf8), UInt64(bitPattern: Int64(cell)))
  }
}
