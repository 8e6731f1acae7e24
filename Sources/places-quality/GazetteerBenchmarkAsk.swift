import GazetteerIndex
import PlacesKit

/// `places-quality ask`: prints the rows that an index returns for one query, and the time that it takes. It helps to find out why an
/// answer lacks a place.
enum GazetteerBenchmarkAsk {
  static let command = Command(name: "ask", summary: "ask a gazetteer index one query, show the rows and the time", run: run)

  private static func run(_ arguments: [String]) {
    guard arguments.count >= 2 else {
      print("usage: places-quality ask FILE QUERY [LANGUAGE] [COUNTRY]")
      return
    }
    do {
      let reader = try GazetteerReader(path: arguments[0])
      var request = AutocompleteRequest(query: arguments[1], language: arguments.count > 2 ? arguments[2] : nil)
      if arguments.count > 3 { request.countries = [arguments[3]] }
      var timing = Timing(name: "")
      // The printed times are those of twenty calls.
      for _ in 0..<20 {
        let (page, lap) = try Lap.measure { try reader.autocomplete(request) }
        timing.add(lap, rows: page.rows.count)
      }
      for row in try reader.autocomplete(request).rows {
        let importance = ((row.importance ?? 0) * 1000).rounded() / 1000
        let matches = (row.primary?.matches ?? []).map { "\($0.start)-\($0.end)" }.joined(separator: " ")
        print("\(row.id ?? "-")\t\(row.text.text)\t[\(matches)]\t\(importance)\t\(row.evidence.otherNames)")
      }
      print(timing.line)
    } catch { complain("\(error)") }
  }
}
