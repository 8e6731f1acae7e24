import Geocoders
import PlacesKit
import Testing

@testable import Nominatim
@testable import Pelias
@testable import Suggest

/// The law of all providers: what a provider's own answer types a row as, the same type as a filter finds. `PlaceTypeTests` has it for Google,
/// Foursquare and Photon, `DescribedTests/TypeFilterTests` for descriptions.
@Suite("The type of a row as a filter") struct TypeFilterTests {
  // MARK: Nominatim

  /// The address ranks of objects by their main tag (settings/address-levels.json of Nominatim 4 and 5); 30 for a tag that is not listed.
  private static func addressRank(_ key: String, _ value: String, isNode: Bool) -> Int {
    switch key {
    case "highway": return isNode ? 0 : 26
    case "landuse":
      return !isNode && ["residential", "farm", "farmyard", "industrial", "commercial", "allotments", "retail"].contains(value) ? 22 : 0
    case "place":
      let ranks = [
        "county": 12, "district": 12, "municipality": 14, "city": 16, "town": 16, "borough": 18, "village": 16, "suburb": 20, "hamlet": 20,
        "allotments": 22, "neighbourhood": 22, "quarter": 22, "isolated_dwelling": 20, "city_block": 25, "square": 25, "state": 8,
        "province": 8, "house": 30, "postcode": 11,
      ]
      return ranks[value] ?? 0
    case "boundary": return value == "postal_code" ? 11 : 0
    case "leisure": return value == "park" ? 0 : 30
    case "natural": return ["tree", "spring", "cave_entrance", "geyser", "hot_spring", "rock", "stone"].contains(value) ? 30 : 0
    case "waterway": return 0
    default: return 30
    }
  }

  /// The server's choice by `layer` and `featureType` (`_filter_by_layer` and the ranks of feature types in nominatim/api/search).
  private func nominatimKeeps(_ items: [HTTPRequest.Item], key: String, rank: Int, hasHouseNumber: Bool) -> Bool {
    if let feature = items.first(where: { $0.name == "featureType" })?.value {
      let ranks = ["country": 4...4, "state": 8...8, "city": 14...16, "settlement": 8...20]
      return ranks[feature]?.contains(rank) ?? false
    }
    guard let layers = items.first(where: { $0.name == "layer" })?.value.split(separator: ",").map(String.init) else {
      // The default is the two layers of addresses and points of interest.
      return rank > 0
    }
    if layers.contains("address") {
      if layers.contains("poi") ? rank > 0 : (1...29).contains(rank) || rank == 30 && hasHouseNumber { return true }
    } else if layers.contains("poi"), rank == 30, !["place", "building"].contains(key) {
      return true
    }
    guard rank == 0 else { return false }
    let natural = ["natural", "water", "waterway"]
    if key == "railway" { return layers.contains("railway") }
    return natural.contains(key) ? layers.contains("natural") : layers.contains("manmade")
  }

  @Test(arguments: OpenStreetMapTypes.words.values.flatMap(\.self).sorted()) func `finds the row at Nominatim, of every tag`(tag: String)
    throws
  {
    let parts = tag.split(separator: "=").map(String.init)
    let (key, value) = (parts[0], parts[1] == "*" ? "x" : parts[1])
    // A country is found by its boundary.
    if tag == "place=country" { return }
    let isStop = ["bus_stop", "services", "rest_area"].contains(value)
    // A road is a way.
    for kind in key == "highway" && !isStop ? ["way"] : ["node", "way"] {
      for number in [nil, "7"] as [String?] {
        // A house is an object only with its number, and a postal code is not an address.
        if value == "house", number == nil { continue }
        let row: JSONValue = [
          "osm_type": .string(kind), "osm_id": 1, "lat": "47.1", "lon": "9.5", "category": .string(key), "type": .string(value),
          "name": number == nil ? "N" : "", "extratags": ["cuisine": "italian;pizza", "religion": "christian"],
          "address": .object(JSONObject(number.map { [(key: "house_number", value: .string($0)), (key: "road", value: "R")] } ?? [])),
        ]
        // Only points of interest, buildings and houses have numbers.
        let rank = Self.addressRank(key, value, isNode: kind == "node")
        if number != nil, rank != 30 { continue }
        let place = try #require(
          NominatimAnswer.places(from: reply(JSONValue.array([row]).text), service: "Nominatim").first)
        for type in place.types.flatMap({ [$0] + $0.ancestors }) {
          let filter = NominatimFilter(types: [type], collection: nil)
          #expect(filter.keeps(place), "\(type.rawValue)")
          #expect(
            nominatimKeeps(filter.queryItems, key: key, rank: rank, hasHouseNumber: number != nil),
            "\(type.rawValue) of the \(kind) \(tag), number \(number ?? "none"), rank \(rank): \(filter.queryItems.map(\.value))")
        }
      }
    }
  }

  @Test(arguments: [
    ("country", 4), ("state", 8), ("region", 8), ("province", 8), ("county", 12), ("municipality", 14), ("city", 16), ("town", 16),
    ("village", 16), ("suburb", 20), ("city_district", 18), ("quarter", 22), ("neighbourhood", 22),
  ]) func `finds the boundary at Nominatim, at every level`(level: String, rank: Int) throws {
    let row =
      #"{"osm_type":"relation","osm_id":1,"lat":"47.1","lon":"9.5","category":"boundary","type":"administrative","addresstype":"\#(level)"}"#
    let place = try #require(NominatimAnswer.places(from: reply("[\(row)]"), service: "Nominatim").first)
    #expect(!place.types.isEmpty)
    for type in place.types.flatMap({ [$0] + $0.ancestors }) {
      let filter = NominatimFilter(types: [type], collection: nil)
      #expect(
        filter.keeps(place) && nominatimKeeps(filter.queryItems, key: "boundary", rank: rank, hasHouseNumber: false), "\(type.rawValue)")
    }
  }

  // MARK: Pelias

  @Test(
    arguments: [
      ("venue", []), ("venue", ["food"]), ("venue", ["accommodation"]), ("venue", ["finance"]), ("venue", ["health"]),
      ("venue", ["religion"]),
      ("venue", ["food", "retail", "nightlife"]), ("address", []), ("street", []), ("intersection", []), ("neighbourhood", []),
      ("borough", []),
      ("macrohood", []), ("locality", []), ("localadmin", []), ("county", []), ("macrocounty", []), ("region", []), ("macroregion", []),
      ("country", []), ("dependency", []), ("postalcode", []), ("continent", []), ("ocean", []), ("marinearea", []), ("empire", []),
    ] as [(String, [String])]) func `finds the row at Pelias, in every layer and category`(layer: String, categories: [String]) throws
  {
    let place = try #require(
      PeliasAnswer.place([
        "geometry": ["type": "Point", "coordinates": [9.5, 47.1]],
        "properties": [
          "gid": "a:b:1", "name": "N", "layer": .string(layer), "category": .array(categories.map { .string($0) }),
        ],
      ]))
    for type in place.types.flatMap({ [$0] + $0.ancestors }) {
      let requests = try PeliasRequests.autocomplete(AutocompleteRequest(query: "n", types: [type]))
      let query = requests.flatMap(\.query)
      func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.flatMap { $0.value.split(separator: ",").map(String.init) }
      }
      let (layers, wanted) = (values("layers"), values("categories"))
      #expect(layers.isEmpty || layers.contains(layer), "\(type.rawValue): \(layers)")
      #expect(wanted.isEmpty || !Set(wanted).isDisjoint(with: categories), "\(type.rawValue): \(wanted)")
      #expect(!layers.isEmpty || !wanted.isEmpty, "\(type.rawValue) is not a filter")
    }
  }

  // MARK: Suggest

  @Test func `finds nothing at suggestions of web search, whose rows have no types`() async throws {
    let http = Answering(#"["berlin","berlin weather"]"#)
    let settings: [String: JSONValue] = ["url": "https://x.example/s?q={query}", "format": "list"]
    let provider = try await Suggest(context: http.context(settings: settings))
    let page = try await provider.autocomplete(AutocompleteRequest(query: "berlin"))
    #expect(page.rows.count == 2 && page.rows.allSatisfy { $0.types.isEmpty })
    // A request with types is not sent to it.
    #expect(provider.manifest.autocomplete?.support(.types) == .unsupported)
  }
}
