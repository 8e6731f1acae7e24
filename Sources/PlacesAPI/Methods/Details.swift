import PlacesKit

/// `places.details`: the fields of one place.
public enum Details: Method {
  public static let name = "places.details"
  public static let summary = "Returns the requested fields of one place; ends the session."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("Details", "The result of a details request.", [.required("place", .place, "The place."), Shape.reports, Shape.attributions]))

  public struct Parameters: Sendable, Hashable {
    public var id: PlaceID
    public var fields: Set<PlaceField>
    public var language: String?
    public var region: String?
    public var session: SessionID?
    public var deadlineMs: Int?
    public var cache = CacheMode.standard
    public var explain = false

    public init(id: PlaceID, fields: Set<PlaceField>) {
      self.id = id
      self.fields = fields
    }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(id: PlaceID(provider: "", native: ""), fields: [])
    return Schema(
      blank,
      [
        .required("id", \.id, .placeID, "The id of the place, or of one of its sources."),
        .required("fields", \.fields, .fields, "The fields to return."),
        .language(\.language), .region(\.region), .session(\.session), .deadline(\.deadlineMs), .cache(\.cache), .explain(\.explain),
      ])
  }()

  public struct Result: MethodResult, Hashable {
    public var place: PlaceRow
    public var providers: [ProviderReport]
    public var attributions: [AttributionRow]

    public init(place: PlaceRow, providers: [ProviderReport], attributions: [AttributionRow]) {
      self.place = place
      self.providers = providers
      self.attributions = attributions
    }

    public func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.key("place")
        place.write(to: &writer)
        writer.list("providers", providers)
        writer.list("attributions", attributions)
      }
    }
  }
}
