import GazetteerIndex
import Glibc

/// The index on which the gazetteer is measured: Debian's cities and the 234,908 cities of `geonames/cities500.txt.gz` in the data folder.
struct GazetteerBenchmarkIndex {
  let path: String
  /// Whether `discard` keeps the file.
  private let isKept: Bool
  /// The result of the build; nil if the index existed.
  let report: BuildReport?

  /// - Parameters:
  ///   - file: the file of the index, which is built if it does not exist; nil to build a file that `discard` removes.
  ///   - data: the folder with GeoNames' dump; if it is nil, the index contains Debian's cities alone.
  init(at file: String?, data: String? = nil) {
    if let file {
      path = file
      isKept = true
    } else {
      var template = Array("/tmp/places-quality-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { complain("cannot make a folder in /tmp") }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/gazetteer.db"
      isKept = false
    }
    guard access(path, F_OK) != 0 else {
      report = nil
      return
    }
    do {
      let builder = GazetteerBuilder(path: path)
      var report = DebianData.installed() == nil ? nil : try builder.build()
      if let data {
        report = try builder.importGeoNames(GazetteerBenchmarkIndex.dump(in: data), regions: "\(data)/geonames/admin1CodesASCII.txt")
      }
      self.report = report
    } catch { complain(error.message) }
  }

  /// Ends the program if the data folder has no dump, before anything is measured.
  static func requireDump(in data: String) {
    let file = dump(in: data)
    guard access(file, R_OK) == 0 else { complain("\(file): \(String(cString: strerror(errno)))") }
  }

  private static func dump(in data: String) -> String { "\(data)/geonames/cities500.txt.gz" }

  /// Removes a file that was built for this run.
  func discard() {
    guard !isKept else { return }
    unlink(path)
    rmdir(String(path.dropLast("/gazetteer.db".count)))
  }

  /// Opens the index. Ends the program if it cannot be opened.
  func reader() -> GazetteerReader {
    do { return try GazetteerReader(path: path) } catch { complain(error.message) }
  }
}

/// A tab-separated file. The first line contains the names of its columns.
struct Table {
  /// The index of each column, by its name.
  private let columnIndices: [String: Int]
  let rows: [[Substring]]

  /// Reads a file. Ends the program if it cannot be read.
  init(_ path: String) {
    guard let file = fopen(path, "r") else { complain("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer[..<count] }
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    let cells = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    columnIndices = Dictionary((cells.first ?? []).enumerated().map { (String($1), $0) }, uniquingKeysWith: { first, _ in first })
    rows = Array(cells.dropFirst())
  }

  /// A cell's text; empty if the line is too short or has no such column.
  func cell(_ row: [Substring], _ column: String) -> String {
    guard let index = columnIndices[column], row.indices.contains(index) else { return "" }
    return String(row[index])
  }
}
