import JSON
import PlacesKit

/// The members of a place that the client requests by the header X-Goog-FieldMask or the parameter `fields`.
struct GoogleFieldMask: Sendable {
  /// The names of the requested members; nil for all members.
  private var names: Set<String>?

  /// Google's error message for a request without a mask.
  static let missing =
    "FieldMask is a required parameter. See https://cloud.google.com/apis/docs/system-parameters on how to specify a field mask."

  /// Nil if the request has no mask.
  /// - Parameter prefix: the first component of each path, such as `places` in `places.displayName`; nil if paths have no such component.
  init?(_ request: GatewayRequest, prefix: String?) {
    guard let text = request.fieldMask ?? request.query.first("fields", "$fields"), !text.trimmed.isEmpty else { return nil }
    var names: Set<String> = []
    for path in text.split(separator: ",") {
      var parts = path.trimmed.split(separator: ".").map(String.init)
      guard !parts.isEmpty else { continue }
      if let prefix, parts.first == prefix { parts.removeFirst() }
      // `places` and `*` stand for all members.
      guard let name = parts.first, name != "*" else { return }
      names.insert(name)
    }
    guard !names.isEmpty else { return nil }
    self.names = names
  }

  func contains(_ name: String) -> Bool { names?.contains(name) ?? true }

  /// The fields to request from the daemon.
  var fields: Set<PlaceField> {
    var fields: Set<PlaceField> = [.placeID]
    guard let names else {
      return Set(GoogleFieldMask.fieldsByMember.values).union(fields)
    }
    for name in names { if let field = GoogleFieldMask.fieldsByMember[name] { fields.insert(field) } }
    return fields
  }

  /// The daemon's field for each member of a Place (developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places).
  private static let fieldsByMember: [String: PlaceField] = [
    "displayName": .name, "formattedAddress": .formattedAddress, "shortFormattedAddress": .formattedAddress,
    "addressComponents": .addressComponents, "location": .coordinate, "viewport": .viewport, "types": .types, "primaryType": .types,
    "plusCode": .plusCode, "rating": .rating, "userRatingCount": .userRatingsTotal, "websiteUri": .website,
    "internationalPhoneNumber": .phoneNumber, "nationalPhoneNumber": .phoneNumber, "regularOpeningHours": .openingHours,
    "currentOpeningHours": .currentOpeningHours, "priceLevel": .priceLevel, "businessStatus": .businessStatus,
    "utcOffsetMinutes": .utcOffsetMinutes, "editorialSummary": .editorialSummary, "takeout": .takeout, "delivery": .delivery,
    "dineIn": .dineIn, "curbsidePickup": .curbsidePickup, "reservable": .reservable, "servesBeer": .servesBeer,
    "servesBreakfast": .servesBreakfast, "servesBrunch": .servesBrunch, "servesDinner": .servesDinner, "servesLunch": .servesLunch,
    "servesVegetarianFood": .servesVegetarianFood, "servesWine": .servesWine, "accessibilityOptions": .wheelchairAccessibleEntrance,
    "iconMaskBaseUri": .iconImageURL, "iconBackgroundColor": .iconBackgroundColor,
  ]
}

extension GooglePlacesAPI {
  /// Writes a Place with the members that the mask names and whose values are known.
  static func write(_ place: FoundPlace, _ mask: GoogleFieldMask, to writer: inout JSONWriter) {
    let id = GoogleIdentifier.encode(place.id)
    let row = place.row
    writer.object { writer in
      if mask.contains("name") { writer.member("name", "places/\(id)") }
      if mask.contains("id") { writer.member("id", id) }
      if mask.contains("types"), !place.types.isEmpty { writer.strings("types", place.types) }
      if mask.contains("primaryType"), let type = place.types.first { writer.member("primaryType", type) }
      for name in ["nationalPhoneNumber", "internationalPhoneNumber"] where mask.contains(name) {
        if let phone = row["phoneNumber"]?.string { writer.member(name, phone) }
      }
      for name in ["formattedAddress", "shortFormattedAddress"] where mask.contains(name) {
        if let address = place.formattedAddress { writer.member(name, address) }
      }
      if mask.contains("addressComponents"), !place.components.isEmpty {
        writer.key("addressComponents")
        writer.array { writer in
          for component in place.components {
            writer.object { writer in
              writer.member("longText", component.long)
              writer.member("shortText", component.short)
              writer.strings("types", component.types)
            }
          }
        }
      }
      if mask.contains("plusCode"), let global = row["plusCode"]?["global"]?.string {
        writer.key("plusCode")
        writer.object { writer in
          writer.member("globalCode", global)
          if let compound = row["plusCode"]?["compound"]?.string { writer.member("compoundCode", compound) }
        }
      }
      if mask.contains("location"), let location = place.location {
        writer.key("location")
        writer.latitudeLongitude(location)
      }
      if mask.contains("viewport"), let bounds = place.bounds {
        writer.key("viewport")
        writer.object { writer in
          writer.key("low")
          writer.latitudeLongitude(bounds.low)
          writer.key("high")
          writer.latitudeLongitude(bounds.high)
        }
      }
      if mask.contains("displayName") {
        writer.key("displayName")
        writer.object { $0.member("text", place.title) }
      }
      writeScalars(row, mask, to: &writer)
      for (name, field) in [("regularOpeningHours", "openingHours"), ("currentOpeningHours", "currentOpeningHours")]
      where mask.contains(name) {
        if let hours = row[field] { writeHours(name, hours, to: &writer) }
      }
      if mask.contains("editorialSummary"), let summary = row["editorialSummary"]?.string {
        writer.key("editorialSummary")
        writer.object { $0.member("text", summary) }
      }
      if mask.contains("accessibilityOptions"), let entrance = row["wheelchairAccessibleEntrance"]?.boolean {
        writer.key("accessibilityOptions")
        writer.object { $0.member("wheelchairAccessibleEntrance", entrance) }
      }
      // Credits are required regardless of the mask.
      writeAttributions(place.credits, to: &writer)
    }
  }

  /// Writes the members whose values are the daemon's, unchanged or in upper case.
  private static func writeScalars(_ row: JSONValue, _ mask: GoogleFieldMask, to writer: inout JSONWriter) {
    let unchanged: [(String, String)] = [
      ("rating", "rating"), ("websiteUri", "website"), ("userRatingCount", "userRatingsTotal"), ("utcOffsetMinutes", "utcOffsetMinutes"),
      ("iconMaskBaseUri", "iconImageURL"), ("iconBackgroundColor", "iconBackgroundColor"), ("takeout", "takeout"), ("delivery", "delivery"),
      ("dineIn", "dineIn"), ("curbsidePickup", "curbsidePickup"), ("reservable", "reservable"), ("servesBeer", "servesBeer"),
      ("servesBreakfast", "servesBreakfast"), ("servesBrunch", "servesBrunch"), ("servesDinner", "servesDinner"),
      ("servesLunch", "servesLunch"), ("servesVegetarianFood", "servesVegetarianFood"), ("servesWine", "servesWine"),
    ]
    for (name, field) in unchanged where mask.contains(name) {
      if let value = row[field] { writer.member(name, value) }
    }
    if mask.contains("businessStatus"), let status = row["businessStatus"]?.string { writer.member("businessStatus", status.uppercased()) }
    if mask.contains("priceLevel"), let level = row["priceLevel"]?.string {
      writer.member("priceLevel", "PRICE_LEVEL_\(level.uppercased())")
    }
  }

  private static func writeHours(_ name: String, _ hours: JSONValue, to writer: inout JSONWriter) {
    writer.key(name)
    writer.object { writer in
      if let isOpen = hours["openNow"] { writer.member("openNow", isOpen) }
      if let periods = hours["periods"]?.array, !periods.isEmpty { writer.member("periods", .array(periods)) }
      if let text = hours["weekdayText"]?.array ?? hours["text"].map({ [$0] }) { writer.member("weekdayDescriptions", .array(text)) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func latitudeLongitude(_ location: Coordinate) {
    object { writer in
      writer.member("latitude", location.latitude)
      writer.member("longitude", location.longitude)
    }
  }
}
