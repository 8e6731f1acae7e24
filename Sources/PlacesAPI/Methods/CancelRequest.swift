import PlacesKit

/// `$/cancelRequest`: a notification that cancels a request of the same connection. The request then fails with code -32003.
public enum CancelRequest {
  public static let name = "$/cancelRequest"
  public static let summary = "Cancels a request of this connection that is still in flight."
}
