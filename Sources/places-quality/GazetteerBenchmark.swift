import GazetteerIndex
import Glibc
import PlacesKit

/// `places-quality bench-gazetteer`: measures how long the gazetteer takes for the keystrokes in `load/keystrokes.tsv`.
enum GazetteerBenchmark {
  static let command = Command(
    name: "bench-gazetteer", summary: "time the gazetteer over the keystrokes of load/keystrokes.tsv, beside plain SQLite", run: run)

  private static let help = """
    usage: places-quality bench-gazetteer DATA [--index FILE] [--slowest] [--no-tables] [--hits]

    Builds an index of DATA/geonames/cities500.txt.gz (or takes FILE) and asks it for each keystroke of DATA/load/keystrokes.tsv: without
    a filter, with the country of the expected place as a filter, restricted to a square degree around this place, and with a bias there.
    For comparison, the same texts are looked up in a plain table with LIKE and in an FTS5 table, each text once, and counted as often as
    it was typed; not with --no-tables. Times are microseconds of the thread's processor time; the last two columns are wall-clock time.
    --hits prints the share of keystrokes for which the expected place is among the first ten rows. --slowest prints the twenty slowest
    texts of each kind.
    """

  private static func run(_ arguments: [String]) {
    let arguments = GazetteerArguments(arguments, of: command.name, flags: ["--slowest", "--no-tables", "--hits"])
    guard let data = arguments.operands.first, !arguments.asksForHelp else {
      print(help)
      return
    }
    var load = [0.0, 0.0, 0.0]
    getloadavg(&load, 3)
    print("load of the machine: \(load.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: " "))")
    let index = GazetteerBenchmarkIndex(at: arguments.index, data: data)
    defer { index.discard() }
    if let report = index.report {
      print("built \(report.places) places in \((report.seconds * 10).rounded() / 10) s, \(report.bytes / 1_000_000) MB")
    }
    let reader = index.reader()
    let keystrokes = Keystroke.all(in: data, reader: reader)
    print(Timing.header)
    for variant in Variant.allCases {
      let timing = time(keystrokes, variant, reader)
      print(timing.line)
      if arguments.has("--slowest") { for line in timing.slowest { print(line) } }
    }
    if arguments.has("--hits") {
      let hits = keystrokes.count { keystroke in
        let request = AutocompleteRequest(query: keystroke.text, limit: 10, language: keystroke.language)
        return (try? reader.autocomplete(request))?.rows.contains { $0.id == keystroke.id } ?? false
      }
      print("hits \(Double(hits) / Double(max(1, keystrokes.count)))")
    }
    fflush(nil)
    guard !arguments.has("--no-tables") else { return }
    for line in PlainTables(data: data).lines(keystrokes) { print(line) }
  }

  /// A way to ask for each keystroke. The raw value is its name in the output.
  private enum Variant: String, CaseIterable {
    case plain = "autocomplete"
    /// Only texts whose first row contains the text as it was typed.
    case exact = "  texts with exact rows"
    /// All other texts; most of them contain a mistyped letter.
    case errors = "  texts without exact rows"
    case country = "  with a country"
    case restriction = "  within 1° × 1°"
    case bias = "  with a bias"
  }

  private static func time(_ keystrokes: [Keystroke], _ variant: Variant, _ reader: GazetteerReader) -> Timing {
    var timing = Timing(name: variant.rawValue)
    for keystroke in keystrokes {
      var request = AutocompleteRequest(query: keystroke.text, language: keystroke.language)
      switch variant {
      case .plain, .exact, .errors: break
      case .country: request.countries = [keystroke.country]
      case .restriction: request.restriction = keystroke.square.map { .rectangle($0) }
      case .bias: request.bias = keystroke.location.map { .circle(center: $0, radius: 5000) }
      }
      let (page, time) = Lap.measure { try? reader.autocomplete(request) }
      let isExact = page?.rows.first?.primary?.matches.isEmpty == false
      if (variant == .exact && !isExact) || (variant == .errors && isExact) { continue }
      timing.add(time, rows: page?.rows.count ?? 0, text: keystroke.text)
    }
    return timing
  }
}

/// One keystroke of the load file, and the place that the user is typing.
struct Keystroke {
  /// The id of the place.
  var id: String
  /// The text after the keystroke.
  var text: String
  var language: String?
  /// The code of the place's country; `DE` if the index does not have the place.
  var country = ""
  /// The location of the place; nil if the index does not have it.
  var location: Coordinate?

  /// The square degree around the place.
  var square: Rectangle? {
    guard let location, let low = Coordinate(latitude: max(-90, location.latitude - 0.5), longitude: max(-180, location.longitude - 0.5)),
      let high = Coordinate(latitude: min(90, location.latitude + 0.5), longitude: min(180, location.longitude + 0.5))
    else { return nil }
    return Rectangle(low: low, high: high)
  }

  /// Reads the load file, and looks up the places in the index.
  static func all(in data: String, reader: GazetteerReader) -> [Keystroke] {
    let table = Table("\(data)/load/keystrokes.tsv")
    var placesByID: [String: Place] = [:]
    return table.rows.map { row in
      let id = table.cell(row, "geonameid")
      if placesByID[id] == nil { placesByID[id] = try? reader.details(DetailsRequest(id: id, fields: [])) }
      let language = table.cell(row, "lang")
      return Keystroke(
        id: id, text: table.cell(row, "typed"), language: language == "ascii" ? "en" : language,
        country: placesByID[id]?.evidence.country ?? "DE", location: placesByID[id]?.location)
    }
  }
}

/// The duration of a call, in microseconds.
struct Lap {
  /// Processor time of this thread, which other load does not affect.
  var processor: Double
  /// Wall-clock time.
  var elapsed: Double

  /// Measures one call of the body.
  static func measure<Result>(_ body: () throws -> Result) rethrows -> (Result, Lap) {
    let (processor, elapsed) = (microseconds(CLOCK_THREAD_CPUTIME_ID), microseconds(CLOCK_MONOTONIC))
    let result = try body()
    return (result, Lap(processor: microseconds(CLOCK_THREAD_CPUTIME_ID) - processor, elapsed: microseconds(CLOCK_MONOTONIC) - elapsed))
  }

  private static func microseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}

/// The durations of many calls.
struct Timing {
  let name: String
  private var laps: [(lap: Lap, text: String)] = []
  /// The number of rows that all calls returned.
  private var rows = 0

  init(name: String) { self.name = name }

  static let header =
    "                                   calls     rows      p50      p90      p99      max     mean   wall p50 wall p99 (µs)"

  /// - Parameters:
  ///   - rows: the number of rows that the call returned.
  ///   - times: how often the call counts.
  mutating func add(_ lap: Lap, rows: Int, text: String = "", times: Int = 1) {
    for _ in 0..<times { laps.append((lap, text)) }
    self.rows += rows * times
  }

  /// The twenty texts that took longest.
  var slowest: [String] {
    laps.sorted { $0.lap.processor > $1.lap.processor }.prefix(20).map { "    \(Int($0.lap.processor)) µs  \($0.text)" }
  }

  /// The line of the output below `header`.
  var line: String {
    let processor = laps.map(\.lap.processor).sorted()
    let elapsed = laps.map(\.lap.elapsed).sorted()
    func percentile(_ share: Double, of sorted: [Double]) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
    func alignedRight(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }
    let mean = processor.reduce(0, +) / Double(max(1, processor.count))
    let times = [0.5, 0.9, 0.99, 1].map { percentile($0, of: processor) } + [mean] + [0.5, 0.99].map { percentile($0, of: elapsed) }
    let columns = [alignedRight("\(laps.count)", 40 - name.count), alignedRight("\(rows)", 9)]
    return name + columns.joined() + times.map { alignedRight("\(Int($0.rounded()))", 9) }.joined()
  }
}
