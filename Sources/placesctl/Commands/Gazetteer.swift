import Configuration
import GazetteerIndex
import Glibc
import JSON
import PlacesAPI
import PlacesKit
import Synchronization

/// `placesctl gazetteer …`: the index of places on this machine.
enum GazetteerCommands {
  private static let index = Option("index", .text, "PATH", "The index; by default gazetteer.db in the configured state_dir.")

  static let all = [
    Command(
      path: ["gazetteer", "build"], options: [index],
      summary: "Build the index of cities, regions and countries from Debian's packages libgeonames0, libgeonames-common and iso-codes.",
      exitCodes: [.results, .failed, .configuration], run: runBuild),
    Command(
      path: ["gazetteer", "import"],
      arguments: [
        Argument("FILE", .one, "A GeoNames dump (plain, gzip or zip), or GeoJSON; - for standard input.")
      ],
      options: [
        index,
        Option(
          "format", .choice(["geonames", "geojson"]), "FORMAT",
          "The format: geonames or geojson; by default it is derived from the file's name."),
        Option(
          "name", .text, "NAME",
          "The name under which GeoJSON data is stored, made of letters, digits, hyphens, underscores and full stops. Importing the same name again replaces the data."
        ),
        Option("country", short: "c", .word(.countries), "CODE", "The country of features without one (two letters)."),
        Option("regions", .text, "FILE", "The file admin1CodesASCII.txt of GeoNames, for the names of regions."),
        Option("countries", .text, "FILE", "The file countryInfo.txt of GeoNames, for the names of countries."),
        Option(
          "credit", .text, "TEXT",
          "The credit that must be shown with GeoJSON data; by default OpenStreetMap's for OpenStreetMap data, and none for other data. Empty for data without a credit."
        ),
        Option("credit-url", .text, "URL", "The address that the credit links to."),
      ],
      summary: "Add places to the index; places of other sources are kept.",
      notes: [
        "OpenStreetMap: osmium export -f geojsonseq -u type_id FILE.osm.pbf | placesctl gazetteer import - --name FILE",
        "Ctrl-C leaves the old index unchanged.",
      ],
      exitCodes: [.results, .partial, .failed, .configuration], run: runImport),
    Command(
      path: ["gazetteer", "remove"],
      arguments: [Argument("NAME", .one, as: .source, "The name of the source, as `gazetteer info` shows it.")],
      options: [index],
      summary: "Remove the places of one source from the index.", exitCodes: [.results, .failed, .configuration], run: runRemove),
    Command(
      path: ["gazetteer", "info"],
      options: [index, Option("check", "Read the whole file and report whether it is intact, which takes seconds.")],
      summary: "Show the contents of the index.",
      notes: [
        "Without --check, only the head of the file is read, and damage after it is not found. A damaged index must be built and imported again."
      ],
      exitCodes: [.results, .failed, .configuration], run: runInfo),
  ]

  /// The path of the index: the value of --index, or the default path, whose folder is created if it is missing.
  private static func indexPath(_ invocation: Invocation, _ context: CommandContext) throws(Failure) -> String {
    if let path = invocation.text("index") { return path }
    do throws(ConfigurationErrors) {
      let folder = try Configuration.load(locations: context.locations).daemon.stateDirectory
      // The folder of a user's own daemon may not exist before that daemon first runs.
      makeFolders(folder)
      return "\(folder)/gazetteer.db"
    } catch {
      throw Failure(.configuration, error.problems.map { printable($0.description) }.joined(separator: "\n"))
    }
  }

  /// Creates a folder and the folders above it. A failure is not reported here, because writing the index will report it.
  private static func makeFolders(_ path: String) {
    var prefix = ""
    for part in path.split(separator: "/") {
      prefix += "/" + part
      mkdir(prefix, 0o700)
    }
  }

  static func runBuild(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    try changeIndex(invocation, context) { (builder) throws(GazetteerError) in try builder.build() }
  }

  static func runImport(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let file = invocation.arguments.first ?? "-"
    // The file is checked before --name, so that a missing file is reported first.
    guard file == "-" || access(file, R_OK) == 0 else { throw Failure(.failed, "\(printable(file)): \(String(cString: strerror(errno)))") }
    if isFolder(file) { throw Failure(.failed, "\(printable(file)): \(String(cString: strerror(EISDIR)))") }
    if file.lowercased().hasSuffix(".csv") {
      throw Failure(.failed, "\(printable(file)): CSV is not supported: convert it to GeoJSON, for example with ogr2ogr")
    }
    if OpenStreetMapFile.isNamed(file) { throw Failure(.failed, printable(OpenStreetMapFile.error(file).message)) }
    let fileExtension = file.split(separator: ".").filter { $0 != "gz" }.last.map(String.init) ?? ""
    let isGeoJSON =
      invocation.text("format").map { $0 == "geojson" }
      ?? (file == "-" || ["geojson", "geojsonseq", "geojsonl", "ndjson", "json"].contains(fileExtension))
    let optionsOfOtherFormat = isGeoJSON ? ["regions", "countries"] : ["name", "country", "credit", "credit-url"]
    if let option = optionsOfOtherFormat.first(where: invocation.has) {
      throw invocation.usage(
        "--\(option) is not for \(isGeoJSON ? "GeoJSON data" : "a GeoNames dump: there is only one, and a new one replaces it")")
    }
    guard isGeoJSON else {
      return try changeIndex(invocation, context) { (builder) throws(GazetteerError) in
        try builder.importGeoNames(file, regions: invocation.text("regions"), countries: invocation.text("countries"))
      }
    }
    guard let name = invocation.text("name") else { throw invocation.usage("GeoJSON data needs a --name, such as liechtenstein") }
    if let fault = GazetteerSource.fault(inName: name) { throw invocation.usage("--name \(fault)") }
    if invocation.has("credit-url"), !invocation.has("credit") { throw invocation.usage("--credit-url needs --credit") }
    var credit: Attribution?
    if let text = invocation.text("credit") { credit = Attribution(text: text, url: invocation.text("credit-url")) }
    return try changeIndex(invocation, context) { (builder) throws(GazetteerError) in
      let source = try openSource(file, isCancelled: builder.isCancelled)
      return try builder.importFeatures(source, name: name, country: invocation.text("country")?.uppercased(), attribution: credit)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func runRemove(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let source = invocation.arguments.first ?? ""
    let exitCode = try changeIndex(invocation, context) { (builder) throws(GazetteerError) in try builder.remove(source) }
    if source == "debian" { context.console.note("To add the places of Debian's packages again: placesctl gazetteer build") }
    return exitCode
  }

  /// The result of a change of the index for --json. The counts are those of `BuildReport`.
  private struct Report: MethodResult {
    var index: String
    var places: Int
    var bytes: Int
    var seconds: Double
    var taken: Int
    var unnamed: Int
    var unknown: Int
    var bad: Int
    var badRecords: [Bad]
    var lost: [String]
    struct Bad: Codable, Sendable {
      var line: Int
      var reason: String
    }
  }

  /// Runs `body`, which changes the index, and reports the result. `body` blocks this thread, because the program does nothing else
  /// meanwhile.
  private static func changeIndex(
    _ invocation: Invocation, _ context: CommandContext, _ body: (GazetteerBuilder) throws(GazetteerError) -> BuildReport
  ) throws(Failure) -> ExitCode {
    let path = try indexPath(invocation, context)
    let bar = ProgressBar(console: context.console)
    let builder = GazetteerBuilder(path: path, progress: { bar.show($0) }, isCancelled: Interruption.watch())
    let report: BuildReport
    do throws(GazetteerError) { report = try body(builder) } catch {
      bar.end()
      throw Failure(.failed, printable(error.message))
    }
    bar.end()
    let bad = report.badRecords.map { Report.Bad(line: $0.line, reason: $0.reason) }
    let result = Report(
      index: path, places: report.places, bytes: report.bytes, seconds: report.seconds, taken: report.taken, unnamed: report.unnamed,
      unknown: report.unknown, bad: report.bad, badRecords: bad, lost: report.lost)
    context.show(result, rows: nil, of: invocation) {
      let places = Format.count(report.places, "place")
      context.console.line("\(path): \(places), \(Format.bytes(report.bytes)), in \(Format.duration(report.seconds))")
    }
    if !report.lost.isEmpty {
      context.console.note("the old index was damaged; import again: \(printable(report.lost.joined(separator: ", ")))")
    }
    if report.unnamed > 0, invocation.has("name") {
      context.console.note("\(Format.count(report.unnamed, "feature")) without a name left out")
    }
    if report.unknown > 0 { context.console.note("\(Format.count(report.unknown, "feature")) of unknown kinds left out") }
    for record in bad.prefix(10) { context.console.note("line \(record.line): \(printable(record.reason)); skipped") }
    if report.bad > 10 { context.console.note("and \(Format.grouped(report.bad - 10)) more bad records, all skipped") }
    return report.bad == 0 ? .results : .partial
  }

  /// The result of `gazetteer info` for --json.
  private struct Info: MethodResult {
    var index: String
    var version: Int
    var places: Int
    var bytes: Int
    /// The time of the build (RFC 3339).
    var built: String
    var sources: [Source]
    /// The problems that a check of the whole file found; nil if it was not checked.
    var damage: [String]?
    struct Source: Codable, Sendable {
      var name: String
      var records: Int
      var imported: String
      var attribution: Attribution
    }
  }

  static func runInfo(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let info: GazetteerInfo
    let path = try indexPath(invocation, context)
    var damage: [String]?
    do throws(GazetteerError) {
      let reader = try GazetteerReader(path: path)
      info = try reader.info()
      if invocation.has("check") { damage = try reader.check() }
    } catch { throw Failure(.failed, printable(error.message)) }
    let sources = info.sources.map {
      Info.Source(name: $0.name, records: $0.records, imported: Timestamp.rfc3339($0.imported), attribution: $0.attribution)
    }
    let result = Info(
      index: path, version: info.version, places: info.places, bytes: info.bytes, built: Timestamp.rfc3339(info.built), sources: sources,
      damage: damage)
    context.show(result, rows: "sources", of: invocation) {
      let places = Format.count(info.places, "place")
      context.console.line("\(path): \(places), \(Format.bytes(info.bytes)), built \(Format.date(info.built)), format \(info.version)")
      let columns = [
        TextTable.Column(title: "SOURCE"), TextTable.Column(title: "RECORDS", isRightAligned: true), TextTable.Column(title: "IMPORTED"),
        TextTable.Column(title: "CREDIT", shrinks: true),
      ]
      let rows = info.sources.map {
        [$0.name, Format.grouped($0.records), Format.date($0.imported), $0.attribution.text].map { StyledText($0) }
      }
      context.console.show(TextTable(columns: columns, rows: rows))
      if damage == [] { context.console.line("The whole file was read: it is intact.") }
    }
    guard let damage, !damage.isEmpty else { return .results }
    throw damageFailure(path, damage, sources: info.sources.map(\.name), isNamed: invocation.has("index"))
  }

  /// The failure for a damaged index. It contains the first problem only; --json prints all of them.
  /// - Parameter isNamed: true if the index is not the default one, so that the advice must name it.
  private static func damageFailure(_ path: String, _ damage: [String], sources: [String], isNamed: Bool) -> Failure {
    // SQLite's check stops after ten problems.
    let count = damage.count < 10 ? Format.count(damage.count, "fault") : "10 faults or more"
    let imported = sources.filter { $0 != "debian" }.map(printable)
    return Failure(
      .failed, "\(printable(path)) is damaged, in \(count)\(damage.count > 1 ? ", such as" : ""): \(printable(damage.first ?? ""))",
      advice: ["Replace it with: placesctl gazetteer build\(isNamed ? " --index \(printable(path))" : "")"]
        + (imported.isEmpty ? [] : ["Then import again: \(imported.joined(separator: ", "))"]))
  }
}

/// Lets long operations check for Ctrl-C, SIGTERM and SIGHUP.
enum Interruption {
  private static let hasSignal = Atomic(false)

  /// Prevents SIGINT, SIGTERM and SIGHUP from ending the process. The returned closure returns true once one of them has arrived.
  static func watch() -> () -> Bool {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in Interruption.hasSignal.store(true, ordering: .relaxed) } }
    return { hasSignal.load(ordering: .relaxed) }
  }
}
