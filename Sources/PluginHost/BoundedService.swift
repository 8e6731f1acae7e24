import PlacesKit

/// A provider whose answers are cut on receipt to the rows that it declares, to texts of a bounded length and to so many bytes in all:
/// everything that is done with an answer afterwards may rely on that, wherever the provider runs.
struct BoundedService: PlaceService {
  /// The most rows of one call, whatever a manifest says.
  static let mostRows = 100
  /// The most bytes of one answer, as they count in a reply to a client, in which those of several providers must have room.
  static let mostBytes = 512 << 10
  /// The longest token of a next page, in bytes.
  static let longestToken = 4_096

  let provider: any PlaceService

  var manifest: Manifest { provider.manifest }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    bounded(try await provider.autocomplete(request), .autocomplete)
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.search(request), .search)
  }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    var place = try await provider.details(request)
    place.cut()
    guard place.hasFittingID, place.weight <= Self.mostBytes else {
      throw ProviderError(.tooLarge, "\(manifest.name) returns more about a place than \(Self.mostBytes >> 10) KiB")
    }
    return place
  }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.reverse(request), .reverse)
  }

  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.geocode(request), .geocode)
  }

  func metered(by meter: any RequestMeter) -> any PlaceService { BoundedService(provider: provider.metered(by: meter)) }

  func probe() async throws(ProviderError) -> String? { try await provider.probe()?.cut() }

  private func bounded<Row: BoundedRow>(_ page: consuming Page<Row>, _ call: Call) -> Page<Row> {
    let (given, next) = (page.rows.count, page.next)
    let mostRows = min(max(0, manifest.capability(call)?.maximumRows ?? 0), Self.mostRows)
    page.rows.removeLast(max(0, page.rows.count - mostRows))
    // Rows are large, and nearly all fit: they are looked at, and cut, where they lie.
    for index in page.rows.indices.reversed() where !page.rows[index].hasFittingID { page.rows.remove(at: index) }
    var most = 0
    for index in page.rows.indices {
      page.rows[index].cut()
      most += page.rows[index].mostWeight
    }
    if most > Self.mostBytes { page.rows.removeLast(page.rows.count - fitting(page.rows)) }
    if let next = page.next, next.utf8.count > Self.longestToken { page.next = nil }
    if page.rows.count < given || page.next != next { page.exhaustive = false }
    return page
  }

  /// How many rows have room in an answer.
  private func fitting(_ rows: [some BoundedRow]) -> Int {
    var bytes = 0
    return rows.firstIndex { row in
      bytes += row.weight
      return bytes > Self.mostBytes
    } ?? rows.count
  }
}
