import PlacesKit
import Text

/// Derives the postcodes of towns from the addresses in them, because a map has postcodes on houses and seldom on towns.
struct TownPostcodes {
  /// The number of addresses with each code, by the hash of the town's name and cell.
  private var counts: [UInt64: [String: Int]] = [:]

  /// The maximum number of codes of a town, which is enough for Berlin. A town with more codes has one for each street, so none of them is
  /// used.
  private static let maxCodes = 250
  /// A code is doubtful if it has a single address, or if the town's most frequent code has more than this many times as many addresses. A
  /// doubtful code is a mistake, or belongs to a neighbouring town.
  private static let maxRatio = 50

  /// Counts the postcode of an address. Ignores a record without a postcode, town or location.
  mutating func add(_ record: GazetteerRecord) {
    guard let code = record.postcode, let town = record.locality, let point = record.location else { return }
    counts[FNV1a.extended(FNV1a.hash(Folding.key(town).utf8), TownGrid.grid.cell(point)), default: [:]][code, default: 0] += 1
  }

  /// The codes of a town without the doubtful ones, the most frequent code first.
  func codes(of record: GazetteerRecord) -> [String] {
    guard !counts.isEmpty, record.types.first == "locality", let point = record.location else { return [] }
    /// The number of addresses with each code.
    var addressCounts: [String: Int] = [:]
    for name in Set(([record.name] + record.names.map(\.text)).map { FNV1a.hash(Folding.key($0).utf8) }) {
      for cell in TownGrid.grid.cells(around: point) { addressCounts.merge(counts[FNV1a.extended(name, cell)] ?? [:], uniquingKeysWith: +) }
    }
    let minAddresses = max(2, (addressCounts.values.max() ?? 0) / TownPostcodes.maxRatio)
    let certainCodes = addressCounts.filter { $0.value >= minAddresses }
    guard certainCodes.count <= TownPostcodes.maxCodes else { return [] }
    return certainCodes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}
