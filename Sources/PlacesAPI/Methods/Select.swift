import PlacesKit

/// `places.select`: reports which row the user chose, and ends the session.
public enum Select: Method {
  public static let name = "places.select"
  public static let summary = "Reports which row the user chose; ends the session and queries no provider."
  public static let access = Access.everybody
  public static let reply = Shape.empty

  public struct Parameters: Sendable, Hashable {
    public var session: SessionID
    public var id: PlaceID

    public init(session: SessionID, id: PlaceID) {
      self.session = session
      self.id = id
    }
  }

  public static let schema = Schema(
    Parameters(session: SessionID(), id: PlaceID(provider: "", native: "")),
    [
      .required("session", \.session, .session, "The session to end."),
      .required("id", \.id, .placeID, "The id of the chosen row."),
    ])

  public typealias Result = Empty
}
