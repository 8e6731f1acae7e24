import PlacesKit

/// `$/cancelRequest`: a notification by which a client gives up a request of its own connection; it gets -32003.
public enum CancelRequest {
  public static let name = "$/cancelRequest"
  public static let summary = "Cancels a request of this connection that is still in flight."
}
