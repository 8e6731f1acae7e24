import Linux
import PlacesKit

extension Connection {
  /// Answers the request that begins at `start`, where its answer is known; gives the index behind it. Nil sends it the long road.
  func answerKnown(in bytes: Span<UInt8>, from start: Int) -> Int? {
    guard !host.isDraining, !hungUp, !isFull, inFlight.isEmpty || hasOtherID(bytes, from: start),
      let known = host.handler.knownReply(in: bytes, from: start, limits: host.options.limits, caller: caller)
    else { return nil }
    send(known.result, id: bytes.extracting(known.id))
    return known.end
  }

  /// Whether a request may have its reply before those in flight have theirs, since its id is none of theirs.
  private func hasOtherID(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    guard let envelope = Envelope(skimming: bytes, from: start), envelope.fits(host.options.limits, from: start)
    else { return false }
    let raw = bytes.array(in: envelope.id)
    guard let value = try? JSONValue(parsing: raw), let id = RequestID(value, raw: raw) else { return false }
    return inFlight[id] == nil
  }

  /// Takes up one text, whatever it holds.
  func receive(_ text: Span<UInt8>) {
    switch Incoming(parsing: text, limits: host.options.limits) {
    case .single(let message): receive(message, batch: nil)
    case .batch(let messages):
      let batch = Batch()
      for message in messages { receive(message, batch: batch) }
      batch.close()
      finish(batch)
    }
  }

  private func receive(_ message: Message, batch: Batch?) {
    switch message {
    case .invalid(let error, let id): answer(.error(error), id, batch)
    case .response(let response): answer(.error(.invalidRequest("Nothing was asked: this is a reply.")), response.id, batch)
    case .request(let request):
      if request.method == "$/cancelRequest" {
        cancel(request, batch)
      } else if let id = request.id {
        start(request, id, batch)
      } else {
        notify(request)
      }
    }
  }

  private func start(_ request: Request, _ id: RequestID, _ batch: Batch?) {
    guard !hungUp else { return }
    if let error = refusal(of: id) { return answer(.error(error), id, batch) }
    batch?.expect()
    let job = makeJob(request)
    inFlight[id] = Flight(job: job, batch: batch)
    host.run(job)
  }

  private func refusal(of id: RequestID) -> RPCError? {
    let limits = host.options.limits
    if host.isDraining { return .shuttingDown }
    if inFlight[id] != nil { return .invalidRequest("A request with this id is still in flight.") }
    if isFull {
      return .overloaded("A connection may have \(limits.inFlight) requests in flight; wait for replies.", retryAfterMs: 100)
    }
    return host.refusal(of: caller.user).map { .overloaded($0, retryAfterMs: 250) }
  }

  private var isFull: Bool { inFlight.count + notifications >= host.options.limits.inFlight }

  /// A notification has no reply, so that one too many is dropped without a word.
  private func notify(_ request: Request) {
    guard !host.isDraining, !isFull, host.refusal(of: caller.user) == nil else { return }
    notifications += 1
    host.run(makeJob(request))
  }

  private func makeJob(_ request: Request) -> Job {
    tickets += 1
    let (loop, id) = (host.loop, request.id)
    let job = JobNumber(connection: number, ticket: tickets)
    // Held until the request is over: a weak reference would make every later use of the connection dearer.
    let context = RequestContext(caller: caller, connection: number, id: id) { [self] method, params in
      loop.enqueue { self.pass(method, params, for: id, job) }
    }
    return Job(job, request, context) { [self] reply in
      loop.enqueue {
        if id == nil { self.notifications -= 1 }
        if let id, self.isOpen { self.turn { self.finish(id, job, reply) } }
        self.host.ended(job, of: self.caller.user)
      }
    }
  }

  /// Ends what is in flight without its answer.
  func giveUp() {
    turn {
      for (id, flight) in inFlight {
        flight.job.cancel()
        finish(id, flight.job.number, .error(.shuttingDown))
      }
    }
  }

  /// A notification of the handler, on its way while the request is in flight.
  private func pass(_ method: String, _ params: [UInt8], for id: RequestID?, _ job: JobNumber) {
    guard isOpen, let id, inFlight[id]?.job.number == job else { return }
    turn { send(Encoding.request(id: nil, method: method, params: params)) }
  }

  /// The reply is there. Where the request was given up, it had its reply before.
  private func finish(_ id: RequestID, _ job: JobNumber, _ reply: Reply) {
    guard let flight = inFlight[id], flight.job.number == job else { return }
    inFlight[id] = nil
    guard let batch = flight.batch else { return send(reply, id: flight.job.request.id?.raw ?? id.raw) }
    gather(reply, flight.job.request.id?.raw ?? id.raw, batch)
    finish(batch)
  }

  private func cancel(_ request: Request, _ batch: Batch?) {
    if let id = request.id {
      return answer(.error(.invalidRequest("`$/cancelRequest` is a notification: send it without an id.")), id, batch)
    }
    guard let value = request.params?["id"], let id = RequestID(value), let flight = inFlight[id] else { return }
    flight.job.cancel()
    finish(id, flight.job.number, .error(.cancelled))
  }

  private func answer(_ reply: Reply, _ id: RequestID, _ batch: Batch?) {
    guard let batch else { return send(reply, id: id.raw) }
    batch.expect()
    gather(reply, id.raw, batch)
  }

  private func gather(_ reply: Reply, _ id: some Collection<UInt8>, _ batch: Batch) {
    let before = batch.bytes.count
    batch.add(reply, id: id, limits: host.options.limits)
    gathered += batch.bytes.count - before
  }

  private func finish(_ batch: Batch) {
    guard batch.isComplete, !batch.isEmpty else { return }
    // Its first bracket was not counted.
    gathered -= batch.bytes.count - 1
    send(batch.text)
  }
}
