import Glibc
import PlacesKit
import Text

/// Reads the data of Debian's packages `libgeonames0`, `libgeonames-common` and `iso-codes`: cities with more than 15,000 people, their
/// regions and countries, with names in 177 languages.
public struct DebianData: Sendable {
  /// libgeonames' shared library, which contains the cities.
  public var library: String
  /// The folder of the message catalogs, which contain the names in other languages.
  public var locales: String
  /// The folder of iso-codes' JSON files.
  public var isoCodes: String

  public init(library: String, locales: String, isoCodes: String) {
    self.library = library
    self.locales = locales
    self.isoCodes = isoCodes
  }

  /// The installed data; nil if libgeonames0 is not installed.
  public static func installed() -> DebianData? {
    let folders = ["/usr/lib"] + files(in: "/usr/lib").filter { $0.contains("-linux-gnu") }.map { "/usr/lib/\($0)" }
    for folder in folders where access("\(folder)/libgeonames.so.0", R_OK) == 0 {
      return DebianData(
        library: "\(folder)/libgeonames.so.0", locales: "/usr/share/locale", isoCodes: "/usr/share/iso-codes/json")
    }
    return nil
  }

  /// The records of every city, region and country.
  public func records() throws(GazetteerError) -> [GazetteerRecord] {
    let bytes = try GResource.file(endingIn: "cities.compiled", in: FileSource.contents(of: library), path: library)
    guard let cities = DebianCity.all(in: bytes) else { throw .source(path: library, reason: "the cities have an unknown layout") }
    var names = catalogNames()
    var areas: [String: GazetteerRecord] = [:]
    var records: [GazetteerRecord] = []
    records.reserveCapacity(cities.count + Territory.all.count)
    for city in cities {
      guard let location = Coordinate(latitude: city.latitude, longitude: city.longitude) else { continue }
      var record = GazetteerRecord(id: city.id, name: city.name)
      record.location = location
      record.country = city.country
      record.population = city.population
      record.types = ["locality"]
      // Some catalogs name the parts of a city `Bruxelles (Anderlecht)`.
      record.names = (names.removeValue(forKey: city.id) ?? []).map {
        $0.text.hasSuffix(" (\(city.name))") ? .init($0.language, city.name) : $0
      }
      if !city.regionCode.isEmpty, city.regionCode != "00" {
        record.region = "\(city.country).\(city.regionCode)"
        if areas[record.region] == nil {
          areas[record.region] = GazetteerRecord(areaCode: record.region, name: city.regionName)
        }
      }
      if areas[city.country] == nil { areas[city.country] = GazetteerRecord(areaCode: city.country, name: city.countryName) }
      records.append(record)
    }
    for territory in Territory.all where areas[territory.country.id] == nil {
      areas[territory.country.id] = territory.country
      if var city = territory.city {
        let countryNames = territory.isCity ? names[territory.country.id] : nil
        city.names = names.removeValue(forKey: city.id) ?? countryNames ?? []
        records.append(city)
      }
    }
    for code in areas.keys {
      areas[code]?.setNames(names.removeValue(forKey: code) ?? [])
    }
    IsoCodes(folder: isoCodes).add(to: &areas)
    return records + areas.values.sorted { $0.id < $1.id }
  }

  /// The names in all languages, by the id of the city or the code of the area.
  private func catalogNames() -> [String: [GazetteerRecord.Name]] {
    var names: [String: [GazetteerRecord.Name]] = [:]
    for locale in files(in: locales).sorted() {
      guard let language = DebianData.language(of: locale),
        let bytes = try? FileSource.contents(of: "\(locales)/\(locale)/LC_MESSAGES/geonames.mo"), let catalog = MessageCatalog(bytes)
      else { continue }
      for (id, text) in catalog.messages {
        // Some names are two spellings: `臺灣省 or 台灣省`.
        for spelling in text.split(separator: " or ") { names[id, default: []].append(.init(language, String(spelling))) }
      }
    }
    return names
  }

  /// The BCP 47 tag of a locale such as `pt_BR` or `sr@latin`; nil for a locale with another modifier, such as `ca@valencia`.
  private static func language(of locale: String) -> String? {
    let parts = locale.split(separator: "@", maxSplits: 1)
    guard let base = parts.first else { return nil }
    let tag = base.split(separator: "_").joined(separator: "-")
    switch parts.dropFirst().first {
    case nil: return tag
    case "latin": return "\(tag)-Latn"
    case "cyrillic": return "\(tag)-Cyrl"
    default: return nil
    }
  }
}

extension GazetteerRecord {
  /// Sets an area's names to those of the catalogs. For a country, the name that CLDR uses in each language comes first, because many
  /// names in the catalogs are official or wrong: `フランス` instead of `フランス共和国`, `República Dominicana` instead of `República de Santo
  /// Domingo`. The country is still found by the names of the catalogs.
  fileprivate mutating func setNames(_ names: [Name]) {
    let usualNames = names.map { Name($0.language, GazetteerRecord.usualName(of: id, in: $0.language) ?? $0.text) }
    let unusualNames = names.filter { name in !usualNames.contains { Folding.key($0.text) == Folding.key(name.text) } }
    // If a language has several names, the first one is shown.
    self.names = usualNames + unusualNames
    if let english = GazetteerRecord.usualName(of: id, in: "en"), english != name {
      if Folding.key(english) != Folding.key(name) { otherNames.append(name) }
      name = english
    }
  }

  /// A country's name in CLDR. Nil for other areas, and for a name with an explanation (`Congo - Kinshasa`, `Myanmar (Burma)`), an
  /// abbreviation (`Antigua & Barbuda`) or the name of another state (`Hong Kong SAR China`).
  private static func usualName(of code: String, in language: String) -> String? {
    guard code.utf8.count == 2, !["HK", "MO", "PS"].contains(code), let name = Languages.name(ofRegion: code, in: language),
      name != code, !name.contains(where: { "(（&,".contains($0) }), !name.contains(" - ")
    else { return nil }
    return name
  }
}

/// The names in a folder; empty if it cannot be read.
private func files(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names
}
