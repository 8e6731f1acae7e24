import EmulatedAPIs
import JSON
import Linux
import PlacesKit

/// Answers requests: the page's files, and the emulated APIs by asking the daemon.
///
/// `@unchecked Sendable`: `server` is set before the loop runs, and everything else is constant.
final class GatewayHandler: ExchangeHandler, @unchecked Sendable {
  private let rules: RequestGuard
  private let callers: UserCallers
  private let directory: ProviderDirectory
  private let page: PageFiles
  private let loop: EventLoop
  private let executor: LoopExecutor
  /// The address without a request's Host, for documents that name it.
  private let baseURL: String

  init(rules: RequestGuard, callers: UserCallers, directory: ProviderDirectory, page: PageFiles, loop: EventLoop, baseURL: String) {
    self.rules = rules
    self.callers = callers
    self.directory = directory
    self.page = page
    self.loop = loop
    executor = LoopExecutor(loop)
    self.baseURL = baseURL
  }

  // MARK: On the loop's thread

  func refusal(_ exchange: Exchange) -> OutgoingResponse? {
    let headers = RequestGuard.Headers(
      host: exchange.header("Host"), origin: exchange.header("Origin"), site: exchange.header("Sec-Fetch-Site"),
      mode: exchange.header("Sec-Fetch-Mode"))
    switch rules.verdict(headers, isPage: page.file(exchange.target) != nil) {
    case .refused(let status, let reason): return GatewayHandler.plain(status, reason)
    case .admitted(let origin): exchange.origin = origin.map { rules.allowedOrigins.contains("*") ? "*" : $0 }
    }
    switch exchange.verb {
    case "GET", "HEAD", "POST": return nil
    case "OPTIONS":
      var response = GatewayHandler.plain(204, "")
      response.headers += [
        ("Access-Control-Allow-Methods", "GET, POST"), ("Access-Control-Allow-Headers", "Content-Type, X-Goog-FieldMask, X-Goog-Api-Key"),
        ("Access-Control-Max-Age", "600"),
      ]
      return response
    default:
      var response = GatewayHandler.plain(405, "use GET or POST")
      response.headers.append(("Allow", "GET, HEAD, POST, OPTIONS"))
      return response
    }
  }

  func handle(_ exchange: Exchange) {
    if exchange.verb != "POST", let file = page.file(exchange.target) {
      return exchange.answer(
        page.response(file, ifNoneMatch: exchange.header("If-None-Match"), accepts: exchange.header("Accept-Encoding")))
    }
    guard
      let request = GatewayRequest(
        verb: exchange.verb == "POST" ? .post : .get, target: exchange.target, acceptLanguage: exchange.header("Accept-Language"),
        fieldMask: exchange.header("X-Goog-FieldMask"), body: exchange.body)
    else { return exchange.answer(GatewayHandler.plain(400, "the path cannot be read")) }
    if let providers = directory.current { return carryOut(request, providers, for: exchange) }
    // At a boundary with C: the exchange is the task's owner, and cancels it when it ends.
    let task = Task(name: "the daemon's providers", executorPreference: executor) { [self] in
      let providers = await directory.refreshed()
      loop.enqueue { self.carryOut(request, providers, for: exchange) }
    }
    exchange.cancel = { task.cancel() }
  }

  private func carryOut(_ request: GatewayRequest, _ providers: ProviderDirectory.Providers, for exchange: Exchange) {
    let context = EmulationContext(
      mapProviders: providers.forMaps, objectPrefixes: providers.objectPrefixes, baseURL: baseURL, now: Log.seconds())
    guard let plan = EmulatedAPIs.plan(request, context) else { return exchange.answer(GatewayHandler.plain(404, "there is no such path")) }
    switch plan {
    case .answer(let response): exchange.answer(GatewayHandler.answer(response))
    case .ask(let calls, let render):
      guard let caller = callers.caller(for: exchange.user) else {
        let busy = DaemonReply.failure(DaemonFailure(name: .overloaded, message: "too many users wait for replies", retryAfter: 1))
        return exchange.answer(GatewayHandler.answer(render(calls.map { _ in busy })))
      }
      ask(caller, calls, render, for: exchange)
    case .stream(let call, let id):
      guard let caller = callers.caller(for: exchange.user) else {
        return exchange.answer(GatewayHandler.plain(503, "too many users wait for replies"))
      }
      stream(caller, call, id: id, for: exchange)
    }
  }

  private func ask(
    _ caller: DaemonCaller, _ calls: [DaemonCall], _ render: @escaping @Sendable ([DaemonReply]) -> GatewayResponse, for exchange: Exchange
  ) {
    let task = Task(name: "calls of a request", executorPreference: executor) { [self] in
      var replies: [DaemonReply] = []
      for call in calls { replies.append(await caller.call(call)) }
      let response = render(replies)
      loop.enqueue { exchange.answer(GatewayHandler.answer(response)) }
    }
    exchange.cancel = { task.cancel() }
  }

  private func stream(_ caller: DaemonCaller, _ call: DaemonCall, id: JSONValue, for exchange: Exchange) {
    let stream = EventStream()
    let task = Task(name: "a stream of partial answers", executorPreference: executor) { [self] in
      let reply = await caller.call(call) { [loop] partial in
        let event = RPCOverHTTP.event("partial", partial)
        loop.enqueue { stream.append(event) }
      }
      let event = RPCOverHTTP.event("reply", RPCOverHTTP.response(to: id, reply).body)
      loop.enqueue {
        stream.append(event)
        stream.finish()
      }
    }
    exchange.cancel = { task.cancel() }
    exchange.begin(stream)
  }

  // MARK: Responses

  private static func plain(_ status: Int, _ reason: String) -> OutgoingResponse {
    answer(.text(status, reason.isEmpty ? "" : reason + "\n"))
  }

  /// Clients and proxies must not store answers, since terms may forbid it, and browsers must not load or run anything for them.
  private static func answer(_ content: GatewayResponse) -> OutgoingResponse {
    OutgoingResponse(
      content: content,
      headers: [("Cache-Control", "no-store"), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")])
  }
}
