import PlacesKit

/// A provider whose answers are limited on receipt: to the number of rows that it declares, to a maximum length of texts, and to a maximum
/// size in total. All later code may rely on these limits, whether the provider runs in the daemon or in its own process.
struct BoundedService: PlaceService, PhotoService {
  /// The maximum number of rows of one call, regardless of the manifest.
  static let maxRows = 100
  /// The maximum size of one answer, in bytes of a reply to a client. The answers of several providers must fit into one reply (by
  /// default at most 4 MiB).
  static let maxBytes = 512 << 10
  /// The maximum length of a next page's token, in bytes.
  static let maxTokenLength = 4_096
  /// The maximum size of a photograph, in bytes: the maximum size of an HTTP response's body. In base64, such a photograph fits into a
  /// reply to a client.
  static let maxPhotoBytes = 2 << 20

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
    place.applyLimits()
    guard place.hasFittingID else { throw ProviderError(.tooLarge, "\(manifest.name) returned a place whose id is too long") }
    guard place.replyBytes <= Self.maxBytes else {
      throw ProviderError(.tooLarge, "\(manifest.name) returns more about a place than \(Self.maxBytes >> 10) KiB")
    }
    return place
  }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.reverse(request), .reverse)
  }

  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    bounded(try await provider.geocode(request), .geocode)
  }

  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage {
    var image = try await provider.photoIfOffered(request)
    guard image.bytes.count <= Self.maxPhotoBytes else {
      throw ProviderError(.tooLarge, "\(manifest.name)'s photo is larger than \(Self.maxPhotoBytes >> 20) MiB: request a smaller size")
    }
    guard ImageFormat(of: image.bytes) == image.format else {
      throw ProviderError(.decode, "\(manifest.name) returned a photo that is not \(image.format.rawValue)")
    }
    image.attributions.applyLimits()
    return image
  }

  func metered(by meter: any RequestMeter) -> any PlaceService { BoundedService(provider: provider.metered(by: meter)) }

  func probe() async throws(ProviderError) -> String? { try await provider.probe()?.limited() }

  /// The page without the rows and texts that exceed a limit. A page that loses a row or its token is no longer exhaustive.
  private func bounded<Row: BoundedRow>(_ page: consuming Page<Row>, _ call: Call) -> Page<Row> {
    let (originalCount, originalToken) = (page.rows.count, page.next)
    let maxRows = min(max(0, manifest.capability(call)?.maximumRows ?? 0), Self.maxRows)
    page.rows.removeLast(max(0, page.rows.count - maxRows))
    // Rows are large, and nearly all of them are within the limits, so they are checked and shortened in place.
    for index in page.rows.indices.reversed() where !page.rows[index].hasFittingID { page.rows.remove(at: index) }
    var totalMaxBytes = 0
    for index in page.rows.indices {
      page.rows[index].applyLimits()
      totalMaxBytes += page.rows[index].maxReplyBytes
    }
    if totalMaxBytes > Self.maxBytes { page.rows.removeLast(page.rows.count - fittingCount(of: page.rows)) }
    if let token = page.next, token.utf8.count > Self.maxTokenLength { page.next = nil }
    if page.rows.count < originalCount || page.next != originalToken { page.exhaustive = false }
    return page
  }

  /// The number of rows that fit into an answer, counted from the first one.
  private func fittingCount(of rows: [some BoundedRow]) -> Int {
    var bytes = 0
    return rows.firstIndex { row in
      bytes += row.replyBytes
      return bytes > Self.maxBytes
    } ?? rows.count
  }
}
