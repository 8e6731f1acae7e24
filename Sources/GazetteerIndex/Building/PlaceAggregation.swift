import Glibc
import PlacesKit
import SQLite
import Text

/// Merges the records of each place, adds the country, region and town that contain it, and computes its importance. The population and the
/// location of countries and regions are derived from the places in them.
///
/// An import of features, such as OpenStreetMap data, is called a map here (`SourceNumber.isMap`).
struct PlaceAggregation {
  let scratch: Database
  /// The countries and regions by code.
  private var areas: [String: Area] = [:]
  private var towns = TownGrid()
  private var postcodes = TownPostcodes()
  private var streetFragments = StreetFragments()
  private var riverFragments = RiverFragments()
  private var recodedRegions = RecodedRegions()

  init(scratch: Database) { self.scratch = scratch }

  /// A country or region. Its sums are complete when the last of its places has been merged.
  private struct Area {
    var record: GazetteerRecord
    /// The sections of the stored place (`RecordSections`).
    var stored = ByteWriter()
    /// The sum of the populations of its places.
    var population = 0
    /// The sum of its places' locations as unit vectors, weighted by population. A mean of degrees would be wrong for a country on the
    /// antimeridian.
    var weightedLocations = SIMD3(0.0, 0.0, 0.0)
    /// Whether a source other than a map states its location. A map states only the position of the area's label.
    var isLocated = false
  }

  /// The first pass over the staged records collects the towns and the river segments of maps. If there are maps, a second pass collects
  /// all towns and postcodes, and matches the towns of GeoNames to those of the maps. The last pass reads the records in the order of their
  /// ids and merges them. The countries and regions, which are complete only then, are written at the end.
  mutating func run(_ meter: inout ProgressMeter) throws {
    let total = try scratch.integer("SELECT count(*) FROM staged") ?? 0
    meter.begin(.joining)
    // A map's features have no country and seldom a town. They get the country and the town from the nearest town of the index.
    var deduplication = TownDeduplication()
    var hasMaps = false
    try each { row, source, id, fields in
      guard SourceNumber.isMap(source) else { return }
      hasMaps = true
      deduplication.add(id: id, fields, row: row)
      riverFragments.add(id: id, fields, source: source)
    }
    if hasMaps {
      try each { _, source, id, fields in
        let record = GazetteerRecord(id: id, fields: FieldSequence(fields))
        towns.add(record)
        postcodes.add(record)
        if !SourceNumber.isMap(source) { deduplication.compare(record) }
      }
      towns.finish()
      riverFragments.finish()
      try deduplication.assignIDs(in: scratch)
    }
    recodedRegions = try RecodedRegions(scratch)
    var done = 0
    var current: (id: String, sections: [(source: Int, fields: ArraySlice<UInt8>)]) = ("", [])
    let statement = try scratch.statement("SELECT id, source, record FROM staged ORDER BY id, source DESC, rowid")
    while try statement.step() {
      try meter.tick(done, of: total)
      done += 1
      let id = statement.text(0)
      if id != current.id {
        try merge(current.id, current.sections)
        current = (id, [])
      }
      current.sections.append((statement.integer(1), statement.blob(2)[...]))
    }
    try merge(current.id, current.sections)
    try finishAreas()
  }

  /// Calls the body with each staged record: its row id, the number of its source, its id and its encoded fields.
  private func each(_ body: (_ row: Int, _ source: Int, _ id: String, _ fields: ArraySlice<UInt8>) throws -> Void) throws {
    let statement = try scratch.statement("SELECT rowid, source, id, record FROM staged")
    defer { statement.reset() }
    while try statement.step() { try body(statement.integer(0), statement.integer(1), statement.text(2), statement.blob(3)[...]) }
  }

  /// Merges the records with one id and writes the place. An area is added to `areas` instead, because its places are not complete yet.
  /// - Parameter sections: the records, in descending order of their sources' numbers.
  private mutating func merge(_ id: String, _ sections: [(source: Int, fields: ArraySlice<UInt8>)]) throws {
    guard let highestSource = sections.first?.source else { return }
    let isOnMap = SourceNumber.isMap(highestSource)
    var sections = sections
    var records = sections.map { GazetteerRecord(id: id, fields: FieldSequence($0.fields)) }
    // A region's code may denote another region in Debian's older data. Debian's record of such a region is dropped (`RecodedRegions`).
    if sections.last?.source == SourceNumber.debian {
      if let newer = records.dropLast().last { recodedRegions.compare(newer, records[records.count - 1]) }
      if recodedRegions.isOtherRegion(records) {
        sections.removeLast()
        records.removeLast()
      }
    }
    guard !records.isEmpty else { return }
    if let bestIndex = PlaceAggregation.indexOfBestName(in: records) {
      sections.insert(sections.remove(at: bestIndex), at: 0)
      records.insert(records.remove(at: bestIndex), at: 0)
    }
    var record = records[0]
    for other in records.dropFirst() { record.add(other) }
    var stored = ByteWriter()
    for section in sections { RecordSections.append(source: section.source, fields: section.fields, to: &stored) }
    // A country of a map has no area code; its id is the country's code (`TownDeduplication`).
    if let code = record.areaCode ?? (id == record.country ? id : nil) {
      // The area exists already if one of its cities came before it. The population of these cities is kept.
      areas[code, default: Area(record: record)].record = record
      areas[code]?.stored = stored
      areas[code]?.isLocated = zip(sections, records).contains { !SourceNumber.isMap($0.source) && $1.location != nil }
      return
    }
    // The fields that the build derives, in a section of their own; nil if there are none.
    var derived = isOnMap ? towns.missingFields(of: record) : nil
    let townPostcodes = postcodes.codes(of: record)
    let aliases = CommonAliases.names(of: id)
    if !townPostcodes.isEmpty || !aliases.isEmpty {
      derived = derived ?? GazetteerRecord(id: id, name: "")
      derived?.postcodes = townPostcodes
      derived?.names = aliases
    }
    if let derived {
      record.add(derived)
      RecordSections.append(source: SourceNumber.derived, fields: derived.encoded[...], to: &stored)
    }
    if isOnMap {
      if streetFragments.isDuplicate(record, source: highestSource) || riverFragments.isDuplicate(record, source: highestSource) { return }
    }
    addPopulation(of: record)
    try insert(record, stored)
  }

  /// The index of the record that must come first so that its name becomes the name of the area. If the first record has no area code, this
  /// is the first record with one. Otherwise it is the first record whose name is a part of the first record's name, as `Berlin` is of
  /// `State of Berlin`. Nil if no record is of an area, or if the first record's name is the best.
  private static func indexOfBestName(in records: [GazetteerRecord]) -> Int? {
    // The name of a country in a map may be a list of its names in all its languages, so a record of another source comes first.
    guard records.count > 1, records[0].areaCode != nil else { return records.firstIndex { $0.areaCode != nil } }
    /// The words of a name with a space before and after each, so that only whole words are found.
    func spacedWords(_ name: String) -> String { " \(Folding.words(of: name).joined(separator: " ")) " }
    let firstName = spacedWords(records[0].name)
    return records.indices.first { records[$0].name != records[0].name && firstName.contains(spacedWords(records[$0].name)) }
  }

  /// Adds the population of a place to its country and its region.
  private mutating func addPopulation(of record: GazetteerRecord) {
    for code in [record.country, record.region] where !code.isEmpty {
      if areas[code] == nil { areas[code] = Area(record: GazetteerRecord(id: code, name: "")) }
      guard let location = record.location, record.types.first?.group == .region else { continue }
      areas[code]?.population += record.population
      // The weight is the population plus 1, so that a place of unknown population counts a little.
      areas[code]?.weightedLocations += location.unitVector * Double(record.population + 1)
    }
  }

  /// Writes the countries and regions.
  private mutating func finishAreas() throws {
    for (code, area) in areas.sorted(by: { $0.key < $1.key }) {
      var stored = ByteWriter()
      var derived = GazetteerRecord(id: code, name: "")
      if area.record.areaCode == nil || area.record.name.isEmpty {
        // A country that has no record, or only a map's record, takes CLDR's name. A region without a record is dropped.
        guard code.utf8.count == 2 else { continue }
        derived = GazetteerRecord(areaCode: code, name: Languages.name(ofRegion: code, in: "en") ?? code)
      }
      derived.names = CommonAliases.names(of: code)
      if area.record.population == 0 { derived.population = area.population }
      // The location is the centre of the population, where a client should open a map of the area.
      if !area.isLocated { derived.location = Coordinate(direction: area.weightedLocations) }
      // The derived section comes first, because its location takes precedence over a map's.
      RecordSections.append(source: SourceNumber.derived, fields: derived.encoded[...], to: &stored)
      stored.raw(area.stored.bytes)
      var record = derived
      record.add(area.record)
      try insert(record, stored)
    }
  }

  /// Writes a merged place to the table from which `PlaceWriter` reads it. The importance is stored as 0…65,535, as in `PlaceColumns`.
  private func insert(_ record: GazetteerRecord, _ stored: ByteWriter) throws {
    let importance = Int((max(0, min(1, record.importance)) * 65_535).rounded())
    try scratch.run("INSERT INTO merged VALUES (?, ?, ?)", Value(importance), .text(record.id), .blob(stored.bytes))
  }
}

extension Coordinate {
  /// The point on a sphere of radius 1.
  fileprivate var unitVector: SIMD3<Double> {
    let (latitudeRadians, longitudeRadians) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(cos(latitudeRadians) * cos(longitudeRadians), cos(latitudeRadians) * sin(longitudeRadians), sin(latitudeRadians))
  }

  /// The point in the direction of a vector; nil for the zero vector.
  fileprivate init?(direction vector: SIMD3<Double>) {
    guard vector != .zero else { return nil }
    let horizontal = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    self.init(latitude: atan2(vector.z, horizontal) * 180 / .pi, longitude: atan2(vector.y, vector.x) * 180 / .pi)
  }
}
