import Geocoders
import JSON
import PlacesKit

/// Nominatim's formats of an answer (nominatim.org/release-docs, "Place Output Formats").
extension NominatimAPI {
  /// The answer to a reverse request that finds nothing. The text is Nominatim's, because clients compare it.
  static func nothing(_ output: Output) -> GatewayResponse {
    output.format == .xml ? nothingXML : .json { $0.object { $0.member("error", "Unable to geocode") } }
  }

  /// The answer to a search or a lookup.
  static func render(_ places: [FoundPlace], _ output: Output, credits: [Credit], query: String) -> GatewayResponse {
    if output.format == .xml { return renderXML(places, output, credits: credits, query: query) }
    return .json(reserving: 256 + 1_024 * places.count) { writer in
      switch output.format {
      case .json, .jsonv2:
        writer.array { writer in
          for place in places { write(place, output, to: &writer) }
        }
      case .geojson, .geocodejson, .xml:
        writeFeatureCollection(places, output, credits: credits, query: query, to: &writer)
      }
    }
  }

  /// The answer to a reverse request that finds a place.
  static func render(one place: FoundPlace, _ output: Output, credits: [Credit]) -> GatewayResponse {
    if output.format == .xml { return renderXML(one: place, output, credits: credits) }
    return .json { writer in
      switch output.format {
      case .json, .jsonv2: write(place, output, to: &writer)
      case .geojson, .geocodejson, .xml: writeFeatureCollection([place], output, credits: credits, query: "", to: &writer)
      }
    }
  }

  private static func write(_ place: FoundPlace, _ output: Output, to writer: inout JSONWriter) {
    guard let location = place.location else { return }
    let tag = OSMClassification(place.types)
    let parts = addressParts(of: place, tag)
    writer.object { writer in
      writer.member("place_id", place.numericID)
      writer.member("licence", Credit.line(place.credits))
      writeObject(of: place, to: &writer)
      writer.member("lat", sevenDecimals(location.latitude))
      writer.member("lon", sevenDecimals(location.longitude))
      writeClass(of: place, tag, parts, key: output.format == .json ? "class" : "category", to: &writer)
      writeDetails(of: place, parts, output, to: &writer)
      if let bounds = place.bounds {
        writer.key("boundingbox")
        writer.array { writer in
          for degrees in [bounds.low.latitude, bounds.high.latitude, bounds.low.longitude, bounds.high.longitude] {
            writer.string(sevenDecimals(degrees))
          }
        }
      }
    }
  }

  private static func writeObject(of place: FoundPlace, to writer: inout JSONWriter) {
    guard let object = place.object else { return }
    writer.member("osm_type", object.kind.rawValue)
    writer.member("osm_id", object.number)
  }

  /// Writes the members about the kind, the importance and the names of a place.
  /// - Parameter key: the member for the key of the tag, which differs between formats.
  private static func writeClass(
    of place: FoundPlace, _ tag: OSMClassification, _ parts: [Part], key: StaticString, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.string(tag.key)
    writer.member("type", tag.value)
    writer.member("place_rank", place.level.nominatimRank)
    writer.member("importance", importance(of: place))
    writer.member("addresstype", addressKey(of: place, tag))
    writer.member("name", place.name ?? "")
    writer.member("display_name", displayName(of: place, parts))
  }

  private static func writeDetails(of place: FoundPlace, _ parts: [Part], _ output: Output, to writer: inout JSONWriter) {
    if output.hasAddress {
      writer.key("address")
      writer.object { writer in for part in parts { writer.member(part.key, part.value) } }
    }
    if output.hasExtras {
      writer.key("extratags")
      writer.object { writer in for (key, value) in extraTags(of: place) { writer.member(key, value) } }
    }
    if output.hasNames {
      writer.key("namedetails")
      writer.object { writer in if let name = place.name { writer.member("name", name) } }
    }
  }

  /// The importance that a source states. If no source does, the number that Nominatim computes from the rank of a place that has no
  /// article in Wikipedia (github.com/osm-search/Nominatim, lib-sql/functions/importance.sql).
  static func importance(of place: FoundPlace) -> Double {
    ((place.importance ?? 0.40001 - Double(place.level.nominatimRank) / 75) * 1e5).rounded() / 1e5
  }

  /// The website, the telephone number and the opening hours, as OpenStreetMap's tags.
  static func extraTags(of place: FoundPlace) -> [(key: String, value: String)] {
    [
      ("website", place.row["website"]?.string), ("phone", place.row["phoneNumber"]?.string),
      ("opening_hours", place.row["openingHours"]?["text"]?.string),
    ].compactMap { key, value in value.map { (key, $0) } }
  }

  private static func writeFeatureCollection(
    _ places: [FoundPlace], _ output: Output, credits: [Credit], query: String, to writer: inout JSONWriter
  ) {
    let isGeocodeJSON = output.format == .geocodejson
    writer.object { writer in
      writer.member("type", "FeatureCollection")
      if isGeocodeJSON {
        writer.key("geocoding")
        writer.object { writer in
          writer.member("version", "0.1.0")
          writer.member("attribution", Credit.line(credits))
          writer.member("licence", Credit.line(credits))
          writer.member("query", query)
        }
      } else {
        writer.member("licence", Credit.line(credits))
      }
      writer.key("features")
      writer.array { writer in
        for place in places {
          guard let location = place.location else { continue }
          writer.object { writer in
            writer.member("type", "Feature")
            writer.key("properties")
            if isGeocodeJSON {
              writer.object { writer in
                writer.key("geocoding")
                writeGeocoding(place, to: &writer)
              }
            } else {
              let tag = OSMClassification(place.types)
              let parts = addressParts(of: place, tag)
              writer.object { writer in
                writer.member("place_id", place.numericID)
                writeObject(of: place, to: &writer)
                writeClass(of: place, tag, parts, key: "category", to: &writer)
                writeDetails(of: place, parts, output, to: &writer)
              }
              if let bounds = place.bounds { writer.box(bounds) }
            }
            writer.key("geometry")
            writer.point(location)
          }
        }
      }
    }
  }

  /// The properties of GeocodeJSON 0.1 (github.com/geocoders/geocodejson-spec).
  private static func writeGeocoding(_ place: FoundPlace, to writer: inout JSONWriter) {
    let (address, tag, level) = (Address(place), OSMClassification(place.types), place.level)
    writer.object { writer in
      writer.member("place_id", place.numericID)
      writeObject(of: place, to: &writer)
      writer.member("osm_key", tag.key)
      writer.member("osm_value", tag.value)
      writer.member("type", PhotonAPI.layer(level == .other ? .house : level))
      writer.member("label", displayName(of: place, addressParts(of: place, tag)))
      writer.member("name", place.title)
      let parts: [(StaticString, String?)] = [
        ("housenumber", address.houseNumber), ("street", address.road), ("locality", address.neighbourhood), ("district", address.suburb),
        ("city", address.city), ("county", address.county), ("state", address.state), ("country", address.country),
        ("country_code", address.countryCode?.lowercased()), ("postcode", address.postcode),
      ]
      for (key, value) in parts {
        if let value {
          writer.key(key)
          writer.string(value)
        }
      }
    }
  }

  // MARK: Addresses

  /// A part of an address, under Nominatim's key.
  struct Part: Equatable {
    var key: String
    var value: String
  }

  /// The parts of the address, the smallest first: some programs use the first part as the place's name.
  static func addressParts(of place: FoundPlace, _ tag: OSMClassification) -> [Part] {
    let address = Address(place)
    var parts: [Part] = []
    parts.reserveCapacity(12)
    func add(_ key: String, _ value: String?) {
      if let value, !parts.contains(where: { $0.key == key }) { parts.append(Part(key: key, value: value)) }
    }
    if place.level >= .house { add(tag.key, place.name) }
    add("house_number", address.houseNumber)
    add("road", address.road)
    add("neighbourhood", address.neighbourhood)
    add("suburb", address.suburb)
    add("city", address.city)
    add("county", address.county)
    add("state", address.state)
    if let code = address.stateCode, let country = address.countryCode, code.utf8.count <= 3 { add("ISO3166-2-lvl4", "\(country)-\(code)") }
    add("postcode", address.postcode)
    add("country", address.country)
    add("country_code", address.countryCode?.lowercased())
    return parts
  }

  /// The key of the address under which the place itself is listed.
  private static func addressKey(of place: FoundPlace, _ tag: OSMClassification) -> String {
    switch place.level {
    case .country: "country"
    case .state: "state"
    case .county: "county"
    case .city: "city"
    case .district: place.types.contains("postal_code") ? "postcode" : "suburb"
    case .locality: "neighbourhood"
    case .street: "road"
    case .house, .other: tag.key
    }
  }

  /// The name and the parts of the address in one line, without repetitions.
  static func displayName(of place: FoundPlace, _ parts: [Part]) -> String {
    var names: [String] = []
    if let name = place.name { names.append(name) }
    for part in parts where part.key != "country_code" && !part.key.hasPrefix("ISO3166") && !names.contains(part.value) {
      names.append(part.value)
    }
    return names.isEmpty ? place.title : names.joined(separator: ", ")
  }

  /// The number with seven decimals, as Nominatim writes degrees.
  static func sevenDecimals(_ degrees: Double) -> String {
    let scaled = Int((degrees * 1e7).rounded())
    // The digits are written from the end, which is fast: this is called six times for each place.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
      var (remaining, position, digits) = (scaled.magnitude, buffer.count, 0)
      func prepend(_ byte: UInt8) {
        position -= 1
        buffer[position] = byte
      }
      repeat {
        if digits == 7 { prepend(UInt8(ascii: ".")) }
        prepend(UInt8(ascii: "0") + UInt8(remaining % 10))
        (remaining, digits) = (remaining / 10, digits + 1)
      } while remaining > 0 || digits <= 7
      if scaled < 0 { prepend(UInt8(ascii: "-")) }
      return String(decoding: UnsafeBufferPointer(rebasing: buffer[position...]), as: UTF8.self)
    }
  }
}
