import PlacesKit

/// A place as one source tells it: what importers hand to the builder.
public struct GazetteerRecord: Sendable, Hashable {
  /// A name in a language, by its BCP 47 tag; without marks that turn the direction of writing, which some sources leave in.
  public struct Name: Sendable, Hashable {
    public var language: String
    public var text: String
    public init(_ language: String, _ text: String) {
      self.language = language
      self.text = text.withoutDirectionalMarks
    }
  }

  /// The id that the place keeps for ever: a GeoNames id (`2950159`), an OpenStreetMap object (`osm:node/1`), or for areas without either
  /// their code (`DE`, `US.TX`). Records of several sources with the same id are one place.
  public var id: String
  public var name: String
  public var names: [Name] = []
  /// Further names whose language nobody told.
  public var otherNames: [String] = []
  public var location: Coordinate?
  /// Two-letter code; empty where unknown.
  public var country = ""
  /// Country and first-level code, such as `US.TX`; empty where unknown.
  public var region = ""
  /// 0…20,000,000,000, and what is beyond is taken as that: ten million such places can still be added up.
  public var population = 0 { didSet { population = min(max(0, population), GazetteerRecord.mostPeople) } }
  private static let mostPeople = 20_000_000_000
  /// Most specific first.
  public var types: [PlaceType] = []
  public var street: String?
  public var houseNumber: String?
  public var postcode: String?
  /// Of a town: the codes of the addresses in it, that of most first.
  public var postcodes: [String] = []
  public var locality: String?
  public var phone: String?
  public var website: String?
  /// As the source writes them (OpenStreetMap's `opening_hours`).
  public var openingHours: String?
  public var wheelchair: Bool?
  /// Ids of the same place elsewhere, as in `Evidence.equivalents`.
  public var equivalents: [String] = []
  /// Where its lines begin and end: of a watercourse, whose pieces are told by that.
  public var ends: [Coordinate] = []
  /// The code of the area that this place is: `DE` for a country, `US.TX` for a region; nil for anything else.
  public var areaCode: String?

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

extension String {
  /// Without the invisible marks of the bidirectional algorithm (Unicode Standard Annex 9): they lay a line out and name no place. Joiners,
  /// which change letters, stay.
  fileprivate var withoutDirectionalMarks: String {
    // All of them begin with this byte in UTF-8, but the rare U+061C.
    guard utf8.contains(0xE2) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !$0.properties.isBidiControl }))
  }
}
