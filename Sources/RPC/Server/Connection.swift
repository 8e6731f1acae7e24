import Linux
import PlacesKit

/// One client's connection: its input, its requests in flight and its output. An idle connection has no buffers.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only. Tasks access it through the loop's inbox.
final class Connection: StreamHandler, @unchecked Sendable {
  let number: UInt64
  private(set) var caller: Peer
  private(set) var share: UserShare
  let host: ServerLoop
  /// Nil once closed.
  var descriptor: FileDescriptor?
  private var registration: EventLoop.Registration?
  private var interest = EventLoop.Events.readable

  private var framer: Framer
  /// Input that has not been processed.
  private var pending: [UInt8] = []
  /// What pending input waits for: nothing, the user's turn, or that the client reads its replies. While it waits, no more input is read.
  private enum Wait { case none, forTurn, forReader }
  private var wait = Wait.none
  /// The timer that limits the time of an unfinished request, and when it was set; nil if no request is unfinished.
  private(set) var unfinished: (timer: TimerQueue.ID, since: Double)?
  /// True if no more input is processed.
  private var inputEnded = false
  /// True if the client's input ends after `pending`.
  private var endsAfterPending = false
  /// True if the client can no longer receive replies.
  var isHungUp = false
  /// The round of the loop in which the last request arrived.
  private(set) var lastActive: UInt64

  /// True between the beginning of a turn and its end.
  var hasTurn = false
  /// The requests that wait for their replies.
  var inFlight: [RequestID: InFlight] = [:]
  /// The number of notifications whose tasks run.
  var notifications = 0
  /// The number of requests so far. It distinguishes successive requests with the same id.
  var serial: UInt64 = 0
  /// Queued output, of which the first `sent` bytes were sent.
  var output: [UInt8] = []
  var sent = 0
  /// The number of bytes of replies in batches that are not complete.
  var gathered = 0
  /// The number of bytes of the parameters of requests in flight.
  var parameterBytes = 0
  /// The number of bytes that this connection holds, as last counted by `countHeld`.
  private var held = 0

  /// A request in flight.
  struct InFlight {
    var task: RequestTask
    /// The batch that contains the request; nil for a single request.
    var batch: Batch?
  }

  init(_ descriptor: consuming FileDescriptor, number: UInt64, caller: Peer, share: UserShare, host: ServerLoop) {
    self.descriptor = consume descriptor
    self.number = number
    self.caller = caller
    self.share = share
    self.host = host
    lastActive = host.loop.round
    let limits = host.options.limits
    framer = Framer(maximum: limits.requestBytes, limits: JSONLimits(depth: limits.depth))
  }

  var isOpen: Bool { descriptor != nil }

  /// True if the connection can be closed to make room for another one: no request is in flight, no output is queued, and no request is
  /// unfinished, unless it arrives too slowly.
  func isIdle(at now: Double) -> Bool {
    guard inFlight.isEmpty, notifications == 0, output.isEmpty else { return false }
    return pending.isEmpty && unfinished == nil || isSlow(at: now)
  }

  private func isSlow(at now: Double) -> Bool {
    unfinished.map { now - $0.since >= host.options.scarceUnfinishedSeconds } ?? false
  }

  func begin() throws(SystemError) {
    guard let socket = descriptor?.number else { return }
    registration = try host.loop.add(stream: socket, self)
  }

  // MARK: Input

  func ready(_ events: EventLoop.Events) {
    guard isOpen else { return }
    if events.contains(.hangUp) || events.contains(.error) { isHungUp = true }
    turn {}
  }

  func received(_ bytes: Span<UInt8>) {
    guard isOpen, !inputEnded else { return }
    turn {
      if pending.isEmpty { return process(bytes) }
      bytes.withUnsafeBufferPointer { pending.append(contentsOf: $0) }
      if wait == .none { processPending() }
    }
  }

  func inputEnded(failed: Bool) {
    guard isOpen, !inputEnded else { return }
    if failed { isHungUp = true }
    if wait == .none { turn { endInput() } } else { endsAfterPending = true }
  }

  /// Reads and processes the input that has already arrived.
  func receiveRest() {
    if let registration { host.loop.receiveNow(registration) }
  }

  /// Takes the turn for which the connection waited: processes pending input.
  func takeTurn() {
    guard isOpen, wait == .forTurn else { return }
    wait = .none
    turn {
      processPending()
      if endsAfterPending, wait == .none { endInput() }
    }
  }

  /// Runs code that may queue output. All output that is queued in one round of the loop is sent at the end of the round.
  func turn(_ body: () -> Void) {
    host.lendBuffer(to: self)
    body()
    host.endTurnLater(self)
  }

  /// Sends the output and sets the events that the connection waits for.
  func endTurn() {
    hasTurn = false
    flush()
    if wait == .forReader, readsReplies() { waitForTurn() }
    host.returnBuffer(of: self)
    countHeld()
    watchEvents()
    host.hasFlushed()
  }

  private func waitForTurn() {
    wait = .forTurn
    host.wait(self)
  }

  private func processPending() {
    // This second reference keeps the bytes, because `process` changes `pending`.
    let bytes = pending
    process(bytes.span)
  }

  /// Processes the texts in these bytes, as many as the user's budget of this round allows, and stores the remaining bytes in `pending`.
  private func process(_ bytes: Span<UInt8>) {
    let count = bytes.count
    var position = 0
    lastActive = host.loop.round
    host.reads(inputOf: share)
    while position < count {
      let budget = share.budget(in: host.loop.round, host.options)
      guard budget > 0 else {
        store(bytes, from: position, isNew: position > 0)
        return waitForTurn()
      }
      guard readsReplies() else {
        wait = .forReader
        return store(bytes, from: position, isNew: position > 0)
      }
      let (start, unread) = (position, position + framer.scanned)
      let visible = min(count, unread + budget)
      let event = framer.next(in: bytes.extracting(0..<visible), from: start, outline: host.outline)
      switch event {
      case .text(let range, let excess):
        position = range.upperBound
        receive(bytes.extracting(range), exceeds: excess)
      case .invalid(let error, let end):
        position = end
        send(.error(RPCError(invalid: error)), id: RequestID.null.raw)
      case .tooLong(let end):
        position = end
        let limits = host.options.limits
        send(
          .error(.invalidRequest("A request may have at most \(limits.requestBytes) bytes.")),
          id: Message.id(of: bytes.extracting(start..<end), limits).raw)
      case .more(let keeping):
        share.charge(visible - unread, requests: 0)
        store(bytes, from: keeping, isNew: start > 0)
        return visible < count ? waitForTurn() : ()
      case .lost:
        stopTimer()
        pending = []
        inputEnded = true
        return
      }
      share.charge(position - unread, requests: 1)
      guard isOpen else { return }
      // Most clients send a line break after a request. It is skipped here, which avoids a search for the next text.
      if position + 1 == count, bytes[position] == 0x0A, !framer.isInside { position = count }
    }
    store(bytes, from: position, isNew: true)
  }

  /// Stores the bytes from an index on, which have not been processed.
  /// - Parameter isNew: true if a new text begins there, so that the timer for an unfinished request starts again.
  private func store(_ bytes: Span<UInt8>, from index: Int, isNew: Bool) {
    if isNew { stopTimer() }
    if index == bytes.count, pending.isEmpty, unfinished == nil { return }
    // If nothing was processed, `pending` already consists of these bytes.
    if index > 0 || pending.count != bytes.count { pending = bytes.array(in: index..<bytes.count) }
    guard framer.isInside, wait != .forReader else { return stopTimer() }
    if unfinished == nil {
      let timer = host.loop.after(host.options.unfinishedSeconds) { [self] in rejectUnfinished() }
      unfinished = (timer, host.now)
    }
  }

  private func stopTimer() {
    if let unfinished { host.loop.cancel(unfinished.timer) }
    unfinished = nil
  }

  /// Closes the connection if its unfinished request arrives too slowly while connections are scarce.
  func rejectIfSlow(at now: Double) { if isOpen, isSlow(at: now) { rejectUnfinished() } }

  /// Replies that the request took too long, and processes no more input.
  private func rejectUnfinished() {
    let seconds = unfinished.map { Int((host.now - $0.since).rounded()) } ?? 0
    stopTimer()
    guard isOpen else { return }
    pending = []
    wait = .none
    inputEnded = true
    turn { send(.error(.invalidRequest("The request was not finished in \(seconds) s.")), id: RequestID.null.raw) }
    // The reply is sent immediately, because this connection may be closed to make room for a new one.
    endTurn()
  }

  /// Handles the end of the client's input. Requests in flight still receive their replies.
  private func endInput() {
    inputEnded = true
    let kept = pending
    switch framer.finish(kept: 0..<kept.count) {
    case .text(let range, let excess): receive(kept.span.extracting(range), exceeds: excess)
    case .invalid: send(.error(.parseError("The request ends too early.")), id: RequestID.null.raw)
    default: break
    }
    pending = []
    stopTimer()
  }

  // MARK: State

  /// Moves the connection, and the bytes it holds, to another user's share.
  func move(to share: UserShare, as caller: Peer) {
    self.share.heldBytes -= held
    share.heldBytes += held
    self.share = share
    self.caller = caller
  }

  /// Updates the number of held bytes. Closes the connection if they exceed the limit.
  func countHeld() {
    // The parameters count even if the connection is closed, because tasks retain them until they end.
    let now = parameterBytes + (isOpen ? pending.count + output.count - sent + gathered : 0)
    guard now != held else { return }
    let isAllowed = host.hold(now - held, of: share)
    held = now
    guard !isAllowed, isOpen else { return }
    host.log(
      .warning, "held-bytes",
      "closed a connection of user \(caller.user): unfinished requests, requests in flight and unread replies fill too much memory")
    close()
  }

  /// Sets the events that the loop watches, or closes the connection if nothing more can happen.
  private func watchEvents() {
    guard isOpen, let registration else { return }
    let isDone = inputEnded && inFlight.isEmpty && output.isEmpty
    if isDone || (isHungUp && inputEnded) { return close() }
    // While input waits, nothing is read, so that a client cannot send more than its turns process.
    var wanted: EventLoop.Events = inputEnded || wait != .none ? [] : .readable
    if !output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    host.loop.change(registration, wanted)
  }

  /// Ends the connection and cancels its requests.
  func close() {
    guard isOpen else { return }
    if let registration { host.loop.remove(registration) }
    stopTimer()
    descriptor = nil
    for request in inFlight.values { host.cancel(request.task) }
    inFlight = [:]
    pending = []
    output = []
    countHeld()
    host.closed(self)
  }
}
