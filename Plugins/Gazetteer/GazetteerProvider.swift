import GazetteerIndex
import PlacesKit
import Text

/// The embedded gazetteer: places from an index on this machine, without network, key or quota.
struct GazetteerProvider: Provider {
  private let index: IndexLocation
  /// The id of this provider, which is the prefix of its places' ids.
  private let id: String
  private let log: @Sendable (LogLevel, String) -> Void

  init(context: ProviderContext) async throws(ProviderError) {
    id = context.id
    log = context.log
    index = IndexLocation(setting: context.settings["index"]?.string, folders: context.dataDirectories)
    Folding.preloadTables()
  }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let page = try withIndex { (reader, file) throws(GazetteerError) in try reader.autocomplete(request, currentFile: file) }
    if page.rows.isEmpty, request.kinds.contains(.place) { try throwAdvice(on: request.query) }
    return page
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    var page = try withIndex { (reader, _) throws(GazetteerError) in try reader.search(request) }
    if page.rows.isEmpty, request.pageToken == nil { try throwAdvice(on: request.query) }
    if request.fields.contains(.placeID) { page.rows = page.rows.map(withClientID) }
    return page
  }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    guard let place = try withIndex({ (reader, _) throws(GazetteerError) in try reader.details(request) }) else {
      throw ProviderError(.notFound, "the gazetteer has no place with this id")
    }
    return request.fields.contains(.placeID) ? withClientID(place) : place
  }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    var page = try withIndex { (reader, _) throws(GazetteerError) in try reader.reverse(request) }
    if request.fields.contains(.placeID) { page.rows = page.rows.map(withClientID) }
    return page
  }

  func probe() async throws(ProviderError) -> String? {
    let info = try withIndex { (reader, _) throws(GazetteerError) in
      // The table of sources may be readable although another page of the file is damaged, so a known damage is reported first.
      if let damage = index.damage { throw damage }
      return try reader.info()
    }
    return "\(info.places) places from \(info.sources.map(\.name).joined(separator: ", ")) in \(info.path)"
  }

  /// Throws `notFound` with advice if the query is coordinates that are not a point on Earth, or if the index has neither streets nor
  /// businesses. Gives no advice on a query without a letter or digit, because no index has a place for it.
  private func throwAdvice(on query: String) throws(ProviderError) {
    if PointNotation.isNowhere(query) {
      throw ProviderError(
        .notFound,
        "the query is not a point on Earth: a point has one latitude, from -90 to 90 degrees, and one longitude, from -180 to 180")
    }
    guard !Folding.words(of: query).isEmpty,
      try withIndex({ (reader, _) throws(GazetteerError) in try reader.lacksStreetsAndBusinesses() })
    else { return }
    throw ProviderError(
      .notFound,
      "the index has no streets, addresses, postcodes, airports or businesses, and may lack small towns; placesctl gazetteer import adds them"
    )
  }

  /// A copy of the place whose field `placeID` is the id that clients use: the provider's id, a colon and the place's id.
  private func withClientID(_ place: Place) -> Place {
    var place = place
    place.values[.placeID] = .string("\(id):\(place.id)")
    return place
  }

  /// Calls the body with a reader of the current index and the identity of its file. Logs the first damage that a call finds, and converts
  /// errors to `ProviderError`.
  private func withIndex<Answer>(_ body: (GazetteerReader, FileIdentity) throws(GazetteerError) -> Answer) throws(ProviderError) -> Answer {
    var reader: GazetteerReader?
    do {
      let openIndex = try index.reader()
      reader = openIndex.reader
      return try body(openIndex.reader, openIndex.identity)
    } catch {
      if case .damaged = error, let reader, index.recordIfFirst(error, in: reader) { log(.error, error.message) }
      guard error == .late else { throw ProviderError(.data, error.message) }
      throw ProviderError(Task.isCancelled ? .cancelled : .timeout, error.message)
    }
  }
}
