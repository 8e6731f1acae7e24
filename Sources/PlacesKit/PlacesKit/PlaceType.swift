/// A kind of place, by its name in the type table. Services invent new words: a type outside the table is kept as it is in
/// answers, and refused in requests.
public struct PlaceType: Sendable, Hashable, Codable, RawRepresentable, ExpressibleByStringLiteral {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }
  public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Whether the type table holds it, so that a request may ask for it.
  public var isKnown: Bool { PlaceType.groups[self] != nil }

  /// The group that the type table puts it in.
  public var group: TypeGroup? { PlaceType.groups[self] }

  /// Every type that a request may ask for, in the order of the table.
  public static let all: [PlaceType] = table.flatMap { $0.1 }.map { PlaceType(rawValue: String($0)) }

  private static let groups: [PlaceType: TypeGroup] = Dictionary(
    table.flatMap { group, words in words.map { (PlaceType(rawValue: String($0)), group) } }, uniquingKeysWith: { first, _ in first })
}

/// What the types of a group have in common.
public enum TypeGroup: String, Sendable, Hashable, Codable, CaseIterable {
  case region, address, culture, education, entertainment, finance, food, government, health, lodging, natural, religion, service
  case shopping, sports, transport
}

/// Names for sets of types, of which a request may have one instead of types.
public enum TypeCollection: String, Sendable, Hashable, Codable, CaseIterable {
  case geocode, address, establishment
  case regions = "(regions)"
  case cities = "(cities)"

  /// Whether a place of these types belongs to the collection.
  public func contains(_ types: [PlaceType]) -> Bool {
    let groups = types.compactMap(\.group)
    switch self {
    case .geocode: return groups.contains { $0 == .region || $0 == .address }
    case .address: return groups.contains(.address)
    case .establishment: return groups.contains { $0 != .region && $0 != .address }
    case .regions: return types.contains { PlaceType.regions.contains($0) }
    case .cities: return types.contains { PlaceType.cities.contains($0) }
    }
  }
}

extension PlaceType {
  static let regions: Set<PlaceType> = [
    "locality", "sublocality", "postal_code", "country", "administrative_area_level_1", "administrative_area_level_2",
  ]
  static let cities: Set<PlaceType> = ["locality", "administrative_area_level_3"]

  /// The type table: the words of the Places API where it has one, so that what people know works.
  private static let table: [(TypeGroup, [Substring])] = words.map { ($0, $1.split { $0 == " " || $0 == "\n" }) }

  private static let words: [(TypeGroup, String)] = [
    (
      .region,
      """
      country administrative_area_level_1 administrative_area_level_2 administrative_area_level_3 locality
      sublocality neighborhood postal_code archipelago continent
      """
    ),
    (
      .address,
      """
      street_address route premise subpremise intersection plus_code
      """
    ),
    (
      .culture,
      """
      museum art_gallery library monument historical_landmark cultural_center castle sculpture
      performing_arts_theater auditorium
      """
    ),
    (
      .education,
      """
      school primary_school secondary_school university preschool child_care_agency
      """
    ),
    (
      .entertainment,
      """
      tourist_attraction amusement_park aquarium zoo cinema movie_theater casino night_club bowling_alley park
      garden playground community_center concert_hall event_venue marina visitor_center water_park
      """
    ),
    (
      .finance,
      """
      bank atm accounting insurance_agency
      """
    ),
    (
      .food,
      """
      restaurant cafe bar bakery pub fast_food_restaurant pizza_restaurant ice_cream_shop coffee_shop meal_takeaway
      meal_delivery food_court wine_bar tea_house food
      """
    ),
    (
      .government,
      """
      city_hall courthouse embassy fire_station police post_office local_government_office prison
      """
    ),
    (
      .health,
      """
      hospital pharmacy doctor dentist drugstore physiotherapist veterinary_care spa medical_clinic
      """
    ),
    (
      .lodging,
      """
      lodging hotel hostel guest_house motel campground rv_park bed_and_breakfast
      """
    ),
    (
      .natural,
      """
      mountain_peak lake river island beach forest glacier valley volcano waterfall spring cave natural_feature
      nature_reserve national_park
      """
    ),
    (
      .religion,
      """
      church mosque synagogue hindu_temple buddhist_temple place_of_worship cemetery
      """
    ),
    (
      .service,
      """
      hair_care beauty_salon laundry lawyer electrician plumber locksmith painter funeral_home real_estate_agency
      travel_agency car_rental car_repair car_wash storage moving_company public_bath toilet drinking_water bench
      recycling
      """
    ),
    (
      .shopping,
      """
      store supermarket grocery_store convenience_store department_store clothing_store shoe_store book_store
      electronics_store furniture_store hardware_store home_goods_store jewelry_store pet_store florist liquor_store
      shopping_mall bicycle_store gift_shop market butcher_shop car_dealer sporting_goods_store toy_store
      """
    ),
    (
      .sports,
      """
      gym stadium swimming_pool sports_complex golf_course ski_resort sports_club athletic_field ice_skating_rink
      """
    ),
    (
      .transport,
      """
      airport train_station bus_station bus_stop subway_station light_rail_station tram_stop transit_station
      ferry_terminal taxi_stand parking gas_station electric_vehicle_charging_station heliport bicycle_parking
      """
    ),
  ]
}
