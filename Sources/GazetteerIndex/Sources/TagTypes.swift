import PlacesKit

extension Tags {
  /// The types of a feature by its tags, most specific first; nil for a feature that is not a place to search for.
  /// The meanings are those of the OpenStreetMap wiki's "Map features".
  var types: [PlaceType]? {
    for key in TagTypes.keys {
      guard let value = self[key], !isSign(key, value) else { continue }
      if let types = TagTypes.table[key]?[value] { return types }
      if let others = TagTypes.anyValue[key], value != "no" { return others }
    }
    return isAddress ? ["street_address"] : nil
  }

  /// Whether a tag denotes a board, a map or a guidepost, which have the same tag as tourist offices.
  private func isSign(_ key: String, _ value: String) -> Bool {
    guard key == "tourism", value == "information", let kind = self["information"] else { return false }
    return !["office", "visitor_centre", "yes"].contains(kind)
  }
}

/// Maps OpenStreetMap's tags to types.
enum TagTypes {
  /// The keys that determine the types, in order of precedence.
  static let keys = [
    "place", "amenity", "shop", "tourism", "historic", "leisure", "office", "craft", "healthcare", "aeroway", "railway", "public_transport",
    "highway", "natural", "waterway", "boundary", "landuse", "man_made", "building",
  ]

  /// The other keys of "Map features", whose features are not places to search for.
  static let otherKeys: Set<String> = [
    "advertising", "aerialway", "barrier", "emergency", "entrance", "geological", "indoor", "junction", "military", "playground", "power",
    "route", "sport", "surveillance", "telecom", "traffic_sign", "water",
  ]

  /// The types of values that are not in the table.
  static let anyValue: [String: [PlaceType]] = [
    "shop": ["store"], "craft": ["store"], "office": ["establishment"], "tourism": ["tourist_attraction"],
    "historic": ["historical_landmark"], "healthcare": ["doctor"], "natural": ["natural_feature"], "leisure": ["park"],
  ]

  /// The types by key and value.
  static let table: [String: [String: [PlaceType]]] = Dictionary(
    uniqueKeysWithValues: lines.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      var values: [String: [PlaceType]] = [:]
      for entry in parts[1].split(separator: ";") {
        let sides = entry.split(separator: "=")
        let types = sides[1].split(separator: " ").map { PlaceType(rawValue: String($0)) }
        for value in sides[0].split(separator: " ") { values[String(value)] = types }
      }
      return (String(parts[0]), values)
    })

  /// One line for each key: `key:value value=type type;…`.
  private static let lines = """
    place:city town village hamlet municipality isolated_dwelling=locality;suburb borough quarter=sublocality;neighbourhood=neighborhood;\
    country=country;state province region=administrative_area_level_1;county district=administrative_area_level_2;island islet=island;\
    archipelago=archipelago;locality=natural_feature;square=route;continent=continent
    amenity:restaurant=restaurant food;cafe=cafe food;bar biergarten=bar food;pub=pub food;fast_food=fast_food_restaurant food;\
    ice_cream=ice_cream_shop food;food_court=food_court food;bank=bank;atm=atm;pharmacy=pharmacy;hospital=hospital;\
    clinic=medical_clinic;doctors=doctor;dentist=dentist;veterinary=veterinary_care;school=school;kindergarten=preschool;\
    childcare=child_care_agency;university college=university;library=library;theatre=performing_arts_theater;cinema=cinema;\
    arts_centre=cultural_center;community_centre=community_center;nightclub=night_club;casino=casino;townhall=city_hall;\
    courthouse=courthouse;police=police;fire_station=fire_station;post_office=post_office;embassy=embassy;prison=prison;\
    place_of_worship=place_of_worship;grave_yard=cemetery;parking=parking;fuel=gas_station;\
    charging_station=electric_vehicle_charging_station;car_rental=car_rental;car_wash=car_wash;taxi=taxi_stand;bus_station=bus_station;\
    ferry_terminal=ferry_terminal;bicycle_parking=bicycle_parking;toilets=toilet;drinking_water=drinking_water;recycling=recycling;\
    marketplace=market;public_bath=public_bath;events_venue=event_venue;social_facility=establishment;fountain=monument
    shop:supermarket=supermarket store;convenience=convenience_store store;bakery=bakery store;butcher=butcher_shop store;\
    clothes boutique=clothing_store store;shoes=shoe_store store;books=book_store store;electronics computer mobile_phone=electronics_store store;\
    furniture=furniture_store store;doityourself hardware=hardware_store store;houseware interior_decoration=home_goods_store store;\
    jewelry=jewelry_store store;pet=pet_store store;florist garden_centre=florist store;alcohol wine beverages=liquor_store store;\
    mall=shopping_mall;department_store=department_store store;bicycle=bicycle_store store;gift=gift_shop store;car=car_dealer store;\
    car_repair=car_repair;sports outdoor=sporting_goods_store store;toys=toy_store store;hairdresser=hair_care;beauty=beauty_salon;\
    laundry dry_cleaning=laundry;travel_agency=travel_agency;greengrocer grocery farm deli=grocery_store store;chemist=drugstore store;\
    funeral_directors=funeral_home;storage_rental=storage;tea=tea_house store;coffee=coffee_shop store
    tourism:museum=museum;gallery=art_gallery;hotel=hotel lodging;hostel=hostel lodging;guest_house=guest_house lodging;motel=motel lodging;\
    camp_site=campground lodging;caravan_site=rv_park lodging;chalet apartment alpine_hut wilderness_hut=lodging;zoo=zoo;aquarium=aquarium;\
    theme_park=amusement_park;information=visitor_center;artwork=sculpture;viewpoint attraction=tourist_attraction
    historic:castle fort=castle;monument memorial=monument
    leisure:park=park;garden=garden;playground=playground;stadium=stadium;sports_centre sports_hall=sports_complex;pitch track=athletic_field;\
    swimming_pool=swimming_pool;fitness_centre=gym;golf_course=golf_course;ice_rink=ice_skating_rink;marina=marina;nature_reserve=nature_preserve;\
    water_park=water_park;bowling_alley=bowling_alley
    office:lawyer=lawyer;insurance=insurance_agency;estate_agent=real_estate_agency;accountant tax_advisor=accounting;\
    government=local_government_office;diplomatic=embassy;travel_agent=travel_agency
    craft:electrician=electrician;plumber=plumber;painter=painter;locksmith=locksmith
    healthcare:physiotherapist=physiotherapist;hospital=hospital;pharmacy=pharmacy;dentist=dentist;clinic centre=medical_clinic
    aeroway:aerodrome=airport;heliport helipad=heliport
    railway:station halt=train_station transit_station;tram_stop=tram_stop transit_station;subway_entrance=subway_station
    public_transport:station=transit_station
    highway:bus_stop=bus_stop transit_station;motorway trunk primary secondary tertiary unclassified residential living_street pedestrian \
    road service track footway path cycleway steps bridleway=route;rest_area services=establishment
    natural:peak hill=mountain_peak natural_feature;volcano=volcano natural_feature;water=lake natural_feature;beach=beach natural_feature;\
    wood=forest natural_feature;glacier=glacier natural_feature;valley=valley natural_feature;spring=spring natural_feature;\
    cave_entrance=cave natural_feature
    waterway:river stream canal=river natural_feature;waterfall=waterfall natural_feature
    boundary:national_park=national_park;protected_area=nature_preserve
    landuse:cemetery=cemetery;forest=forest natural_feature
    man_made:tower=establishment
    building:church cathedral chapel=church place_of_worship;mosque=mosque place_of_worship;synagogue=synagogue place_of_worship;\
    hospital=hospital;school=school;hotel=hotel lodging;train_station=train_station transit_station
    """
}
