import GazetteerIndex
import PlacesKit
import Text

/// `places-quality typed`: measures the results of the built-in gazetteer for texts as people type them.
enum TypedCommand {
  static let command = Command(
    name: "typed", summary: "ask the built-in gazetteer what people type: own spellings, accents, codes, categories", run: run)

  private static let help = """
    usage: places-quality typed [DATA] [--index FILE] [--misses]

    Builds an index of Debian's packages (libgeonames0; or takes FILE) and measures:

      own spellings   the 51 largest cities whose own name does not begin like the English one: the first four letters of the own name,
                      in English; and the first four letters of the English names of these and of the 300 largest cities
      accents         372 names whose first three letters have an accent: these letters with and without it
      labels          how the 3,000 largest cities are written in English, German and both Chinese scripts: no region or country is or
                      begins with a part before it, regions have no word for their kind, and no character is of the other script
      cases           single queries, each with the maximum rank of a place that must be found, or the rank at which one must not be
      full index      with DATA: the cases, and former names, which Debian's packages do not have, with cities500.txt.gz in the index too

    --misses prints the places that are not among the first rows. The exit status is 1 if a goal is missed, and 77 if Debian's packages
    are missing.
    """

  private static func run(_ arguments: [String]) {
    let arguments = GazetteerArguments(arguments, of: command.name, flags: ["--misses"])
    if arguments.asksForHelp {
      print(help)
      return
    }
    let data = arguments.operands.first
    if let data { GazetteerBenchmarkIndex.requireDump(in: data) }
    guard let records = try? DebianData.installed()?.records() else {
      print("Not measured: Debian's package libgeonames0 is not installed.")
      failUnmeasured()
    }
    let index = GazetteerBenchmarkIndex(at: arguments.index)
    let reader = index.reader()
    let cities = records.filter { $0.types.first == "locality" }.sorted { ($1.population, $0.id) < ($0.population, $1.id) }
    var measurement = TypedMeasurement(reader: reader, printsMisses: arguments.has("--misses"))
    measurement.measureOwnSpellings(cities)
    measurement.measureAccents(cities)
    measurement.measureLabels(cities)
    // This case is not in `TypedCase.all`, because a dump has no names of countries, so Luxembourg is less important with it.
    measurement.measure("cases", TypedCase.all + [TypedCase("lux", "en", "LU")])
    index.discard()
    if let data {
      let fullIndex = GazetteerBenchmarkIndex(at: nil, data: data)
      measurement.reader = fullIndex.reader()
      measurement.measure("the cases, codes and former names in the full index", TypedCase.all + TypedCase.formerNames)
      fullIndex.discard()
    }
    if measurement.missedGoals { fail() }
  }
}

/// Asks the queries, and prints the shares of places that are among the first rows.
private struct TypedMeasurement {
  var reader: GazetteerReader
  let printsMisses: Bool
  private(set) var missedGoals = false
  /// Stands for the rank of a place that is not among the first ten rows.
  private let notFoundRank = 99

  init(reader: GazetteerReader, printsMisses: Bool) { (self.reader, self.printsMisses) = (reader, printsMisses) }

  /// The rank, from 1, of a place among the first ten rows; nil if it is not there.
  private func rank(of id: String, _ query: String, language: String?) -> Int? {
    let rows = (try? reader.autocomplete(AutocompleteRequest(query: query, language: language)).rows) ?? []
    return rows.firstIndex { $0.id == id }.map { $0 + 1 }
  }

  /// The name that a row shows for a place, and its language; nil if the index does not have the place.
  private func name(of id: String, language: String?) -> (text: String, language: String?)? {
    guard let place = try? reader.details(DetailsRequest(id: id, fields: [.name], language: language)), let name = place.name else {
      return nil
    }
    return (name, place.language)
  }

  /// The beginning of a name that contains this many letters; other characters are not counted.
  private func beginning(_ name: String, letters: Int) -> String {
    var text = ""
    for character in name {
      if text.count(where: \.isLetter) == letters { break }
      text.append(character)
    }
    return text
  }

  /// Prints the shares of places with rank 1 and with rank 3 or less.
  /// - Parameter goal: the minimum of the second share.
  private mutating func report(_ name: String, _ ranks: [Int?], goal: Double? = nil) {
    func share(_ maxRank: Int) -> Double {
      let share = Double(ranks.count { $0.map { $0 <= maxRank } ?? false }) / Double(max(1, ranks.count))
      return (share * 1000).rounded() / 1000
    }
    let goalText = goal.map { " (goal: top three at least \($0))" } ?? ""
    print("\(name): \(ranks.count) prefixes, first \(share(1)), top three \(share(3))\(goalText)")
    if let goal, share(3) < goal { missedGoals = true }
  }

  /// Asks the beginnings of cities' own names and of their English names, in English.
  mutating func measureOwnSpellings(_ cities: [GazetteerRecord]) {
    var (ownRanks, englishRanks, largestRanks): ([Int?], [Int?], [Int?]) = ([], [], [])
    for city in cities.prefix(3000) where ownRanks.count < 51 {
      // All letters below U+0250 are Latin.
      guard let ownName = name(of: city.id, language: nil)?.text, let englishName = name(of: city.id, language: "en")?.text,
        ownName.unicodeScalars.allSatisfy({ $0.value < 0x250 }),
        Folding.key(beginning(ownName, letters: 4)) != Folding.key(beginning(englishName, letters: 4))
      else { continue }
      ownRanks.append(rank(of: city.id, beginning(ownName, letters: 4), language: "en"))
      englishRanks.append(rank(of: city.id, beginning(englishName, letters: 4), language: "en"))
      if printsMisses, ownRanks.last.flatMap({ $0 }) ?? notFoundRank > 3 {
        print("  missed \(beginning(ownName, letters: 4)) (\(englishName))")
      }
    }
    for city in cities.prefix(300) {
      guard let englishName = name(of: city.id, language: "en")?.text else { continue }
      largestRanks.append(rank(of: city.id, beginning(englishName, letters: 4), language: "en"))
      if printsMisses, largestRanks.last.flatMap({ $0 }) ?? notFoundRank > 3 {
        print("  missed \(beginning(englishName, letters: 4)) (\(englishName))")
      }
    }
    report("own spellings in English", ownRanks, goal: 0.6)
    report("English spellings of the same cities", englishRanks, goal: 0.92)
    report("English spellings of the 300 largest cities", largestRanks, goal: 0.98)
  }

  /// Asks the beginnings of names with and without their accents.
  mutating func measureAccents(_ cities: [GazetteerRecord]) {
    var (accentedRanks, plainRanks): ([Int?], [Int?]) = ([], [])
    /// The languages and beginnings that were asked.
    var askedTexts: Set<String> = []
    func ask(_ city: GazetteerRecord, _ name: String, _ language: String) {
      let prefix = beginning(name, letters: 3)
      // Only Latin letters, which are below U+0250 or from U+1E00 to U+1EFF, and at least one of them not in ASCII.
      guard accentedRanks.count < 372, prefix.unicodeScalars.allSatisfy({ $0.value < 0x250 || (0x1E00..<0x1F00).contains($0.value) }),
        !prefix.utf8.allSatisfy({ $0 < 0x80 }), askedTexts.insert("\(language) \(prefix.lowercased())").inserted
      else { return }
      accentedRanks.append(rank(of: city.id, prefix, language: language))
      plainRanks.append(rank(of: city.id, Folding.fold(prefix), language: language))
      let accentedRank = accentedRanks.last.flatMap { $0 } ?? notFoundRank
      let plainRank = plainRanks.last.flatMap { $0 } ?? notFoundRank
      if printsMisses, accentedRank > 3 || accentedRank > plainRank {
        print("  \(prefix) (\(name), \(language)): \(accentedRank), without the accent \(plainRank)")
      }
    }
    for city in cities {
      if let ownName = name(of: city.id, language: nil), let language = ownName.language { ask(city, ownName.text, language) }
      guard city.population >= 1_000_000 else { continue }
      for language in ["es", "pt", "fr", "de", "pl", "cs", "tr", "hu"] {
        for name in city.names where name.language == language { ask(city, name.text, language) }
      }
    }
    report("accents typed", accentedRanks, goal: 0.75)
    report("the same without accents", plainRanks)
    let lowerCount = zip(accentedRanks, plainRanks).count { ($0 ?? notFoundRank) > ($1 ?? notFoundRank) }
    print("lower with the accent than without: \(lowerCount) (goal: 0)")
    if lowerCount > 0 { missedGoals = true }
  }

  /// Checks the texts of the rows of the largest cities (`LabelFault`).
  mutating func measureLabels(_ cities: [GazetteerRecord]) {
    for language in ["en", "de", "zh-Hans", "zh-Hant"] {
      let labels = cities.prefix(3000).compactMap { label(of: $0.id, language: language) }
      let faults = labels.compactMap { label in LabelFault(label, language: language).map { (label: label, fault: $0) } }
      if printsMisses { for (label, fault) in faults { print("  \(fault.rawValue): \(label)") } }
      print("labels in \(language): \(labels.count), with a fault \(faults.count) (goal: 0)")
      if !faults.isEmpty { missedGoals = true }
    }
  }

  /// The text of the place's row for its own name; nil if the name does not find it.
  private func label(of id: String, language: String) -> String? {
    guard let name = name(of: id, language: language)?.text else { return nil }
    let rows = (try? reader.autocomplete(AutocompleteRequest(query: name, language: language)).rows) ?? []
    return rows.first { $0.id == id }?.text.text
  }

  /// Asks the queries of the cases, and prints the cases that fail.
  mutating func measure(_ name: String, _ cases: [TypedCase]) {
    var missed = 0
    for test in cases {
      let request = test.request
      let rows = (try? reader.autocomplete(request).rows) ?? []
      guard rows.prefix(test.maxRank).contains(where: { test.accepts($0) }) != test.isWanted else { continue }
      missed += 1
      let fault = test.isWanted ? "missed" : "has \(test.expected)"
      let firstRows = rows.prefix(3).map(\.text.text).joined(separator: " | ")
      print("  \(fault): \(test.query)\(test.language.map { " (\($0))" } ?? ""): \(firstRows)")
    }
    print("\(name): \(cases.count - missed) of \(cases.count)")
    if missed > 0 { missedGoals = true }
  }
}

/// A query and the place that must, or must not, be among its first rows.
private struct TypedCase {
  var query: String
  var language: String?
  /// The id of the place, or the whole text of its row.
  var expected: String
  /// The maximum rank of the place, from 1.
  var maxRank = 1
  /// Whether the place must be among these rows. If false, it must not be among them.
  var isWanted = true

  var request: AutocompleteRequest { AutocompleteRequest(query: query, language: language) }

  func accepts(_ row: Suggestion) -> Bool { row.id == expected || row.text.text == expected }

  init(_ query: String, _ language: String?, _ expected: String, _ maxRank: Int = 1) {
    (self.query, self.language, self.expected, self.maxRank) = (query, language, expected, maxRank)
  }

  /// A query and a place that must not be among its first ten rows.
  static func without(_ query: String, _ language: String?, _ unwanted: String) -> TypedCase {
    var test = TypedCase(query, language, unwanted, 10)
    test.isWanted = false
    return test
  }

  static let all: [TypedCase] = [
    // Prefixes in a city's own spelling.
    TypedCase("Wie", "en", "2761369", 3), TypedCase("Napol", "en", "3172394"), TypedCase("Den Ha", "en", "2747373"),
    // Accents.
    TypedCase("Río", "es", "3451190", 3), TypedCase("São", nil, "3448439"),
    TypedCase("São", nil, "3448636", 10), TypedCase("São", nil, "3388368", 10), TypedCase("Té", "fr", "112931", 3),
    // A space ends a word.
    TypedCase("La P", "en", "3911925", 3), TypedCase("Port ", "en", "3718426", 3), TypedCase("Sana", "en", "71137", 3),
    TypedCase("Frisco", "en", "5391959", 3),
    // A capital and its country.
    TypedCase("Kinshasa, Democratic Republic of the Congo", "en", "2314302"), TypedCase("Tbilisi, Georgia", "en", "611717"),
    // Codes.
    TypedCase("LUX", "en", "LU", 3), TypedCase("GIB", "en", "2411585", 3), TypedCase("pek", "en", "1816670", 10),
    TypedCase("pek", "de", "1816670", 10), TypedCase("mex", "en", "3530597", 2),
    TypedCase("mex", "en", "MX", 2),
    TypedCase("holland", "en", "NL"), TypedCase("washington", "en", "4140963"), TypedCase("washington", "en", "US.WA", 3),
    // Namesakes.
    TypedCase("San José", "en", "5392171", 10), TypedCase("bali", "en", "ID.02"), TypedCase("sidney", "en", "2147714"),
    TypedCase("paris", "en", "2988507"),
    .without("paris", "en", "FI.02"),
  ]

  static let formerNames: [TypedCase] = [
    TypedCase("Hirschberg", "de", "3097257", 3), TypedCase("Waldenburg", "de", "3082707", 3), TypedCase("Lissa", "de", "3093524", 3),
    TypedCase("MUC", "en", "2867714"), TypedCase("LON", "en", "2643743"),
  ]
}
