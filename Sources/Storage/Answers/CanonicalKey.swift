import PlacesKit

extension AnswerKey {
  /// The key as a JSON text. Equal keys have the same text in every run, because sets are sorted and absent values are omitted. Nil for a
  /// partition or a call whose answers are never stored on disk.
  var canonical: [UInt8]? {
    guard let user = partition.column, call.kind != .photo else { return nil }
    var writer = JSONWriter(reserving: 256)
    writer.object { writer in
      writer.member("provider", provider)
      writer.member("terms", Int(termsFingerprint))
      writer.member("user", user)
      writer.member("call", call.kind.rawValue)
      switch call {
      case .autocomplete(let request): request.write(to: &writer)
      case .search(let request), .geocode(let request): request.write(to: &writer)
      case .details(let request): request.write(to: &writer)
      case .reverse(let request): request.write(to: &writer)
      case .photo: break
      }
    }
    return writer.bytes
  }
}

extension AutocompleteRequest {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("query", query)
    writer.member("limit", limit)
    writer.optional("language", language)
    writer.optional("region", region)
    writer.optional("bias", bias)
    writer.optional("restriction", restriction)
    writer.optional("origin", origin)
    writer.strings("types", types.map(\.rawValue))
    writer.optional("collection", collection?.rawValue)
    writer.strings("countries", countries)
    writer.strings("kinds", kinds.map(\.rawValue).sorted())
    if let inputOffset { writer.member("inputOffset", inputOffset) }
    if endsWord { writer.member("endsWord", endsWord) }
  }
}

extension SearchRequest {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("query", query)
    writer.strings("fields", fields.map(\.rawValue).sorted())
    writer.optional("includedType", includedType?.rawValue)
    writer.member("strictTypeFiltering", strictTypeFiltering)
    writer.member("openNow", openNow)
    if let minRating { writer.member("minRating", minRating) }
    writer.strings("priceLevels", priceLevels.map(\.rawValue).sorted())
    writer.optional("rankBy", rankBy?.rawValue)
    writer.member("limit", limit)
    writer.optional("pageToken", pageToken)
    writer.optional("language", language)
    writer.optional("region", region)
    writer.optional("bias", bias)
    writer.optional("restriction", restriction)
    writer.optional("origin", origin)
    writer.strings("countries", countries)
  }
}

extension DetailsRequest {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.strings("fields", fields.map(\.rawValue).sorted())
    writer.optional("language", language)
    writer.optional("region", region)
  }
}

extension ReverseRequest {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.optional("location", location)
    if let radius { writer.member("radius", radius) }
    writer.strings("types", types.map(\.rawValue))
    writer.optional("collection", collection?.rawValue)
    writer.member("limit", limit)
    writer.strings("fields", fields.map(\.rawValue).sorted())
    writer.optional("language", language)
  }
}

extension JSONWriter {
  fileprivate mutating func optional(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }

  fileprivate mutating func strings(_ key: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    self.key(key)
    array { for value in values { $0.string(value) } }
  }

  fileprivate mutating func optional(_ key: String, _ point: Coordinate?) {
    guard let point else { return }
    self.key(key)
    coordinate(point)
  }

  fileprivate mutating func optional(_ key: String, _ area: Area?) {
    guard let area else { return }
    self.key(key)
    array { writer in
      switch area {
      case .circle(let center, let radius):
        writer.coordinate(center)
        writer.number(radius)
      case .rectangle(let rectangle):
        writer.coordinate(rectangle.low)
        writer.coordinate(rectangle.high)
      }
    }
  }

  private mutating func coordinate(_ point: Coordinate) {
    array {
      $0.number(point.latitude)
      $0.number(point.longitude)
    }
  }
}
