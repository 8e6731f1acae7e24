import Glibc
import PlacesKit
import SQLite

/// How far a build is.
public struct BuildProgress: Sendable, Hashable {
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Bytes of the input.
    case reading
    /// Places, each joined from its sources.
    case joining
    /// Places, written in the order of their importance.
    case writing
    /// Terms and the places found under them.
    case indexing
  }
  public var phase: Phase
  public var done: Int
  /// Nil where nobody knows, as for a pipe.
  public var total: Int?
  /// Seconds since the phase began; `done / seconds` is its rate.
  public var seconds: Double
}

/// What a build did.
public struct BuildReport: Sendable, Hashable {
  /// A record that was skipped.
  public struct Bad: Sendable, Hashable {
    /// From 1.
    public var line: Int
    public var reason: String
  }
  /// Records that were taken from the source.
  public var taken = 0
  /// Records that were skipped because they name nothing, such as a bench without a name.
  public var unnamed = 0
  /// Features that were skipped because they are of no known kind, such as a pole with a name.
  public var unknown = 0
  /// Records that were skipped because they are damaged.
  public var bad = 0
  /// The first hundred of them.
  public var badRecords: [Bad] = []
  /// Sources of an old index that was damaged, whose places could not be carried over.
  public var lost: [String] = []
  /// Places in the new index, all sources together.
  public var places = 0
  public var seconds = 0.0
  public var bytes = 0
}

/// Builds and extends an index file.
///
/// Each call writes a new file beside the old one and renames it at the end, so that readers see the old index or the new one
/// and nothing between. What other sources brought into the old index is carried over; the source's own earlier records are replaced.
/// All but `build` throw `damaged` for an old index that cannot be read.
public struct GazetteerBuilder {
  /// Where the index is, or will be.
  public var path: String
  /// Called a few times a second.
  public var progress: (BuildProgress) -> Void
  /// Asked often; once it says true, the build throws `cancelled` and leaves nothing behind.
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

  /// Takes the cities, regions and countries of Debian's packages; by default of those that are installed. This also mends a damaged
  /// index, at the price of `BuildReport.lost`.
  public func build(from data: DebianData? = nil) throws(GazetteerError) -> BuildReport {
    guard let data = data ?? DebianData.installed() else {
      throw .source(path: "libgeonames0", reason: "not installed: run `apt-get install libgeonames0 libgeonames-common iso-codes`")
    }
    return try run(.debian) { (build) throws(GazetteerError) in
      for record in try data.records() { try build.stage(record) }
    }
  }

  /// Takes a GeoNames dump such as `cities500.txt`, `DE.zip` or `allCountries.txt.gz`, and optionally the names of regions
  /// (`admin1CodesASCII.txt`) and countries (`countryInfo.txt`). A path of `-` is standard input.
  public func importGeoNames(_ file: String, regions: String? = nil, countries: String? = nil) throws(GazetteerError) -> BuildReport {
    try run(.geoNames) { (build) throws(GazetteerError) in
      if let countries { try build.read(openSource(countries, isCancelled: isCancelled)) { GeoNamesDump.country($0) } }
      if let regions { try build.read(openSource(regions, isCancelled: isCancelled)) { GeoNamesDump.region($0) } }
      try build.readSome(openSource(file, isCancelled: isCancelled)) { GeoNamesDump.place($0) }
    }
  }

  /// Takes GeoJSON features, one a line, as a GeoJSON text sequence or as a collection, as `osmium export` and `ogr2ogr` write them: tags in
  /// `properties`, ids as `n1`, `w1`, `a2`. The `name` tells this data apart from other imports, such as `liechtenstein`;
  /// `country` is the code of features that tell none, and `attribution` the credit that they must be shown with: where none is given,
  /// OpenStreetMap's, or none for data in which nothing is of OpenStreetMap. With one that does not name OpenStreetMap, of which the text may be
  /// empty, nothing is taken for OpenStreetMap's, whose licence wants it named.
  /// - Throws: `source`, among others, where not one feature could be taken, where the last one is cut off, or where the name is that of
  ///   what GeoNames tells, or none of 1 to 64 letters, digits, `-`, `_` and `.`; the index is then as it was.
  public func importFeatures(
    _ source: any ByteSource, name: String, country: String? = nil, attribution: Attribution? = nil
  ) throws(GazetteerError) -> BuildReport {
    if let fault = GazetteerSource.fault(inName: name) { throw .source(path: "the name of the data", reason: fault) }
    let credit = attribution ?? GazetteerSource.openStreetMap
    return try run(GazetteerSource(name: name, attribution: credit)) { (build) throws(GazetteerError) in
      var features = GeoJSONFeatureReader(country: country, isForeign: attribution.map { !$0.namesOpenStreetMap } ?? false)
      try build.readSome(FeatureCollectionSource(source)) { features.place($0) }
      if attribution == nil, !features.hasOpenStreetMaps { try build.omitCredit() }
    }
  }

  /// Takes what one source brought out of the index; the name is that of `GazetteerInfo.sources`.
  public func remove(_ name: String) throws(GazetteerError) -> BuildReport {
    let sources = try GazetteerReader(path: path).info().sources
    guard let source = sources.first(where: { $0.name == name }) else {
      throw .source(path: name, reason: "no source of the index has this name; it has \(sources.map(\.name).joined(separator: ", "))")
    }
    guard sources.count > 1 else {
      throw .source(
        path: name, reason: "is all that the index holds: run `placesctl gazetteer build` or another import first, or delete \(path)")
    }
    return try run(GazetteerSource(name: name, attribution: source.attribution)) { (build) throws(GazetteerError) in
      try build.forgetSource()
    }
  }

  private func run(
    _ source: GazetteerSource, _ stage: (inout IndexBuild) throws(GazetteerError) -> Void
  ) throws(GazetteerError) -> BuildReport {
    let started = time.monotonic()
    var build = try IndexBuild(path: path, source: source, time: time, progress: progress, isCancelled: isCancelled)
    do throws(GazetteerError) {
      try stage(&build)
      try build.finish()
    } catch {
      build.discard()
      throw error
    }
    build.report.seconds = time.monotonic() - started
    return build.report
  }
}

extension Attribution {
  /// Whether somebody who reads it learns of OpenStreetMap.
  fileprivate var namesOpenStreetMap: Bool {
    let told = "\(text) \(url ?? "")".lowercased()
    return told.contains("openstreetmap") || told.split { !$0.isLetter && !$0.isNumber }.contains("osm")
  }
}

/// Where records of an index come from.
public struct GazetteerSource: Sendable, Hashable {
  /// `debian`, `geonames`, or the name that an import was given.
  public var name: String
  /// Without a text where none is to be shown.
  public var attribution: Attribution

  public init(name: String, attribution: Attribution) {
    self.name = name
    self.attribution = attribution
  }

  public static let geoNamesCredit = Attribution(text: "GeoNames (CC BY 4.0)", url: "https://www.geonames.org/")
  public static let openStreetMap = Attribution(
    text: "© OpenStreetMap contributors", url: "https://www.openstreetmap.org/copyright")

  /// Why data that is imported may not be called so, to complete a sentence about its name; nil for a name that it may have.
  public static func fault(inName name: String) -> String? {
    let isFit = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    guard isFit, (1...64).contains(name.utf8.count) else { return "must be 1 to 64 letters, digits, -, _ or ., such as liechtenstein" }
    guard name != debian.name, name != geoNames.name else { return "must not be \(name), as what an index has from GeoNames is called" }
    return nil
  }

  static let debian = GazetteerSource(name: "debian", attribution: geoNamesCredit)
  static let geoNames = GazetteerSource(name: "geonames", attribution: geoNamesCredit)
}
