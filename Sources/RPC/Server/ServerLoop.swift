import Linux

/// The event loop of a server, with the server's connections, users and totals.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
final class ServerLoop: EventHandler, @unchecked Sendable {
  let loop: EventLoop
  let handler: any RequestHandler
  let options: ServerOptions
  let log: Log
  let tasks: RequestTaskQueue
  let gauges: ServerGauges
  private let time: () -> Double

  /// The state of each user with connections, requests in flight or held bytes, by the user's id.
  private var statesByUser: [UInt32: UserState] = [:]
  /// The users whose connections wait for turns, in the order of these turns.
  private var waitingUsers: [UserState] = []
  /// The connections whose output is sent when this round ends.
  private var connectionsToFlush: [Connection] = []
  /// True if the loop will call `ready` at the end of the round.
  private var hasRequestedCallback = false
  private var connectionCount = 0 { didSet { gauges.connections.store(connectionCount, ordering: .relaxed) } }
  private var inFlight = 0 { didSet { gauges.inFlight.store(inFlight, ordering: .relaxed) } }
  private var heldBytes = 0 { didSet { gauges.heldBytes.store(heldBytes, ordering: .relaxed) } }
  /// The tasks of notifications that have not ended. They may outlive their connections.
  private var runningNotifications: [RequestNumber: RequestTask] = [:]
  private(set) var isDraining = false
  private var isFinished = false
  /// True while the final input before the end is processed, for which turns no longer apply.
  private var isReadingFinalInput = false
  /// True from the time at which the server is full until a tenth of its connections have been closed, which is checked once a second.
  private(set) var connectionsAreScarce = false
  /// The number of connections when the server was most recently full.
  private var connectionsWhenFull = 0
  /// Spare buffers for connections that have output, so that an idle connection needs none.
  private var spareBuffers: [[UInt8]] = []
  /// The user who sent the latest input; `UInt32.max` before the first one.
  @exclusivity(unchecked) private var latestInputUser = UInt32.max
  /// The number of the current turn, in which each user has one budget of requests and bytes. A turn ends with a round of the loop; while
  /// several users are active, it lasts at least `options.turnSeconds`.
  private(set) var turn: UInt64 = 0
  /// The bytes of messages longer than `options.turnBytes` that may be read in a turn.
  private var largeMessages = TurnBudget()
  /// The monotonic time before which the turn does not end while several users are active.
  private var turnEnd = 0.0
  /// True if a timer will continue with the waiting input when the turn ends.
  private var hasTurnTimer = false
  /// The outline of the request that is being read.
  let outline = RequestOutline()

  init(
    loop: EventLoop, handler: any RequestHandler, options: ServerOptions, log: Log, tasks: RequestTaskQueue = RequestTaskQueue(),
    gauges: ServerGauges = ServerGauges(), time: @escaping () -> Double = monotonicSeconds
  ) {
    self.loop = loop
    self.handler = handler
    self.options = options
    self.log = log
    self.tasks = tasks
    self.gauges = gauges
    self.time = time
  }

  var now: Double { time() }

  /// The state of a user. It is created if the user has none.
  func userState(of user: UInt32) -> UserState {
    if let userState = statesByUser[user] { return userState }
    let userState = UserState(user: user, isLimited: !options.unlimitedUsers.contains(user))
    statesByUser[user] = userState
    return userState
  }

  private func forgetIfUnused(_ userState: UserState) { if userState.isUnused { statesByUser[userState.user] = nil } }

  // MARK: Connections

  /// Admits or refuses a connection.
  /// - Returns: the reason if the connection is refused; nil if it is admitted, or if it is dropped because the loop has ended.
  func admit(_ socket: consuming FileDescriptor, number: UInt64, caller: Peer) -> String? {
    guard !isFinished else { return nil }
    let userState = userState(of: caller.user)
    defer { forgetIfUnused(userState) }
    if userState.isLimited, userState.connections.count >= options.connectionsPerUser {
      return refuse(socket, "A user may have at most \(options.connectionsPerUser) connections; close some of them.")
    }
    let isPrivileged = handler.isPrivileged(caller)
    let reserved = isPrivileged ? 0 : options.privilegedConnections
    let lacksDescriptors = Int(socket.number) >= options.clientDescriptors - reserved
    func isFull() -> Bool { connectionCount >= options.connections - reserved || lacksDescriptors }
    if isFull() { beginScarcity() }
    // `beginScarcity` may have closed connections.
    guard !isFull() || closeIdleConnection(for: userState, isPrivileged: isPrivileged) else {
      let resource = lacksDescriptors ? "file descriptors left" : "room"
      return refuse(socket, "The daemon has no \(resource) for another connection; close some, or connect again in a moment.")
    }
    let connection = Connection(socket, number: number, caller: caller, userState: userState, serverLoop: self)
    do throws(SystemError) {
      try connection.begin()
      userState.add(connection)
      connectionCount += 1
    } catch { return "\(error)" }
    return nil
  }

  /// Assigns the connection's later requests to the user on whose behalf its peer acts. That user's limits and turns apply to them.
  /// - Returns: the error if that fails; otherwise nil.
  func assign(_ connection: Connection, to user: UInt32) -> RPCError? {
    let (oldState, newState) = (connection.userState, userState(of: user))
    guard oldState !== newState else {
      connection.move(to: newState, as: Peer(represented: user))
      return nil
    }
    defer {
      forgetIfUnused(oldState)
      forgetIfUnused(newState)
    }
    if newState.isLimited, newState.connections.count >= options.connectionsPerUser {
      return .overloaded("A user may have at most \(options.connectionsPerUser) connections; close some of them.", retryAfterMs: 1_000)
    }
    guard oldState.remove(connection) else { return .invalidRequest("The connection is closed.") }
    connection.move(to: newState, as: Peer(represented: user))
    newState.add(connection)
    return nil
  }

  /// Sends the reason to the client as an error, and returns it.
  private func refuse(_ socket: consuming FileDescriptor, _ reason: String) -> String {
    var message: [UInt8] = []
    MessageEncoding.append(.error(.overloaded(reason, retryAfterMs: 1_000)), id: RequestID.null.raw, to: &message)
    message.append(0x0A)
    _ = socket.send(message.span)
    return reason
  }

  /// Closes an idle connection to make room for a new connection of `newcomer`: of the user with the most idle connections, the one that
  /// has been idle for the longest time. If the new connection is not privileged, only a user with more connections than `newcomer` can
  /// lose one. Returns false if no connection can be closed.
  private func closeIdleConnection(for newcomer: UserState, isPrivileged: Bool) -> Bool {
    let candidates = statesByUser.values.filter { $0 !== newcomer && (isPrivileged || $0.connections.count > newcomer.connections.count) }
    let idleConnections = candidates.map { userState in userState.connections.values.filter { $0.isIdle(at: now) } }
    let mostIdle = idleConnections.max { ($0.count, $0.first?.userState.user ?? 0) < ($1.count, $1.first?.userState.user ?? 0) }
    guard let oldest = mostIdle?.min(by: { ($0.lastActiveRound, $0.number) < ($1.lastActiveRound, $1.number) }) else { return false }
    let (user, count) = (oldest.userState.user, oldest.userState.connections.count)
    log(.warning, "scarce", "closed an idle connection of user \(user), who has \(count): connections are scarce")
    oldest.close()
    return true
  }

  /// Records that the server is full. Until connections are no longer scarce, rejects requests that arrive too slowly.
  private func beginScarcity() {
    connectionsWhenFull = connectionCount
    guard !connectionsAreScarce else { return }
    connectionsAreScarce = true
    rejectSlowRequests()
  }

  /// While connections are scarce, rejects requests that arrive too slowly. Their connections then close.
  private func rejectSlowRequests() {
    guard connectionsAreScarce, !isFinished else { return }
    for userState in statesByUser.values { for connection in userState.connections.values { connection.rejectIfSlow(at: now) } }
    // Connections stop being scarce at nine tenths of the number at which the server was full. The configured maximum is not compared,
    // because the daemon's other files may leave descriptors for fewer connections.
    if connectionCount <= connectionsWhenFull * 9 / 10 {
      connectionsAreScarce = false
    } else {
      loop.after(1) { [weak self] in self?.rejectSlowRequests() }
    }
  }

  /// Removes a connection that was closed.
  func removeClosed(_ connection: Connection) {
    guard connection.userState.remove(connection) else { return }
    connectionCount -= 1
    forgetIfUnused(connection.userState)
  }

  /// Changes the number of bytes that are held for the user. Returns false if the number grows and is now above a limit.
  func changeHeldBytes(by change: Int, of userState: UserState) -> Bool {
    userState.heldBytes += change
    heldBytes += change
    guard change > 0 else { return true }
    let isWithinUserLimit = !userState.isLimited || userState.heldBytes <= options.heldBytesPerUser
    return isWithinUserLimit && (heldBytes <= options.heldBytes || userState.heldBytes <= options.reservedHeldBytes)
  }

  // MARK: Turns

  /// Records that the user sent input.
  func recordInput(of user: UInt32) {
    guard user != latestInputUser else { return }
    if latestInputUser != .max { gauges.recordUserChange(at: now) }
    latestInputUser = user
  }

  /// The number of bytes that may still be read from the user in this turn.
  func remainingBytes(of userState: UserState) -> Int { isReadingFinalInput ? .max : userState.remainingBytes(inTurn: turn, options) }

  /// The number of bytes of a message that may be read from the user in this turn.
  /// - Parameter readBytes: the number of bytes of the message that were read in earlier turns.
  func remainingBytes(of userState: UserState, after readBytes: Int) -> Int {
    let remaining = remainingBytes(of: userState)
    guard !isReadingFinalInput, readBytes + remaining > options.turnBytes,
      largeMessages.remaining(inTurn: turn, perTurn: options.turnLargeMessageBytes) == 0
    else { return remaining }
    // The budget for large messages is used up. At most `turnBytes` of the message are read, because it may still turn out to be small.
    return min(remaining, max(0, options.turnBytes - readBytes))
  }

  /// Counts bytes that were read in this turn.
  /// - Parameter messageLength: the length of the message if its end was read.
  func charge(_ userState: UserState, _ bytes: Int, messageLength: Int? = nil) {
    userState.charge(bytes, requests: messageLength == nil ? 0 : 1)
    guard let messageLength, messageLength > options.turnBytes else { return }
    // A large message is charged once more at its end, when it is parsed as a whole.
    userState.charge(messageLength, requests: 0)
    largeMessages.charge(messageLength)
  }

  /// Queues a connection with unprocessed input for a turn. The turns of the other waiting users come first.
  func queueForTurn(_ connection: Connection) {
    requestCallback()
    connection.userState.queueForTurn(connection)
    queueIfWaiting(connection.userState)
  }

  private func queueIfWaiting(_ userState: UserState) {
    guard userState.hasWaitingConnections, !userState.isQueued else { return }
    userState.isQueued = true
    waitingUsers.append(userState)
  }

  /// Sends the connection's output at the end of the loop's round. If each reply were sent at once, it would wake its client, and the
  /// kernel might run the client before the next reply is sent.
  func flushAtEndOfRound(_ connection: Connection) {
    guard !connection.awaitsFlush else { return }
    connection.awaitsFlush = true
    connectionsToFlush.append(connection)
    requestCallback()
  }

  private func flushOutput() {
    // `Connection.flushOutput` appends nothing to the list, so this ends.
    while let connection = connectionsToFlush.popLast() { connection.flushOutput() }
  }

  private func requestCallback() {
    if !hasRequestedCallback { loop.callAtEndOfRound(self) }
    hasRequestedCallback = true
  }

  /// Sends the output of this round, and processes the waiting input of each user, as much as the turn allows.
  func ready(_ events: EventLoop.Events) {
    flushOutput()
    hasRequestedCallback = false
    let states = waitingUsers
    waitingUsers = []
    for userState in states {
      userState.isQueued = false
      // A connection whose message has not ended queues itself again, behind the others.
      let connections = userState.takeWaitingConnections()
      var servedCount = 0
      while servedCount < connections.count, remainingBytes(of: userState) > 0 {
        connections[servedCount].takeTurn()
        servedCount += 1
      }
      userState.returnWaitingConnections(connections[servedCount...])
      queueIfWaiting(userState)
    }
    flushOutput()
    endTurn()
  }

  /// Ends the turn if it may end, and continues with the waiting input in the next one. While several users are active, a turn has a
  /// minimum length, so that one user's input, however much, does not occupy a processor.
  private func endTurn() {
    if gauges.hasSeveralUsers(at: now) {
      let now = now
      guard now >= turnEnd else {
        if !waitingUsers.isEmpty { setTurnTimer(after: turnEnd - now) }
        return
      }
      turnEnd = now + options.turnSeconds
    }
    turn += 1
    if !waitingUsers.isEmpty { requestCallback() }
  }

  private func setTurnTimer(after seconds: Double) {
    guard !hasTurnTimer else { return }
    hasTurnTimer = true
    loop.after(seconds) { [weak self] in
      self?.hasTurnTimer = false
      self?.requestCallback()
    }
  }

  // MARK: Requests

  /// The cached reply to the request that `outline` describes; nil if there is none.
  func cachedReply(to text: Span<UInt8>, maxBytes: Int, user: UInt32) -> CachedResult? {
    handler.cachedReply(to: text, outline, maxBytes: maxBytes, user: user)
  }

  /// The reason why no more requests of the user may run now; nil if they may.
  func refusal(of userState: UserState) -> String? {
    if inFlight >= options.inFlight { return "The daemon is busy; ask again in a moment." }
    guard userState.isLimited, userState.inFlight >= options.inFlightPerUser else { return nil }
    return "A user may have \(options.inFlightPerUser) requests in flight; wait for replies."
  }

  func start(_ task: RequestTask, of userState: UserState) {
    userState.inFlight += 1
    inFlight += 1
    if task.context.id == nil { runningNotifications[task.number] = task }
    tasks.add(.start(task))
  }

  func cancel(_ task: RequestTask) { tasks.add(.cancel(task)) }

  /// Records that the task of a request or notification has ended.
  func taskEnded(_ task: RequestNumber, of userState: UserState) {
    runningNotifications[task] = nil
    userState.inFlight -= 1
    inFlight -= 1
    forgetIfUnused(userState)
    finishIfDrained()
  }

  // MARK: Buffers

  /// Lends a spare output buffer to a connection that has no output yet.
  func lendBuffer(to connection: Connection) {
    if connection.output.isEmpty, let buffer = spareBuffers.popLast() { connection.output = buffer }
  }

  /// Takes the buffer back after all output was sent.
  func returnBuffer(of connection: Connection) {
    guard connection.output.isEmpty else { return }
    // A buffer that a large reply has made larger than 16 KiB is released. Thus the spare buffers take at most 2 MiB: 128 times 16 KiB.
    let buffer = exchange(&connection.output, with: [])
    if spareBuffers.count < 128, 1...1 << 14 ~= buffer.capacity { spareBuffers.append(buffer) }
  }

  // MARK: Ending

  private var connections: [Connection] { statesByUser.values.flatMap(\.connections.values) }

  /// Refuses new requests from now on. Ends the loop when the requests in flight have their replies, but at the latest after `seconds`.
  func drain(within seconds: Double) {
    guard !isDraining else { return }
    isDraining = true
    loop.after(seconds) { [weak self] in
      guard let self, !isFinished else { return }
      for connection in connections { connection.cancelAll() }
      finish()
    }
    finishIfDrained()
  }

  /// If the server drains, and the output that was just sent was the last, ends the server.
  func checkDrain() {
    if isDraining, !isFinished { loop.enqueue { [weak self] in self?.finishIfDrained() } }
  }

  private func finishIfDrained() {
    guard isDraining, !isFinished, inFlight == 0 else { return }
    let connections = connections
    guard connections.allSatisfy(\.output.isEmpty) else { return }
    // Requests that have arrived in the meantime, or wait for a turn, are processed, so that they are refused.
    isReadingFinalInput = true
    for connection in connections { connection.receiveFinalInput() }
    finish()
  }

  /// Closes all connections, cancels all tasks and ends the loop.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    isDraining = true
    flushOutput()
    for connection in connections { connection.close() }
    for task in runningNotifications.values { cancel(task) }
    loop.stop()
  }
}
