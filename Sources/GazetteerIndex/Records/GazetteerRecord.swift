import PlacesKit

/// A place as one source describes it. Importers pass records to the builder.
public struct GazetteerRecord: Sendable, Hashable {
  /// A name with the BCP 47 tag of its language. `init` removes invisible marks of the writing direction from the name.
  public struct Name: Sendable, Hashable {
    public var language: String
    public var text: String
    public init(_ language: String, _ text: String) {
      self.language = language
      self.text = text.withoutDirectionalMarks
    }
  }

  /// The permanent id of the place: a GeoNames id (`2950159`), an OpenStreetMap object (`osm:node/1`), or the code of a country or region
  /// (`DE`, `US.TX`). Records of several sources with the same id are one place.
  public var id: String
  /// The main name, which a row shows if no name in a requested or local language is known.
  public var name: String
  /// Names in known languages.
  public var names: [Name] = []
  /// Further names in unknown languages.
  public var otherNames: [String] = []
  public var location: Coordinate?
  /// ISO 3166-1 code of two letters; empty if unknown.
  public var country = ""
  /// GeoNames' code of the country and its first-level division, such as `US.TX`; empty if unknown.
  public var region = ""
  /// 0…20,000,000,000. Other values are clamped, so that the sum over ten million places does not overflow.
  public var population = 0 { didSet { population = min(max(0, population), GazetteerRecord.maxPopulation) } }
  private static let maxPopulation = 20_000_000_000
  /// The types, most specific first.
  public var types: [PlaceType] = []
  public var street: String?
  public var houseNumber: String?
  /// The postcode of the place's own address.
  public var postcode: String?
  /// For a town: the postcodes of the addresses in it, the most frequent one first.
  public var postcodes: [String] = []
  /// The name of the town in which the place lies.
  public var locality: String?
  public var phone: String?
  public var website: String?
  /// The opening hours in the notation of OpenStreetMap's key `opening_hours`.
  public var openingHours: String?
  /// Whether people in wheelchairs can enter; nil if unknown.
  public var wheelchair: Bool?
  /// Ids of the same place in other data, as in `Evidence.equivalents`.
  public var equivalents: [String] = []
  /// For a segment of a river: the first and last point of each of its lines; empty for any other place. Segments whose ends touch form
  /// one river (`RiverFragments`).
  public var lineEnds: [Coordinate] = []
  /// The code of a country (`DE`) or region (`US.TX`); nil for any other place.
  public var areaCode: String?

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  /// The record of a country or region.
  /// - Parameter code: the code of the area, which is also its id.
  init(areaCode code: String, name: String) {
    self.init(id: code, name: name)
    country = String(code.prefix { $0 != "." })
    types = [code == country ? "country" : "administrative_area_level_1"]
    areaCode = code
  }
}

extension String {
  /// The text without the invisible marks of the bidirectional algorithm (Unicode Standard Annex 9), which are not part of a name. Joiners
  /// (U+200C, U+200D) remain, because they change the form of letters.
  fileprivate var withoutDirectionalMarks: String {
    // In UTF-8, all marks except U+061C begin with this byte. So a text whose only mark is U+061C, which is rare, keeps it.
    guard utf8.contains(0xE2) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !$0.properties.isBidiControl }))
  }
}
