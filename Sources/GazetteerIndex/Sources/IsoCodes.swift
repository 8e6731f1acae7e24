import PlacesKit
import Text

/// The data that iso-codes adds to areas: the codes that people write (`USA`, `ON`, `NRW`) and official names.
struct IsoCodes {
  /// The folder of the package's JSON files.
  let folder: String

  /// Adds the codes and names to the areas, which are given by their codes.
  func add(to areas: inout [String: GazetteerRecord]) {
    for entry in entries("iso_3166-1.json", "3166-1") {
      guard let code = entry["alpha_2"]?.string, areas[code] != nil else { continue }
      let names = ["name", "common_name", "official_name"].compactMap { entry[$0]?.string }.map(IsoCodes.inOrder)
      areas[code]?.otherNames += [code, entry["alpha_3"]?.string].compactMap { $0 } + names
      areas[code]?.shorten(toOneOf: names)
    }
    addRegionCodes(to: &areas)
  }

  /// GeoNames' own codes are ISO's only for some countries, so the regions are found by their names.
  private func addRegionCodes(to areas: inout [String: GazetteerRecord]) {
    var codes: [String: [String]] = [:]
    var names: [String: [String]] = [:]
    for entry in entries("iso_3166-2.json", "3166-2") {
      guard let parts = entry["code"]?.string?.split(separator: "-"), parts.count == 2, let name = entry["name"]?.string,
        parts[1].contains(where: \.isLetter)
      else { continue }
      codes["\(parts[0]) \(Folding.key(name))", default: []].append(String(parts[1]))
      names[String(parts[0]), default: []].append(name)
    }
    for (code, area) in areas where area.types.first == "administrative_area_level_1" {
      let keys = Set(([area.name] + area.names.map(\.text)).map { "\(area.country) \(Folding.key($0))" })
      areas[code]?.otherNames += Set(keys.flatMap { codes[$0] ?? [] }).sorted()
      areas[code]?.shorten(toOneOf: names[area.country] ?? [])
    }
  }

  /// The words of a name in their usual order: `Democratic Republic of the Congo` for the standard's `Congo, The Democratic Republic of
  /// the`.
  private static func inOrder(_ name: String) -> String {
    let parts = name.split(separator: ", ", maxSplits: 1)
    guard parts.count == 2, parts[1].hasSuffix("of") || parts[1].hasSuffix("the") else { return name }
    return "\(parts[1].hasPrefix("The ") ? parts[1].dropFirst(4) : parts[1]) \(parts[0])"
  }

  /// The entries of a file; empty if it cannot be read.
  private func entries(_ file: String, _ key: String) -> [JSONValue] {
    guard let bytes = try? FileSource.contents(of: "\(folder)/\(file)"),
      let value = try? JSONValue(parsing: bytes, limits: JSONLimits(depth: 8, values: 1_000_000))
    else { return [] }
    return value[key]?.array ?? []
  }
}

extension GazetteerRecord {
  /// Replaces the English name by the longest of some names whose words it contains: `State of Maine` by `Maine`. `West Virginia` remains
  /// if it is among the names, since it is longer than `Virginia`.
  mutating func shorten(toOneOf names: [String]) {
    let contained = names.filter { name.containsWords($0) }
    guard let short = contained.max(by: { $0.utf8.count < $1.utf8.count }), short != name else { return }
    otherNames.append(name)
    self.names = self.names.map { $0.language == "en" && $0.text == name ? .init("en", short) : $0 }
    name = short
  }
}
