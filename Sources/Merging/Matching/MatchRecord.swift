import PlacesKit

/// What is known of a place for telling whether another row means the same one. Only the source and the name are needed; what is
/// missing speaks neither for nor against.
public struct MatchRecord: Sendable {
  /// Rows of one source with different ids are different places.
  public var source: String
  public var id: String?
  public var name: String
  /// In any language.
  public var otherNames: [String] = []
  public var location: Coordinate?
  /// Street and house number in one line, in either order, with or without what follows.
  public var address: String?
  public var houseNumber: String?
  public var postcode: String?
  public var locality: String?
  public var region: String?
  /// A two-letter code, or a name.
  public var country: String?
  public var phone: String?
  public var website: String?
  /// What the place is, in the source's own words; a path is separated by `>`.
  public var category: String?
  public var types: [PlaceType] = []
  /// A text that sets the place apart from namesakes, such as `Mitte, Berlin, Germany`, where its parts are not known.
  public var context: String?
  /// Ids of the place elsewhere, as `namespace:id`.
  public var equivalents: [String] = []
  /// Whether most rows around it are businesses, so that a row that says nothing of what it is will be one too.
  var amongBusinesses = false

  public init(source: String, id: String?, name: String) {
    self.source = source
    self.id = id
    self.name = name
  }
}

extension MatchRecord {
  init(source: String, id: String?, name: String, evidence: Evidence) {
    self.init(source: source, id: id, name: name)
    otherNames = evidence.otherNames
    address = evidence.address ?? evidence.street
    houseNumber = evidence.houseNumber
    postcode = evidence.postcode
    locality = evidence.locality
    region = evidence.region
    country = evidence.country
    phone = evidence.phone
    website = evidence.website
    equivalents = evidence.equivalents
  }
}
