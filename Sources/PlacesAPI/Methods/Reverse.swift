import PlacesKit

/// `places.reverse`: the places at a point.
public enum Reverse: Method {
  public static let name = "places.reverse"
  public static let summary = "Finds the places at and around a point."
  public static let access = Access.everybody
  public static let reply = Shape.places

  public struct Parameters: Sendable, Hashable {
    public var location: Coordinate
    /// The maximum distance of a place from the point, in metres; if nil, areas that contain the point are returned too.
    public var radius: Double?
    public var types = TypeFilter.none
    public var limit = 10
    public var fields: Set<PlaceField> = Set(PlaceField.Tier.basic.fields)
    public var language: String?
    public var region: String?
    public var providers: [String] = []
    public var deadlineMs: Int?
    public var cache = CacheMode.standard
    /// True to return one row for each place. The rows that the terms forbid blending with it become its `alternatives`.
    public var fold = true
    /// The providers that are preferred as the leading source of a row with several sources, most preferred first, without duplicates.
    public var prefer: [String] = []
    public var explain = false

    public init(location: Coordinate) { self.location = location }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(location: .zero)
    return Schema(
      blank,
      [
        .required("location", \.location, .coordinate, "The point."),
        .optional(
          "radius", \.radius, .number(0...50_000, unit: "metres"),
          "The maximum distance of a place's location from the point, in metres; if absent, areas that contain the point are returned too."),
        .withDefault("types", \.types, .types, blank.types, "Only places of one of these types, or of one collection, are returned."),
        .withDefault("limit", \.limit, .integer(1...20), blank.limit, "The maximum number of places."),
        .withDefault("fields", \.fields, .fields, blank.fields, "The fields to return for each place."),
        .language(\.language), .region(\.region), .providers(\.providers), .deadline(\.deadlineMs), .cache(\.cache),
        .fold(\.fold), .prefer(\.prefer), .explain(\.explain),
      ])
  }()

  public typealias Result = PlacesResult
}
