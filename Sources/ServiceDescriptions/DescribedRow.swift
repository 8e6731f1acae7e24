import Geocoders
import JSON
import PlacesKit

/// A row of an answer whose fields have been read.
struct DescribedRow: Sendable {
  var kind = Suggestion.Kind.place
  var place: GeocodedPlace
  /// The values of the fields `text`, `primary` and `secondary`, which the service composes itself.
  var texts: [RowField: FormattedText] = [:]
  var language: String?
  /// The distance from the request's origin, in metres.
  var distance: Double?
  /// The address of a page about a suggestion.
  var url: String?
  /// The values of the fields that `place` does not contain.
  var values: [PlaceField: JSONValue] = [:]

  /// The reason why a row is left out.
  enum Omission: Error {
    /// `kind` has this value: `skip`, or a word that is not a kind of row.
    case kind(String)
    /// No field has a text that a row can show.
    case noText
    /// A place has neither an id nor a position.
    case noIdentity
  }

  /// Reads a row. Throws the reason if the row is left out.
  init(_ row: JSONValue, of answer: JSONValue, fields: RowFields, types: ServiceTypes) throws(Omission) {
    let reader = RowReader(answer: answer, row: row, fields: fields)
    func value(_ field: RowField) -> JSONValue? { fields[field]?.value(in: reader) }
    func text(_ field: RowField) -> String? {
      switch value(field) {
      case .array(let elements)?: elements.first?.shownText
      case let value?: value.shownText
      case nil: nil
      }
    }
    /// The texts of all templates of a field, at most 50 of each template.
    func list(_ field: RowField) -> [String] {
      (fields[field]?.templates ?? []).flatMap { template -> [String] in
        guard let value = template.value(reader.value(of:)) else { return [] }
        return (value.array ?? [value]).prefix(50).compactMap(\.shownText)
      }
    }
    switch text(.kind) {
    case nil, "place": kind = .place
    case "query": kind = .query
    case let word?: throw .kind(word)
    }
    let parts = AddressParts(text)
    var location = Coordinate(latitude: value(.latitude), longitude: value(.longitude))
    if let grid = fields.grid, let easting = value(.easting)?.numberOrText, let northing = value(.northing)?.numberOrText {
      location = grid.coordinate(easting: easting, northing: northing)
    }
    let id = text(.id) ?? location.map { OpenStreetMapID.row(nil, at: $0) } ?? ""
    place = GeocodedPlace(id: id, parts: parts)
    place.location = location
    place.label = text(.label)
    place.viewport = Rectangle(south: value(.south), west: value(.west), north: value(.north), east: value(.east))
    place.types = DescribedRow.types(list(.types), osmTag: text(.osmTag), parts: parts, types)
    place.importance = value(.importance)?.numberOrText.map { min(max($0, 0), 1) }
    place.otherNames = list(.otherNames)
    place.equivalents = list(.equivalents)
    place.phone = text(.phone)
    place.website = text(.website)
    place.openingHours = text(.openingHours)
    place.wheelchair = value(.wheelchair)?.yesOrTrue
    language = text(.language)
    distance = value(.distance)?.numberOrText.flatMap { $0 >= 0 ? $0 : nil }
    place.partialMatch = value(.partialMatch)?.yesOrTrue
    url = text(.url)
    for source in fields.texts { texts[source.field] = source.formatted(in: reader) }
    readValues(value)
    if fields.countryIsConstant {
      var sentParts = parts
      sentParts.country = nil
      // The country is not from the row, so it does not count as the row's text.
      if sentParts.primary == nil { place.parts.country = nil }
    }
    guard place.parts.primary ?? place.label ?? texts[.primary]?.text ?? texts[.text]?.text != nil else { throw .noText }
    guard kind == .query || !id.isEmpty else { throw .noIdentity }
  }

  /// Reads the fields that `place` does not contain.
  private mutating func readValues(_ value: (RowField) -> JSONValue?) {
    /// Stores the value if the field accepts it.
    func set(_ field: PlaceField, _ candidate: JSONValue?) {
      if let accepted = field.accepted(candidate) { values[field] = accepted }
    }
    set(.rating, value(.rating)?.numberOrText.map { FieldConverter.number($0) })
    set(.userRatingsTotal, value(.userRatingsTotal)?.numberOrText.map { FieldConverter.number($0.rounded()) })
    func text(_ field: RowField) -> JSONValue? { value(field)?.shownText.map { .string($0) } }
    set(.priceLevel, text(.priceLevel))
    set(.businessStatus, text(.businessStatus))
    set(.editorialSummary, text(.editorialSummary))
    set(.iconImageURL, text(.icon))
  }

  /// The types of a row: those that the service's words mean, then those of OpenStreetMap's tag, each once.
  private static func types(_ words: [String], osmTag: String?, parts: AddressParts, _ table: ServiceTypes) -> [PlaceType] {
    // A house without a name is an address first, whatever kind of building its tag denotes.
    var types: [PlaceType] = osmTag != nil && parts.houseNumber != nil && parts.name == nil ? ["street_address"] : []
    func add(_ furtherTypes: [PlaceType]) { for type in furtherTypes where !types.contains(type) { types.append(type) } }
    for word in words { add(table.types(of: word)) }
    if let osmTag, let equalsSign = osmTag.utf8.firstIndex(of: UInt8(ascii: "=")) {
      add(OpenStreetMapTypes.types(String(osmTag[..<equalsSign]), String(osmTag[osmTag.utf8.index(after: equalsSign)...])))
    }
    return types
  }
}

extension RowFields.Text {
  /// The text, with the ranges that the service marks or lists.
  fileprivate func formatted(in reader: RowReader) -> FormattedText? {
    for template in alternatives.templates {
      var unmarkedTemplate = template
      var marks: (open: String, close: String)?
      // The converter `markup` is applied here instead of by the template, so that the ranges between the marks are known.
      if template.parts.count == 1, case .placeholder(var placeholder) = template.parts[0],
        case .markup(let open, let close)? = placeholder.converters.last
      {
        marks = (open, close)
        placeholder.converters.removeLast()
        unmarkedTemplate.parts = [.placeholder(placeholder)]
      }
      guard let text = unmarkedTemplate.value(reader.value(of:)).flatMap({ ($0.array?.first ?? $0).shownText }) else { continue }
      if let marks {
        let markedText = MarkedText(text, open: marks.open, close: marks.close)
        return FormattedText(markedText.text, matches: markedText.matches)
      }
      return FormattedText(text, matches: matches?.read(answer: reader.answer, row: reader.row, within: text.unicodeScalars.count) ?? [])
    }
    return nil
  }
}

extension AddressParts {
  fileprivate init(_ text: (RowField) -> String?) {
    self.init()
    name = text(.name)
    houseNumber = text(.houseNumber)
    street = text(.street)
    postcode = text(.postcode)
    district = text(.district)
    city = text(.city)
    county = text(.county)
    state = text(.state)
    country = text(.country)
    countryCode = text(.countryCode).flatMap { JSONValue.string($0).countryCode }
  }
}
