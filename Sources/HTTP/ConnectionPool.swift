import CCurl
import Glibc

/// The connections of one instance and key, and the transfers on them: a multi handle of libcurl, which says through two callbacks
/// which sockets it waits for and until when. Used by the HTTP thread only.
final class ConnectionPool {
  private let multi: UnsafeMutableRawPointer
  private var transfers: [ObjectIdentifier: EasyHandle] = [:]
  /// What libcurl waits for, as poll(2) flags.
  private(set) var sockets: [Int32: Int16] = [:]
  /// When libcurl wants to be called, in milliseconds of the monotonic clock.
  private(set) var wakesAt: Int?
  /// Since when there is no transfer.
  private(set) var idleSince: Int?

  /// Nil where libcurl has no memory for one.
  init?(limits: HTTPLimits, now: Int) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    idleSince = now
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.connectionsPerHost)
    // Unretained: the pool outlives its multi handle, which its deinit closes.
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_multi_set_socket_watcher(
      multi,
      { _, socket, what, context, _ in
        guard let context else { return 0 }
        Unmanaged<ConnectionPool>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
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
    // Closing calls back, and nobody is there any more.
    _ = ccurl_multi_set_socket_watcher(multi, nil, nil)
    _ = ccurl_multi_set_timer(multi, nil, nil)
    for easy in transfers.values { curl_multi_remove_handle(multi, easy.raw) }
    curl_multi_cleanup(multi)
  }

  private func watch(_ socket: Int32, _ what: Int32) {
    switch what {
    case CURL_POLL_IN: sockets[socket] = Int16(POLLIN)
    case CURL_POLL_OUT: sockets[socket] = Int16(POLLOUT)
    case CURL_POLL_INOUT: sockets[socket] = Int16(POLLIN | POLLOUT)
    default: sockets[socket] = nil
    }
  }

  private func setTimer(_ milliseconds: Int) {
    wakesAt = milliseconds < 0 ? nil : MonotonicClock.now() + milliseconds
  }

  var isIdle: Bool { transfers.isEmpty }

  /// Begins a transfer; false where libcurl will not.
  func add(_ transfer: Transfer) -> Bool {
    guard let easy = EasyHandle(transfer), curl_multi_add_handle(multi, easy.raw) == CURLM_OK else { return false }
    transfers[ObjectIdentifier(transfer)] = easy
    idleSince = nil
    return true
  }

  /// Ends a transfer and closes its connection, or its stream where several share one.
  func remove(_ transfer: Transfer, now: Int) {
    guard let easy = transfers.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
    curl_multi_remove_handle(multi, easy.raw)
    if transfers.isEmpty { idleSince = now }
  }

  /// Every transfer under way.
  var underWay: [Transfer] { transfers.values.map(\.transfer) }

  func ready(_ socket: Int32, _ events: Int16) {
    var flags: Int32 = 0
    if events & Int16(POLLIN) != 0 { flags |= CURL_CSELECT_IN }
    if events & Int16(POLLOUT) != 0 { flags |= CURL_CSELECT_OUT }
    if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { flags |= CURL_CSELECT_ERR }
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, flags, &running)
  }

  func timePassed(now: Int) {
    guard let wakesAt, wakesAt <= now else { return }
    self.wakesAt = nil
    var running: Int32 = 0
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
  }

  /// Gives every finished transfer its outcome.
  func finish(now: Int) {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let context = ccurl_get_private(message.pointee.easy_handle) else { continue }
      // Copied now: removing the handle frees the message.
      let code = ccurl_message_result(message)
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      guard let easy = transfers[ObjectIdentifier(transfer)] else { continue }
      let outcome = easy.outcome(of: code)
      remove(transfer, now: now)
      transfer.finish(outcome)
    }
  }
}
