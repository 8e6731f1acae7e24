import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("Resolving an address with Google")
struct ResolveTests {
  /// A result of the Geocoding API. A component is its long name, its short name and its type.
  private static func result(
    _ id: String, _ address: String, _ components: [(String, String, String)], at location: (Double, Double), isPartial: Bool = false
  ) -> JSONValue {
    [
      "address_components": .array(
        components.map { ["long_name": .string($0.0), "short_name": .string($0.1), "types": [.string($0.2)]] }),
      "formatted_address": .string(address), "place_id": .string(id), "types": ["street_address"], "partial_match": .boolean(isPartial),
      "geometry": ["location": ["lat": .number(location.0), "lng": .number(location.1)], "location_type": "ROOFTOP"],
    ]
  }

  /// Answers geocoding with the right place, in the abbreviations that Google uses, or with a partial match; and a text search with a bar.
  private static func answer(to request: ScriptedServer.Request) -> String {
    guard request.target.hasPrefix("/maps/api/geocode/json") else {
      let bar: JSONValue = [
        "id": "bar", "displayName": ["text": "Bar"], "formattedAddress": "Hauptstraße 5, 14482 Potsdam, Germany", "types": ["bar"],
        "location": ["latitude": 52.4, "longitude": 13.09],
      ]
      return JSONValue.object(["places": [bar]]).text
    }
    let isParkway = request.target.contains("Amphitheatre")
    let found =
      isParkway
      ? result(
        "parkway", "1600 Amphitheatre Pkwy, Mountain View, CA 94043, USA",
        [
          ("1600", "1600", "street_number"), ("Amphitheatre Parkway", "Amphitheatre Pkwy", "route"),
          ("Mountain View", "Mountain View", "locality"), ("California", "CA", "administrative_area_level_1"),
          ("United States", "US", "country"), ("94043", "94043", "postal_code"),
        ], at: (37.4224, -122.0842))
      : result(
        "street", "Hauptstraße, 12159 Berlin, Germany",
        [("Hauptstraße", "Hauptstraße", "route"), ("Berlin", "Berlin", "locality"), ("Germany", "DE", "country")], at: (52.48, 13.34),
        isPartial: true)
    return JSONValue.object(["status": "OK", "results": [found]]).text
  }

  @Test("An abbreviated exact hit is certain and no dearer call follows; a partial match is not certain, and no bar replaces it")
  func addresses() async throws {
    let server = try ScriptedServer { [.answer(Self.answer(to: $0))] }
    defer { server.stop() }
    let home = try Home(withIndex: false)
    try home.configureGoogle(at: server.url, "rate = { per_second = 1000, burst = 1000 }")
    try await withDaemon(home) { daemon in
      try await daemon.connect().ready("google")
      func resolve(_ text: String) async throws -> (run: ProgramRun, JSONValue) {
        let run = try await ProgramRun("placesctl", ["resolve", text, "--json"], environment: ["PLACES_SOCKET": home.socket])
        return (run, (try? JSONValue(parsing: run.output)) ?? .null)
      }
      for text in ["1600 Amphitheatre Parkway", "1600 Amphitheatre Pkwy", "1600 Amphitheatre Parkway, Mountain View, California"] {
        let (run, found) = try await resolve(text)
        #expect(run.exit == 0 && found["place"]?["id"] == "google:parkway", "\(text): \(run)")
      }
      #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.target.hasPrefix("/maps/api/geocode/") })

      let (run, found) = try await resolve("Hauptstraße 5, Berlin")
      #expect(run.exit == 1 && found["certain"] == false && found["place"] == nil, "\(run)")
      #expect(found["candidates"]?[0]?["id"] == "google:street" && run.diagnostics.contains("not certain"), "\(run)")
    }
  }
}
