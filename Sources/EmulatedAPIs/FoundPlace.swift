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
  /// Most specific first.
  let types: [String]
  /// The level of the types.
  let level: PlaceLevel
  var components: [Component]
  /// Metres.
  var distance: Double?
  /// 0…1; nil if no source states it, or if the request did not ask for an explanation.
  var importance: Double?
  /// Whether the row matches only a part of the query.
  var isPartial: Bool
  /// The OpenStreetMap object of the row or of one of the sources that are blended into it.
  var object: OpenStreetMapID?
  var credits: [Credit]
  /// The whole row.
  var row: JSONValue

  /// A part of an address.
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

  /// The rows of a reply to a search, reordered for a user who is typing. A search for `tok` puts Tok in Alaska first, but a user who types
  /// that means Tokyo. So the rows of the provider that was asked for suggestions are put in their order; those that it does not suggest come
  /// last. The other rows keep their positions.
  /// - Parameter typed: the reply to `PlaceQuery.typed`. Without it, or if the call failed, the order is that of the search.
  static func rows(_ result: JSONValue, typed: DaemonReply?) -> [FoundPlace] {
    var rows = rows(result)
    guard let suggestions = (try? typed?.parsed())?["suggestions"]?.array else { return rows }
    let order = suggestions.compactMap { $0["id"]?.string }
    let suggesting = Set(order.map(provider))
    func suggestedID(_ place: FoundPlace) -> String? {
      place.row["sources"]?.array?.lazy.compactMap { $0["id"]?.string }.first { suggesting.contains(provider(of: $0)) }
    }
    let positions = rows.indices.compactMap { index in
      suggestedID(rows[index]).map { (index: index, place: order.firstIndex(of: $0) ?? order.count) }
    }
    // Positions of equal places are kept, because the index is compared as well.
    let sorted = positions.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map { rows[$0.index] }
    for (position, row) in zip(positions, sorted) { rows[position.index] = row }
    return rows
  }

  /// The provider in an id such as `gazetteer:2950159`.
  private static func provider(of id: String) -> Substring { id.prefix { $0 != ":" } }

  /// The object in ids such as `photon:node/1` and `gazetteer:osm:way/2`.
  private static func object(of id: String) -> OpenStreetMapID? {
    guard let start = id.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    return OpenStreetMapID(String(id[id.utf8.index(after: start)...]))
  }

  /// A whole number below 2^53 that is derived from the id, and is the same on every machine.
  var number: Int { Int(FNV1a.hash(id.utf8) & (1 << 53 - 1)) }

  /// The most specific type; empty if the place has no type.
  var type: String { types.first ?? "" }

  /// The first component of one of these types. Earlier types are preferred; nil if there is none.
  func component(_ wanted: String...) -> Component? {
    for type in wanted {
      if let found = components.first(where: { $0.types.contains(type) }) { return found }
    }
    return nil
  }

  /// The name or, if the place has none, a text that can be shown in its place, such as the street and house number.
  var title: String {
    name ?? Address(self).streetLine ?? formattedAddress ?? components.first?.long ?? id
  }

  /// The viewport; without one, a rectangle that is as large as places of its type usually are.
  var bounds: Rectangle? {
    if let viewport { return viewport }
    guard let location else { return nil }
    let half = level.halfWidth
    guard
      let low = Coordinate(latitude: max(-90, location.latitude - half), longitude: max(-180, location.longitude - half)),
      let high = Coordinate(latitude: min(90, location.latitude + half), longitude: min(180, location.longitude + half))
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

  static func list(_ value: JSONValue?) -> [Credit] {
    var credits: [Credit] = []
    for row in value?.array ?? [] {
      guard let text = row["text"]?.string else { continue }
      let credit = Credit(text: text, url: row["url"]?.string)
      if !credits.contains(credit) { credits.append(credit) }
    }
    return credits
  }

  /// All credits in one line.
  static func line(_ credits: [Credit]) -> String {
    credits.map { credit in credit.url.map { "\(credit.text) \($0)" } ?? credit.text }.joined(separator: "; ")
  }

  /// The credit as HTML, with a link if it has an address, for APIs whose credits are HTML.
  var html: String {
    let shown = Credit.escaped(text)
    guard let url, url.hasPrefix("https://") || url.hasPrefix("http://") else { return shown }
    return "<a href=\"\(Credit.escaped(url))\">\(shown)</a>"
  }

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
