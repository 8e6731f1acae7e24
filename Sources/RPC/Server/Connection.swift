import Linux
import PlacesKit

/// One client's connection: its input, its requests in flight and its output. An idle connection has no buffers.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only. Tasks access it through the loop's inbox.
final class Connection: StreamHandler, @unchecked Sendable {
  let number: UInt64
  private(set) var caller: Peer
  /// The counters and turns of the caller's user. All connections of that user have the same `UserState`.
  private(set) var userState: UserState
  let serverLoop: ServerLoop
  /// Nil once closed.
  var descriptor: FileDescriptor?
  private var registration: EventLoop.Registration?
  private var watchedEvents = EventLoop.Events.readable

  /// A framer on the heap. It is allocated only while the end of a text has not arrived, so that an idle connection takes less memory.
  private final class FramerBox {
    var framer: Framer
    init(_ framer: Framer) { self.framer = framer }
  }
  /// The framer of the text whose end has not arrived; nil if there is none.
  private var unfinishedFramer: FramerBox?
  /// Received bytes that have not been processed.
  private var pendingInput: [UInt8] = []
  /// The reason why pending input is not processed yet: the user's turn has not come, or the client has not read its replies. While there
  /// is a reason, no more input is read.
  private enum WaitReason { case none, turn, unreadReplies }
  private var waitReason = WaitReason.none
  /// The timer of the unfinished request, and the monotonic time in seconds at which it was set. Nil if no timer runs.
  private(set) var unfinishedRequest: (timer: TimerQueue.ID, since: Double)?
  /// True if no more input is processed.
  private var isInputOver = false
  /// True if the client has ended its input, of which `pendingInput` is the last part.
  private var inputEndsAfterPending = false
  /// True if the client can no longer receive replies.
  var isHungUp = false
  /// The round of the loop in which input was last processed.
  private(set) var lastActiveRound: UInt64

  /// True if `flushOutput` will be called at the end of this round of the loop.
  var awaitsFlush = false
  /// The requests that wait for their replies.
  var inFlight: [RequestID: InFlight] = [:]
  /// The number of notifications whose tasks have not ended.
  var runningNotifications = 0
  /// The number of requests so far, which is also the number of the latest request.
  var requestCount: UInt64 = 0
  /// Queued output, of which the first `sentBytes` bytes were sent.
  var output: [UInt8] = []
  /// Since when the kernel has accepted none of the queued output, in monotonic seconds; nil if it has accepted all.
  var unreadSince: Double?
  var sentBytes = 0
  /// The number of bytes of replies in batches that are not complete.
  var batchedReplyBytes = 0
  /// The number of bytes of the parameters of requests in flight.
  var parameterBytes = 0
  /// The number of bytes that this connection holds, as last counted by `countHeldBytes`.
  private var heldBytes = 0

  /// A request in flight.
  struct InFlight {
    var task: RequestTask
    /// The batch that contains the request; nil for a single request.
    var batch: Batch?
  }

  init(_ descriptor: consuming FileDescriptor, number: UInt64, caller: Peer, userState: UserState, serverLoop: ServerLoop) {
    self.descriptor = consume descriptor
    self.number = number
    self.caller = caller
    self.userState = userState
    self.serverLoop = serverLoop
    lastActiveRound = serverLoop.loop.round
  }

  var isOpen: Bool { descriptor != nil }

  /// True if the connection can be closed to make room for another one. No request or notification may be in flight. Unprocessed input,
  /// an unfinished request or queued output prevents it too, unless the client sends or reads too slowly.
  func isIdle(at now: Double) -> Bool {
    guard inFlight.isEmpty, runningNotifications == 0 else { return false }
    return output.isEmpty && pendingInput.isEmpty && unfinishedRequest == nil || sendsTooSlowly(at: now) || readsTooSlowly(at: now)
  }

  /// True if the client has read none of the queued output for `scarceReceiveTimeoutSeconds`.
  private func readsTooSlowly(at now: Double) -> Bool {
    unreadSince.map { now - $0 >= serverLoop.options.scarceReceiveTimeoutSeconds } ?? false
  }

  /// True if the end of a request has not arrived within `scarceReceiveTimeoutSeconds`.
  private func sendsTooSlowly(at now: Double) -> Bool {
    unfinishedRequest.map { now - $0.since >= serverLoop.options.scarceReceiveTimeoutSeconds } ?? false
  }

  func begin() throws(SystemError) {
    guard let socket = descriptor?.number else { return }
    registration = try serverLoop.loop.add(stream: socket, self)
  }

  // MARK: Input

  func ready(_ events: EventLoop.Events) {
    guard isOpen else { return }
    if events.contains(.hangUp) || events.contains(.error) { isHungUp = true }
    // Nothing is queued. At the end of the round, the waiting output is sent and the watched events are set.
    queueOutput {}
  }

  func received(_ bytes: Span<UInt8>) {
    guard isOpen, !isInputOver else { return }
    queueOutput {
      if pendingInput.isEmpty { return process(bytes) }
      bytes.withUnsafeBufferPointer { pendingInput.append(contentsOf: $0) }
      if waitReason == .none { processPending() }
    }
  }

  func inputEnded(failed: Bool) {
    guard isOpen, !isInputOver else { return }
    if failed { isHungUp = true }
    if waitReason == .none { queueOutput { endInput() } } else { inputEndsAfterPending = true }
  }

  /// Called before a drained server ends: processes the input that waits for a turn, and reads and processes the input that has arrived
  /// since.
  func receiveFinalInput() {
    takeTurn()
    watchEvents()
    if let registration { serverLoop.loop.receiveNow(registration) }
  }

  /// Takes the turn for which the connection waited: processes pending input.
  func takeTurn() {
    guard isOpen, waitReason == .turn else { return }
    waitReason = .none
    queueOutput {
      processPending()
      if inputEndsAfterPending, waitReason == .none { endInput() }
    }
  }

  /// Runs code that may queue output. All output that is queued in one round of the loop is sent at the end of the round.
  func queueOutput(_ body: () -> Void) {
    serverLoop.lendBuffer(to: self)
    body()
    serverLoop.flushAtEndOfRound(self)
  }

  /// Sends the output, updates the number of held bytes, and sets the events that the connection waits for.
  func flushOutput() {
    awaitsFlush = false
    sendOutput()
    if waitReason == .unreadReplies, reduceUnreadBytes() { waitForTurn() }
    serverLoop.returnBuffer(of: self)
    countHeldBytes()
    watchEvents()
    serverLoop.checkDrain()
  }

  private func waitForTurn() {
    waitReason = .turn
    serverLoop.queueForTurn(self)
  }

  private func processPending() {
    // This second reference keeps the bytes, because `process` changes `pendingInput`.
    let bytes = pendingInput
    process(bytes.span)
  }

  /// Processes the messages in these bytes, as many as the user may send in this turn. Stores the remaining bytes in `pendingInput`.
  private func process(_ bytes: Span<UInt8>) {
    let count = bytes.count
    var position = 0
    lastActiveRound = serverLoop.loop.round
    serverLoop.recordInput(of: userState.user)
    var framer = takeFramer()
    defer { keep(framer) }
    while position < count {
      let budget = serverLoop.remainingBytes(of: userState, after: framer.scannedBytes)
      guard budget > 0 else {
        store(bytes, from: position, isNew: position > 0, isInsideText: framer.isInsideText)
        return waitForTurn()
      }
      guard reduceUnreadBytes() else {
        waitReason = .unreadReplies
        return store(bytes, from: position, isNew: position > 0, isInsideText: framer.isInsideText)
      }
      // The framer has scanned the bytes before `scanStart`. The budget allows scanning the bytes before `scanEnd`.
      let (start, scanStart) = (position, position + framer.scannedBytes)
      let scanEnd = scanStart + min(count - scanStart, budget)
      let event = framer.next(in: bytes.extracting(0..<scanEnd), from: start, outline: serverLoop.outline)
      switch event {
      case .text(let range, let excess):
        position = range.upperBound
        receive(bytes.extracting(range), exceeds: excess)
      case .invalid(let error, let end):
        position = end
        queueReply(.error(RPCError(invalid: error)), id: RequestID.null.raw)
      case .tooLong(let end):
        position = end
        let limits = serverLoop.options.limits
        queueReply(
          .error(.invalidRequest("A request may have at most \(limits.requestBytes) bytes.")),
          id: Message.id(of: bytes.extracting(start..<end), limits).raw)
      case .more(let keeping):
        serverLoop.charge(userState, scanEnd - scanStart)
        store(bytes, from: keeping, isNew: start > 0, isInsideText: framer.isInsideText)
        return scanEnd < count ? waitForTurn() : ()
      case .lost:
        stopTimer()
        pendingInput = []
        isInputOver = true
        return
      }
      serverLoop.charge(userState, position - scanStart, messageLength: position - start)
      guard isOpen else { return }
      // Most clients send a line break after a request. It is skipped here, which avoids a search for the next text.
      if position + 1 == count, bytes[position] == 0x0A, !framer.isInsideText { position = count }
    }
    store(bytes, from: position, isNew: true, isInsideText: framer.isInsideText)
  }

  /// Takes the framer of the unfinished text out of its box, so that its memory is not copied. Returns a new framer if no text is unfinished.
  private func takeFramer() -> Framer {
    let limits = serverLoop.options.limits
    let newFramer = Framer(maximum: limits.requestBytes, limits: JSONLimits(depth: limits.depth))
    guard let unfinishedFramer else { return newFramer }
    return exchange(&unfinishedFramer.framer, with: newFramer)
  }

  /// Keeps the framer if the end of a text has not arrived and may still arrive.
  private func keep(_ framer: consuming Framer) {
    guard framer.isInsideText, !isInputOver, isOpen else { return unfinishedFramer = nil }
    if let unfinishedFramer { unfinishedFramer.framer = framer } else { unfinishedFramer = FramerBox(framer) }
  }

  /// Stores the bytes from an index on, which have not been processed.
  /// - Parameters:
  ///   - isNew: true if a new text begins there, so that the timer for an unfinished request starts again.
  ///   - isInsideText: true if the end of a text has not arrived.
  private func store(_ bytes: Span<UInt8>, from index: Int, isNew: Bool, isInsideText: Bool) {
    if isNew { stopTimer() }
    if index == bytes.count, pendingInput.isEmpty, unfinishedRequest == nil { return }
    // If nothing was processed, `pendingInput` already consists of these bytes.
    if index > 0 || pendingInput.count != bytes.count { pendingInput = bytes.array(in: index..<bytes.count) }
    // Until the client has read its replies, no input is read, so the request cannot be finished.
    guard isInsideText, waitReason != .unreadReplies else { return stopTimer() }
    if unfinishedRequest == nil {
      let timer = serverLoop.loop.after(serverLoop.options.receiveTimeoutSeconds) { [self] in rejectUnfinished() }
      unfinishedRequest = (timer, serverLoop.now)
    }
  }

  private func stopTimer() {
    if let unfinishedRequest { serverLoop.loop.cancel(unfinishedRequest.timer) }
    unfinishedRequest = nil
  }

  /// Rejects an unfinished request that arrives too slowly while connections are scarce. The connection closes when its requests in flight
  /// have their replies.
  func rejectIfSlow(at now: Double) { if isOpen, sendsTooSlowly(at: now) { rejectUnfinished() } }

  /// Replies that the request took too long, and processes no more input.
  private func rejectUnfinished() {
    let seconds = unfinishedRequest.map { Int((serverLoop.now - $0.since).rounded()) } ?? 0
    stopTimer()
    guard isOpen else { return }
    pendingInput = []
    unfinishedFramer = nil
    waitReason = .none
    isInputOver = true
    queueOutput { queueReply(.error(.invalidRequest("The request was not finished in \(seconds) s.")), id: RequestID.null.raw) }
    // The reply is sent immediately, because this connection may be closed to make room for a new one.
    flushOutput()
  }

  /// Handles the end of the client's input. Requests in flight still receive their replies.
  private func endInput() {
    isInputOver = true
    let lastInput = pendingInput
    var framer = takeFramer()
    switch framer.finish(remaining: 0..<lastInput.count) {
    case .text(let range, let excess): receive(lastInput.span.extracting(range), exceeds: excess)
    case .invalid: queueReply(.error(.parseError("The request ends too early.")), id: RequestID.null.raw)
    default: break
    }
    unfinishedFramer = nil
    pendingInput = []
    stopTimer()
  }

  // MARK: State

  /// Moves the connection, and the bytes that it holds, to another user.
  func move(to userState: UserState, as caller: Peer) {
    self.userState.heldBytes -= heldBytes
    userState.heldBytes += heldBytes
    self.userState = userState
    self.caller = caller
  }

  /// Updates the number of held bytes. Closes the connection if the held bytes of its user or of all users exceed their limit.
  func countHeldBytes() {
    // The parameters count even if the connection is closed, because tasks retain them until they end. Sent bytes count until `output` no
    // longer contains them.
    let newCount = parameterBytes + (isOpen ? pendingInput.count + output.count + batchedReplyBytes : 0)
    guard newCount != heldBytes else { return }
    let isAllowed = serverLoop.changeHeldBytes(by: newCount - heldBytes, of: userState)
    heldBytes = newCount
    guard !isAllowed, isOpen else { return }
    serverLoop.log(
      .warning, "held-bytes",
      "closed a connection of user \(caller.user): unfinished requests, requests in flight and unread replies fill too much memory")
    close()
  }

  /// Sets the events that the loop watches. If the input is over and no reply can follow, closes the connection instead.
  private func watchEvents() {
    guard isOpen, let registration else { return }
    let isDone = isInputOver && inFlight.isEmpty && output.isEmpty
    if isDone || (isHungUp && isInputOver) { return close() }
    // While input waits, nothing is read, so that a client cannot send more than its turns process.
    var newEvents: EventLoop.Events = isInputOver || waitReason != .none ? [] : .readable
    if !output.isEmpty { newEvents.insert(.writable) }
    guard newEvents != watchedEvents else { return }
    watchedEvents = newEvents
    serverLoop.loop.change(registration, newEvents)
  }

  /// Ends the connection and cancels its requests.
  func close() {
    guard isOpen else { return }
    if let registration { serverLoop.loop.remove(registration) }
    stopTimer()
    descriptor = nil
    for request in inFlight.values { serverLoop.cancel(request.task) }
    inFlight = [:]
    pendingInput = []
    unfinishedFramer = nil
    output = []
    countHeldBytes()
    serverLoop.removeClosed(self)
  }
}
