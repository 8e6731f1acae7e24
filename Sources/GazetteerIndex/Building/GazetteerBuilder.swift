import Glibc
import PlacesKit
import SQLite

/// The progress of a build.
public struct BuildProgress: Sendable, Hashable {
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The builder reads the input. `done` counts bytes.
    case reading
    /// The builder merges the records of each place. `done` counts records.
    case joining
    /// The builder writes the places, the most important one first. `done` counts places.
    case writing
    /// The builder writes the list of places of each term. `done` counts pairs of a term and a place.
    case indexing
  }
  public var phase: Phase
  /// The number of bytes, records, places or pairs that are done.
  public var done: Int
  /// The value of `done` at the end of the phase; nil if it is not known, as for a pipe.
  public var total: Int?
  /// The seconds since the phase began. The average speed is `done / seconds`.
  public var seconds: Double
}

/// The result of a build.
public struct BuildReport: Sendable, Hashable {
  /// A damaged record that was skipped.
  public struct Bad: Sendable, Hashable {
    /// The line of the input on which the record begins, from 1.
    public var line: Int
    public var reason: String
  }
  /// Records added from the source.
  public var taken = 0
  /// Records skipped because they have no name, such as a bench.
  public var unnamed = 0
  /// Features skipped because the gazetteer has no type for their kind, such as a pole with a name.
  public var unknown = 0
  /// Records skipped because they are damaged.
  public var bad = 0
  /// The first hundred damaged records.
  public var badRecords: [Bad] = []
  /// The names of the sources whose records could not be copied, because the old index is damaged.
  public var lost: [String] = []
  /// Places in the new index, of all sources.
  public var places = 0
  /// The duration of the build in seconds.
  public var seconds = 0.0
  /// The size of the new index file.
  public var bytes = 0
}

/// Builds and extends an index file.
///
/// Each call writes a new file beside the old one and renames it at the end, so that readers see either the old or the new index. The
/// records of other sources are copied from the old index; the source's own earlier records are replaced. All calls except `build` throw
/// `damaged` for an old index that cannot be read.
public struct GazetteerBuilder {
  /// The path of the index.
  public var path: String
  /// Receives the progress, up to ten times a second.
  public var progress: (BuildProgress) -> Void
  /// The builder calls this function often. If it returns true, the build throws `cancelled` and removes its files.
  public var isCancelled: () -> Bool
  private let time: any TimeSource

  public init(
    path: String, time: any TimeSource = SystemTime(), progress: @escaping (BuildProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.path = path
    self.progress = progress
    self.isCancelled = isCancelled
    self.time = time
  }

  /// Imports the cities, regions and countries of Debian's packages, by default of the installed ones. This also replaces a damaged index;
  /// `BuildReport.lost` names the sources that are lost.
  public func build(from data: DebianData? = nil) throws(GazetteerError) -> BuildReport {
    guard let data = data ?? DebianData.installed() else {
      throw .source(path: "libgeonames0", reason: "not installed: run `apt-get install libgeonames0 libgeonames-common iso-codes`")
    }
    return try run(.debian) { build in
      for record in try data.records() { try build.stage(record) }
    }
  }

  /// Imports a GeoNames dump such as `cities500.txt`, `DE.zip` or `allCountries.txt.gz`, and optionally the names of regions
  /// (`admin1CodesASCII.txt`) and countries (`countryInfo.txt`). A path of `-` is standard input.
  public func importGeoNames(_ file: String, regions: String? = nil, countries: String? = nil) throws(GazetteerError) -> BuildReport {
    try run(.geoNames) { build in
      if let countries { try build.read(openSource(countries, isCancelled: isCancelled)) { GeoNamesDump.country($0) } }
      if let regions { try build.read(openSource(regions, isCancelled: isCancelled)) { GeoNamesDump.region($0) } }
      try build.readAtLeastOne(openSource(file, isCancelled: isCancelled)) { GeoNamesDump.place($0) }
    }
  }

  /// Imports GeoJSON features, as `osmium export` and `ogr2ogr` write them: one for each line, a text sequence or a collection, with tags
  /// in `properties` and ids such as `n1` (node), `w1` (way), `a2` (area).
  /// - Parameters:
  ///   - name: the name of the source, such as `liechtenstein`.
  ///   - country: the country code for features that have none.
  ///   - attribution: the credit of the data; its text may be empty. Nil means OpenStreetMap's credit if a feature is from OpenStreetMap,
  ///     and otherwise none. If the credit does not name OpenStreetMap, no id or tag is read as OpenStreetMap's, because the licence of
  ///     OpenStreetMap requires a credit that names it.
  /// - Throws: `source`, among others, if no feature could be imported, if the last one is incomplete, or if the name is not allowed. The
  ///   index is then unchanged.
  public func importFeatures(
    _ source: any ByteSource, name: String, country: String? = nil, attribution: Attribution? = nil
  ) throws(GazetteerError) -> BuildReport {
    if let fault = GazetteerSource.fault(inName: name) { throw .source(path: "the name of the data", reason: fault) }
    let credit = attribution ?? GazetteerSource.openStreetMapCredit
    return try run(GazetteerSource(name: name, attribution: credit)) { build in
      var features = GeoJSONFeatureReader(country: country, isForeign: attribution.map { !$0.namesOpenStreetMap } ?? false)
      try build.readAtLeastOne(FeatureCollectionSource(source)) { features.place($0) }
      if attribution == nil, !features.hasOpenStreetMapData {
        try build.index.run("UPDATE source SET attribution = '', url = '' WHERE number = ?", Value(build.sourceNumber))
      }
    }
  }

  /// Removes the records of one source.
  /// - Parameter name: the name of the source in `GazetteerInfo.sources`.
  public func remove(_ name: String) throws(GazetteerError) -> BuildReport {
    let sources = try GazetteerReader(path: path).info().sources
    guard let source = sources.first(where: { $0.name == name }) else {
      throw .source(path: name, reason: "no source of the index has this name; it has \(sources.map(\.name).joined(separator: ", "))")
    }
    guard sources.count > 1 else {
      throw .source(
        path: name, reason: "is the only source of the index: run `placesctl gazetteer build` or another import first, or delete \(path)")
    }
    return try run(GazetteerSource(name: name, attribution: source.attribution)) { build in
      try build.index.run("DELETE FROM source WHERE number = ?", Value(build.sourceNumber))
    }
  }

  /// Runs one build and returns its report. If a step throws, the new files are removed and the old index remains.
  /// - Parameter stage: stages the new records of `source`. Its records in the old index are not copied.
  private func run(
    _ source: GazetteerSource, _ stage: (inout IndexBuild) throws -> Void
  ) throws(GazetteerError) -> BuildReport {
    let startTime = time.monotonic()
    var build = try IndexBuild(path: path, source: source, time: time, progress: progress, isCancelled: isCancelled)
    do {
      try stage(&build)
      try build.finish()
    } catch {
      build.discard()
      throw GazetteerError(error, buildingIndexAt: path)
    }
    build.report.seconds = time.monotonic() - startTime
    return build.report
  }
}

extension Attribution {
  /// Whether the credit names OpenStreetMap.
  fileprivate var namesOpenStreetMap: Bool {
    let credit = "\(text) \(url ?? "")".lowercased()
    return credit.contains("openstreetmap") || credit.split { !$0.isLetter && !$0.isNumber }.contains("osm")
  }
}

/// A source of an index's records: Debian's data, a GeoNames dump or an import of features.
public struct GazetteerSource: Sendable, Hashable {
  /// `debian`, `geonames`, or the name of an import.
  public var name: String
  /// The credit; its text is empty if the source needs none.
  public var attribution: Attribution

  public static let geoNamesCredit = Attribution(text: "GeoNames (CC BY 4.0)", url: "https://www.geonames.org/")
  public static let openStreetMapCredit = Attribution(
    text: "© OpenStreetMap contributors", url: "https://www.openstreetmap.org/copyright")

  /// The reason why the name of an import is not allowed, as a phrase that follows the name's origin (`--name must be …`); nil for an
  /// allowed name.
  public static func fault(inName name: String) -> String? {
    let hasAllowedCharacters = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    guard hasAllowedCharacters, (1...64).contains(name.utf8.count) else {
      return "must be 1 to 64 letters, digits, -, _ or ., such as liechtenstein"
    }
    guard name != debian.name, name != geoNames.name else { return "must not be \(name), which is reserved for GeoNames data" }
    return nil
  }

  static let debian = GazetteerSource(name: "debian", attribution: geoNamesCredit)
  static let geoNames = GazetteerSource(name: "geonames", attribution: geoNamesCredit)
}
