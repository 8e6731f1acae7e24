/// A type of place, such as `museum`. The type table lists all types that a request may name. Services add new types, so an answer may also
/// contain types that the table lacks.
public struct PlaceType: Sendable, Hashable, Codable, RawRepresentable, ExpressibleByStringLiteral {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }
  public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// True if the type table contains the type, so that a request may name it.
  public var isKnown: Bool { PlaceType.groups[self] != nil }

  /// The group of the type in the type table; nil if the table does not contain it.
  public var group: TypeGroup? { PlaceType.groups[self] }

  /// The next wider type: every place of this type is also a place of the parent type. Nil if the table has no wider type.
  public var parent: PlaceType? { PlaceType.parents[self] }

  /// The wider types, nearest first.
  public var ancestors: [PlaceType] { Array(sequence(first: self, next: \.parent).dropFirst()) }

  /// True if `types` contains this type or one of its ancestors, so that every place of this type is a place of one of `types`.
  public func isKind(of types: some Collection<PlaceType>) -> Bool { types.contains(self) || ancestors.contains(where: types.contains) }

  /// All types of the type table, in its order.
  public static let all: [PlaceType] = TypeGroup.allCases.flatMap { entries[$0] ?? [] }.map(\.type)

  private static let groups: [PlaceType: TypeGroup] = Dictionary(
    entries.flatMap { group, entries in entries.map { ($0.type, group) } }, uniquingKeysWith: { first, _ in first })

  private static let parents: [PlaceType: PlaceType] = Dictionary(
    entries.values.joined().compactMap { entry in entry.parent.map { (entry.type, $0) } }, uniquingKeysWith: { first, _ in first })
}

/// The groups of the type table.
public enum TypeGroup: String, Sendable, Hashable, Codable, CaseIterable {
  case region, address, culture, education, entertainment, finance, food, government, health, lodging, natural, religion, service
  case shopping, sports, transport
}

/// A named set of types, with the name that Google's autocomplete uses. A request has either one collection or a list of types.
public enum TypeCollection: String, Sendable, Hashable, Codable, CaseIterable {
  case geocode, address, establishment
  case regions = "(regions)"
  case cities = "(cities)"

  /// True if a place with these types belongs to the collection.
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

  /// The type table. If Google's Places API (New) has a name for a type in its table A or B, the type has that name here (edition of
  /// 2026-04-09, developers.google.com/maps/documentation/places/web-service/place-types); a test compares the names. Google's types
  /// `establishment` and `geocode` are not in this table, because they are collections here.
  private static let entries: [TypeGroup: [(type: PlaceType, parent: PlaceType?)]] = words.mapValues { text in
    text.split { $0 == " " || $0 == "\n" }.map { entry in
      let names = entry.split(separator: "<").map { PlaceType(rawValue: String($0)) }
      return (names[0], names.dropFirst().first)
    }
  }

  /// The text of the table. `name<parent` means that every place of the type `name` is also a place of the type `parent`.
  private static let words: [TypeGroup: String] = [
    .region: """
    country administrative_area_level_1 administrative_area_level_2 administrative_area_level_3 administrative_area_level_4
    administrative_area_level_5 administrative_area_level_6 administrative_area_level_7 locality sublocality
    sublocality_level_1<sublocality sublocality_level_2<sublocality sublocality_level_3<sublocality sublocality_level_4<sublocality
    sublocality_level_5<sublocality neighborhood postal_code postal_code_prefix postal_code_suffix postal_town colloquial_area
    archipelago continent political school_district
    """,
    .address: """
    street_address route premise subpremise intersection plus_code
    """,
    .culture: """
    museum art_museum<museum history_museum<museum art_gallery art_studio library cultural_landmark historical_place
    historical_landmark<cultural_landmark monument<historical_landmark castle<historical_landmark sculpture fountain landmark
    cultural_center performing_arts_theater opera_house<performing_arts_theater auditorium amphitheatre
    """,
    .education: """
    educational_institution school<educational_institution primary_school<school secondary_school<school
    university<educational_institution academic_department research_institute preschool child_care_agency
    """,
    .entertainment: """
    tourist_attraction amusement_park<tourist_attraction amusement_center aquarium<tourist_attraction zoo<tourist_attraction
    wildlife_park roller_coaster ferris_wheel water_park cinema movie_theater movie_rental casino night_club bowling_alley
    paintball_center go_karting_venue video_arcade karaoke internet_cafe dance_hall comedy_club park city_park<park state_park<park
    dog_park<park cycling_park skateboard_park picnic_ground barbecue_area garden botanical_garden<garden plaza town_square
    playground indoor_playground<playground hiking_area off_roading_area adventure_sports_center community_center event_venue
    banquet_hall<event_venue wedding_venue<event_venue convention_center<event_venue concert_hall<event_venue
    philharmonic_hall<concert_hall live_music_venue<event_venue planetarium observation_deck marina visitor_center childrens_camp
    point_of_interest
    """,
    .finance: """
    finance bank<finance atm<finance accounting<finance insurance_agency<finance
    """,
    .food: """
    food restaurant<food acai_shop afghani_restaurant<restaurant african_restaurant<restaurant american_restaurant<restaurant
    argentinian_restaurant<south_american_restaurant asian_fusion_restaurant<asian_restaurant asian_restaurant<restaurant
    australian_restaurant<restaurant austrian_restaurant<european_restaurant bagel_shop bakery<food
    bangladeshi_restaurant<asian_restaurant bar_and_grill<restaurant barbecue_restaurant<restaurant
    basque_restaurant<spanish_restaurant bavarian_restaurant<german_restaurant belgian_restaurant<european_restaurant
    bistro<restaurant brazilian_restaurant<south_american_restaurant breakfast_restaurant<restaurant
    british_restaurant<european_restaurant brunch_restaurant<restaurant buffet_restaurant<restaurant
    burmese_restaurant<asian_restaurant burrito_restaurant<mexican_restaurant cafeteria cajun_restaurant<american_restaurant
    californian_restaurant<american_restaurant cambodian_restaurant<asian_restaurant cantonese_restaurant<chinese_restaurant
    caribbean_restaurant<restaurant chicken_restaurant<restaurant chicken_wings_restaurant<chicken_restaurant
    chilean_restaurant<south_american_restaurant chinese_noodle_restaurant<chinese_restaurant chinese_restaurant<asian_restaurant
    colombian_restaurant<south_american_restaurant croatian_restaurant<european_restaurant cuban_restaurant<caribbean_restaurant
    czech_restaurant<european_restaurant danish_restaurant<scandinavian_restaurant dessert_restaurant<restaurant
    dim_sum_restaurant<chinese_restaurant diner<restaurant dumpling_restaurant<restaurant dutch_restaurant<european_restaurant
    eastern_european_restaurant<european_restaurant ethiopian_restaurant<african_restaurant european_restaurant<restaurant
    falafel_restaurant<restaurant family_restaurant<restaurant fast_food_restaurant<restaurant filipino_restaurant<asian_restaurant
    fine_dining_restaurant<restaurant fish_and_chips_restaurant<restaurant fondue_restaurant<restaurant
    french_restaurant<european_restaurant fusion_restaurant<restaurant german_restaurant<european_restaurant
    greek_restaurant<mediterranean_restaurant gyro_restaurant<restaurant halal_restaurant<restaurant
    hamburger_restaurant<restaurant hawaiian_restaurant<restaurant hot_dog_restaurant<restaurant hot_dog_stand
    hot_pot_restaurant<restaurant hungarian_restaurant<european_restaurant indian_restaurant<asian_restaurant
    indonesian_restaurant<asian_restaurant irish_restaurant<european_restaurant israeli_restaurant<middle_eastern_restaurant
    italian_restaurant<european_restaurant japanese_curry_restaurant<japanese_restaurant
    japanese_izakaya_restaurant<japanese_restaurant japanese_restaurant<asian_restaurant kebab_shop
    korean_barbecue_restaurant<korean_restaurant korean_restaurant<asian_restaurant latin_american_restaurant<restaurant
    lebanese_restaurant<middle_eastern_restaurant malaysian_restaurant<asian_restaurant mediterranean_restaurant<restaurant
    mexican_restaurant<latin_american_restaurant middle_eastern_restaurant<restaurant mongolian_barbecue_restaurant<restaurant
    moroccan_restaurant<african_restaurant noodle_shop north_indian_restaurant<indian_restaurant oyster_bar_restaurant<restaurant
    pakistani_restaurant<asian_restaurant persian_restaurant<middle_eastern_restaurant peruvian_restaurant<south_american_restaurant
    pizza_restaurant<restaurant polish_restaurant<eastern_european_restaurant portuguese_restaurant<european_restaurant
    ramen_restaurant<japanese_restaurant romanian_restaurant<eastern_european_restaurant
    russian_restaurant<eastern_european_restaurant scandinavian_restaurant<european_restaurant seafood_restaurant<restaurant
    shawarma_restaurant<restaurant soul_food_restaurant<american_restaurant soup_restaurant<restaurant
    south_american_restaurant<latin_american_restaurant south_indian_restaurant<indian_restaurant
    southwestern_us_restaurant<american_restaurant spanish_restaurant<european_restaurant sri_lankan_restaurant<asian_restaurant
    steak_house<restaurant sushi_restaurant<japanese_restaurant swiss_restaurant<european_restaurant taco_restaurant<mexican_restaurant
    taiwanese_restaurant<asian_restaurant tapas_restaurant<restaurant tex_mex_restaurant<restaurant thai_restaurant<asian_restaurant
    tibetan_restaurant<asian_restaurant tonkatsu_restaurant<japanese_restaurant turkish_restaurant<restaurant
    ukrainian_restaurant<eastern_european_restaurant vegan_restaurant<vegetarian_restaurant vegetarian_restaurant<restaurant
    vietnamese_restaurant<asian_restaurant western_restaurant<restaurant yakiniku_restaurant<japanese_restaurant
    yakitori_restaurant<japanese_restaurant cafe<food cat_cafe<cafe dog_cafe<cafe coffee_shop<food coffee_roastery coffee_stand
    tea_house<food juice_shop bar<food cocktail_bar<bar hookah_bar<bar lounge_bar<bar sports_bar<bar wine_bar<bar snack_bar
    pub<bar brewpub<pub gastropub<pub irish_pub<pub beer_garden<food brewery winery vineyard ice_cream_shop<food cake_shop candy_store
    chocolate_factory chocolate_shop confectionery deli dessert_shop donut_shop pastry_shop salad_shop sandwich_shop food_court<food
    food_delivery meal_delivery meal_takeaway pizza_delivery<meal_delivery
    """,
    .government: """
    government_office city_hall<local_government_office local_government_office<government_office courthouse<government_office
    embassy<government_office fire_station police neighborhood_police_station<police post_office prison
    """,
    .health: """
    health hospital<health general_hospital<hospital medical_center<health medical_clinic<health medical_lab<health doctor<health
    dentist<health dental_clinic<health pharmacy<health drugstore physiotherapist<health chiropractor<health skin_care_clinic
    veterinary_care spa massage massage_spa<spa sauna tanning_studio wellness_center yoga_studio
    """,
    .lodging: """
    lodging hotel<lodging resort_hotel<hotel extended_stay_hotel<hotel hostel<lodging motel<lodging guest_house<lodging
    bed_and_breakfast<lodging inn<lodging japanese_inn<lodging budget_japanese_inn<japanese_inn private_guest_room<lodging
    farmstay<lodging cottage<lodging camping_cabin<lodging campground<lodging rv_park<lodging mobile_home_park apartment_building
    apartment_complex condominium_complex housing_complex
    """,
    .natural: """
    natural_feature mountain_peak<natural_feature lake<natural_feature river<natural_feature island<natural_feature
    beach<natural_feature forest<natural_feature woods<natural_feature glacier<natural_feature valley<natural_feature
    volcano<natural_feature waterfall<natural_feature spring<natural_feature cave<natural_feature nature_preserve wildlife_refuge
    national_park scenic_spot
    """,
    .religion: """
    place_of_worship church<place_of_worship mosque<place_of_worship synagogue<place_of_worship hindu_temple<place_of_worship
    buddhist_temple<place_of_worship shinto_shrine<place_of_worship cemetery
    """,
    .service: """
    service hair_care hair_salon<hair_care barber_shop<hair_care beauty_salon beautician nail_salon makeup_artist body_art_service
    foot_care laundry tailor lawyer consultant marketing_consultant<consultant employment_agency real_estate_agency travel_agency
    tour_agency tourist_information_center electrician plumber locksmith painter general_contractor roofing_contractor<general_contractor
    moving_company storage shipping_service courier_service telecommunications_service_provider catering_service funeral_home
    astrologer psychic summer_camp_organizer pet_care pet_boarding_service car_rental car_repair car_wash tire_shop
    aircraft_rental_service chauffeur_service association_or_organization non_profit_organization<association_or_organization
    public_bath public_bathroom toilet drinking_water bench recycling stable business_center corporate_office coworking_space farm
    manufacturer ranch supplier television_studio
    """,
    .shopping: """
    store supermarket<store discount_supermarket<supermarket hypermarket<store food_store<store grocery_store<store
    asian_grocery_store<grocery_store health_food_store<store convenience_store<store department_store<store discount_store<store
    general_store<store warehouse_store<store clothing_store<store womens_clothing_store<clothing_store sportswear_store<store
    shoe_store<store jewelry_store<store book_store<store electronics_store<store cell_phone_store<store furniture_store<store
    hardware_store<store home_goods_store<store home_improvement_store<store building_materials_store<store garden_center
    pet_store<store florist<store liquor_store<store tea_store<store cosmetics_store<store gift_shop<store toy_store<store
    thrift_store<store bicycle_store<store auto_parts_store<store butcher_shop<store sporting_goods_store<store car_dealer truck_dealer
    shopping_mall market farmers_market<market flea_market<market wholesaler
    """,
    .sports: """
    sports_activity_location gym fitness_center stadium arena swimming_pool sports_complex sports_club sports_coaching sports_school
    golf_course indoor_golf_course miniature_golf_course tennis_court athletic_field ice_skating_rink race_course ski_resort
    fishing_charter fishing_pier fishing_pond
    """,
    .transport: """
    airport international_airport<airport airstrip heliport transit_station train_station<transit_station
    light_rail_station<transit_station subway_station<transit_station bus_station<transit_station tram_stop transit_stop
    bus_stop transit_depot train_ticket_office ferry_terminal<transit_station ferry_service taxi_stand taxi_service
    transportation_service park_and_ride parking parking_garage<parking parking_lot<parking bicycle_parking bike_sharing_station
    gas_station electric_vehicle_charging_station ebike_charging_station rest_stop truck_stop toll_station bridge
    """,
  ]
}
