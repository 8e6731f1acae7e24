import GazetteerIndex
import PlacesKit
import Text

/// `places-quality rank`: measures how often the gazetteer returns the right place near the top.
enum RankCommand {
  static let command = Command(
    name: "rank", summary: "ask the gazetteer the cases of rank/cities.tsv and count the expected places near the top", run: run)

  private static let help = """
    usage: places-quality rank DATA [--index FILE] [--misses]

    Asks the queries of DATA/rank/cities.tsv (from pelias/fuzzy-tests, MIT). For each slice, which is a file of cases and a kind of
    place, it prints how many of the expected places that the index has are "in time": their rank is at most the case's max_rank.
    Without --index an index is built from Debian's packages and DATA/geonames/cities500.txt.gz
    (https://download.geonames.org/export/dump/, CC BY 4.0). --misses prints the cases that are not in time.

    A case with coordinates of its own (coord_src `case`) is judged by distance (max_m, at least 5 km), any other by name, country
    and region. The exit status is 1 if less than 99 % of all cases are in time.
    """
  /// The minimum share of cases in time.
  private static let goal = 0.99

  private static func run(_ arguments: [String]) {
    let arguments = GazetteerArguments(arguments, of: command.name, flags: ["--misses"])
    guard let data = arguments.operands.first, !arguments.asksForHelp else {
      print(help)
      return
    }
    let index = GazetteerBenchmarkIndex(at: arguments.index, data: data)
    let cases = Table("\(data)/rank/cities.tsv")
    let judge = RankJudge(reader: index.reader(), cases: cases)
    var slices: [String: Slice] = [:]
    for row in cases.rows {
      let rank: Int?
      switch judge.outcome(row) {
      case .notInIndex:
        slices[slice(cases, row), default: Slice()].absent += 1
        continue
      case .rank(let foundRank): rank = foundRank
      }
      let limit = Int(cases.cell(row, "max_rank")) ?? 1
      let isInTime = rank.map { $0 <= limit } ?? false
      for name in ["all", slice(cases, row)] { slices[name, default: Slice()].add(isInTime: isInTime) }
      if !isInTime, arguments.has("--misses") {
        let columns = ["query", "filter_country", "exp_name", "exp_admin1", "exp_country", "exp_kind", "geonameid"].map {
          cases.cell(row, $0)
        }
        print("missed\t\(columns.joined(separator: "\t"))\t\(rank.map { "rank \($0)" } ?? "not in 10")")
      }
    }
    index.discard()
    print("slice                                    cases  in time      share  not in the index")
    for (name, slice) in slices.sorted(by: { ($0.key == "all" ? 0 : 1, $0.key) < ($1.key == "all" ? 0 : 1, $1.key) }) {
      print(slice.line(name))
    }
    if let all = slices["all"], Double(all.inTime) < goal * Double(all.cases) { fail() }
  }

  /// The name of the slice to which a case belongs.
  private static func slice(_ cases: Table, _ row: [Substring]) -> String {
    let file = cases.cell(row, "file").split(separator: "/").last.map { String($0.dropLast(".json".count)) } ?? ""
    return "\(file) \(cases.cell(row, "exp_kind"))"
  }

  /// The results of the cases of one slice.
  private struct Slice {
    /// The number of cases whose place the index has.
    var cases = 0
    /// The number of these cases whose place has a sufficient rank.
    var inTime = 0
    /// The number of cases whose place the index does not have.
    var absent = 0

    mutating func add(isInTime: Bool) {
      cases += 1
      if isInTime { inTime += 1 }
    }

    func line(_ name: String) -> String {
      func alignedRight(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
      let share = cases == 0 ? "-" : "\((Double(inTime) / Double(cases) * 10_000).rounded() / 100) %"
      return name + alignedRight("\(cases)", max(6, 46 - name.count)) + alignedRight("\(inTime)", 9) + alignedRight(share, 11)
        + alignedRight("\(absent)", 18)
    }
  }
}

/// Compares the answers of the gazetteer with the expected places.
struct RankJudge {
  let reader: GazetteerReader
  let cases: Table

  enum Outcome {
    case notInIndex
    /// The rank of the place, from 1; nil if it is not among the first ten rows.
    case rank(Int?)
  }

  /// Asks the query of a case. Ends the program if the index cannot be read.
  func outcome(_ row: [Substring]) -> Outcome {
    func cell(_ column: String) -> String { cases.cell(row, column) }
    do {
      // The index is built without GeoNames' countryInfo.txt, so the id of a country is its code.
      let id = cell("exp_kind") == "country" ? cell("exp_country") : cell("geonameid")
      if !id.isEmpty, try reader.details(.init(id: id, fields: [])) == nil { return .notInIndex }
      let places = try answers(row)
      let index = try places.firstIndex { try isExpected($0, row) }
      return .rank(index.map { $0 + 1 })
    } catch { complain("cannot read the index: \(error)") }
  }

  /// The places that the gazetteer returns for a case.
  private func answers(_ row: [Substring]) throws -> [Place] {
    func cell(_ column: String) -> String { cases.cell(row, column) }
    let countries = cell("filter_country").isEmpty ? [] : [RankJudge.shortCode(cell("filter_country"))]
    var bias: Area?
    if let latitude = Double(cell("focus_lat")), let longitude = Double(cell("focus_lon")),
      let center = Coordinate(latitude: latitude, longitude: longitude)
    {
      bias = .circle(center: center, radius: 20_000)
    }
    let language = cell("lang").isEmpty ? "en" : cell("lang")
    let fields: Set<PlaceField> = [.name, .addressComponents]
    if cell("endpoint") == "search" {
      return try reader.search(
        SearchRequest(query: cell("query"), fields: fields, limit: 10, language: language, bias: bias, countries: countries)
      ).rows
    }
    let page = try reader.autocomplete(AutocompleteRequest(query: cell("query"), language: language, bias: bias, countries: countries))
    return try page.rows.compactMap { try reader.details(.init(id: $0.id ?? "", fields: fields, language: language)) }
  }

  /// Whether a place is the one that the case expects.
  private func isExpected(_ place: Place, _ row: [Substring]) throws -> Bool {
    func cell(_ column: String) -> String { cases.cell(row, column) }
    if cell("coord_src") == "case" {
      guard let latitude = Double(cell("exp_lat")), let longitude = Double(cell("exp_lon")),
        let expected = Coordinate(latitude: latitude, longitude: longitude), let location = place.location
      else { return false }
      return location.distance(to: expected) <= max(5000, Double(cell("max_m")) ?? 0)
    }
    let names = [place.name ?? ""] + place.evidence.otherNames
    guard names.contains(where: { Folding.key($0) == Folding.key(cell("exp_name")) }), place.evidence.country == cell("exp_country") else {
      return false
    }
    guard !cell("exp_admin1").isEmpty else { return true }
    let components = place.values[.addressComponents]?.array ?? []
    let region = components.first { $0["types"]?[0]?.string == "administrative_area_level_1" }
    return [region?["long"]?.string, region?["short"]?.string].contains { Folding.key($0 ?? "") == Folding.key(cell("exp_admin1")) }
  }

  /// The code of two letters for a value of the column `filter_country`, which may also be `USA`.
  private static func shortCode(_ code: String) -> String { code == "USA" ? "US" : code }
}
