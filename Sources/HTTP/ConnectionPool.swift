import CCurl
import Glibc
import Linux

/// The connections of one provider instance with one API key, and the transfers on them. A pool wraps a multi handle of libcurl, which
/// reports its sockets and its timeout through two callbacks. Only the HTTP thread uses a pool.
final class ConnectionPool {
  private let multi: UnsafeMutableRawPointer
  private var transfers: [ObjectIdentifier: EasyHandle] = [:]
  /// Handles of ended transfers. They are reused, because the creation of a handle is half of the cost of a transfer's setup.
  private var spareHandles: [UnsafeMutableRawPointer] = []
  private static let maxSpareHandles = 16
  /// The events for which libcurl waits on each socket.
  private var eventsBySocket: [Int32: EventLoop.Events] = [:]
  private let poller: OneShotPoller
  /// The pool's number, which distinguishes its sockets from those of other pools.
  let number: UInt32
  /// When libcurl must be called because its timer expires, in milliseconds of the monotonic clock; nil if no timer is set.
  private(set) var timerExpiresAt: Int?
  /// When the pool became idle, in milliseconds of the monotonic clock: at its creation, or when its last transfer ended. Nil while a
  /// transfer runs.
  private(set) var idleSince: Int?

  /// Nil if libcurl has no memory for a multi handle.
  init?(number: UInt32, limits: HTTPLimits, poller: OneShotPoller, now: Int) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    self.number = number
    self.poller = poller
    idleSince = now
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.connectionsPerHost)
    // The pool need not be retained, because it closes its multi handle when it is released.
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_multi_set_socket_watcher(
      multi,
      { _, socket, request, context, _ in
        guard let context else { return 0 }
        Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().watch(socket, request)
        return 0
      }, context)
    _ = ccurl_multi_set_timer(
      multi,
      { _, milliseconds, context in
        guard let context else { return 0 }
        Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds)
        return 0
      }, context)
  }

  deinit {
    // libcurl would call the callbacks while it closes the handle, and this object no longer exists then.
    _ = ccurl_multi_set_socket_watcher(multi, nil, nil)
    _ = ccurl_multi_set_timer(multi, nil, nil)
    for easy in transfers.values { curl_multi_remove_handle(multi, easy.raw) }
    for spare in spareHandles { curl_easy_cleanup(spare) }
    curl_multi_cleanup(multi)
  }

  /// Called when libcurl changes the events for which it waits on a socket.
  private func watch(_ socket: Int32, _ request: Int32) {
    switch request {
    case CURL_POLL_IN: watch(socket, for: .readable)
    case CURL_POLL_OUT: watch(socket, for: .writable)
    case CURL_POLL_INOUT: watch(socket, for: [.readable, .writable])
    // The poller may still report one event of the socket, which is then ignored.
    default: eventsBySocket[socket] = nil
    }
  }

  private func watch(_ socket: Int32, for events: EventLoop.Events) {
    eventsBySocket[socket] = events
    // If the socket cannot be watched, its transfers end at their time limits.
    try? poller.watch(socket, for: events, as: UInt64(number) << 32 | UInt64(UInt32(bitPattern: socket)))
  }

  /// The number of the pool and the socket in a token that `watch` has passed to the poller.
  static func poolAndSocket(of token: UInt64) -> (number: UInt32, socket: Int32) {
    (UInt32(token >> 32), Int32(truncatingIfNeeded: token))
  }

  private func setTimer(_ milliseconds: Int) {
    timerExpiresAt = milliseconds < 0 ? nil : MonotonicClock.now() + milliseconds
  }

  /// Begins a transfer. Returns false if libcurl rejects it.
  func add(_ transfer: Transfer) -> Bool {
    guard let easy = EasyHandle(transfer, reusing: spareHandles.popLast()), curl_multi_add_handle(multi, easy.raw) == CURLM_OK else {
      return false
    }
    transfers[ObjectIdentifier(transfer)] = easy
    idleSince = nil
    return true
  }

  /// Removes a transfer. If it is still running, libcurl closes its connection, or only its HTTP/2 stream if other
  /// transfers share the connection.
  func remove(_ transfer: Transfer, now: Int) {
    guard let easy = transfers.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
    curl_multi_remove_handle(multi, easy.raw)
    if spareHandles.count < ConnectionPool.maxSpareHandles { spareHandles.append(easy.release()) }
    if transfers.isEmpty { idleSince = now }
  }

  var transfersInProgress: [Transfer] { transfers.values.map(\.transfer) }

  /// Passes the events of a socket to libcurl. The poller's watch of the socket has ended with these events.
  func ready(_ socket: Int32, _ events: EventLoop.Events) {
    guard let watchedEvents = eventsBySocket[socket] else { return }
    var flags: Int32 = 0
    if events.contains(.readable) { flags |= CURL_CSELECT_IN }
    if events.contains(.writable) { flags |= CURL_CSELECT_OUT }
    if !events.isDisjoint(with: [.error, .hangUp]) { flags |= CURL_CSELECT_ERR }
    var runningCount: Int32 = 0
    curl_multi_socket_action(multi, socket, flags, &runningCount)
    // If libcurl still waits for the same events, it does not call the socket callback, so the watch is renewed here.
    if eventsBySocket[socket] == watchedEvents { watch(socket, for: watchedEvents) }
  }

  /// Calls libcurl if its timer has expired.
  func handleExpiredTimer(now: Int) {
    guard let timerExpiresAt, timerExpiresAt <= now else { return }
    self.timerExpiresAt = nil
    var runningCount: Int32 = 0
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &runningCount)
  }

  /// Finishes every transfer that libcurl has completed.
  func finishCompletedTransfers(now: Int) {
    var remainingCount: Int32 = 0
    while let message = curl_multi_info_read(multi, &remainingCount) {
      guard message.pointee.msg == CURLMSG_DONE, let context = ccurl_get_private(message.pointee.easy_handle) else { continue }
      // The result is copied now, because the removal of the handle frees the message.
      let code = ccurl_message_result(message)
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      guard let easy = transfers[ObjectIdentifier(transfer)] else { continue }
      let result = easy.result(of: code)
      remove(transfer, now: now)
      transfer.finish(result)
    }
  }
}
