import PlacesKit

/// One row of an autocomplete answer.
public struct SuggestionRow: Sendable, Hashable, Codable, JSONWritable {
  public var kind: Suggestion.Kind
  /// The id of the leading source: of the sources that are blended into this row, the one whose id the row has. Nil for a query.
  public var id: PlaceID?
  public var text: FormattedText
  public var primary: FormattedText?
  public var secondary: FormattedText?
  /// The identifier of the row within its request. It does not change if another source becomes the leading source.
  public var row: String
  /// The types of the place, most specific first.
  public var types: [PlaceType]
  public var language: String?
  public var location: Coordinate?
  /// The area of the place, to which a map can be fitted.
  public var viewport: Rectangle?
  /// The distance from the request's origin, in metres.
  public var distance: Double?
  /// The `https` or `http` address of an image of the row, such as its category's icon.
  public var iconImageURL: String?
  /// The `https` or `http` address of a page about the row.
  public var url: String?
  /// Rows with the same `group` are the same place, but the providers' terms forbid blending them. Nil with `fold`.
  public var group: String?
  /// The sources that are blended into this row, the leading one first.
  public var sources: [Source]
  /// The credits that must be shown with this row, in addition to the credits of the answer.
  public var attributions: [AttributionRow]?
  /// The rows of the same place that the providers' terms forbid blending with this row. They have no alternatives themselves.
  public var alternatives: [SuggestionRow]?
  /// The reasons for the row and its rank; only with `explain`.
  public var explain: JSONValue?

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("kind", kind.rawValue)
      writer.optional("id", id?.text)
      writer.member("text", text)
      if let primary { writer.member("primary", primary) }
      if let secondary { writer.member("secondary", secondary) }
      writer.member("row", row)
      writer.member("types", types)
      writer.optional("language", language)
      if let location { writer.member("location", location) }
      if let viewport {
        writer.key("viewport")
        writer.object { writer in
          writer.member("low", viewport.low)
          writer.member("high", viewport.high)
        }
      }
      writer.optional("distance", distance)
      writer.optional("iconImageURL", iconImageURL)
      writer.optional("url", url)
      writer.optional("group", group)
      writer.list("sources", sources)
      if let attributions { writer.list("attributions", attributions) }
      if let alternatives { writer.list("alternatives", alternatives) }
      writer.optional("explain", explain)
    }
  }
}

extension SuggestionRow {
  /// A provider's suggestion as a row.
  /// - Parameter id: the provider's own id with the provider's prefix; nil for a query.
  public init(
    _ suggestion: Suggestion, row: String, id: PlaceID?, sources: [Source], distance: Double? = nil, group: String? = nil,
    attributions: [AttributionRow]? = nil, alternatives: [SuggestionRow]? = nil, explain: JSONValue? = nil
  ) {
    self.init(
      kind: suggestion.kind, id: id, text: suggestion.text, primary: suggestion.primary, secondary: suggestion.secondary, row: row,
      types: suggestion.types, language: suggestion.language, location: suggestion.location, viewport: suggestion.viewport,
      distance: distance, iconImageURL: suggestion.iconImageURL, url: suggestion.url, group: group, sources: sources,
      attributions: attributions, alternatives: alternatives, explain: explain)
  }

  /// The sources of the row and then of its alternatives, the row's leading source first.
  public var allSources: [Source] { sources + (alternatives ?? []).flatMap(\.sources) }
}

/// The origin of a row, or of a part of it.
public struct Source: Sendable, Hashable, Codable, JSONWritable {
  public var provider: String
  /// Nil for a query.
  public var id: PlaceID?
  /// The row's rank in the provider's own answer, from 1.
  public var rank: Int

  public init(provider: String, id: PlaceID?, rank: Int) {
    self.provider = provider
    self.id = id
    self.rank = rank
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("provider", provider)
      writer.optional("id", id?.text)
      writer.member("rank", rank)
    }
  }
}

/// A credit that must be shown, and its provider.
public struct AttributionRow: Sendable, Hashable, Codable, JSONWritable {
  public var provider: String
  public var text: String
  public var url: String?

  public init(provider: String, text: String, url: String? = nil) {
    self.provider = provider
    self.text = text
    self.url = url
  }

  public init(provider: String, _ attribution: Attribution) {
    self.init(provider: provider, text: attribution.text, url: attribution.url)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("provider", provider)
      writer.member("text", text)
      writer.optional("url", url)
    }
  }
}
