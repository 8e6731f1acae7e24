import Geocoders
import PlacesKit
import Text

/// Converts GeoJSON features (RFC 7946) to records. The properties of a feature are OpenStreetMap's tags.
struct GeoJSONFeatureReader {
  /// The country code for features that have none.
  let country: String?
  /// Whether the data is known not to be from OpenStreetMap, even if its ids and tags look like OpenStreetMap's.
  var isForeign = false

  /// Whether any record so far is from OpenStreetMap, as its id or its tags show.
  private(set) var hasOpenStreetMapData = false

  /// The limits for the JSON of one feature.
  static let limits = JSONLimits(depth: 32, values: 2_000_000)

  /// Whether invalid JSON of `count` bytes may be the beginning of valid JSON. An error in the last five bytes may be due to a word, such
  /// as `false`, or a character that was cut.
  static func mayBeCut(_ error: JSONError, _ count: Int) -> Bool { error.reason == .unexpectedEnd || error.offset + 5 > count }

  /// The record of a feature, or the reason to skip it; nil for a feature without a name.
  mutating func place(_ bytes: ArraySlice<UInt8>) -> Result<GazetteerRecord, BadRecord>? {
    let value: JSONValue
    do { value = try JSONValue(parsing: Array(bytes), limits: GeoJSONFeatureReader.limits) } catch {
      return .failure(BadRecord("not JSON: \(error.message)", mayBeCut: GeoJSONFeatureReader.mayBeCut(error, bytes.count)))
    }
    guard value["type"]?.string == "Feature" else { return .failure(BadRecord("not a GeoJSON feature")) }
    guard let location = Geometry.point(of: value["geometry"] ?? .null) else { return .failure(BadRecord("no usable geometry")) }
    let properties = value["properties"]?.object ?? JSONObject()
    switch properties["name"] {
    case nil, .null, .string, .integer: break
    default: return .failure(BadRecord("the name is not a string"))
    }
    let tags = Tags(properties)
    let name = tags["name"] ?? tags["brand"] ?? tags["addr:housename"] ?? ""
    guard !name.isEmpty || tags.isAddress else { return GeoJSONFeatureReader.nameKeyError(in: properties).map { .failure($0) } }
    let objectID = isForeign ? nil : GeoJSONFeatureReader.objectID(value, tags)
    // Data that is not from OpenStreetMap describes kinds by its own properties, so each of its named features is an establishment.
    let isOtherData = isForeign || (objectID == nil && (!tags.areFromOpenStreetMap || GeoJSONFeatureReader.hasOwnID(value)))
    guard let types = tags.types ?? (isOtherData ? ["establishment"] : nil) else { return .failure(.unknownKind) }
    var record = GazetteerRecord(id: objectID ?? GeoJSONFeatureReader.derivedID(tags, location), name: name)
    record.location = location
    record.types = types
    if types.first == "river" { record.lineEnds = Geometry.lineEnds(of: value["geometry"] ?? .null) }
    fill(&record, from: tags)
    if record.name.isEmpty { record.name = GeoJSONFeatureReader.addressLine(record) }
    // Only the tools of OpenStreetMap write `@id`.
    if !isOtherData || properties["@id"] != nil { hasOpenStreetMapData = true }
    return .success(record)
  }

  /// The error for a feature whose name has a key such as `NAME`; nil for any other feature.
  private static func nameKeyError(in properties: JSONObject) -> BadRecord? {
    let misspelled = properties.members.first { $0.key.lowercased() == "name" && $0.value.string?.isEmpty == false }
    return misspelled.map { BadRecord("the name has the key \($0.key); it must be name") }
  }

  /// Sets the fields of a record that come straight from tags.
  private func fill(_ record: inout GazetteerRecord, from tags: Tags) {
    for (key, value) in tags.all where key.hasPrefix("name:") {
      let language = key.dropFirst("name:".count)
      if (2...12).contains(language.utf8.count), language.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) {
        record.names.append(.init(String(language), value))
      }
    }
    for key in ["alt_name", "official_name", "short_name", "old_name", "loc_name", "int_name", "brand", "ref:IATA", "iata", "icao"] {
      record.otherNames += (tags[key] ?? "").split(separator: ";").map { String($0.trimmed) }.filter { !$0.isEmpty && $0 != record.name }
    }
    let surroundingCountry = (tags["addr:country"] ?? tags["is_in:country_code"] ?? country ?? "").uppercased()
    // These tags name the country around a feature. The code of a feature that is itself a country is in other tags.
    record.country = record.types.first == "country" ? GeoJSONFeatureReader.countryCode(tags) : surroundingCountry
    record.population = tags["population"].flatMap { Int($0.filter { $0 != "," && $0 != " " }) }.map { max(0, $0) } ?? 0
    record.street = tags["addr:street"] ?? tags["addr:place"]
    record.houseNumber = GeoJSONFeatureReader.houseNumber(tags)
    record.postcode = tags["addr:postcode"]
    record.locality = tags["addr:city"]
    record.phone = tags["phone"] ?? tags["contact:phone"]
    record.website = tags["website"] ?? tags["contact:website"] ?? tags["url"]
    record.openingHours = tags["opening_hours"]
    record.wheelchair = tags["wheelchair"].flatMap { $0 == "yes" ? true : $0 == "no" ? false : nil }
    if let wikidata = tags["wikidata"] { record.equivalents.append("wikidata:\(wikidata)") }
    if let number = tags["geonames:id"] ?? tags["gns:id"], Int(number) != nil { record.equivalents.append("geonames:\(number)") }
  }

  /// The code (ISO 3166-1) of a feature that is a country; empty if the tags have none.
  private static func countryCode(_ tags: Tags) -> String {
    let code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] ?? tags["country_code_iso3166_1_alpha_2"]
    return code.flatMap { RegionCode.canonical($0) } ?? ""
  }

  /// The number of a house, after its unit and a slash if it has a unit, as in the Australian and Canadian `3/17`.
  private static func houseNumber(_ tags: Tags) -> String? {
    guard let number = tags["addr:housenumber"] ?? tags["addr:conscriptionnumber"] else { return nil }
    if let unit = tags["addr:unit"] { return "\(unit)/\(number)" }
    return number
  }

  /// The name of a house without one: its address, in the order of its country.
  private static func addressLine(_ record: GazetteerRecord) -> String {
    guard let street = record.street ?? record.locality else { return record.houseNumber ?? "" }
    return StreetLine.text(street: street, houseNumber: record.houseNumber, country: record.country)
  }

  /// The id of a feature's OpenStreetMap object, such as `osm:node/1`; nil if the feature names none. It is read from the feature's id if
  /// the tags are OpenStreetMap's, from `@type` and `@id` (osmium --attributes), or from ogr2ogr's `osm_id` and `osm_way_id`.
  private static func objectID(_ feature: JSONValue, _ tags: Tags) -> String? {
    if tags.areFromOpenStreetMap, let objectID = feature["id"]?.string.flatMap({ GeoJSONFeatureReader.objectID($0) }) {
      return objectID
    }
    if let kind = tags["@type"], let number = tags["@id"] { return "osm:\(kind)/\(number)" }
    if let number = tags["osm_way_id"] { return "osm:way/\(number)" }
    guard let number = tags["osm_id"] else { return nil }
    return feature["geometry"]?["type"]?.string == "Point" ? "osm:node/\(number)" : "osm:relation/\(number)"
  }

  /// The object's id for an id such as `n1` (osmium export --add-unique-id=type_id) or `node/1` (Overpass turbo); nil for any other id.
  /// `a1` denotes no object, since the numbers of objects begin with 1.
  private static func objectID(_ id: String) -> String? {
    guard let letter = id.first, isNumber(id.dropFirst()), let number = Int(id.dropFirst()) else { return OpenStreetMapID(id)?.equivalent }
    switch letter {
    case "n": return "osm:node/\(number)"
    case "w": return "osm:way/\(number)"
    case "r": return "osm:relation/\(number)"
    // An area has twice the number of its way, or twice the number of its relation plus one.
    case "a" where number > 1: return number % 2 == 0 ? "osm:way/\(number / 2)" : "osm:relation/\((number - 1) / 2)"
    default: return nil
    }
  }

  /// Whether a text is a positive number in decimal digits without a leading zero.
  private static func isNumber(_ text: Substring) -> Bool {
    text.first != "0" && !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Whether a feature has an id that is not just a counter (osmium export --add-unique-id=counter).
  private static func hasOwnID(_ feature: JSONValue) -> Bool {
    feature["id"]?.string.map { !$0.allSatisfy(\.isNumber) } ?? false
  }

  /// The id of a feature without an OpenStreetMap id, derived from its name and location, so that it is the same in every import. The
  /// feature's own id may occur in other data for something else.
  private static func derivedID(_ tags: Tags, _ location: Coordinate) -> String {
    let point = FixedPoint(location)
    let texts = ["name", "addr:street", "addr:housenumber"].map { tags[$0] ?? "" } + ["\(point.latitude)", "\(point.longitude)"]
    return "feature:\(String(FNV1a.hash(texts.joined(separator: " ").utf8), radix: 36))"
  }
}

/// A feature's properties as texts, including those in ogr2ogr's `other_tags`.
struct Tags {
  /// The text of each property, by its key. Numbers are decimal, Booleans are `yes` or `no`, and other values are left out.
  private(set) var all: [String: String] = [:]

  init(_ properties: JSONObject) {
    for (key, value) in properties.members {
      switch value {
      case .string(let text): all[key] = text
      case .integer(let number): all[key] = String(number)
      case .boolean(let flag): all[key] = flag ? "yes" : "no"
      default: continue
      }
    }
    if let packed = all.removeValue(forKey: "other_tags") { unpack(packed) }
  }

  subscript(key: String) -> String? { all[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the tags appear to be from OpenStreetMap: whether they contain one of its keys for kinds of places, or a key with a colon.
  /// Keys such as `name:de` do not count, because other data has them too.
  var areFromOpenStreetMap: Bool {
    all.keys.contains { TagTypes.keys.contains($0) || TagTypes.otherKeys.contains($0) || ($0.contains(":") && !$0.hasPrefix("name:")) }
  }

  /// Whether the feature has a house number, and a street or a town.
  var isAddress: Bool { self["addr:housenumber"] != nil && (self["addr:street"] ?? self["addr:place"] ?? self["addr:city"]) != nil }

  /// Adds the tags of a text such as `"amenity"=>"cafe","level"=>"0"`, with backslashes before quotes.
  private mutating func unpack(_ packed: String) {
    var texts: [String] = []
    var text = ""
    var isInside = false
    var isEscaped = false
    for character in packed {
      if isEscaped {
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        if isInside { texts.append(text) }
        text = ""
        isInside.toggle()
      } else if isInside {
        text.append(character)
      }
    }
    for index in stride(from: 0, to: texts.count - 1, by: 2) where all[texts[index]] == nil { all[texts[index]] = texts[index + 1] }
  }
}

extension Substring {
  /// The text without spaces at both ends.
  var trimmed: Substring {
    var text = self
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return text
  }
}
