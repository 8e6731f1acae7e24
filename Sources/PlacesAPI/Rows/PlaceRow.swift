import PlacesKit

/// One row of a search, reverse or details result: a place with the requested fields. In JSON, each field is a member beside the members
/// named here.
public struct PlaceRow: Sendable, Hashable, JSONWritable {
  /// The id of the leading source (see `SuggestionRow.id`).
  public var id: PlaceID
  /// The identifier of the row within its request.
  public var row: String
  /// The requested fields that are known.
  public var values: [PlaceField: JSONValue]
  /// The distance from the request's origin or point, in metres.
  public var distance: Double?
  /// Rows with the same `group` are the same place, but the providers' terms forbid blending them. Nil with `fold`.
  public var group: String?
  /// The probability that this is the meant place; only in the candidates of `places.resolve`.
  public var confidence: Double?
  /// True if the leading source says that the place matches only a part of the query; otherwise nil.
  public var partialMatch: Bool?
  /// The sources that are blended into this row, the leading one first.
  public var sources: [Source]
  public var attributions: [AttributionRow]
  /// The rows of the same place that the providers' terms forbid blending with this row. They have no alternatives themselves.
  public var alternatives: [PlaceRow]?
  /// The provider of each field, and the time at which it returned the field; only with `explain`.
  public var provenance: [PlaceField: Provenance]?
  /// The reasons for the row and its rank; only with `explain`.
  public var explain: JSONValue?

  /// The origin of one field.
  public struct Provenance: Sendable, Hashable, Codable {
    public var provider: String
    /// The time at which the provider returned the field; RFC 3339, UTC.
    public var at: String

    public init(provider: String, at: String) {
      self.provider = provider
      self.at = at
    }
  }

  public init(
    id: PlaceID, row: String, values: [PlaceField: JSONValue], distance: Double? = nil, group: String? = nil, sources: [Source],
    attributions: [AttributionRow], alternatives: [PlaceRow]? = nil, provenance: [PlaceField: Provenance]? = nil,
    explain: JSONValue? = nil
  ) {
    self.id = id
    self.row = row
    self.values = values
    self.distance = distance
    self.group = group
    self.sources = sources
    self.attributions = attributions
    self.alternatives = alternatives
    self.provenance = provenance
    self.explain = explain
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id.text)
      writer.member("row", row)
      for field in PlaceField.allCases { if let value = values[field] { writer.member(field.rawValue, value) } }
      writer.optional("distance", distance)
      writer.optional("group", group)
      writer.optional("confidence", confidence)
      if let partialMatch { writer.member("partialMatch", partialMatch) }
      writer.list("sources", sources)
      writer.list("attributions", attributions)
      if let alternatives { writer.list("alternatives", alternatives) }
      if let provenance {
        writer.key("provenance")
        writer.object { writer in
          for field in PlaceField.allCases {
            guard let origin = provenance[field] else { continue }
            writer.key(field.rawValue)
            writer.object { writer in
              writer.member("provider", origin.provider)
              writer.member("at", origin.at)
            }
          }
        }
      }
      writer.optional("explain", explain)
    }
  }
}

extension PlaceRow: Codable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    static let id = Key(stringValue: "id")
    static let row = Key(stringValue: "row")
    static let distance = Key(stringValue: "distance")
    static let group = Key(stringValue: "group")
    static let confidence = Key(stringValue: "confidence")
    static let partialMatch = Key(stringValue: "partialMatch")
    static let sources = Key(stringValue: "sources")
    static let attributions = Key(stringValue: "attributions")
    static let alternatives = Key(stringValue: "alternatives")
    static let provenance = Key(stringValue: "provenance")
    static let explain = Key(stringValue: "explain")
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(PlaceID.self, forKey: .id)
    row = try container.decode(String.self, forKey: .row)
    values = [:]
    for field in PlaceField.allCases {
      values[field] = try container.decodeIfPresent(JSONValue.self, forKey: Key(stringValue: field.rawValue))
    }
    distance = try container.decodeIfPresent(Double.self, forKey: .distance)
    group = try container.decodeIfPresent(String.self, forKey: .group)
    confidence = try container.decodeIfPresent(Double.self, forKey: .confidence)
    partialMatch = try container.decodeIfPresent(Bool.self, forKey: .partialMatch)
    sources = try container.decode([Source].self, forKey: .sources)
    attributions = try container.decode([AttributionRow].self, forKey: .attributions)
    alternatives = try container.decodeIfPresent([PlaceRow].self, forKey: .alternatives)
    provenance = try container.decodeIfPresent([PlaceField: Provenance].self, forKey: .provenance)
    explain = try container.decodeIfPresent(JSONValue.self, forKey: .explain)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(row, forKey: .row)
    for (field, value) in values { try container.encode(value, forKey: Key(stringValue: field.rawValue)) }
    try container.encodeIfPresent(distance, forKey: .distance)
    try container.encodeIfPresent(group, forKey: .group)
    try container.encodeIfPresent(confidence, forKey: .confidence)
    try container.encodeIfPresent(partialMatch, forKey: .partialMatch)
    try container.encode(sources, forKey: .sources)
    try container.encode(attributions, forKey: .attributions)
    try container.encodeIfPresent(alternatives, forKey: .alternatives)
    try container.encodeIfPresent(provenance, forKey: .provenance)
    try container.encodeIfPresent(explain, forKey: .explain)
  }
}
