import Described
import PlacesKit
import ServiceDescriptions

extension ResponseParser {
  /// Descriptions, and answers that are read with one.
  static let described: [ResponseParser] = [
    ResponseParser("described.file", response: readFile),
    answering("described.json", description("json", rows: "$.rows[*]")),
    answering("described.xml", description("xml", rows: "$.answer.row[*]")),
  ]

  /// Reads a description; if it is sound, asks all its calls, which a fixed answer serves.
  private static func readFile(_ response: HTTPResponse) async throws(ProviderError) -> Outcome {
    let reading = ServiceDescription.read(response.body, service: "fuzzed", file: "fuzzed.toml")
    guard let description = reading.description else { return Outcome(status: reading.problems.map(\.description).joined(separator: "\n")) }
    let service = DescribedService(description, settings: [:]) { _ throws(ProviderError) in answer }
    var outcome = Outcome(status: "sound")
    let area = Area.circle(center: .zero, radius: 1_000)
    let fields = Set(PlaceField.allCases)
    outcome.suggestions +=
      (try? await service.autocomplete(AutocompleteRequest(query: "berlin", language: "de-AT", bias: area, restriction: area)).rows) ?? []
    outcome.places += (try? await service.search(SearchRequest(query: "berlin", fields: fields, countries: ["DE"])).rows) ?? []
    if let place = try? await service.details(DetailsRequest(id: "1", fields: fields)) { outcome.places.append(place) }
    outcome.places += (try? await service.reverse(ReverseRequest(location: .zero, fields: fields)).rows) ?? []
    return outcome
  }

  private static let answer = HTTPResponse(
    status: 200,
    body: Array(
      #"{"features":[{"geometry":{"coordinates":[13.4,52.5]},"properties":{"id":7,"name":"<b>Ber</b>lin","type":"city","x":"a,b"}}],"next":"p"}"#
        .utf8))

  private static func answering(_ name: String, _ text: String) -> ResponseParser {
    ResponseParser(name, Described.self, settings: ["description": .string(text)]) { (provider) throws(ProviderError) in
      let page = try await provider.search(SearchRequest(query: "berlin 6", fields: Set(PlaceField.allCases)))
      let typed = try await provider.autocomplete(AutocompleteRequest(query: "berlin 6", region: "DE"))
      return Outcome(suggestions: typed.rows, places: page.rows, status: page.next)
    }
  }

  /// A description that uses every converter and every field.
  private static func description(_ format: String, rows: String) -> String {
    let end = format == "xml" ? "[0]['#text']" : ""
    return """
      format = 1
      name = "Fuzzed"
      summary = "Everything at once."
      documentation = "https://example.org/"
      hosts = ["example.org"]
      grid = "EPSG:27700"
      answers = "\(format)"
      attributions = []
      terms = { source = "none" }
      [types]
      locality = ["city", "town"]
      cafe = "coffee"
      [tables.kinds]
      p = "place"
      q = "query"
      s = "skip"
      [matches.secondary]
      ranges = "@.marks[*]"
      start = "@.start"
      end = "@.end"
      [matches.text]
      ranges = "@.marks[*]"
      start = "@.start"
      length = "@.length"
      [fields]
      id = ["@.id\(end)", "{@.kind\(end)}/{@.name\(end) | lower | cut(20)}"]
      kind = "@.kind\(end) | map(kinds)"
      name = "{!@.housenumber\(end)}{@.name\(end) | plain}"
      label = "@.label\(end) | split(';') | join(', ')"
      primary = "@.primary\(end) | markup('<b>', '</b>')"
      secondary = "@.secondary\(end)"
      text = ["@.text\(end) | markup('[', ']')", "@.whole\(end)"]
      house_number = "@.housenumber\(end)"
      street = "@.street\(end) | replace('str.', 'straße')"
      postcode = "@.postcode\(end) | before('-')"
      city = "@.parts[?@.type == 'city'].name | first"
      county = "@.parts[?@.type != 'city'].name | last"
      state = "@.parts[-1].name | upper"
      country = "@.country\(end) | after(':')"
      country_code = "@.cc\(end) | alpha2"
      latitude = "@.at\(end) | split(',') | item(0) | number"
      longitude = "@.at\(end) | split(',') | swap | item(0) | number | times(1) | plus(0)"
      easting = "@.easting\(end)"
      northing = "@.northing\(end)"
      south = "@.box[0]\(end)"
      west = "@.box[1]\(end)"
      north = "@.box[2]\(end)"
      east = "@.box[3]\(end)"
      types = ["@.type\(end)", "@.categories[*].id"]
      osm_tag = "{@.key\(end)}={@.value\(end)}"
      language = "@.lang\(end) | primary | one_of('de', 'en')"
      distance = "@.distance\(end) | at_least(0) | at_most(1000) | round"
      importance = "@.score\(end)"
      other_names = ["@.names[*]"]
      equivalents = ["osm:{@.osm\(end)}", "wikidata:{@.wikidata\(end) | is('Q64')}"]
      phone = "@.phone\(end)"
      website = "@.website\(end)"
      opening_hours = "@.hours\(end)"
      wheelchair = "@.wheelchair\(end)"
      rating = "@.rating\(end)"
      user_ratings_total = "@.ratings\(end)"
      price_level = "@.price\(end)"
      business_status = "@.status\(end)"
      editorial_summary = "@.about\(end)"
      partial_match = "@.partial\(end)"
      icon = "@.icon\(end)"
      url = "@.url\(end)"
      [[errors]]
      status = [200, 400]
      path = "$.error.code"
      is = ["LIMIT"]
      cause = "rate_limit"
      [[errors]]
      status = 200
      path = "$.error.message"
      contains = "not found"
      cause = "nothing_found"
      [search]
      path = "/s"
      query.q = "{query}"
      query.p = "{page}"
      rows = "\(rows)"
      paging = { token = "$.next" }
      [autocomplete]
      path = "/a"
      query.q = "{query}"
      rows = "\(rows)"
      """
  }
}
