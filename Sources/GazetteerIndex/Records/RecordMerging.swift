import Glibc
import PlacesKit

extension GazetteerRecord {
  /// Merges the records of all sources of a stored place.
  init(id: String, stored: [UInt8]) {
    self.init(id: id, name: "")
    for section in RecordSections(stored[...]) { add(GazetteerRecord(id: id, fields: FieldSequence(section.fields))) }
  }

  /// Adds another source's record of the same place. Existing values are kept, except that the larger population is taken; names and
  /// equivalent ids are added.
  mutating func add(_ other: GazetteerRecord) {
    if name.isEmpty { name = other.name } else if !other.name.isEmpty, other.name != name { otherNames.append(other.name) }
    location = location ?? other.location
    if country.isEmpty { country = other.country }
    if region.isEmpty { region = other.region }
    population = max(population, other.population)
    if types.isEmpty { types = other.types }
    street = street ?? other.street
    houseNumber = houseNumber ?? other.houseNumber
    postcode = postcode ?? other.postcode
    if postcodes.isEmpty { postcodes = other.postcodes }
    if lineEnds.isEmpty { lineEnds = other.lineEnds }
    locality = locality ?? other.locality
    phone = phone ?? other.phone
    website = website ?? other.website
    openingHours = openingHours ?? other.openingHours
    wheelchair = wheelchair ?? other.wheelchair
    areaCode = areaCode ?? other.areaCode
    names += other.names.filter { name in !names.contains { $0.language == name.language } }
    otherNames += other.otherNames
    equivalents += other.equivalents.filter { !equivalents.contains($0) }
  }

  /// The importance of the place, 0…1: its population on a logarithmic scale, or a value for its type if it has none.
  var importance: Double {
    // The size is 0 for no people and 1 for 40 million, as in the largest city. A capital counts as a city of twice its population.
    let size = population > 0 ? min(1, log10(Double(population) * (Capitals.contains(id) ? 2 : 1) + 1) / 7.6) : 0
    // A city comes before a country or region whose name begins with the same letters, unless the area is far larger: Paris before Paraguay
    // and Paraná.
    if areaCode != nil { return (types.first == "country" ? 0.3 + 0.5 * size : 0.1 + 0.65 * size) + renown }
    guard let type = types.first else { return 0.1 }
    // By type, airports and stations come before museums and mountains, these before shops, and shops before houses and bus stops.
    switch type.group {
    case .region:
      if population > 0 { return 0.15 + 0.75 * size + renown }
      return type == "locality" ? 0.25 : type == "neighborhood" || type == "sublocality" ? 0.2 : 0.3
    case .address: return type == "route" ? 0.12 : 0.05
    case .transport: return type == "airport" || type == "train_station" ? 0.25 : 0.08
    case .natural, .culture: return 0.18
    case nil: return 0.1
    default: return 0.14
    }
  }

  /// A bonus of 0…0.1 for well-known places, measured by their number of names: Vaduz, with names in many languages, is better known
  /// than a suburb of Tiruchirappalli with twice its population and no other name.
  private var renown: Double { 0.1 * min(1, log10(Double(max(names.count, otherNames.count)) + 1) / 2) }
}
