import Geocoders
import JSON
import PlacesKit
import Text

/// A row of the daemon's reply to a search, reverse or details request, as the emulated APIs read it.
struct FoundPlace: Sendable {
  var id: String
  var name: String?
  var formattedAddress: String?
  var location: Coordinate?
  var viewport: Rectangle?
  /// The most specific type first.
  let types: [String]
  /// The level that the types determine.
  let level: PlaceLevel
  var components: [Component]
  /// The distance from the point of the request, in metres.
  var distance: Double?
  /// The importance, from 0 to 1; nil if no source states it, or if the request did not set `explain`.
  var importance: Double?
  /// True if the row matches only a part of the query.
  var isPartial: Bool
  /// The OpenStreetMap object of the row or of one of the sources that are blended into it.
  var object: OpenStreetMapID?
  var credits: [Credit]
  /// The whole row.
  var row: JSONValue

  /// A part of an address, such as its country, with the name in a long form and a short one: `Germany` and `DE`.
  struct Component: Sendable {
    var long: String
    var short: String
    var types: [String]
  }

  init?(_ row: JSONValue) {
    guard let id = row["id"]?.string else { return nil }
    self.id = id
    self.row = row
    name = row["name"]?.string
    formattedAddress = row["formattedAddress"]?.string
    location = Coordinate(json: row["coordinate"])
    if let low = Coordinate(json: row["viewport"]?["low"]), let high = Coordinate(json: row["viewport"]?["high"]) {
      viewport = Rectangle(low: low, high: high)
    }
    types = row["types"]?.array?.compactMap(\.string) ?? []
    level = PlaceLevel(types)
    components = (row["addressComponents"]?.array ?? []).compactMap { component in
      guard let long = component["long"]?.string else { return nil }
      let types = component["types"]?.array?.compactMap(\.string) ?? []
      return Component(long: long, short: component["short"]?.string ?? long, types: types)
    }
    distance = row["distance"]?.double
    importance = row["explain"]?["importance"]?.double
    isPartial = row["partialMatch"] == true
    let ids = [id] + (row["sources"]?.array?.compactMap { $0["id"]?.string } ?? [])
    object = ids.lazy.compactMap { FoundPlace.object(of: $0) }.first
    credits = Credit.list(row["attributions"])
  }

  /// The rows of a reply, in its order.
  static func rows(_ result: JSONValue) -> [FoundPlace] { (result["places"]?.array ?? []).compactMap { FoundPlace($0) } }

  /// The rows of a reply to a search, reordered for a user who is typing. A search for `tok` ranks Tok in Alaska first, but a user who
  /// types `tok` means Tokyo. So the rows of the provider that returned suggestions are put in the order of its suggestions. Its rows that
  /// are not among the suggestions follow. The rows of other providers keep their positions.
  /// - Parameter suggestions: the reply to `PlaceQuery.suggestions`. If it is nil or a failure, the order is that of the search.
  static func rows(_ result: JSONValue, suggestions: DaemonReply?) -> [FoundPlace] {
    var places = rows(result)
    guard let suggestedRows = (try? suggestions?.parsed())?["suggestions"]?.array else { return places }
    let suggestedIDs = suggestedRows.compactMap { $0["id"]?.string }
    let suggestingProviders = Set(suggestedIDs.map(provider))
    // The id of the place at a provider that returned suggestions.
    func idAtSuggestingProvider(_ place: FoundPlace) -> String? {
      place.row["sources"]?.array?.lazy.compactMap { $0["id"]?.string }.first { suggestingProviders.contains(provider(of: $0)) }
    }
    // The rows to reorder: the index of each, and its rank among the suggestions.
    let positions = places.indices.compactMap { index in
      idAtSuggestingProvider(places[index]).map { (index: index, rank: suggestedIDs.firstIndex(of: $0) ?? suggestedIDs.count) }
    }
    // Rows of equal rank keep their order, because the index is compared as well.
    let sortedPlaces = positions.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { places[$0.index] }
    for (position, place) in zip(positions, sortedPlaces) { places[position.index] = place }
    return places
  }

  /// The provider in an id such as `gazetteer:2950159`.
  private static func provider(of id: String) -> Substring { id.prefix { $0 != ":" } }

  /// The OpenStreetMap object that an id such as `photon:node/1` or `gazetteer:osm:way/2` names; nil if it names none.
  private static func object(of id: String) -> OpenStreetMapID? {
    guard let start = id.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    return OpenStreetMapID(String(id[id.utf8.index(after: start)...]))
  }

  /// A whole number below 2^53 that is derived from the id, and is the same on every machine. It is for APIs whose ids are numbers; a JSON
  /// reader that uses floating point reads it exactly.
  var numericID: Int { Int(FNV1a.hash(id.utf8) & (1 << 53 - 1)) }

  /// The most specific type; empty if the place has no type.
  var type: String { types.first ?? "" }

  /// The first component of the first of these types that has one; nil if no type has a component.
  func component(_ candidateTypes: String...) -> Component? {
    for candidateType in candidateTypes {
      if let match = components.first(where: { $0.types.contains(candidateType) }) { return match }
    }
    return nil
  }

  /// The name or, if the place has none, a text that can be shown instead, such as the street and house number.
  var title: String {
    name ?? Address(self).streetLine ?? formattedAddress ?? components.first?.long ?? id
  }

  /// The viewport; without one, a rectangle that is as large as places of its type usually are.
  var bounds: Rectangle? {
    if let viewport { return viewport }
    guard let location else { return nil }
    let halfSize = level.assumedHalfSize
    guard
      let low = Coordinate(latitude: max(-90, location.latitude - halfSize), longitude: max(-180, location.longitude - halfSize)),
      let high = Coordinate(latitude: min(90, location.latitude + halfSize), longitude: min(180, location.longitude + halfSize))
    else { return nil }
    // Seven decimals are about a centimetre. Further decimals would be rounding errors of the sums.
    return Rectangle(low: low.rounded(decimals: 7), high: high.rounded(decimals: 7))
  }
}

extension Coordinate {
  /// Reads `{"latitude", "longitude"}`.
  init?(json: JSONValue?) {
    guard let latitude = json?["latitude"]?.double, let longitude = json?["longitude"]?.double else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// A credit that must be shown with the rows.
struct Credit: Sendable, Hashable {
  var text: String
  var url: String?

  /// Reads a list `attributions` of a reply, and drops duplicates. Empty if the value is nil.
  static func list(_ value: JSONValue?) -> [Credit] {
    var credits: [Credit] = []
    for row in value?.array ?? [] {
      guard let text = row["text"]?.string else { continue }
      let credit = Credit(text: text, url: row["url"]?.string)
      if !credits.contains(credit) { credits.append(credit) }
    }
    return credits
  }

  /// All credits in one line of plain text, each with its address.
  static func line(_ credits: [Credit]) -> String {
    credits.map { credit in credit.url.map { "\(credit.text) \($0)" } ?? credit.text }.joined(separator: "; ")
  }

  /// The credit as HTML, with a link if it has an address, for APIs whose credits are HTML.
  var html: String {
    let escapedText = Credit.escaped(text)
    guard let url, url.hasPrefix("https://") || url.hasPrefix("http://") else { return escapedText }
    return "<a href=\"\(Credit.escaped(url))\">\(escapedText)</a>"
  }

  /// The text with the characters escaped that have a meaning in HTML and XML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
