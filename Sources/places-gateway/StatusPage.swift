import EmulatedAPIs
import JSON
import PlacesAPI
import PlacesKit

/// The page /status and its data, which only the daemon's administrators receive. The gateway calls `service.log`, which only
/// administrators may call: the daemon's reply shows whether the user is one.
enum StatusPage {
  /// The path of the page.
  static let pagePath = "/status"
  /// The path of the page's data.
  static let dataPath = "/status/data"

  /// The call whose reply shows whether the user is an administrator.
  static let permissionCheck = [DaemonCall(method: ServiceLog.name, params: ["lines": 0])]
  /// The calls whose replies the page shows. The first one is permitted only to administrators.
  static let calls = [
    DaemonCall(method: ServiceLog.name, params: ["lines": 200]), DaemonCall(method: ProvidersList.name, params: [:]),
    DaemonCall(method: BudgetGet.name, params: [:]), DaemonCall(method: CacheStats.name, params: [:]),
  ]
  /// The member of the answer for the reply to each of `calls`.
  private static let members: [StaticString] = ["log", "providers", "budget", "cache"]

  /// True if the reply shows that the user is not an administrator.
  static func isRefused(_ reply: DaemonReply?) -> Bool {
    if case .failure(let failure) = reply { failure.name == .permissionDenied } else { false }
  }

  /// The response with the replies to `calls` as one JSON object, or with the first failure as `{"error": message}` with its status.
  static func response(to replies: [DaemonReply]) -> GatewayResponse {
    var writer = JSONWriter(reserving: 8_192)
    for case .failure(let failure) in replies {
      writer.object { $0.member("error", isRefused(.failure(failure)) ? refusalText : failure.message) }
      return json(writer.bytes, status: failure.status)
    }
    writer.object { writer in
      for case (let member, .result(let bytes)) in zip(members, replies) {
        writer.key(member)
        writer.raw(bytes)
      }
    }
    return json(writer.bytes)
  }

  /// The response that other users receive instead of the page.
  static let refusalPage = GatewayResponse(
    status: 403, contentType: "text/html; charset=utf-8",
    body: Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Status – Places</title>
      <link rel="icon" href="/icon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/page.css">
      </head>
      <body>
      <header><h1>Status</h1><a href="/">Search</a></header>
      <div class="status"><p role="status">\(refusalText)</p></div>
      </body>
      </html>

      """.utf8))

  /// The response to a request for the data by another user.
  static var refusalData: GatewayResponse { response(to: [.failure(DaemonFailure(name: .permissionDenied, message: refusalText))]) }

  private static let refusalText =
    "This page is for administrators of the places daemon on this machine: root, the daemon’s own user, and the members of admin_group."

  private static func json(_ bytes: [UInt8], status: Int = 200) -> GatewayResponse {
    GatewayResponse(status: status, contentType: "application/json; charset=utf-8", body: bytes)
  }
}
