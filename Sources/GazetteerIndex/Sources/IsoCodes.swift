import PlacesKit
import Text

/// Adds data of the package iso-codes to areas: the codes that people write (`USA`, `ON`, `NRW`) and official names.
struct IsoCodes {
  /// The folder of the package's JSON files.
  let folder: String

  /// Adds the codes and names to the areas.
  /// - Parameter areas: the records of countries and regions, by their codes.
  func add(to areas: inout [String: GazetteerRecord]) {
    for entry in entries("iso_3166-1.json", "3166-1") {
      guard let code = entry["alpha_2"]?.string, areas[code] != nil else { continue }
      let names = ["name", "common_name", "official_name"].compactMap { entry[$0]?.string }.map(IsoCodes.inUsualOrder)
      areas[code]?.otherNames += [code, entry["alpha_3"]?.string].compactMap { $0 } + names
      areas[code]?.shorten(toOneOf: names)
    }
    addRegionCodes(to: &areas)
  }

  /// Adds the codes and short names of regions. GeoNames' codes of regions equal ISO's only for some countries, so the regions are found by
  /// their names.
  private func addRegionCodes(to areas: inout [String: GazetteerRecord]) {
    // ISO's codes by country and folded name, and ISO's names by country.
    var codes: [String: [String]] = [:]
    var names: [String: RegionNames] = [:]
    for entry in entries("iso_3166-2.json", "3166-2") {
      guard let parts = entry["code"]?.string?.split(separator: "-"), parts.count == 2, let name = entry["name"]?.string else { continue }
      let key = Folding.key(name)
      names[String(parts[0]), default: RegionNames()].add(name, key)
      if parts[1].contains(where: \.isLetter) { codes["\(parts[0]) \(key)", default: []].append(String(parts[1])) }
    }
    var shortNames: [String: [(code: String, name: String)]] = [:]
    for (code, area) in areas where area.types.first == "administrative_area_level_1" {
      let keys = Set(([area.name] + area.names.map(\.text)).map { "\(area.country) \(Folding.key($0))" })
      areas[code]?.otherNames += Set(keys.flatMap { codes[$0] ?? [] }).sorted()
      let name = area.shortName(isoNames: names[area.country] ?? RegionNames())
      shortNames["\(area.country) \(Folding.key(name))", default: []].append((code, name))
    }
    // Two regions must not get the same name: North Sulawesi is not shortened, although ISO has a name for all of Sulawesi.
    for regions in shortNames.values where regions.count == 1 { areas[regions[0].code]?.shorten(to: regions[0].name) }
  }

  /// The words of a name in their usual order: `Democratic Republic of the Congo` for the standard's `Congo, The Democratic Republic of
  /// the`.
  private static func inUsualOrder(_ name: String) -> String {
    let parts = name.split(separator: ", ", maxSplits: 1)
    guard parts.count == 2, parts[1].hasSuffix("of") || parts[1].hasSuffix("the") else { return name }
    return "\(parts[1].hasPrefix("The ") ? parts[1].dropFirst(4) : parts[1]) \(parts[0])"
  }

  /// The entries under a key of a JSON file; empty if the file cannot be read.
  private func entries(_ file: String, _ key: String) -> [JSONValue] {
    guard let bytes = try? FileSource.contents(of: "\(folder)/\(file)"),
      let value = try? JSONValue(parsing: bytes, limits: JSONLimits(depth: 8, values: 1_000_000))
    else { return [] }
    return value[key]?.array ?? []
  }
}

/// The names of a country's regions in ISO 3166-2, folded once for all regions.
private struct RegionNames {
  /// The folded names, and each name without the part after its comma: `Karelija, Respublika` and `Karelija`.
  private(set) var keys: Set<String> = []
  /// For each folded word, the number of names that begin with it.
  private(set) var countByFirstWord: [String: Int] = [:]

  private var names: [String] = []

  /// Whether a text, which is a name in ISO 3166-2, is only a part of a region's name: a name of the region contains a longer name in ISO
  /// 3166-2, which contains the text. For example, León, a province, is only a part of Comunidad Autónoma de Castilla y León.
  func isPart(_ text: String, ofNameIn regionNames: [String]) -> Bool {
    names.contains { name in
      name != text && name.containsWords(text) && regionNames.contains { $0 != name && $0.containsWords(name) }
    }
  }

  /// - Parameter key: the folded name.
  mutating func add(_ name: String, _ key: String) {
    names.append(name)
    keys.formUnion([key, Folding.key(String(name.prefix { $0 != "," }))])
    countByFirstWord[Folding.key(String(name.prefix { $0 != " " })), default: 0] += 1
  }
}

extension GazetteerRecord {
  /// Replaces the English name by the longest of some names whose words it contains.
  mutating func shorten(toOneOf names: [String]) {
    let contained = names.filter { name.containsWords($0) }
    if let longest = contained.max(by: { $0.utf8.count < $1.utf8.count }) { shorten(to: longest) }
  }

  /// Replaces the English name, which becomes another name.
  fileprivate mutating func shorten(to shortName: String) {
    guard shortName != name else { return }
    otherNames.append(name)
    names = names.map { $0.language == "en" && $0.text == name ? .init("en", shortName) : $0 }
    name = shortName
  }

  /// The name of a region without words for its kind. This is, in this order:
  /// - the word before the kind of region, if a single name in ISO 3166-2 begins with it: Hunan of `Hunan Province` (`Hunan Sheng`);
  /// - the longest part that is a name of the region in ISO 3166-2 or in another language: Thuringia of `Free State of Thuringia`;
  /// - the part after `of`, if another name contains it: Geneva of `Canton of Geneva`;
  /// - the name itself.
  /// - Parameter isoNames: the names of the country's regions. A name that is among them is not shortened: `West Virginia`.
  fileprivate func shortName(isoNames: RegionNames) -> String {
    guard !isoNames.keys.contains(Folding.key(name)) else { return name }
    let translations = names.map(\.text).filter { $0 != name }
    var knownKeys = Set(translations.map { Folding.key($0) })
    let words = name.split(separator: " ")
    if words.count == 2, RegionKinds.isKind(Folding.key(String(words[1]))) {
      let word = Folding.key(String(words[0]))
      if isoNames.countByFirstWord[word] == 1 { knownKeys.insert(word) }
    }
    for count in (1..<max(1, words.count)).reversed() {
      for start in 0...(words.count - count) {
        let part = words[start..<(start + count)].joined(separator: " ")
        let key = Folding.key(part)
        if knownKeys.contains(key) || (isoNames.keys.contains(key) && !isoNames.isPart(part, ofNameIn: translations)) { return part }
      }
    }
    guard let preposition = words.firstIndex(of: "of") else { return name }
    let part = words[(preposition + 1)...].joined(separator: " ")
    return translations.contains { Folding.fold($0).containsWords(Folding.fold(part)) } ? part : name
  }
}
