import GazetteerIndex
import PlacesKit

/// `places-quality rewriters`: checks that each rule that rewrites a query finds a place that is not found without the rule.
enum RewritersCommand {
  static let command = Command(
    name: "rewriters", summary: "ask the gazetteer the cases of each rewriter, with and without it", run: run)

  private static let help = """
    usage: places-quality rewriters CASES DATA [--index FILE]

    A rewriter is a rule that reads a query differently from how it was typed. Asks each query of CASES/rewriters.tsv in English, and prints
    the first row with all rewriters and without the one of the case. The index contains Debian's packages,
    DATA/geonames/cities500.txt.gz and CASES/streets.geojsonl. Exits with status 1 if a first row is not the expected one, if it is the
    same without the rewriter, or if a rewriter has no case.
    """

  private static func run(_ arguments: [String]) {
    let arguments = GazetteerArguments(arguments, of: command.name)
    guard arguments.operands.count > 1, !arguments.asksForHelp else {
      print(help)
      return
    }
    let folder = arguments.operands[0]
    let index = GazetteerBenchmarkIndex(at: arguments.index, data: arguments.operands[1])
    let cases = Table("\(folder)/rewriters.tsv")
    let faults: [String]
    do {
      _ = try GazetteerBuilder(path: index.path).importFeatures(openSource("\(folder)/streets.geojsonl"), name: "rewriter-cases")
      faults = try check(cases, index.path)
    } catch { complain("\(error)") }
    index.discard()
    for fault in faults { print("  failed: \(fault)") }
    print("rewriters: \(Rewriter.allCases.count), cases: \(cases.rows.count), failed: \(faults.count) (goal: 0)")
    if !faults.isEmpty { fail() }
  }

  /// Asks the queries of the cases, and prints a line for each. Returns the faults.
  private static func check(_ cases: Table, _ path: String) throws -> [String] {
    let reader = try GazetteerReader(path: path)
    var faults: [String] = []
    var rewritersWithoutCase = Set(Rewriter.allCases)
    print(line("rewriter", "query", "first row", "without the rewriter"))
    for row in cases.rows {
      let (query, expected) = (cases.cell(row, "query"), cases.cell(row, "first"))
      guard let rewriter = Rewriter(rawValue: cases.cell(row, "rewriter")) else {
        faults.append("\(cases.cell(row, "rewriter")): not a rewriter")
        continue
      }
      rewritersWithoutCase.remove(rewriter)
      let firstRow = try self.firstRow(query, reader)
      let firstRowWithout = try self.firstRow(query, GazetteerReader(path: path, rewriters: Rewriter.all.subtracting([rewriter])))
      print(line(rewriter.rawValue, query, firstRow, firstRowWithout))
      if firstRow != expected { faults.append("\(query): the first row is not \(expected)") }
      if firstRowWithout == expected { faults.append("\(query): finds \(expected) without \(rewriter.rawValue)") }
    }
    return faults + rewritersWithoutCase.map { "\($0.rawValue): has no case" }.sorted()
  }

  private static func firstRow(_ query: String, _ reader: GazetteerReader) throws -> String {
    try reader.autocomplete(AutocompleteRequest(query: query, limit: 1, language: "en")).rows.first?.text.text ?? "-"
  }

  private static func line(_ rewriter: String, _ query: String, _ first: String, _ without: String) -> String {
    func column(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
    return column(rewriter, 20) + column(query, 24) + column(first, 48) + without
  }
}
