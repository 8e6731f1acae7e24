import Foursquare
import Geocoders
import Google
import Nominatim
import Pelias
import Photon
import PlacesKit
import Suggest

extension ResponseParser {
  /// Every parser of every provider that reads bytes of the network. Calls of one service whose answers are alike share one.
  public static let all: [ResponseParser] =
    [
      typing("google.autocomplete", Google.self), searching("google.search", Google.self), knowing("google.details", Google.self, id: "A1"),
      reversing("google.reverse", Google.self),
      typing("foursquare.autocomplete", Foursquare.self), searching("foursquare.search", Foursquare.self),
      knowing("foursquare.details", Foursquare.self, id: "4b05"),
      searching("nominatim.places", Nominatim.self), probing("nominatim.status", Nominatim.self),
      typing("photon.places", Photon.self), probing("photon.status", Photon.self),
      typing("pelias.places", Pelias.self), ResponseParser("opening_hours") { openingHours($0) },
    ]
    + SuggestFormat.allCases.map { format in
      typing(
        "suggest.\(format.rawValue)", Suggest.self,
        settings: ["url": "https://suggest.example.org/?q={query}", "format": .string(format.rawValue)])
    } + described

  /// The status every five hours of the week from Monday, 1 June 2026.
  private static func openingHours(_ value: String) -> ResponseParser.Outcome {
    guard let expression = OpeningHoursExpression(value) else { return Outcome(status: "not a value") }
    let statuses = (0..<34).map { expression.status(at: 1_780_272_000 + Double($0) * 18_000, offset: 0) }
    return Outcome(status: statuses.map { "\($0)" }.joined(separator: " "))
  }

  private static let fields = Set(PlaceField.allCases)

  private static func typing(_ name: String, _ type: any Provider.Type, settings: [String: JSONValue] = [:]) -> ResponseParser {
    ResponseParser(name, type, settings: settings) { (provider) throws(ProviderError) in
      Outcome(suggestions: try await provider.autocomplete(AutocompleteRequest(query: "berlin 6", region: "DE")).rows)
    }
  }

  private static func searching(_ name: String, _ type: any Provider.Type) -> ResponseParser {
    ResponseParser(name, type) { (provider) throws(ProviderError) in
      Outcome(places: try await provider.search(SearchRequest(query: "berlin 6", fields: fields)).rows)
    }
  }

  private static func knowing(_ name: String, _ type: any Provider.Type, id: String) -> ResponseParser {
    ResponseParser(name, type) { (provider) throws(ProviderError) in
      Outcome(places: [try await provider.details(DetailsRequest(id: id, fields: fields))])
    }
  }

  private static func reversing(_ name: String, _ type: any Provider.Type) -> ResponseParser {
    ResponseParser(name, type) { (provider) throws(ProviderError) in
      Outcome(places: try await provider.reverse(ReverseRequest(location: .zero, fields: fields)).rows)
    }
  }

  private static func probing(_ name: String, _ type: any Provider.Type) -> ResponseParser {
    ResponseParser(name, type) { (provider) throws(ProviderError) in
      Outcome(status: try await provider.probe())
    }
  }
}
