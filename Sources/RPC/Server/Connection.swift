import Linux

/// One client's connection: its bytes in, its requests in flight, its bytes out. An idle one keeps no buffers.
///
/// `@unchecked Sendable`: whatever is mutable is touched on the thread of its loop only; tasks reach it through the loop's inbox.
final class Connection: EventHandler, @unchecked Sendable {
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
  /// Whether what was read waits for this connection's next turn.
  private var hasBacklog = false
  private(set) var unfinished: TimerQueue.ID?
  private var inputEnded = false
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
    framer = Framer(maximum: host.options.limits.requestBytes)
  }

  var isOpen: Bool { descriptor != nil }

  func begin() throws(SystemError) {
    guard let socket = descriptor?.number else { return }
    registration = try host.loop.add(socket, interest, self)
  }

  func ready(_ events: EventLoop.Events) {
    guard isOpen else { return }
    if events.contains(.hangUp) || events.contains(.error) { hungUp = true }
    turn {
      if hasBacklog {
        // More is read when what was read is taken up; epoll will tell again.
        if events.isEmpty { process(pending, count: pending.count) }
      } else if !inputEnded, events != .writable {
        read()
      }
    }
  }

  /// Does something that may queue output, sends it, and sees what is next.
  func turn(_ body: () -> Void) {
    host.lendOutput(to: self)
    body()
    flush()
    host.takeOutput(back: self)
    countHeld()
    settle()
    host.hasFlushed()
  }

  private func read() {
    guard descriptor != nil else { return }
    var buffer = host.borrowInput()
    defer { host.giveBackInput(&buffer) }
    switch descriptor?.receive(into: &buffer) ?? .end {
    case .bytes(let count):
      if pending.isEmpty {
        process(buffer, count: count)
      } else {
        pending.append(contentsOf: buffer[..<count])
        process(pending, count: pending.count)
      }
    case .end: endInput()
    case .failed:
      hungUp = true
      endInput()
    case .later: break
    }
  }

  /// Takes up the texts among the first `count` bytes, as many as one turn allows, and keeps the rest.
  private func process(_ bytes: [UInt8], count: Int) {
    let span = bytes.span.extracting(..<count)
    var position = 0
    hasBacklog = false
    for _ in 0..<host.options.framesPerTurn {
      guard position < count || framer.isInside else { break }
      if !framer.isInside, let end = answerKnown(in: span, from: position) {
        position = end
        continue
      }
      switch framer.next(in: span, from: position) {
      case .text(let range):
        position = range.upperBound
        receive(span.extracting(range))
      case .broken(let end):
        let text = span.extracting(position..<end)
        position = end
        send(.error(Message.fault(in: text, limits: host.options.limits)), id: RequestID.null.raw)
      case .tooLong(let end):
        let (limits, text) = (host.options.limits, span.extracting(position..<end))
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
    if hasBacklog { host.loop.again(self) }
  }

  /// - Parameter begun: whether these bytes begin a text, which has all its time, and not one that was kept before.
  private func keep(_ bytes: [UInt8], _ range: Range<Int>, begun: Bool) {
    if begun { stopClock() }
    if range.isEmpty, pending.isEmpty, unfinished == nil { return }
    // Nothing was taken from what is kept already; and an empty array owns no memory.
    if range != 0..<pending.count { pending = range.isEmpty ? [] : Array(bytes[range]) }
    if framer.isInside, unfinished == nil {
      unfinished = host.loop.after(host.options.unfinishedSeconds) { [weak self] in self?.giveUpUnfinished() }
    } else if !framer.isInside {
      stopClock()
    }
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
    guard let socket = descriptor?.number, let registration else { return }
    let isDone = inputEnded && inFlight.isEmpty && output.isEmpty
    if isDone || (hungUp && inputEnded) { return close() }
    var wanted: EventLoop.Events = inputEnded ? [] : .readable
    if !output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    host.loop.change(registration, socket, wanted)
  }

  /// Ends the connection and cancels what it asked for.
  func close() {
    guard let socket = descriptor?.number else { return }
    if let registration { host.loop.remove(registration, socket) }
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
