import PlacesKit

/// Maps OpenStreetMap's tags to types of the type table, and types to tags (wiki.openstreetmap.org/wiki/Map_features).
public enum OpenStreetMapTypes {
  /// A tag such as `amenity=restaurant`; the value `*` stands for every value of the key.
  public struct Tag: Sendable, Hashable {
    public var key: String
    public var value: String

    public init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The types of a tag, most specific first; empty for a tag that does not describe a place.
  public static func types(_ key: String, _ value: String) -> [PlaceType] {
    types[Tag(key, value)] ?? types[Tag(key, "*")] ?? []
  }

  /// The types of a place by its main tag, most specific first. The type of a place of worship also depends on its tag `religion`, and the
  /// types of a place to eat on its tag `cuisine`.
  public static func types(_ key: String, _ value: String, cuisine: String?, religion: String?) -> [PlaceType] {
    let tagTypes = types(key, value)
    let worshipType = tagTypes.first == "place_of_worship" ? religion.flatMap { worship[$0] } : nil
    var types = worshipType.map { [$0] } ?? []
    for type in self.types(cuisine: cuisine, of: tagTypes) + tagTypes where !types.contains(type) { types.append(type) }
    return types
  }

  /// The types of a place to eat by its tag `cuisine`, a list of values that are separated by semicolons; empty for any other place.
  /// - Parameter types: the types that the place's main tag has.
  private static func types(cuisine: String?, of types: [PlaceType]) -> [PlaceType] {
    guard let cuisine, types.contains(where: { $0 == "restaurant" || $0.ancestors.contains("restaurant") }) else { return [] }
    return cuisine.lowercased().split(separator: ";").prefix(8).compactMap { value in
      let value = value.filter { $0 != " " }
      if let type = cuisines[value] { return type }
      let type = PlaceType(rawValue: "\(value)_restaurant")
      return type.isKnown && type.ancestors.contains("restaurant") ? type : nil
    }
  }

  /// The types of the values of `cuisine` for which the name of the type is not the value followed by `_restaurant`.
  private static let cuisines: [String: PlaceType] = [
    "burger": "hamburger_restaurant", "steak": "steak_house", "steak_house": "steak_house", "bbq": "barbecue_restaurant",
    "fish_and_chips": "fish_and_chips_restaurant", "lebanese": "lebanese_restaurant", "tex-mex": "tex_mex_restaurant",
    "asian": "asian_restaurant", "hotdog": "hot_dog_restaurant", "hot_dog": "hot_dog_restaurant", "curry": "indian_restaurant",
    "georgian": "eastern_european_restaurant", "balkan": "eastern_european_restaurant", "arab": "middle_eastern_restaurant",
    "afghan": "afghani_restaurant", "kebab": "kebab_shop",
  ]

  /// The tags that places of a type may have: the tags of the type and of every type within it, so that a service that filters by them
  /// omits no such place. If there are none, the tags of the nearest ancestor that has tags; empty if no ancestor has any.
  public static func tags(for type: PlaceType) -> [Tag] {
    for type in [type] + type.ancestors { if let tags = tags[type] { return tags } }
    return []
  }

  /// The tags of every type that has tags, each written `key=value`; for `Manifest.typeWords`.
  public static let words: [String: [String]] = Dictionary(
    uniqueKeysWithValues: tags.map { ($0.key.rawValue, $0.value.map { "\($0.key)=\($0.value)" }) })

  /// The type of a place of worship, by its tag `religion`.
  public static let worship: [String: PlaceType] = [
    "christian": "church", "muslim": "mosque", "jewish": "synagogue", "hindu": "hindu_temple", "buddhist": "buddhist_temple",
    "shinto": "shinto_shrine",
  ]

  private static let types: [Tag: [PlaceType]] = Dictionary(
    lines.map { ($0.tag, $0.types) }, uniquingKeysWith: { first, _ in first })

  private static let tags: [PlaceType: [Tag]] = {
    var tags: [PlaceType: [Tag]] = [:]
    for line in lines {
      for type in Set(line.types.flatMap { [$0] + $0.ancestors }) { tags[type, default: []].append(line.tag) }
    }
    // The tag `key=*` includes all other tags of that key, which are therefore removed. Rows of other types are dropped later.
    return tags.mapValues { tags in
      let keys = Set(tags.filter { $0.value == "*" }.map(\.key))
      return tags.filter { $0.value == "*" || !keys.contains($0.key) }
    }
  }()

  private static let lines: [(tag: Tag, types: [PlaceType])] = table.split(separator: "\n").flatMap { line in
    let words = line.split(separator: " ").map(String.init)
    let types = words.dropFirst(2).map { PlaceType(rawValue: $0) }
    // Values of one key that have the same types are on one line, separated by commas.
    return words.count < 3 ? [] : words[1].split(separator: ",").map { (Tag(words[0], String($0)), types) }
  }

  /// Each line has a key, one or more values separated by commas, and the types of these tags, most specific first. If several lines have a
  /// tag, the first of them counts.
  private static let table = """
    place country country
    place state,province administrative_area_level_1
    place region colloquial_area
    place county,district administrative_area_level_2
    place municipality administrative_area_level_3
    place city,town,village,hamlet,isolated_dwelling locality
    place suburb,borough,quarter,city_district,city_block sublocality
    place neighbourhood,allotments neighborhood
    place postcode postal_code
    place island,islet island
    place archipelago archipelago
    place continent continent
    place house street_address
    boundary postal_code postal_code
    boundary national_park national_park
    boundary protected_area nature_preserve
    place square plaza
    highway bus_stop bus_stop
    highway services,rest_area rest_stop
    highway motorway,trunk,primary,secondary,tertiary,unclassified,residential,living_street,service,pedestrian,road route
    highway motorway_link,trunk_link,primary_link,secondary_link,tertiary_link,track,busway,raceway,construction route
    highway footway,bridleway,steps,corridor,path,cycleway route
    building * premise
    amenity restaurant restaurant food
    amenity cafe cafe food
    amenity bar,biergarten bar food
    amenity pub pub food
    amenity fast_food fast_food_restaurant food
    amenity ice_cream ice_cream_shop food
    amenity food_court food_court food
    amenity bank bank
    amenity atm atm
    amenity school school
    amenity university,college university
    amenity kindergarten preschool
    amenity childcare child_care_agency
    amenity library library
    amenity hospital hospital
    amenity clinic medical_clinic
    amenity doctors doctor
    amenity dentist dentist
    amenity pharmacy pharmacy
    amenity veterinary veterinary_care
    amenity townhall city_hall local_government_office
    amenity courthouse courthouse
    amenity embassy embassy
    amenity fire_station fire_station
    amenity police police
    amenity post_office post_office
    amenity prison prison
    amenity cinema cinema movie_theater
    amenity theatre performing_arts_theater
    amenity arts_centre cultural_center
    amenity casino casino
    amenity nightclub night_club
    amenity community_centre community_center
    amenity events_venue,conference_centre event_venue
    amenity concert_hall concert_hall
    amenity place_of_worship place_of_worship
    amenity grave_yard cemetery
    amenity parking parking
    amenity bicycle_parking bicycle_parking
    amenity fuel gas_station
    amenity charging_station electric_vehicle_charging_station
    amenity car_rental car_rental
    amenity car_wash car_wash
    amenity bus_station bus_station transit_station
    amenity ferry_terminal ferry_terminal transit_station
    amenity taxi taxi_stand
    amenity toilets public_bathroom toilet
    amenity fountain fountain
    amenity internet_cafe internet_cafe
    amenity planetarium planetarium
    amenity bicycle_rental bike_sharing_station
    amenity research_institute research_institute
    amenity bbq barbecue_area
    amenity drinking_water drinking_water
    amenity bench bench
    amenity recycling recycling
    amenity marketplace market
    amenity public_bath public_bath
    shop supermarket supermarket store
    shop convenience convenience_store store
    shop department_store department_store store
    shop clothes,boutique clothing_store store
    shop shoes shoe_store store
    shop books book_store store
    shop electronics,computer electronics_store store
    shop furniture furniture_store store
    shop hardware,doityourself hardware_store store
    shop houseware,interior_decoration home_goods_store store
    shop jewelry jewelry_store store
    shop pet pet_store store
    shop florist florist store
    shop alcohol,wine,beverages liquor_store store
    shop mall shopping_mall
    shop bicycle bicycle_store store
    shop gift gift_shop store
    shop butcher butcher_shop store
    shop car car_dealer store
    shop sports,outdoor sporting_goods_store store
    shop toys toy_store store
    shop bakery,pastry bakery store food
    shop greengrocer,deli,grocery,farm grocery_store store
    shop coffee coffee_shop store
    shop tea tea_house store
    shop hairdresser hair_care
    shop beauty beauty_salon
    shop laundry,dry_cleaning laundry
    shop travel_agency travel_agency
    shop car_repair car_repair
    shop funeral_directors funeral_home
    shop locksmith locksmith
    shop storage_rental storage
    shop chemist drugstore store
    shop mobile_phone cell_phone_store store
    shop cosmetics,perfumery cosmetics_store store
    shop garden_centre garden_center
    shop second_hand,charity thrift_store store
    shop car_parts auto_parts_store store
    shop tyres tire_shop
    shop tailor tailor
    shop confectionery,chocolate confectionery store
    shop trade building_materials_store store
    shop * store
    tourism hotel hotel lodging
    tourism hostel hostel lodging
    tourism guest_house guest_house lodging
    tourism bed_and_breakfast bed_and_breakfast lodging
    tourism motel motel lodging
    tourism camp_site campground lodging
    tourism caravan_site rv_park lodging
    tourism apartment,chalet,alpine_hut,wilderness_hut lodging
    tourism museum museum
    tourism gallery art_gallery
    tourism attraction,viewpoint tourist_attraction
    tourism aquarium aquarium tourist_attraction
    tourism zoo zoo tourist_attraction
    tourism theme_park amusement_park tourist_attraction
    tourism information visitor_center
    tourism artwork sculpture
    leisure park park
    leisure garden garden
    leisure playground playground
    leisure stadium stadium
    leisure sports_centre sports_complex
    leisure swimming_pool swimming_pool
    leisure fitness_centre gym
    leisure golf_course golf_course
    leisure ice_rink ice_skating_rink
    leisure pitch,track athletic_field
    leisure sports_hall sports_club
    leisure marina marina
    leisure nature_reserve nature_preserve
    leisure dog_park dog_park
    leisure sauna sauna
    leisure miniature_golf miniature_golf_course
    leisure picnic_table picnic_ground
    leisure amusement_arcade video_arcade
    leisure water_park water_park
    leisure bowling_alley bowling_alley
    club sport sports_club
    landuse winter_sports ski_resort
    landuse forest woods forest natural_feature
    landuse cemetery cemetery
    historic castle,fort castle historical_landmark
    historic monument,memorial monument historical_landmark
    historic * historical_landmark
    natural peak,hill mountain_peak natural_feature
    natural volcano volcano natural_feature
    natural glacier glacier natural_feature
    natural beach beach natural_feature
    natural wood woods forest natural_feature
    natural water lake natural_feature
    natural spring spring natural_feature
    natural cave_entrance cave natural_feature
    natural valley valley natural_feature
    natural * natural_feature
    water lake,reservoir,pond lake natural_feature
    water river river natural_feature
    waterway river,stream,canal river natural_feature
    waterway waterfall waterfall natural_feature
    railway station,halt train_station transit_station
    railway tram_stop tram_stop transit_station
    railway subway_entrance subway_station transit_station
    station subway subway_station transit_station
    station light_rail light_rail_station transit_station
    public_transport station,platform,stop_position transit_station
    aeroway aerodrome airport
    aeroway heliport,helipad heliport
    office diplomatic embassy
    office lawyer lawyer
    office accountant,tax_advisor accounting
    office insurance insurance_agency
    office estate_agent real_estate_agency
    office coworking coworking_space
    office employment_agency employment_agency
    office association,ngo association_or_organization
    office government local_government_office
    office travel_agent travel_agency
    office moving_company moving_company
    craft electrician electrician
    craft plumber plumber
    craft painter painter
    craft locksmith locksmith
    craft brewery brewery
    craft winery winery
    craft tailor tailor
    healthcare hospital hospital
    healthcare clinic,centre medical_clinic
    healthcare doctor doctor
    healthcare dentist dentist
    healthcare pharmacy pharmacy
    healthcare physiotherapist physiotherapist
    man_made observatory,tower tourist_attraction
    man_made bridge bridge
    """
}
