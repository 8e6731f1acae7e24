import Foundation
import JSON
import Testing

@testable import EmulatedAPIs

/// The members of the answers beside those of the original services: `Tests/OriginalAnswers` has a document for each shape, with every member that
/// the service's documentation or source names. The lists below are all differences.
@Suite("The members of an answer") struct ShapeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let golden: String
    let original: String
    /// Members that the original does not have; each has the members below it.
    let added: Set<String>
    /// Members that this program never sends, or not for the sample places.
    let absent: Set<String>

    var testDescription: String { golden }

    init(_ golden: String, like original: String, added: Set<String> = [], absent: Set<String> = []) {
      (self.golden, self.original, self.added, self.absent) = (golden, original, added, absent)
    }
  }

  /// The members of the original's row at a point, and of a place by its id, that ours lacks.
  private static let peliasRow: Set<String> = [
    "features.bbox", "features.properties.addendum", "features.properties.borough", "features.properties.borough_gid",
    "features.properties.country_gid", "features.properties.county", "features.properties.county_gid", "features.properties.distance",
    "features.properties.locality_gid", "features.properties.match_type", "features.properties.neighbourhood",
    "features.properties.neighbourhood_gid", "features.properties.region", "features.properties.region_a",
    "features.properties.region_gid", "geocoding.engine.author", "geocoding.warnings",
  ]

  static let cases: [Case] = [
    Case(
      "photon.api", like: "photon.api",
      added: ["attribution"],
      absent: ["features.properties.county", "features.properties.district", "features.properties.extra", "features.properties.locality"]),
    Case(
      "photon.api.failed", like: "photon.error"),
    Case(
      "photon.status", like: "photon.status",
      absent: ["git_commit", "import_date"]),
    Case(
      "nominatim.search.json", like: "nominatim.json",
      absent: ["icon"]),
    Case(
      "nominatim.search.jsonv2", like: "nominatim.jsonv2",
      absent: ["extratags", "icon", "namedetails", "osm_id", "osm_type"]),
    Case(
      "nominatim.search.geojson", like: "nominatim.geojson",
      absent: ["features.properties.extratags", "features.properties.icon", "features.properties.namedetails"]),
    Case(
      "nominatim.search.geocodejson", like: "nominatim.geocodejson",
      absent: [
        "features.properties.geocoding.accuracy", "features.properties.geocoding.admin", "features.properties.geocoding.county",
        "features.properties.geocoding.district", "features.properties.geocoding.extra", "features.properties.geocoding.locality",
      ]),
    Case(
      "nominatim.reverse", like: "nominatim.reverse",
      absent: ["extratags", "icon", "namedetails", "osm_id", "osm_type"]),
    Case(
      "nominatim.lookup", like: "nominatim.jsonv2",
      absent: ["extratags", "icon", "namedetails"]),
    Case(
      "nominatim.search.failed", like: "nominatim.error"),
    Case(
      "nominatim.status", like: "nominatim.status",
      absent: ["data_updated", "database_version", "software_version"]),
    Case(
      "pelias.search", like: "pelias",
      absent: [
        "features.properties.addendum", "features.properties.borough", "features.properties.borough_gid", "features.properties.country_gid",
        "features.properties.county", "features.properties.county_gid", "features.properties.locality_gid",
        "features.properties.match_type", "features.properties.neighbourhood", "features.properties.neighbourhood_gid",
        "features.properties.region_gid", "geocoding.engine.author", "geocoding.warnings",
      ]),
    Case(
      "pelias.reverse", like: "pelias",
      absent: peliasRow),
    Case(
      "pelias.place", like: "pelias",
      absent: peliasRow),
    Case(
      "pelias.failed", like: "pelias.error",
      absent: ["geocoding.engine.author", "geocoding.warnings"]),
    Case(
      "google.autocomplete", like: "google.autocomplete",
      added: ["attributions"],
      absent: [
        "suggestions.placePrediction.structuredFormat.mainText.matches.startOffset",
        "suggestions.placePrediction.structuredFormat.secondaryText.matches", "suggestions.placePrediction.text.matches.startOffset",
        "suggestions.queryPrediction.structuredFormat.mainText.matches.startOffset",
        "suggestions.queryPrediction.structuredFormat.secondaryText", "suggestions.queryPrediction.text.matches.startOffset",
      ]),
    Case(
      "google.searchText", like: "google.searchText",
      absent: [
        "places.addressComponents.languageCode", "places.adrFormatAddress", "places.displayName.languageCode", "places.googleMapsUri",
        "places.iconBackgroundColor", "places.iconMaskBaseUri", "places.photos", "places.plusCode", "places.primaryTypeDisplayName",
        "places.regularOpeningHours.openNow", "places.regularOpeningHours.periods", "places.utcOffsetMinutes",
      ]),
    Case(
      "google.failed", like: "google.error"),
    Case(
      "google.geocode", like: "google.geocode",
      added: ["html_attributions", "results.html_attributions"],
      absent: ["results.geometry.bounds", "results.partial_match", "results.plus_code"]),
    Case(
      "google.geocode.failed", like: "google.legacy.error",
      absent: ["html_attributions[]"]),
    Case(
      "google.legacy.autocomplete", like: "google.legacy.autocomplete",
      added: ["html_attributions"],
      absent: ["predictions.structured_formatting.secondary_text_matched_substrings"]),
    Case(
      "google.legacy.textsearch", like: "google.legacy.textsearch",
      added: ["results.address_components", "results.formatted_phone_number", "results.international_phone_number", "results.website"],
      absent: [
        "results.business_status", "results.icon", "results.opening_hours", "results.photos", "results.plus_code", "results.price_level",
      ]),
    Case(
      "google.legacy.details", like: "google.legacy.details",
      absent: [
        "result.adr_address", "result.business_status", "result.icon", "result.opening_hours", "result.photos", "result.plus_code",
        "result.price_level", "result.rating", "result.reviews", "result.url", "result.user_ratings_total", "result.utc_offset",
        "result.vicinity",
      ]),
  ]

  /// Members whose own members are data.
  private static let maps: Set = ["address", "extratags", "namedetails", "extra", "addendum", "admin", "query"]

  @Test("are the original's, with the same types, apart from the differences that are listed", arguments: cases)
  func members(_ example: Case) throws {
    let tests = GoldenTests.folder.deletingLastPathComponent()
    let answer = try String(contentsOf: GoldenTests.folder.appendingPathComponent(example.golden), encoding: .utf8)
    let body = try #require(answer.split(separator: "\n", maxSplits: 1).last)
    let ours = try ShapeTests.members(of: JSONValue(parsing: String(body)))
    let document = tests.appendingPathComponent("OriginalAnswers/\(example.original).json")
    let theirs = try ShapeTests.members(of: JSONValue(parsing: String(contentsOf: document, encoding: .utf8)))
    #expect(ShapeTests.outermost(ours.keys.filter { theirs[$0] == nil }) == example.added)
    #expect(ShapeTests.outermost(theirs.keys.filter { ours[$0] == nil }) == example.absent)
    for (path, type) in ours { #expect(theirs[path] ?? type == type, "\(path)") }
  }

  /// The type of each member by its path. The elements of an array have the path of the array, and must be of one type.
  private static func members(of value: JSONValue, at path: String = "", _ isElement: Bool = false) -> [String: String] {
    var found: [String: String] = [:]
    if !path.isEmpty { found[path + (isElement ? "[]" : "")] = value.double == nil ? value.kind : "number" }
    switch value {
    case .object(let object):
      if maps.contains(path.split(separator: ".").last.map(String.init) ?? "") { break }
      for (key, value) in object.members {
        found.merge(members(of: value, at: path.isEmpty ? key : path + "." + key)) { first, second in
          first == second ? first : "\(first) or \(second)"
        }
      }
    case .array(let elements):
      for element in elements {
        found.merge(members(of: element, at: path, true)) { first, second in first == second ? first : "\(first) or \(second)" }
      }
    default: break
    }
    return found
  }

  /// Without the paths below another one.
  private static func outermost(_ paths: [String]) -> Set<String> {
    let all = Set(paths)
    return Set(
      paths.filter { path in
        if path.hasSuffix("[]"), all.contains(String(path.dropLast(2))) { return false }
        let parts = path.split(separator: ".")
        return !(1..<parts.count).contains { all.contains(parts.prefix($0).joined(separator: ".")) }
      })
  }
}

@Suite("Degrees in Nominatim's answers") struct DegreesTests {
  @Test(
    "have seven decimals",
    arguments: [
      (0, "0.0000000"), (-0.5, "-0.5000000"), (47.1, "47.1000000"), (-179.999_999_96, "-180.0000000"), (0.000_000_1, "0.0000001"),
      (-0.000_000_01, "0.0000000"), (9.9999999, "9.9999999"), (-12.034_56, "-12.0345600"),
    ] as [(Double, String)])
  func decimals(_ degrees: Double, _ text: String) {
    #expect(NominatimAPI.sevenDecimals(degrees) == text)
  }
}
