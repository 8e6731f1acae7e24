import PlacesKit
import SQLite
import Text

/// Renders places as rows: the name in the requested language, the region and country after it, and highlighted matches. If no language was
/// requested, each row is in the language of its place: `München, Bayern, Deutschland`, `Genève, Suisse`.
struct RowRenderer {
  let file: IndexFile
  /// The requested language; nil for each place's own language.
  let requestedLanguage: LanguageChoice?
  /// The languages of the secondary text of the row that was rendered last.
  private(set) var secondaryLanguages: LanguageChoice
  /// The region of the request: a country's code, in capitals. Rows in this country do not show its name.
  let region: String?

  init(file: IndexFile, language: String?, region: String?) {
    self.file = file
    requestedLanguage = language.flatMap { $0.isEmpty ? nil : LanguageChoice($0) }
    secondaryLanguages = LanguageChoice(language)
    self.region = region?.uppercased()
  }

  /// One row of an autocomplete answer; nil if no place has the rank.
  /// - Parameter words: the folded words of the query, which are highlighted.
  mutating func suggestion(_ rank: UInt32, _ words: [String]) throws(SQLiteError) -> Suggestion? {
    let cached = file.renderedPlaces[key(rank)]
    guard let place = if let cached { cached } else { try render(rank) } else { return nil }
    secondaryLanguages = place.secondaryLanguages
    return place.row(matching: words)
  }

  private func key(_ rank: UInt32) -> RenderedPlaceCache.Key { .init(rank: rank, language: requestedLanguage?.key, region: region) }

  /// Renders a place and stores it in the cache; nil if no place has the rank.
  private mutating func render(_ rank: UInt32) throws(SQLiteError) -> RenderedPlace? {
    guard let columns = file.mapped.columns(rank), let (id, stored) = try file.place(rank) else { return nil }
    let text = StoredPlaceText(id: id, stored: stored, choice: requestedLanguage)
    if requestedLanguage == nil { secondaryLanguages = try localLanguages(text, columns) }
    let types = try file.types.types(columns.types)
    let secondary = try secondaryText(text, columns, types)
    let row = Suggestion(
      kind: .place, id: id, text: FormattedText(secondary.isEmpty ? text.name : "\(text.name), \(secondary)"),
      primary: FormattedText(text.name), secondary: secondary.isEmpty ? nil : FormattedText(secondary), types: types,
      language: text.language, location: columns.point.coordinate,
      importance: columns.relativeImportance, evidence: try evidence(text, columns),
      attributions: try file.credits(of: text.creditedSources))
    let place = RenderedPlace(row, name: text.name, secondaryLanguages: secondaryLanguages)
    file.renderedPlaces.insert(place, for: key(rank))
    return place
  }

  /// The text after the name: the address and town of a house or shop, or the region of any other place; then the country, unless it is
  /// the region of the request.
  private func secondaryText(_ text: StoredPlaceText, _ columns: PlaceColumns, _ types: [PlaceType]) throws(SQLiteError) -> String {
    var parts: [String] = []
    let group = types.first?.group
    if group != .region {
      // The name of an unnamed house is its address. It may be written in another order, so the words are compared.
      if let line = text.addressLine, group != .address || Set(Folding.words(of: line)) != Set(Folding.words(of: text.name)) {
        parts.append(line)
      }
      if let locality = text.locality { parts.append(locality) }
    }
    // The name of a region may be that of the place in another language. Do not show "Токио, Tokyo, Япония".
    if parts.isEmpty, let name = try areaName(columns.region), !name.repeatsName(text.name), !text.otherNames.contains(name) {
      parts.append(name)
    }
    let code = try file.areas.entry(columns.country)?.code
    if let code, code != region, let name = try areaName(columns.country) { parts.append(name) }
    // Do not show "Singapore, Singapore", "Berlin, Berlin, Germany", "北京, 北京市" or "台北市, 台湾省, 台湾".
    var distinctParts: [String] = []
    for part in parts.reversed() where !HanSuffixes.isEqual(part, text.name) {
      if let last = distinctParts.last, HanSuffixes.isEqual(part, last) { continue }
      distinctParts.append(part)
    }
    return distinctParts.reversed().joined(separator: ", ")
  }

  /// The languages of the secondary text beside a local name: the language of the name or, if it is unknown, of its region; then those of
  /// the country.
  private func localLanguages(_ text: StoredPlaceText, _ columns: PlaceColumns) throws(SQLiteError) -> LanguageChoice {
    let languages = text.languages
    if let language = text.ownLanguage { return LanguageChoice(language, before: languages) }
    if languages.regionalCount == 0, let language = try areaLanguage(columns.region) { return LanguageChoice(language, before: languages) }
    return languages
  }

  /// The language of an area's own name; nil if its names do not show it.
  private func areaLanguage(_ number: UInt16) throws(SQLiteError) -> String? {
    if let cached = file.areaNames.languages[number] { return cached }
    let language = try areaText(number, nil)?.ownLanguage
    file.areaNames.languages[number] = .some(language)
    return language
  }

  /// The stored texts of a country or region; nil if the index has no place for it.
  /// - Parameter languages: the languages of its name; nil for its own.
  private func areaText(_ number: UInt16, _ languages: LanguageChoice?) throws(SQLiteError) -> StoredPlaceText? {
    guard number > 0, let entry = try file.areas.entry(number), entry.rank > 0, let (id, stored) = try file.place(entry.rank) else {
      return nil
    }
    return StoredPlaceText(id: id, stored: stored, choice: languages)
  }

  /// An area's name in the `secondaryLanguages`; nil if the index has no place for the area.
  func areaName(_ number: UInt16) throws(SQLiteError) -> String? {
    if let name = file.areaNames[number, secondaryLanguages.key] { return name }
    guard let name = try areaText(number, secondaryLanguages)?.name else { return nil }
    file.areaNames[number, secondaryLanguages.key] = name
    return name
  }

  /// The values that merging compares with those of other providers' rows.
  private func evidence(_ text: StoredPlaceText, _ columns: PlaceColumns) throws(SQLiteError) -> Evidence {
    var evidence = Evidence()
    evidence.otherNames = text.otherNames
    evidence.address = text.addressLine
    evidence.street = text.street
    evidence.houseNumber = text.houseNumber
    evidence.postcode = text.postcode
    evidence.locality = text.locality
    evidence.phone = text.phone
    evidence.website = text.website
    evidence.region = try areaName(columns.region)
    evidence.country = try file.areas.entry(columns.country)?.code
    evidence.equivalents = text.equivalents
    if let ownEquivalent = RowRenderer.equivalent(of: text.id) { evidence.equivalents.insert(ownEquivalent, at: 0) }
    return evidence
  }

  /// The id in other data that a place's own id implies; nil if it implies none.
  private static func equivalent(of id: String) -> String? {
    if id.hasPrefix("osm:") { return id }
    return id.utf8.first?.isDigit == true ? "geonames:\(id)" : nil
  }
}
