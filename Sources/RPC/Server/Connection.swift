import Linux

/// One client's connection: its bytes in, its requests in flight, its bytes out. An idle one keeps no buffers.
///
/// `@unchecked Sendable`: whatever is mutable is touched on the thread of its loop only; tasks reach it through the loop's inbox.
final class Connection: StreamHandler, @unchecked Sendable {
  let number: UInt64
  let caller: Peer
  let host: ServerLoop
  /// Nil once closed.
  var descriptor: FileDescriptor?
  private var registration: EventLoop.Registration?
  private var interest = EventLoop.Events.readable

  private var framer: Framer
  /// Bytes that were read and not taken up yet.
  private var pending: [UInt8] = []
  /// Bytes that may wait for this connection's next turn before no more is received.
  private static let backlogBytes = 1 << 16
  /// Whether what was read waits for this connection's next turn.
  private var hasBacklog = false
  /// Whether that turn comes only when the client has read what waits for him.
  private var awaitsReader = false
  /// The loop's round in which this connection has its turn, and how many texts it may still take up then.
  private var round: UInt64 = 0
  private var framesLeft: Int
  private(set) var unfinished: TimerQueue.ID?
  private var inputEnded = false
  /// Whether nothing follows what waits for its turn.
  private var endsBehindBacklog = false
  var hungUp = false

  /// Requests that wait for their replies.
  var inFlight: [RequestID: Flight] = [:]
  /// Notifications that are being acted on.
  var notifications = 0
  /// Tells apart requests that have the same id one after the other.
  var tickets: UInt64 = 0
  var output: [UInt8] = []
  var sent = 0
  /// How many of its bytes are counted as held.
  private var held = 0
  /// Bytes of replies in batches that are not complete.
  var gathered = 0

  /// A request on its way.
  struct Flight {
    var job: Job
    var batch: Batch?
  }

  init(_ descriptor: consuming FileDescriptor, number: UInt64, caller: Peer, host: ServerLoop) {
    self.descriptor = consume descriptor
    self.number = number
    self.caller = caller
    self.host = host
    framesLeft = host.options.framesPerTurn
    framer = Framer(maximum: host.options.limits.requestBytes)
  }

  var isOpen: Bool { descriptor != nil }

  func begin() throws(SystemError) {
    guard let socket = descriptor?.number else { return }
    registration = try host.loop.add(stream: socket, self)
  }

  func ready(_ events: EventLoop.Events) {
    guard isOpen else { return }
    if events.contains(.hangUp) || events.contains(.error) { hungUp = true }
    turn {
      guard hasBacklog, events.isEmpty else { return }
      processPending()
      if endsBehindBacklog, !hasBacklog { endInput() }
    }
  }

  func received(_ bytes: Span<UInt8>) {
    guard isOpen, !inputEnded else { return }
    turn {
      if pending.isEmpty { return process(bytes) }
      bytes.withUnsafeBufferPointer { pending.append(contentsOf: $0) }
      if !hasBacklog { processPending() }
    }
  }

  func inputEnded(failed: Bool) {
    guard isOpen, !inputEnded else { return }
    if failed { hungUp = true }
    if hasBacklog { endsBehindBacklog = true } else { turn { endInput() } }
  }

  /// Takes up what has arrived and what the loop has not brought yet: the last thing that is taken up.
  func receiveRest() {
    if let registration { host.loop.receiveNow(registration) }
  }

  /// Does something that may queue output, sends it, and sees what is next.
  func turn(_ body: () -> Void) {
    host.lendOutput(to: self)
    body()
    flush()
    if awaitsReader, isHeard() {
      awaitsReader = false
      host.loop.again(self)
    }
    host.takeOutput(back: self)
    countHeld()
    settle()
    host.hasFlushed()
  }

  private func processPending() {
    // A copy of the owner, since what is pending changes meanwhile.
    let bytes = pending
    process(bytes.span)
  }

  /// Takes up the texts among these bytes, as many as one turn allows, and keeps the rest.
  private func process(_ bytes: Span<UInt8>) {
    let count = bytes.count
    if round != host.loop.round { (round, framesLeft) = (host.loop.round, host.options.framesPerTurn) }
    var position = 0
    hasBacklog = false
    while framesLeft > 0 {
      framesLeft -= 1
      guard position < count || framer.isInside else { break }
      guard isHeard() else {
        awaitsReader = true
        break
      }
      if !framer.isInside || hasShortBeginning, let end = answerKnown(in: bytes, from: position) {
        guard isOpen else { return }
        framer.leaveText()
        position = end
        continue
      }
      switch framer.next(in: bytes, from: position) {
      case .text(let range):
        position = range.upperBound
        receive(bytes.extracting(range))
      case .broken(let end):
        let text = bytes.extracting(position..<end)
        position = end
        send(.error(Message.fault(in: text, limits: host.options.limits)), id: RequestID.null.raw)
      case .tooLong(let end):
        let (limits, text) = (host.options.limits, bytes.extracting(position..<end))
        position = end
        send(.error(.invalidRequest("A request may have \(limits.requestBytes) bytes.")), id: Message.id(of: text, limits: limits).raw)
      case .more(let keeping):
        keep(bytes, keeping..<count, begun: position > 0)
        return
      case .lost:
        pending = []
        inputEnded = true
        return
      }
      guard isOpen else { return }
    }
    keep(bytes, position..<count, begun: position > 0)
    hasBacklog = !pending.isEmpty
    if hasBacklog, !awaitsReader { host.loop.again(self) }
  }

  /// Whether a text has begun of which so little was kept that its answer is looked for again, now that more is there.
  private var hasShortBeginning: Bool { framer.kept.map { $0 <= 1 << 12 } ?? false }

  /// - Parameter begun: whether these bytes begin a text, which has all its time, and not one that was kept before.
  private func keep(_ bytes: Span<UInt8>, _ range: Range<Int>, begun: Bool) {
    if begun { stopClock() }
    if range.isEmpty, pending.isEmpty, unfinished == nil { return }
    // Nothing was taken from what is kept already; and an empty array owns no memory.
    if range != 0..<pending.count { pending = bytes.array(in: range) }
    // Whether a text is finished is not known as long as it waits for the reader of others.
    guard framer.isInside, !awaitsReader else { return stopClock() }
    if unfinished == nil { unfinished = host.loop.after(host.options.unfinishedSeconds) { [self] in giveUpUnfinished() } }
  }

  private func stopClock() {
    if let unfinished { host.loop.cancel(unfinished) }
    unfinished = nil
  }

  private func giveUpUnfinished() {
    unfinished = nil
    guard isOpen else { return }
    pending = []
    hasBacklog = false
    inputEnded = true
    turn {
      send(.error(.invalidRequest("The request was not finished in \(Int(host.options.unfinishedSeconds)) s.")), id: RequestID.null.raw)
    }
  }

  /// End of file is no hang-up: what was asked is still answered.
  private func endInput() {
    inputEnded = true
    let kept = pending
    switch framer.finish(kept: 0..<kept.count) {
    case .text(let range): receive(kept.span.extracting(range))
    case .broken: send(.error(.parseError("The request ends too early.")), id: RequestID.null.raw)
    default: break
    }
    pending = []
    stopClock()
  }

  /// Counts what waits here; the connection with which that becomes too much is closed.
  private func countHeld() {
    let now = isOpen ? pending.count + output.count - sent + gathered : 0
    guard now != held else { return }
    let isFine = host.hold(now - held, of: caller.user)
    held = now
    guard !isFine else { return }
    host.log(
      .warning, "held-bytes", "closed a connection of user \(caller.user): unfinished requests and unread replies fill too much memory")
    close()
  }

  /// Watches for what can happen next, or closes where nothing can.
  func settle() {
    guard isOpen, let registration else { return }
    let isDone = inputEnded && inFlight.isEmpty && output.isEmpty
    if isDone || (hungUp && inputEnded) { return close() }
    // A client that asks faster than it has turns is left to wait before it fills much memory.
    let isFull = hasBacklog && pending.count >= Connection.backlogBytes
    var wanted: EventLoop.Events = inputEnded || isFull ? [] : .readable
    if !output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    host.loop.change(registration, wanted)
  }

  /// Ends the connection and cancels what it asked for.
  func close() {
    guard isOpen else { return }
    if let registration { host.loop.remove(registration) }
    stopClock()
    descriptor = nil
    for flight in inFlight.values { flight.job.cancel() }
    inFlight = [:]
    pending = []
    output = []
    countHeld()
    host.closed(self)
  }
}
