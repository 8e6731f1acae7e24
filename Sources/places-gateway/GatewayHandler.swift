import EmulatedAPIs
import JSON
import Linux
import PlacesKit

/// Answers HTTP requests: with the page's files, or as one of the emulated APIs by calling the daemon. Use it on the loop's thread only.
final class GatewayHandler: ExchangeHandler {
  private let rules: RequestGuard
  private let callers: UserCallers
  private let directory: ProviderDirectory
  private let page: PageFiles
  /// The gateway's own address, for documents that contain it. It does not depend on a request's header Host.
  private let baseURL: String

  init(rules: RequestGuard, callers: UserCallers, directory: ProviderDirectory, page: PageFiles, baseURL: String) {
    self.rules = rules
    self.callers = callers
    self.directory = directory
    self.page = page
    self.baseURL = baseURL
  }

  func refusal(_ exchange: Exchange) -> OutgoingResponse? {
    let headers = RequestGuard.Headers(
      host: exchange.header("Host"), origin: exchange.header("Origin"), site: exchange.header("Sec-Fetch-Site"),
      mode: exchange.header("Sec-Fetch-Mode"))
    switch rules.verdict(headers, isPage: page.file(exchange.target) != nil) {
    case .refused(let status, let reason): return GatewayHandler.textResponse(status, reason)
    case .admitted(let origin): exchange.origin = origin.map { rules.allowedOrigins.contains("*") ? "*" : $0 }
    }
    switch exchange.httpMethod {
    case "GET", "HEAD", "POST": return nil
    case "OPTIONS":
      var response = GatewayHandler.textResponse(204, "")
      response.headers += [
        ("Access-Control-Allow-Methods", "GET, POST"), ("Access-Control-Allow-Headers", "Content-Type, X-Goog-FieldMask, X-Goog-Api-Key"),
        ("Access-Control-Max-Age", "600"),
      ]
      return response
    default:
      var response = GatewayHandler.textResponse(405, "use GET or POST")
      response.headers.append(("Allow", "GET, HEAD, POST, OPTIONS"))
      return response
    }
  }

  func handle(_ exchange: Exchange) {
    if exchange.httpMethod != "POST" {
      let path = exchange.path
      if path == StatusPage.pagePath || path == StatusPage.dataPath { return showStatus(isPage: path == StatusPage.pagePath, exchange) }
      if let file = page.file(exchange.target) { return answer(exchange, with: file) }
    }
    guard
      let request = GatewayRequest(
        httpMethod: exchange.httpMethod == "POST" ? .post : .get, target: exchange.target,
        acceptLanguage: exchange.header("Accept-Language"),
        fieldMask: exchange.header("X-Goog-FieldMask"), body: exchange.body)
    else { return exchange.answer(GatewayHandler.textResponse(400, "the path cannot be read")) }
    directory.providers { [self] in process(request, $0, for: exchange) }
  }

  /// Plans the daemon calls that answer a request, makes them, and sends the answer.
  private func process(_ request: GatewayRequest, _ providers: ProviderDirectory.Providers, for exchange: Exchange) {
    // The client may have left while the list of providers was requested.
    guard exchange.isAwaited else { return }
    let context = EmulationContext(
      mapProviders: providers.mapProviders, objectPrefixes: providers.objectPrefixes, baseURL: baseURL, now: Log.secondsSince1970())
    guard let plan = EmulatedAPIs.plan(request, context) else {
      return exchange.answer(GatewayHandler.textResponse(404, EmulatedAPIs.unknownPath))
    }
    switch plan {
    case .answer(let response): exchange.answer(GatewayHandler.response(response))
    case .ask(let calls, let render):
      guard let caller = callers.caller(for: exchange.user) else {
        let busy = DaemonReply.failure(DaemonFailure(name: .overloaded, message: "too many users wait for replies", retryAfter: 1))
        return exchange.answer(GatewayHandler.response(render(calls.map { _ in busy })))
      }
      makeCalls(caller, calls[...], [], for: exchange) { exchange.answer(GatewayHandler.response(render($0))) }
    case .stream(let call, let id):
      guard let caller = callers.caller(for: exchange.user) else {
        return exchange.answer(GatewayHandler.textResponse(503, "too many users wait for replies"))
      }
      stream(caller, call, id: id, for: exchange)
    }
  }

  /// Makes the calls one after the other, all within the time limit of the exchange.
  private func makeCalls(
    _ caller: DaemonCaller, _ calls: ArraySlice<DaemonCall>, _ replies: [DaemonReply], for exchange: Exchange,
    _ completion: @escaping ([DaemonReply]) -> Void
  ) {
    guard let call = calls.first else { return completion(replies) }
    let pending = caller.call(call, within: exchange.secondsForCalls) { [self] in
      makeCalls(caller, calls.dropFirst(), replies + [$0], for: exchange, completion)
    }
    if !pending.isOver { exchange.cancel = pending.cancel }
  }

  /// Makes a call, and sends its partial answers and its reply as server-sent events.
  private func stream(_ caller: DaemonCaller, _ call: DaemonCall, id: JSONValue, for exchange: Exchange) {
    let stream = EventStream()
    let pending = caller.call(call, within: exchange.secondsForCalls, partial: { stream.append(RPCOverHTTP.event("partial", $0)) }) {
      reply in
      stream.append(RPCOverHTTP.event("reply", RPCOverHTTP.response(to: id, reply).body))
      stream.finish()
    }
    exchange.cancel = pending.cancel
    exchange.begin(stream)
  }

  /// Answers with the status page or its data if the client is an administrator on this machine; otherwise with a refusal.
  private func showStatus(isPage: Bool, _ exchange: Exchange) {
    let refuse = { [self] in
      let content = isPage ? StatusPage.refusalPage : StatusPage.refusalData
      exchange.answer(isPage ? page.response(content) : GatewayHandler.response(content))
    }
    // The daemon treats requests from other machines as requests of the gateway's own user, who may be an administrator.
    guard exchange.isLocal else { return refuse() }
    guard let caller = callers.caller(for: exchange.user) else {
      return exchange.answer(GatewayHandler.textResponse(503, "too many users wait for replies"))
    }
    let calls = isPage ? StatusPage.permissionCheck : StatusPage.calls
    makeCalls(caller, calls[...], [], for: exchange) { [self] replies in
      if StatusPage.isRefused(replies.first) { return refuse() }
      guard isPage else { return exchange.answer(GatewayHandler.response(StatusPage.response(to: replies))) }
      // If the daemon does not answer, the page is sent all the same and reports that.
      guard let file = page.statusPage else {
        return exchange.answer(GatewayHandler.textResponse(404, EmulatedAPIs.unknownPath))
      }
      answer(exchange, with: file)
    }
  }

  private func answer(_ exchange: Exchange, with file: PageFiles.File) {
    exchange.answer(page.response(file, ifNoneMatch: exchange.header("If-None-Match"), acceptEncoding: exchange.header("Accept-Encoding")))
  }

  // MARK: Responses

  private static func textResponse(_ status: Int, _ reason: String) -> OutgoingResponse {
    response(.text(status, reason.isEmpty ? "" : reason + "\n"))
  }

  private static func response(_ content: GatewayResponse) -> OutgoingResponse { OutgoingResponse(content: content, headers: headers) }

  /// Clients and proxies must not store answers, because the terms of the services may forbid that. Browsers must not load or run anything
  /// that an answer contains.
  private static let headers = [
    (name: "Cache-Control", value: "no-store"), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
  ]
}
