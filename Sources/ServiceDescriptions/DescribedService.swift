import Geocoders
import PlacesKit

/// Answers requests by calling a service over HTTP as its description states.
public struct DescribedService: Sendable {
  public let description: ServiceDescription
  private let settings: [String: JSONValue]
  private let send: @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse

  /// - Parameters:
  ///   - description: the service's requests, and the meaning of its answers.
  ///   - settings: the instance's settings, for `{settings.NAME}`.
  ///   - send: sends a request, to which the daemon adds the key.
  public init(
    _ description: ServiceDescription, settings: [String: JSONValue],
    send: @escaping @Sendable (HTTPRequest) async throws(ProviderError) -> HTTPResponse
  ) {
    self.description = description
    self.settings = settings
    self.send = send
  }

  public func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    let describedCall = try requiredCall(.autocomplete)
    let filter = DescribedRowFilter(types: request.types, collection: request.collection, describedCall.fields)
    var values = RequestValues(request, types: description.types.words(for: request.types, request.collection))
    values.limit = limit(request.limit, of: describedCall, mayDropRows: filter.mayDropRows(of: describedCall, values))
    let answers = try await requestAnswers(to: .autocomplete, describedCall, values)
    let rows = filter.rows(of: answers, limit: request.limit)
    let (takesPlaces, takesQueries) = (request.kinds.contains(.place), request.kinds.contains(.query))
    return Page(
      rows: rows.compactMap { row in
        guard row.kind == .place ? takesPlaces : takesQueries else { return nil }
        return row.suggestion(query: request.query, region: request.region)
      },
      exhaustive: isExhaustive(answers, values, isShort: rows.count < request.limit))
  }

  public func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    let describedCall = try requiredCall(.search)
    let types = request.includedType.map { [$0] } ?? []
    let filter = DescribedRowFilter(types: types, collection: nil, describedCall.fields)
    var values = try RequestValues(request, types: description.types.words(for: types, nil))
    if describedCall.sendsLimit {
      values.limit = limit(
        request.limit, of: describedCall, mayDropRows: describedCall.paging == nil && filter.mayDropRows(of: describedCall, values))
    } else if !describedCall.hasUnknownPageSize {
      // The request states no number of rows, so a full page has as many rows as the description says.
      values.limit = describedCall.maximumRows
    }
    let answers = try await requestAnswers(to: .search, describedCall, values)
    // If the service determines the size of a page, the next page begins after all rows of this one, so the daemon must receive
    // all of them.
    let rowLimit: Int
    if !describedCall.sendsLimit {
      rowLimit = DescribedAnswer.maxRows
    } else if describedCall.paging == nil {
      rowLimit = request.limit
    } else {
      rowLimit = min(request.limit, values.limit ?? request.limit)
    }
    let rows = filter.rows(of: answers, limit: rowLimit)
    let next = answers.count == 1 ? nextPage(after: answers[0], values, describedCall) : nil
    return Page(
      rows: rows.map { $0.place(fields: request.fields) },
      exhaustive: next == nil && isExhaustive(answers, values, isShort: rows.count < request.limit), next: next?.text)
  }

  public func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    let describedCall = try requiredCall(.details)
    let answer = try await requestAnswers(to: .details, describedCall, RequestValues(request)).first
    guard var row = answer?.rows.first else { throw ProviderError(.notFound, "\(description.name) no longer knows this place") }
    // The place has the requested id, even if the service spells the id differently in this answer.
    row.place.id = request.id
    return row.place(fields: request.fields)
  }

  public func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    let describedCall = try requiredCall(.reverse)
    let filter = DescribedRowFilter(types: request.types, collection: request.collection, describedCall.fields)
    var values = RequestValues(request, types: description.types.words(for: request.types, request.collection))
    values.limit = limit(request.limit, of: describedCall, mayDropRows: filter.mayDropRows(of: describedCall, values))
    let answers = try await requestAnswers(to: .reverse, describedCall, values)
    let rows = filter.rows(of: answers, limit: request.limit) { row in
      guard let radius = request.radius, let location = row.place.location else { return true }
      return location.distance(to: request.location) <= radius
    }
    return Page(rows: rows.map { $0.place(fields: request.fields) })
  }

  /// The description of a call. Throws `unsupported` if the file does not describe the call.
  private func requiredCall(_ call: Call) throws(ProviderError) -> DescribedCall {
    guard let describedCall = description.describedCalls[call] else {
      throw ProviderError(.unsupported, "the description of \(description.name) has no [\(call.rawValue)]")
    }
    return describedCall
  }

  /// The number of rows to request: the maximum if the filter may drop rows, otherwise the number that the client wants.
  private func limit(_ wantedRows: Int, of describedCall: DescribedCall, mayDropRows: Bool) -> Int {
    mayDropRows ? describedCall.maximumRows : min(max(wantedRows, 1), describedCall.maximumRows)
  }

  /// Sends the requests of a call and reads the answers. There are two if the request sends the restriction's rectangle and that rectangle
  /// crosses the antimeridian, otherwise one.
  private func requestAnswers(
    to call: Call, _ describedCall: DescribedCall, _ values: RequestValues
  ) async throws(ProviderError) -> [DescribedAnswer] {
    var values = values
    values.decimals = description.manifest.coordinateDecimals
    let bounds = values.restriction?.bounds
    var boxes: [Rectangle?] = [bounds]
    if describedCall.sendsBox, let bounds { boxes = bounds.split }
    var answers: [DescribedAnswer] = []
    for box in boxes {
      values.box = box
      answers.append(try description.answer(try await send(try describedCall.request.request(values, settings: settings)), to: call))
    }
    return answers
  }

  /// Whether the service has no further rows: it returned fewer rows than were requested, and fewer rows passed the filter than the client
  /// wants. If the size of a full page is unknown, only an empty answer is exhaustive.
  /// - Parameter isShort: whether fewer rows passed the filter than the client wants.
  private func isExhaustive(_ answers: [DescribedAnswer], _ values: RequestValues, isShort: Bool) -> Bool {
    isShort && answers.allSatisfy { $0.sentRowCount < values.limit ?? 1 }
  }

  /// The token of the next page; nil after the last page.
  private func nextPage(after answer: DescribedAnswer, _ values: RequestValues, _ describedCall: DescribedCall) -> PageToken? {
    guard let paging = describedCall.paging, answer.sentRowCount > 0 else { return nil }
    let number = (values.page?.number ?? 1) + 1
    // The next page begins after the rows that this one shows: at most those requested, and at most the first 100.
    let shownCount = min(answer.sentRowCount, describedCall.sendsLimit ? values.limit ?? DescribedAnswer.maxRows : DescribedAnswer.maxRows)
    let rowsBefore = (values.page?.rows ?? 0) + shownCount
    if let path = paging.token {
      guard let token = path.value(answer: answer.value, row: answer.value)?.shownText, token != values.page?.token else { return nil }
      return PageToken(rows: rowsBefore, number: number, token: token)
    }
    // A page that is not full is the last one. If the size of a full page is unknown, only an empty page is the last one.
    guard answer.sentRowCount >= values.limit ?? 1, (describedCall.request.uses(.pageNumber) ? number : rowsBefore) <= paging.last else {
      return nil
    }
    return PageToken(rows: rowsBefore, number: number, token: nil)
  }
}

/// Drops rows that do not have one of the requested types, or do not belong to the requested collection of types. The service may apply
/// this filter only in part, so every row is checked here.
private struct DescribedRowFilter {
  let types: [PlaceType]
  let collection: TypeCollection?

  /// If the rows have no types, all rows pass.
  init(types: [PlaceType], collection: TypeCollection?, _ fields: RowFields) {
    self.types = fields.mayHaveTypes ? types : []
    self.collection = fields.mayHaveTypes ? collection : nil
  }

  /// Whether this filter may drop rows, because the service does not apply the whole filter.
  func mayDropRows(of describedCall: DescribedCall, _ values: RequestValues) -> Bool {
    guard !types.isEmpty || collection != nil else { return false }
    // A placeholder with the converter `only` sends a single type, and nothing for several.
    let placeholders = describedCall.request.placeholders.filter { $0.source == .request(.types) }
    let sendsOneType = placeholders.allSatisfy { $0.converters.contains(.only) }
    return values.types.isEmpty || placeholders.isEmpty || (values.types.count > 1 && sendsOneType)
  }

  /// The rows of all answers that pass the filter and for which `keeps` returns true, at most `limit`.
  func rows(of answers: [DescribedAnswer], limit: Int, _ keeps: @escaping (DescribedRow) -> Bool = { _ in true }) -> [DescribedRow] {
    let pages = answers.map { $0.rows.lazy.filter { row in matches(row) && keeps(row) } }
    return pages.count == 1 ? Array(pages[0].prefix(limit)) : joined(pages.map(Array.init), limit: limit) { $0.place.id }
  }

  private func matches(_ row: DescribedRow) -> Bool {
    if !types.isEmpty, !row.place.types.contains(where: { $0.isKind(of: types) }) { return false }
    return collection?.contains(row.place.types) ?? true
  }
}
