import JSON

/// The gateway's response.
public struct GatewayResponse: Sendable, Hashable {
  public var status: Int
  public var contentType: String
  public var body: [UInt8]
  /// The value of the header Retry-After, in seconds; nil for no such header.
  public var retryAfter: Int?

  public init(status: Int = 200, contentType: String, body: [UInt8], retryAfter: Int? = nil) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.retryAfter = retryAfter
  }

  static let jsonType = "application/json; charset=utf-8"

  /// A JSON response with the output of `write`.
  static func json(_ status: Int = 200, retryAfter: Int? = nil, reserving: Int = 2_048, _ write: (inout JSONWriter) -> Void)
    -> GatewayResponse
  {
    var writer = JSONWriter(reserving: reserving)
    write(&writer)
    return GatewayResponse(status: status, contentType: jsonType, body: writer.bytes, retryAfter: retryAfter)
  }

  public static func text(_ status: Int = 200, _ text: String) -> GatewayResponse {
    GatewayResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
  }
}
