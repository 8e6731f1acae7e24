import Merging
import PlacesKit

/// `places-quality bench-merge`: measures how long it takes to merge answers into one list.
enum MergeBenchmark {
  static let command = Command(name: "bench-merge", summary: "measure how long merging takes (use a release build)", run: run)

  private static let help = """
    usage: places-quality bench-merge [WORDS]

    Merges made-up answers 400 times and prints the median and the 99th percentile of the times in milliseconds. With WORDS
    it runs only the cases whose names contain them, so that a profiler sees one case alone.
    """

  private static func run(_ arguments: [String]) {
    let selectedCases = cases.filter { name, _, _, _ in arguments.allSatisfy(name.contains) }
    guard arguments.count <= 1, !selectedCases.isEmpty else {
      print(help)
      return
    }
    print("case                                          p50 ms  p99 ms  rows")
    for (name, providers, rows, kind) in selectedCases {
      let batches = (0..<providers).map { batch($0, rows: rows, kind: kind) }
      var context = MergeContext(query: "berlin caf", language: "en", limit: 20)
      context.bias = Coordinate(latitude: 52.52, longitude: 13.4).map { .circle(center: $0, radius: 5_000) }
      var times: [Double] = []
      var merged = 0
      for _ in 0..<repetitions {
        let start = ContinuousClock.now
        merged = Merger().suggestions(batches, context: context).count
        let elapsed = start.duration(to: .now).components
        times.append(Double(elapsed.attoseconds) / 1e15 + Double(elapsed.seconds) * 1e3)
      }
      times.sort()
      print("\(pad(name, 44)) \(fixed(times[repetitions / 2])) \(fixed(times[repetitions * 99 / 100 - 1])) \(pad(left: "\(merged)", 5))")
    }
  }

  /// The data that the services return for a place.
  private enum Kind {
    /// A name, an address, a point and, from some services, a telephone number.
    case full
    /// A name and a point.
    case bare
    /// A name and, from every other service, a point.
    case unlocated
    /// As `full`, but every other service returns the name in another script.
    case otherScripts
  }

  private static let repetitions = 400

  private static let cases: [(name: String, providers: Int, rows: Int, kind: Kind)] = [
    ("8 x 20, addresses and phones", 8, 20, .full), ("5 x 50, addresses and phones", 5, 50, .full),
    ("8 x 20, names and points", 8, 20, .bare),
    ("5 x 50, names and points", 5, 50, .bare), ("8 x 20, half of them without points", 8, 20, .unlocated),
    ("5 x 50, half of them without points", 5, 50, .unlocated), ("8 x 20, several scripts", 8, 20, .otherScripts),
    ("1 x 10", 1, 10, .full),
  ]

  private static let names = [
    "Café Berlin", "Berlin", "Berliner Bäckerei", "Hotel Berlin, Berlin", "Berlin Hauptbahnhof", "Café am Neuen See", "Berlin Döner",
    "Berlin Carré",
    "Sparkasse Berlin", "Berlin Mitte", "Café Einstein", "Berlinale Palast", "Berlin Zoologischer Garten", "Berlin, New Hampshire",
    "East Berlin",
  ]
  /// Berlin in other scripts.
  private static let namesInOtherScripts = ["Берлин", "柏林", "ベルリン", "برلين", "Βερολίνο", "베를린", "בֶּרְלִין", "เบอร์ลิน"]

  /// The made-up answer of a service. All services return mostly the same places, with small differences.
  private static func batch(_ provider: Int, rows count: Int, kind: Kind) -> ProviderBatch<Suggestion> {
    let rows = (0..<count).map { position in
      // The number of the place. Each service returns the places in another order.
      let number = (position * 7 + provider * 3) % (count + count / 3)
      var evidence = Evidence()
      if kind == .full || kind == .otherScripts {
        evidence.street = "Kantstraße"
        evidence.houseNumber = "\(number + 1)"
        evidence.address = "Kantstraße \(number + 1)"
        evidence.postcode = "1\(1_000 + number)"
        evidence.locality = "Berlin"
        evidence.country = "DE"
        if (number + provider) % 2 == 0 { evidence.phone = "030 \(1_234_000 + number)" }
      }
      let base = names[number % names.count]
      let name = number < names.count ? base : "\(base) \(number)"
      let shownName =
        kind == .otherScripts && provider % 2 == 1 ? "\(namesInOtherScripts[number % namesInOtherScripts.count]) \(number)" : name
      let spread = Double(number) * 0.003
      let location =
        kind == .unlocated && provider % 2 == 0
        ? nil : Coordinate(latitude: 52.5 + spread + Double(provider) * 0.0001, longitude: 13.4 + spread)
      return Suggestion(
        kind: .place, id: "\(number)", text: FormattedText("\(shownName), Berlin, Deutschland"), primary: FormattedText(shownName),
        secondary: FormattedText("Berlin, Deutschland"), types: [number % 3 == 0 ? "locality" : "cafe"], language: "de", location: location,
        importance: 0.4, evidence: evidence)
    }
    return ProviderBatch(
      provider: "provider\(provider)",
      terms: Terms(idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: nil, mixing: .free, source: "a benchmark"), rows: rows)
  }

  private static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
  private static func pad(left text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
  /// A number with three decimals, in seven columns.
  private static func fixed(_ value: Double) -> String {
    let thousandths = Int((value * 1_000).rounded())
    return pad(left: "\(thousandths / 1_000).\(String(String(thousandths % 1_000 + 1_000).dropFirst()))", 7)
  }
}
