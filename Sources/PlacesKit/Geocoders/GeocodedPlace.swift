import JSON
import PlacesKit
import Text

/// A place that an open geocoder (Nominatim, Photon or Pelias) or a described service (places-service(5)) returned. Providers convert it
/// to a suggestion or to a place.
public struct GeocodedPlace: Sendable, Hashable {
  /// The provider's own id.
  public var id: String
  public var parts: AddressParts
  /// The whole address on one line, if the service composes it.
  public var label: String?
  public var location: Coordinate?
  public var viewport: Rectangle?
  /// The types, most specific first.
  public var types: [PlaceType]
  /// The importance, from 0 to 1 for the most important place; nil if the service returns none.
  public var importance: Double?
  public var otherNames: [String]
  public var phone: String?
  public var website: String?
  public var openingHours: String?
  public var wheelchair: Bool?
  /// See `Place.partialMatch`.
  public var partialMatch: Bool?
  /// See `Evidence.equivalents`.
  public var equivalents: [String]
  /// Nominatim's `place_id`, which is valid only at the server that sent it.
  public var serverID: Int?

  public init(id: String, parts: AddressParts, types: [PlaceType] = []) {
    self.id = id
    self.parts = parts
    self.types = types
    otherNames = []
    equivalents = []
  }

  /// The fields for which such a place can have a value.
  public static let fields: Set<PlaceField> = [
    .placeID, .name, .addressComponents, .formattedAddress, .coordinate, .types, .viewport, .phoneNumber, .website, .openingHours,
    .wheelchairAccessibleEntrance,
  ]

  private var evidence: Evidence {
    var evidence = parts.evidence
    evidence.otherNames = Array(otherNames.filter { $0 != parts.name }.prefix(8))
    evidence.phone = phone
    evidence.website = website
    evidence.equivalents = equivalents
    return evidence
  }

  /// The place as a suggestion; nil if it has neither a part of an address nor a label.
  /// - Parameters:
  ///   - query: the typed text, whose matches are marked in the suggestion.
  ///   - region: the user's own region, a two-letter code. The name of that country is omitted.
  public func suggestion(query: String, region: String?) -> Suggestion? {
    guard let primary = parts.primary ?? label else { return nil }
    let secondary = parts.secondary(region: region)
    let whole = secondary.map { "\(primary), \($0)" } ?? primary
    let words = Folding.words(of: query)
    return Suggestion(
      kind: .place, id: id, text: FormattedText(whole, matching: words), primary: FormattedText(primary, matching: words),
      secondary: secondary.map { FormattedText($0, matching: words) }, types: types, location: location,
      viewport: viewport, importance: importance, evidence: evidence)
  }

  /// The place with the requested fields. A field whose value is not known is absent.
  public func place(fields: Set<PlaceField>) -> Place {
    var values: [PlaceField: JSONValue] = [:]
    for field in fields { values[field] = value(of: field) }
    return Place(
      id: id, values: values, types: types, location: location, importance: importance, partialMatch: partialMatch, evidence: evidence)
  }

  private func value(of field: PlaceField) -> JSONValue? {
    switch field {
    case .placeID: .string(id)
    case .name: (parts.primary ?? label).map { .string($0) }
    case .addressComponents: parts.components
    case .formattedAddress: (label ?? parts.label()).map { .string($0) }
    case .coordinate: location?.json
    case .types: .array(types.map { .string($0.rawValue) })
    case .viewport: viewport?.json
    case .phoneNumber: phone.map { .string($0) }
    case .website: website.map { .string($0) }
    case .openingHours: openingHours.map { ["text": .string($0), "periods": []] }
    case .wheelchairAccessibleEntrance: wheelchair.map { .boolean($0) }
    default: nil
    }
  }
}

/// The rows of several answers: at most `limit` rows, without duplicate ids. Providers send two requests for an area that crosses the
/// antimeridian, one for each half, and join the answers (`pages`) by this function.
@inlinable public func joined<Row>(_ pages: [[Row]], limit: Int, id: (Row) -> String) -> [Row] {
  var seenIDs: Set<String> = []
  var rows: [Row] = []
  // The rows of the pages alternate, so that one page cannot fill the limit alone. Closures are used instead of key paths, because a key
  // path would be allocated at every call.
  for index in 0..<(pages.map({ $0.count }).max() ?? 0) {
    for page in pages where index < page.count && rows.count < limit && seenIDs.insert(id(page[index])).inserted {
      rows.append(page[index])
    }
  }
  return rows
}
