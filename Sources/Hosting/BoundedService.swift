import PlacesKit

/// A provider whose answers are cut on receipt to the rows that it declares and to texts of a bounded length: everything that
/// is done with an answer afterwards may rely on that, wherever the provider runs.
struct BoundedService: PlaceService {
  /// The most rows of one call, whatever a manifest says.
  static let mostRows = 100

  let provider: any PlaceService

  var manifest: Manifest { provider.manifest }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    var page = try await provider.autocomplete(request)
    cut(&page, .autocomplete)
    for index in page.rows.indices { page.rows[index].cut() }
    return page
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.search(request), .search)
  }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    var place = try await provider.details(request)
    place.cut()
    return place
  }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.reverse(request), .reverse)
  }

  func probe() async throws(ProviderError) -> String? { try await provider.probe()?.cut() }

  private func bounded(_ page: Page<Place>, _ call: Call) -> Page<Place> {
    var page = page
    cut(&page, call)
    for index in page.rows.indices { page.rows[index].cut() }
    return page
  }

  private func cut<Row>(_ page: inout Page<Row>, _ call: Call) {
    let most = min(max(0, manifest.capability(call)?.maximumRows ?? 0), Self.mostRows)
    guard page.rows.count > most else { return }
    page.rows.removeLast(page.rows.count - most)
    page.exhaustive = false
  }
}

/// The longest text of a row, in code points, and the most elements of a list in it.
private let longestText = 1_000
private let mostElements = 100

extension String {
  fileprivate func cut() -> String {
    utf8.count <= longestText ? self : String(UnicodeScalarView(unicodeScalars.prefix(longestText)))
  }
}

extension String? {
  fileprivate mutating func cut() { self = self?.cut() }
}

extension [String] {
  fileprivate mutating func cut() { self = prefix(mostElements).map { $0.cut() } }
}

extension FormattedText {
  fileprivate mutating func cut() {
    if text.utf8.count > longestText {
      text = text.cut()
      let length = text.unicodeScalars.count
      matches.removeAll { $0.end > length }
    }
    matches.removeLast(max(0, matches.count - mostElements))
  }
}

extension Suggestion {
  fileprivate mutating func cut() {
    text.cut()
    primary?.cut()
    secondary?.cut()
    evidence.cut()
    types.removeLast(max(0, types.count - mostElements))
    attributions.cut()
  }
}

extension Place {
  fileprivate mutating func cut() {
    values = values.mapValues { $0.cut() }
    evidence.cut()
    types.removeLast(max(0, types.count - mostElements))
    attributions.cut()
  }
}

extension Evidence {
  fileprivate mutating func cut() {
    otherNames.cut()
    equivalents.cut()
    for part in [\Evidence.address, \.houseNumber, \.street, \.postcode, \.locality, \.region, \.phone, \.website] {
      self[keyPath: part].cut()
    }
  }
}

extension [Attribution] {
  fileprivate mutating func cut() { self = prefix(mostElements).map { Attribution(text: $0.text.cut(), url: $0.url?.cut()) } }
}

extension JSONValue {
  fileprivate func cut() -> JSONValue {
    switch self {
    case .string(let text): .string(text.cut())
    case .array(let elements): .array(elements.prefix(mostElements).map { $0.cut() })
    case .object(let object): .object(JSONObject(object.members.prefix(mostElements).map { ($0.key, $0.value.cut()) }))
    case .null, .boolean, .integer, .number: self
    }
  }
}
