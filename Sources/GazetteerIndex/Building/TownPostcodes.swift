import PlacesKit
import Text

/// The postcodes of towns, as the addresses in them tell: a map writes them on houses and seldom on the town.
struct TownPostcodes {
  /// How many addresses of a town, by the hash of its name and its cell, have each code.
  private var counts: [UInt64: [String: Int]] = [:]

  /// A town has no more, which is enough for Berlin; where each street has a code of its own, none of them says the town.
  private static let most = 250
  /// One address in so many is written wrongly, or over the border.
  private static let doubtful = 50

  mutating func add(_ record: GazetteerRecord) {
    guard let code = record.postcode, let town = record.locality, let point = record.location else { return }
    counts[TownPostcodes.key(town, TownGrid.cell(point, 0, 0)), default: [:]][code, default: 0] += 1
  }

  /// The codes of a town, that of most addresses first.
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
    return codes.count > TownPostcodes.most ? [] : codes
  }

  private static func key(_ town: String, _ cell: Int) -> UInt64 { key(folded: Folding.key(town), cell) }

  private static func key(folded town: String, _ cell: Int) -> UInt64 {
    FNV1a.extended(FNV1a.hash(town.utf8), UInt64(bitPattern: Int64(cell)))
  }
}
