import PlacesKit
import SQLite
import Text

/// Turns a rank into what is shown: names in the language asked for, region and country beside them, and what matches. Where no
/// language is asked for, each row is in its own: `München, Bayern, Deutschland`, `Genève, Suisse`.
struct Presenter {
  let file: IndexFile
  /// Nil asks for local names.
  let asked: LanguageChoice?
  /// The language of what stands beside the name of the row that is being shown.
  var choice: LanguageChoice
  let region: String?
  /// The number under which `file.presented` knows who reads.
  private let reader: UInt64

  init(file: IndexFile, language: String?, region: String?) {
    self.file = file
    asked = language.flatMap { $0.isEmpty ? nil : LanguageChoice($0) }
    choice = LanguageChoice(language)
    self.region = region?.uppercased()
    reader = file.presented.number(of: .init(language: asked?.key, region: self.region))
  }

  /// One row of an autocomplete answer; nil for a rank that no place has.
  mutating func suggestion(_ rank: UInt32, _ words: [String]) throws(SQLiteError) -> Suggestion? {
    guard let place = try presented(rank) else { return nil }
    if let known = place.choice { choice = known }
    return place.row(matching: words)
  }

  private mutating func presented(_ rank: UInt32) throws(SQLiteError) -> PresentedPlace? {
    if let known = file.presented.place(rank, for: reader) { return known }
    var found = try written(rank)
    if found == nil { found = try present(rank) }
    guard let place = found else { return nil }
    file.presented.keep(place, rank, for: reader)
    return place
  }

  /// The place as the index keeps it; nil where it does not, or for another reader.
  func written(_ rank: UInt32) throws(SQLiteError) -> PresentedPlace? {
    guard asked == nil, region == nil, let bytes = file.mapped.row(rank), let columns = file.mapped.columns(rank) else { return nil }
    return try WrittenRow.decode(bytes, columns, in: file)
  }

  mutating func present(_ rank: UInt32) throws(SQLiteError) -> PresentedPlace? {
    try composed(rank).map { PresentedPlace($0.row, name: $0.text.name, choice: choice) }
  }

  /// A place's row, and whence it comes, told from what its sources tell; nil for a rank that no place has.
  mutating func composed(_ rank: UInt32) throws(SQLiteError) -> (row: Suggestion, text: PlaceText)? {
    guard let columns = file.mapped.columns(rank), let (id, stored) = try file.place(rank) else { return nil }
    let text = PlaceText(id: id, stored: stored, choice: asked)
    if asked == nil { choice = try local(text, columns) }
    let types = try file.types.types(columns.types)
    let secondary = try surroundings(text, columns, types)
    let suggestion = Suggestion(
      kind: .place, id: id, text: FormattedText(secondary.isEmpty ? text.name : "\(text.name), \(secondary)"),
      primary: FormattedText(text.name), secondary: secondary.isEmpty ? nil : FormattedText(secondary), types: types,
      language: text.language, location: columns.point == .none ? nil : columns.point.coordinate,
      importance: Double(columns.importance) / 65_535, evidence: try evidence(text, columns), attributions: try attributions(text))
    return (suggestion, text)
  }

  /// What stands beside the name: for a house or shop its address and town, for everything its region and country.
  private func surroundings(_ text: PlaceText, _ columns: PlaceColumns, _ types: [PlaceType]) throws(SQLiteError) -> String {
    var parts: [String] = []
    let group = types.first?.group
    if group != .region {
      // A house is called by its address, in whatever order, unless it has a name.
      if let line = text.addressLine, group != .address || Set(Folding.words(of: line)) != Set(Folding.words(of: text.name)) {
        parts.append(line)
      }
      if let locality = text.locality { parts.append(locality) }
    }
    if parts.isEmpty, let name = try areaName(columns.region) { parts.append(name) }
    let code = try file.areas.entry(columns.country)?.code
    if let code, code != region, let name = try areaName(columns.country) { parts.append(name) }
    // Neither "Singapore, Singapore" nor "Berlin, Berlin, Germany".
    var shown: [String] = []
    for part in parts where part != text.name && shown.last != part { shown.append(part) }
    return shown.joined(separator: ", ")
  }

  /// The languages for what stands beside a local name: its own, or where nobody told it that of its region, before the country's.
  func local(_ text: PlaceText, _ columns: PlaceColumns) throws(SQLiteError) -> LanguageChoice {
    let languages = text.languages
    if let language = text.spoken { return LanguageChoice(language, before: languages) }
    if languages.certain == 0, let language = try areaLanguage(columns.region) { return LanguageChoice(language, before: languages) }
    return languages
  }

  /// The language in which an area calls itself; nil where its names do not tell.
  private func areaLanguage(_ number: UInt16) throws(SQLiteError) -> String? {
    if let known = file.names.languages[number] { return known }
    let language = try areaText(number, nil)?.spoken
    file.names.languages[number] = .some(language)
    return language
  }

  private func areaText(_ number: UInt16, _ choice: LanguageChoice?) throws(SQLiteError) -> PlaceText? {
    guard number > 0, let entry = try file.areas.entry(number), entry.rank > 0, let (id, stored) = try file.place(entry.rank) else {
      return nil
    }
    return PlaceText(id: id, stored: stored, choice: choice)
  }

  /// An area's name in the language chosen; nil for none.
  func areaName(_ number: UInt16) throws(SQLiteError) -> String? {
    if let name = file.names[number, choice.key] { return name }
    guard let name = try areaText(number, choice)?.name else { return nil }
    file.names[number, choice.key] = name
    return name
  }

  func evidence(_ text: PlaceText, _ columns: PlaceColumns) throws(SQLiteError) -> Evidence {
    var evidence = Evidence()
    evidence.otherNames = text.others
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
    if let own = WrittenRow.equivalent(of: text.id) { evidence.equivalents.insert(own, at: 0) }
    return evidence
  }

  /// The credits that GeoNames' own, which every answer carries, does not cover.
  func attributions(_ text: PlaceText) throws(SQLiteError) -> [Attribution] {
    try file.credits(of: text.creditedSources)
  }
}
