import Linux
import PlacesKit

extension Connection {
  /// Handles one text that the framer has found. If the text begins with a bracket, `serverLoop.outline` is its outline.
  /// - Parameter excess: the limit that the text exceeds; nil if there is none.
  func receive(_ text: Span<UInt8>, exceeds excess: Framer.Excess?) {
    if excess == nil, text.count > 0, text[0] == UInt8(ascii: "{"), sendCached(text) { return }
    switch IncomingMessages(text, exceeds: excess, limits: serverLoop.options.limits) {
    case .single(let message): receive(message, batch: nil)
    case .batch(let messages):
      let batch = Batch()
      for message in messages { receive(message, batch: batch) }
      batch.close()
      finish(batch)
    }
  }

  /// If the reply to the request is cached, sends it and returns true. If this returns false, the caller must handle the request.
  private func sendCached(_ text: Span<UInt8>) -> Bool {
    let (id, limits) = (serverLoop.outline.id, serverLoop.options.limits)
    guard !id.isEmpty, id.count <= limits.idBytes, !serverLoop.isDraining, !isHungUp, !isFull,
      // If the id is that of a request in flight, the request must be rejected.
      inFlight.isEmpty || RequestID(raw: text.array(in: id)).map({ inFlight[$0] == nil }) ?? false
    else { return false }
    // The cached bytes include the line break, which `replyBytes` does not count.
    let maxBytes = limits.replyBytes - MessageEncoding.head.count - id.count + 1
    guard let cached = serverLoop.cachedReply(to: text, maxBytes: maxBytes, user: caller.user) else { return false }
    queueResult(cached, id: text.extracting(id))
    return true
  }

  private func receive(_ message: Message, batch: Batch?) {
    switch message {
    case .invalid(let error, let id): answer(.error(error), id, batch)
    case .response(let response): answer(.error(.invalidRequest("This message is a reply, but no request was sent.")), response.id, batch)
    case .request(let request):
      if request.method == "$/cancelRequest" {
        cancel(request, batch)
      } else if request.method == "$/onBehalfOf" {
        guard let id = request.id else { return }
        if let error = assignUser(request, batch) { return answer(.error(error), id, batch) }
        answer(.result(Array("{}".utf8)), id, batch)
      } else if let id = request.id {
        start(request, id, batch)
      } else {
        notify(request)
      }
    }
  }

  private func start(_ request: Request, _ id: RequestID, _ batch: Batch?) {
    guard !isHungUp else { return }
    if let error = refusal(of: id) { return answer(.error(error), id, batch) }
    batch?.expectReply()
    let task = makeTask(request)
    inFlight[id] = InFlight(task: task, batch: batch)
    serverLoop.start(task, of: userState)
  }

  /// The reason why a request with this id must not start; nil if it may.
  private func refusal(of id: RequestID) -> RPCError? {
    let limits = serverLoop.options.limits
    if serverLoop.isDraining { return .shuttingDown }
    if inFlight[id] != nil { return .invalidRequest("A request with this id is still in flight.") }
    if isFull {
      return .overloaded("A connection may have \(limits.inFlight) requests in flight; wait for replies.", retryAfterMs: 100)
    }
    return serverLoop.refusal(of: userState).map { .overloaded($0, retryAfterMs: 250) }
  }

  /// True if the connection may have no further requests in flight.
  private var isFull: Bool { inFlight.count + runningNotifications >= serverLoop.options.limits.inFlight }

  /// Starts the task of a notification. If a limit is reached, drops the notification, because it has no reply that could report an error.
  private func notify(_ request: Request) {
    guard !serverLoop.isDraining, !isFull, serverLoop.refusal(of: userState) == nil else { return }
    runningNotifications += 1
    serverLoop.start(makeTask(request), of: userState)
  }

  /// Creates the task of a request or notification. The reply and the notifications of the handler are passed to the loop's thread.
  private func makeTask(_ request: Request) -> RequestTask {
    requestCount += 1
    let (loop, id, size) = (serverLoop.loop, request.id, request.params?.count ?? 0)
    let requestNumber = RequestNumber(connection: number, serial: requestCount)
    parameterBytes += size
    // The task retains the connection until it ends, because a weak reference would make every later use of the connection slower.
    let context = RequestContext(caller: caller, connection: number, id: id) { [self] method, params in
      loop.enqueue { self.sendNotification(method, params, for: id, requestNumber) }
    }
    return RequestTask(requestNumber, request, context) { [self] reply in
      loop.enqueue {
        if id == nil { self.runningNotifications -= 1 }
        self.parameterBytes -= size
        if self.isOpen {
          self.queueOutput { if let id { self.finish(id, requestNumber, reply) } }
        } else {
          self.countHeldBytes()
        }
        self.serverLoop.taskEnded(requestNumber, of: self.userState)
      }
    }
  }

  /// Cancels all requests in flight, and answers each with the error `shuttingDown`.
  func cancelAll() {
    queueOutput {
      for (id, request) in inFlight {
        serverLoop.cancel(request.task)
        finish(id, request.task.number, .error(.shuttingDown))
      }
    }
  }

  /// Sends a notification from the handler, if its request is still in flight.
  private func sendNotification(_ method: String, _ params: [UInt8], for id: RequestID?, _ number: RequestNumber) {
    guard isOpen, let id, inFlight[id]?.task.number == number else { return }
    queueOutput { queueMessage(MessageEncoding.request(id: nil, method: method, params: params)) }
  }

  /// Sends the reply to a request in flight. Does nothing if the request was cancelled, because its reply has already been sent.
  private func finish(_ id: RequestID, _ number: RequestNumber, _ reply: Reply) {
    guard let request = inFlight[id], request.task.number == number else { return }
    inFlight[id] = nil
    let raw = request.task.request.id?.raw ?? id.raw
    guard let batch = request.batch else { return queueReply(reply, id: raw) }
    addReply(reply, raw, batch)
    finish(batch)
  }

  /// Handles `$/cancelRequest`.
  private func cancel(_ request: Request, _ batch: Batch?) {
    if let id = request.id {
      return answer(.error(.invalidRequest("`$/cancelRequest` is a notification: send it without an id.")), id, batch)
    }
    guard let params = request.params, let range = MessageMembers(of: params.span).id, range.count <= serverLoop.options.limits.idBytes,
      let id = RequestID(raw: Array(params[range])), let request = inFlight[id]
    else { return }
    serverLoop.cancel(request.task)
    finish(id, request.task.number, .error(.cancelled))
  }

  /// Handles `$/onBehalfOf`: assigns the connection to the user that the request names. Returns the error if that is not allowed.
  private func assignUser(_ request: Request, _ batch: Batch?) -> RPCError? {
    guard serverLoop.handler.mayRepresentUsers(caller) else {
      return .permissionDenied("`$/onBehalfOf` is for the configured gateway_user, once a connection.")
    }
    // This must be the first request, because earlier ones would have been counted for the connection's own user.
    guard batch == nil, requestCount == 0 else { return .invalidRequest("`$/onBehalfOf` must be the first request of a connection.") }
    guard let params = try? request.decodedParams(), let user = params["user"]?.integer.flatMap(UInt32.init(exactly:)), user != .max else {
      return .invalidParams("`user` must be a user's id.")
    }
    return serverLoop.assign(self, to: user)
  }

  /// Answers a message for which no task was started.
  private func answer(_ reply: Reply, _ id: RequestID, _ batch: Batch?) {
    guard let batch else { return queueReply(reply, id: id.raw) }
    batch.expectReply()
    addReply(reply, id.raw, batch)
  }

  private func addReply(_ reply: Reply, _ id: some Collection<UInt8>, _ batch: Batch) {
    let countBefore = batch.bytes.count
    batch.add(reply, id: id, limits: serverLoop.options.limits)
    batchedReplyBytes += batch.bytes.count - countBefore
  }

  /// Sends the replies of a batch if all are complete and there are any.
  private func finish(_ batch: Batch) {
    guard batch.isComplete, !batch.isEmpty else { return }
    // `batchedReplyBytes` does not include the opening bracket.
    batchedReplyBytes -= batch.bytes.count - 1
    queueMessage(batch.text)
  }
}
