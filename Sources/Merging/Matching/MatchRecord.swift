import PlacesKit

/// The fields of a place that are compared. Only the source and the name are required; a missing field is evidence neither for nor against.
public struct MatchRecord: Sendable {
  /// The name of the source. Records of one source with different ids mean different places.
  public var source: String
  public var id: String?
  public var name: String
  /// The other names of the place, in any language.
  public var otherNames: [String] = []
  public var location: Coordinate?
  /// Street and house number in one line, in either order, with or without the rest of the address.
  public var address: String?
  public var houseNumber: String?
  public var postcode: String?
  public var locality: String?
  public var region: String?
  /// A two-letter code, or a name.
  public var country: String?
  public var phone: String?
  public var website: String?
  /// The category in the source's own words; the parts of a path are separated by `>`.
  public var category: String?
  public var types: [PlaceType] = []
  /// 0…1, comparable only within one source.
  public var importance: Double?
  /// The secondary text, such as `Mitte, Berlin, Germany`. The words of a query may match it.
  public var context: String?
  /// The place's ids at other services, as `namespace:id`.
  public var equivalents: [String] = []
  /// Whether most records of the set are businesses. If so, a record without a category is probably a business, too.
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
