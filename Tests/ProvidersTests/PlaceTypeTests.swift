import Geocoders
import PlacesKit
import Testing

@testable import Foursquare
@testable import Google
@testable import Nominatim
@testable import Pelias
@testable import Photon

/// Table A of Google's place types, edition of 2026-04-09
/// (developers.google.com/maps/documentation/places/web-service/place-types, CC BY 4.0).
private let tableA = words(
  """
    car_dealer car_rental car_repair car_wash ebike_charging_station electric_vehicle_charging_station gas_station parking
    parking_garage parking_lot rest_stop tire_shop truck_dealer business_center corporate_office coworking_space farm
    manufacturer ranch supplier television_studio art_gallery art_museum art_studio auditorium castle cultural_landmark fountain
    historical_place history_museum monument museum performing_arts_theater sculpture academic_department
    educational_institution library preschool primary_school research_institute school secondary_school university
    adventure_sports_center amphitheatre amusement_center amusement_park aquarium banquet_hall barbecue_area botanical_garden
    bowling_alley casino childrens_camp city_park comedy_club community_center concert_hall convention_center cultural_center
    cycling_park dance_hall dog_park event_venue ferris_wheel garden go_karting_venue hiking_area historical_landmark
    indoor_playground internet_cafe karaoke live_music_venue marina miniature_golf_course movie_rental movie_theater
    national_park night_club observation_deck off_roading_area opera_house paintball_center park philharmonic_hall picnic_ground
    planetarium plaza roller_coaster skateboard_park state_park tourist_attraction video_arcade vineyard visitor_center
    water_park wedding_venue wildlife_park wildlife_refuge zoo public_bath public_bathroom stable accounting atm bank acai_shop
    afghani_restaurant african_restaurant american_restaurant argentinian_restaurant asian_fusion_restaurant asian_restaurant
    australian_restaurant austrian_restaurant bagel_shop bakery bangladeshi_restaurant bar bar_and_grill barbecue_restaurant
    basque_restaurant bavarian_restaurant beer_garden belgian_restaurant bistro brazilian_restaurant breakfast_restaurant
    brewery brewpub british_restaurant brunch_restaurant buffet_restaurant burmese_restaurant burrito_restaurant cafe cafeteria
    cajun_restaurant cake_shop californian_restaurant cambodian_restaurant candy_store cantonese_restaurant caribbean_restaurant
    cat_cafe chicken_restaurant chicken_wings_restaurant chilean_restaurant chinese_noodle_restaurant chinese_restaurant
    chocolate_factory chocolate_shop cocktail_bar coffee_roastery coffee_shop coffee_stand colombian_restaurant confectionery
    croatian_restaurant cuban_restaurant czech_restaurant danish_restaurant deli dessert_restaurant dessert_shop
    dim_sum_restaurant diner dog_cafe donut_shop dumpling_restaurant dutch_restaurant eastern_european_restaurant
    ethiopian_restaurant european_restaurant falafel_restaurant family_restaurant fast_food_restaurant filipino_restaurant
    fine_dining_restaurant fish_and_chips_restaurant fondue_restaurant food_court french_restaurant fusion_restaurant gastropub
    german_restaurant greek_restaurant gyro_restaurant halal_restaurant hamburger_restaurant hawaiian_restaurant hookah_bar
    hot_dog_restaurant hot_dog_stand hot_pot_restaurant hungarian_restaurant ice_cream_shop indian_restaurant
    indonesian_restaurant irish_pub irish_restaurant israeli_restaurant italian_restaurant japanese_curry_restaurant
    japanese_izakaya_restaurant japanese_restaurant juice_shop kebab_shop korean_barbecue_restaurant korean_restaurant
    latin_american_restaurant lebanese_restaurant lounge_bar malaysian_restaurant meal_delivery meal_takeaway
    mediterranean_restaurant mexican_restaurant middle_eastern_restaurant mongolian_barbecue_restaurant moroccan_restaurant
    noodle_shop north_indian_restaurant oyster_bar_restaurant pakistani_restaurant pastry_shop persian_restaurant
    peruvian_restaurant pizza_delivery pizza_restaurant polish_restaurant portuguese_restaurant pub ramen_restaurant restaurant
    romanian_restaurant russian_restaurant salad_shop sandwich_shop scandinavian_restaurant seafood_restaurant
    shawarma_restaurant snack_bar soul_food_restaurant soup_restaurant south_american_restaurant south_indian_restaurant
    southwestern_us_restaurant spanish_restaurant sports_bar sri_lankan_restaurant steak_house sushi_restaurant swiss_restaurant
    taco_restaurant taiwanese_restaurant tapas_restaurant tea_house tex_mex_restaurant thai_restaurant tibetan_restaurant
    tonkatsu_restaurant turkish_restaurant ukrainian_restaurant vegan_restaurant vegetarian_restaurant vietnamese_restaurant
    western_restaurant wine_bar winery yakiniku_restaurant yakitori_restaurant administrative_area_level_1
    administrative_area_level_2 country locality postal_code school_district city_hall courthouse embassy fire_station
    government_office local_government_office neighborhood_police_station police post_office chiropractor dental_clinic dentist
    doctor drugstore general_hospital hospital massage massage_spa medical_center medical_clinic medical_lab pharmacy
    physiotherapist sauna skin_care_clinic spa tanning_studio wellness_center yoga_studio apartment_building apartment_complex
    condominium_complex housing_complex bed_and_breakfast budget_japanese_inn campground camping_cabin cottage
    extended_stay_hotel farmstay guest_house hostel hotel inn japanese_inn lodging mobile_home_park motel private_guest_room
    resort_hotel rv_park beach island lake mountain_peak nature_preserve river scenic_spot woods buddhist_temple church
    hindu_temple mosque shinto_shrine synagogue aircraft_rental_service association_or_organization astrologer barber_shop
    beautician beauty_salon body_art_service catering_service cemetery chauffeur_service child_care_agency consultant
    courier_service electrician employment_agency florist food_delivery foot_care funeral_home hair_care hair_salon
    insurance_agency laundry lawyer locksmith makeup_artist marketing_consultant moving_company nail_salon
    non_profit_organization painter pet_boarding_service pet_care plumber psychic real_estate_agency roofing_contractor service
    shipping_service storage summer_camp_organizer tailor telecommunications_service_provider tour_agency
    tourist_information_center travel_agency veterinary_care asian_grocery_store auto_parts_store bicycle_store book_store
    building_materials_store butcher_shop cell_phone_store clothing_store convenience_store cosmetics_store department_store
    discount_store discount_supermarket electronics_store farmers_market flea_market food_store furniture_store garden_center
    general_store gift_shop grocery_store hardware_store health_food_store home_goods_store home_improvement_store hypermarket
    jewelry_store liquor_store market pet_store shoe_store shopping_mall sporting_goods_store sportswear_store store supermarket
    tea_store thrift_store toy_store warehouse_store wholesaler womens_clothing_store arena athletic_field fishing_charter
    fishing_pier fishing_pond fitness_center golf_course gym ice_skating_rink indoor_golf_course playground race_course
    ski_resort sports_activity_location sports_club sports_coaching sports_complex sports_school stadium swimming_pool
    tennis_court airport airstrip bike_sharing_station bridge bus_station bus_stop ferry_service ferry_terminal heliport
    international_airport light_rail_station park_and_ride subway_station taxi_service taxi_stand toll_station train_station
    train_ticket_office tram_stop transit_depot transit_station transit_stop transportation_service truck_stop
  """)

/// Table B of the same page.
private let tableB = words(
  """
    administrative_area_level_3 administrative_area_level_4 administrative_area_level_5 administrative_area_level_6
    administrative_area_level_7 archipelago colloquial_area continent establishment finance food general_contractor geocode
    health intersection landmark natural_feature neighborhood place_of_worship plus_code point_of_interest political
    postal_code_prefix postal_code_suffix postal_town premise route street_address sublocality sublocality_level_1
    sublocality_level_2 sublocality_level_3 sublocality_level_4 sublocality_level_5 subpremise town_square
  """)

private func words(_ text: String) -> [String] { text.split { $0 == " " || $0 == "\n" }.map(String.init) }

@Suite("Place types") struct PlaceTypeTests {
  @Test func `The type table has every type of Google's two tables, once`() {
    let names = PlaceType.all.map(\.rawValue)
    #expect(Set(names).count == names.count)
    #expect(tableA.count == 478)
    let collections = TypeCollection.allCases.map(\.rawValue)
    for name in tableA + tableB where !collections.contains(name) { #expect(PlaceType(rawValue: name).isKnown, "\(name)") }
  }

  @Test func `Ancestors are types of the table and never the type itself`() {
    for type in PlaceType.all {
      #expect(type.ancestors.count < 6 && !type.ancestors.contains(type) && type.ancestors.allSatisfy(\.isKnown), "\(type.rawValue)")
    }
    #expect(
      PlaceType(rawValue: "sushi_restaurant").ancestors.map(\.rawValue) == [
        "japanese_restaurant", "asian_restaurant", "restaurant", "food",
      ])
  }

  @Test func `A search at Google uses types of Table A only, autocomplete those of both tables`() throws {
    for type in PlaceType.all {
      let searched = GoogleTypes.searchWords[type.rawValue]
      #expect(searched?.allSatisfy(tableA.contains) ?? true, "\(type.rawValue)")
      if let name = GoogleTypes.googleType(for: type) { #expect((tableA + tableB).contains(name), "\(type.rawValue)") }
    }
    for name in tableA { #expect(GoogleTypes.searchWords[name] == [name]) }
    for name in ["food", "natural_feature", "place_of_worship"] { #expect(GoogleTypes.searchWords[name] == []) }
    #expect(GoogleTypes.searchWords["prison"] == nil)
    let request = try GoogleAutocomplete.request(for: AutocompleteRequest(query: "x", types: ["place_of_worship", "cinema"]))
    #expect(try JSONValue(parsing: request.body)["includedPrimaryTypes"] == ["place_of_worship", "movie_theater"])
  }

  @Test func `Each type that a row of Google has is a filter that Google accepts`() {
    for word in tableA + tableB {
      for type in GoogleTypes.types(from: [.string(word)]) where type.isKnown { #expect(GoogleTypes.googleType(for: type) == word) }
    }
  }

  @Test func `Each type that a row of Foursquare has is a filter, of Foursquare or of the daemon`() {
    for name in ["Italian Restaurant", "Sushi Restaurant", "History Museum", "Shoe Store", "Coffee Shop", "Wine Bar", "Café"] {
      let types = FoursquareTypes.types(from: [["name": .string(name)]])
      #expect(!types.isEmpty)
      for type in types { #expect(FoursquareTypes.categoryIDs[type.rawValue] != nil, "\(type.rawValue)") }
    }
  }

  /// The rules of Photon's server for `osm_tag` and `layer` (docs/api-v1.md).
  private func serverKeeps(_ items: [HTTPRequest.Item], key: String, value: String, layer: String) -> Bool {
    let (tags, layers) = (items.filter { $0.name == "osm_tag" }, items.filter { $0.name == "layer" })
    return (tags.isEmpty || tags.contains { $0.value == key || $0.value == "\(key):\(value)" })
      && (layers.isEmpty || layers.contains { $0.value == layer })
  }

  @Test(arguments: [
    "restaurant", "optician", "hotel", "peak", "castle", "ruins", "station", "residential", "suburb", "city", "bus_stop", "x",
  ])
  func `A filter by the type of a row of Photon keeps that row`(value: String) {
    for key in ["amenity", "shop", "tourism", "natural", "historic", "railway", "highway", "place", "office", "leisure"] {
      for layer in layers(of: key, value) {
        let feature: JSONValue = [
          "geometry": ["type": "Point", "coordinates": [9.5, 47.1]],
          "properties": [
            "osm_key": .string(key), "osm_value": .string(value), "type": .string(layer), "name": "N",
            "extra": ["cuisine": "italian;pizza"],
          ],
        ]
        guard let place = PhotonAnswer.place(feature) else { Issue.record("no place"); continue }
        for type in place.types.flatMap({ [$0] + $0.ancestors }) {
          let filter = PhotonFilter(types: [type], collection: nil, countries: [])
          #expect(filter.keeps(place), "\(type.rawValue)")
          #expect(serverKeeps(filter.queryItems, key: key, value: value, layer: layer), "\(type.rawValue) of \(key)=\(value) in \(layer)")
        }
      }
    }
  }

  /// The layers that Photon puts a tag into.
  private func layers(of key: String, _ value: String) -> [String] {
    switch (key, value) {
    case ("highway", "bus_stop"): ["house"]
    case ("highway", _): ["street"]
    case ("place", "city"): ["city"]
    case ("place", "suburb"): ["district"]
    default: ["house"]
    }
  }

  @Test func `Nominatim is asked at the level of the types, the finest first, and for one place`() async throws {
    let point = try #require(Coordinate(latitude: 47.1, longitude: 9.5))
    func sent(_ types: [PlaceType], _ collection: TypeCollection? = nil) -> [String] {
      NominatimRequests.reverse(ReverseRequest(location: point, types: types, collection: collection, fields: [])).map { request in
        request.query.filter { ["zoom", "layer"].contains($0.name) }.map(\.value).joined(separator: " ")
      }
    }
    #expect(sent([]) == ["18"])
    #expect(sent(["country"]) == ["3"] && sent(["administrative_area_level_1"]) == ["5"])
    #expect(sent(["administrative_area_level_2"]) == ["8"] && sent(["locality"]) == ["10"] && sent(["sublocality"]) == ["14"])
    #expect(sent(["route"]) == ["16"] && sent(["street_address"]) == ["18 address"])
    #expect(sent(["cafe"]) == ["18 poi"] && sent(["italian_restaurant"]) == ["18 poi"])
    #expect(sent(["train_station"]) == ["18 poi,railway"] && sent(["lake"]) == ["18 natural,poi"])
    #expect(sent(["country", "locality"]) == ["10", "3"])
    #expect(sent([], .regions) == ["14", "10", "5"] && sent([], .establishment) == ["18 poi,railway,natural,manmade"])
  }

  @Test func `Nominatim's wider level is asked if the finer one has nothing of the types`() async throws {
    let road = #"{"osm_type":"way","osm_id":1,"lat":"47","lon":"9","category":"highway","type":"residential","name":"R"}"#
    let country =
      #"{"osm_type":"relation","osm_id":2,"lat":"47","lon":"9","category":"boundary","type":"administrative","addresstype":"country","name":"C"}"#
    let http = Answering(road, country)
    let provider = try await Nominatim(context: http.context(settings: ["contact": "ops@example.org"]))
    let page = try await provider.reverse(ReverseRequest(location: .zero, types: ["locality", "country"], fields: [.name]))
    #expect(page.rows.map(\.id) == ["relation/2"] && http.requests.count == 2)
  }

  @Test func `Photon and Pelias are told types and collections in a reverse request`() async throws {
    let http = Answering(#"{"features":[]}"#)
    let photon = try await Photon(context: http.context())
    _ = try await photon.reverse(ReverseRequest(location: .zero, types: ["store"], fields: []))
    _ = try await photon.reverse(ReverseRequest(location: .zero, collection: .cities, fields: []))
    let pelias = try await Pelias(context: http.context())
    _ = try await pelias.reverse(ReverseRequest(location: .zero, collection: .cities, limit: 3, fields: []))
    #expect(
      http.requests.map(spelled) == [
        "GET - /reverse?lat=0&lon=0&limit=50&osm_tag=shop",
        "GET - /reverse?lat=0&lon=0&limit=50&layer=city&layer=district&layer=locality",
        "GET - /v1/reverse?point.lat=0&point.lon=0&size=3&layers=locality,localadmin",
      ])
  }

  @Test func `No open geocoder says what language a row is in, so that a row has none`() async throws {
    let photon = PhotonAnswer.place(["geometry": ["type": "Point", "coordinates": [9.5, 47.1]], "properties": ["name": "N"]])
    #expect(photon?.suggestion(query: "n", region: nil)?.language == nil)
    let row = #"{"suggestions":[{"placePrediction":{"placeId":"a","text":{"text":"N"}}}]}"#
    let page = try GoogleAutocomplete.page(from: reply(row), for: AutocompleteRequest(query: "n", language: "de"))
    #expect(page.rows.first?.language == nil)
  }
}
