import GazetteerIndex
import PlacesKit
import PlacesTesting

/// Bytes in memory as an importer's source.
final class MemorySource: ByteSource {
  let name: String
  private var bytes: [UInt8]
  private let total: Int

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
    total = bytes.count
  }

  var position: (done: Int, total: Int?) { (total - bytes.count, total) }

  func read() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// An index built from a few lines, in its own directory.
struct SmallIndex {
  let folder: TemporaryFolder
  let reader: GazetteerReader
  let report: BuildReport

  var path: String { folder.file("gazetteer.db") }

  /// `lines` are of the GeoNames dump, `regions` of admin1CodesASCII.txt.
  init(lines: [String], regions: [String] = []) throws {
    folder = try TemporaryFolder()
    let dump = try folder.write(lines.joined(separator: "\n") + "\n", to: "dump.txt")
    let names = try folder.write(regions.joined(separator: "\n") + "\n", to: "regions.txt")
    report = try GazetteerBuilder(path: folder.file("gazetteer.db")).importGeoNames(dump, regions: names)
    reader = try GazetteerReader(path: folder.file("gazetteer.db"))
  }

  /// A line of the dump.
  static func line(
    _ id: Int, _ name: String, _ others: String = "", _ latitude: Double, _ longitude: Double, _ country: String, _ region: String,
    _ population: Int, code: String = "P\tPPL"
  ) -> String {
    "\(id)\t\(name)\t\(name)\t\(others)\t\(latitude)\t\(longitude)\t\(code)\t\(country)\t\t\(region)\t\t\t\t\(population)\t\t\tUTC\t2024-01-01"
  }

  /// Cities that people mix up and misspell.
  static func world() throws -> SmallIndex {
    try SmallIndex(
      lines: [
        line(2_867_714, "Munich", "München,Мюнхен,慕尼黑,MUC", 48.137, 11.575, "DE", "02", 1_260_391),
        line(2_950_159, "Berlin", "BER,Berlino,柏林", 52.524, 13.411, "DE", "16", 3_426_354),
        line(5_083_330, "Berlin", "", 44.469, -71.185, "US", "NH", 9367),
        line(3_448_439, "São Paulo", "SP,Sampa", -23.547, -46.636, "BR", "27", 10_021_295),
        line(4_407_066, "St. Louis", "Saint Louis,STL", 38.627, -90.198, "US", "MO", 315_685),
        line(2_988_507, "Paris", "Lutetia,Париж", 48.853, 2.349, "FR", "11", 2_138_551),
        line(4_717_560, "Paris", "", 33.661, -95.556, "US", "TX", 24_839),
        line(4_250_542, "Springfield", "", 39.802, -89.644, "US", "IL", 116_565),
        line(4_409_896, "Springfield", "", 37.215, -93.298, "US", "MO", 166_810),
        line(5_391_959, "San Francisco", "Frisco,SF", 37.775, -122.419, "US", "CA", 864_816),
        line(5_128_581, "New York City", "NYC,New York,Big Apple", 40.714, -74.006, "US", "NY", 8_804_190),
        line(2_759_794, "Amsterdam", "AMS", 52.374, 4.89, "NL", "07", 741_636),
        line(5_368_361, "Los Angeles", "LA,LAX", 34.052, -118.244, "US", "CA", 3_971_883),
        line(2_193_733, "Suva", "", -18.142, 178.442, "FJ", "01", 77_366),
      ],
      regions: [
        "DE.02\tBavaria\tBavaria\t2951839", "DE.16\tBerlin\tBerlin\t2950157", "US.NH\tNew Hampshire\tNew Hampshire\t5090174",
        "US.TX\tTexas\tTexas\t4736286", "US.IL\tIllinois\tIllinois\t4896861", "US.MO\tMissouri\tMissouri\t4398678",
        "US.CA\tCalifornia\tCalifornia\t5332921", "FR.11\tÎle-de-France\tIle-de-France\t3012874", "US.NY\tNew York\tNew York\t5128638",
      ])
  }

  /// The ids of an answer.
  func ids(_ query: String, _ change: (inout AutocompleteRequest) -> Void = { _ in }) throws -> [String] {
    var request = AutocompleteRequest(query: query)
    change(&request)
    return try reader.autocomplete(request).rows.compactMap(\.id)
  }
}
