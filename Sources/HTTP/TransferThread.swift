import CCurl
import Glibc
import PlacesKit
import Synchronization

/// The thread that does all HTTP: it sleeps in poll(2) until a socket is ready, a time has come, or somebody posts.
///
/// `@unchecked Sendable`: `pools` belongs to the thread alone from its first moment to its last; the rest is locked or constant.
final class TransferThread: @unchecked Sendable {
  enum Message {
    case add(Transfer)
    case cancel(Transfer)
    case stop
  }
  private let limits: HTTPLimits
  private struct Inbox {
    var messages: [Message] = []
    /// Nobody reads it any more.
    var isClosed = false
  }
  private let inbox = Mutex(Inbox())
  private let wakeEnd: Int32
  private let sleepEnd: Int32
  private let thread = Mutex<pthread_t?>(nil)
  private var pools: [PoolName: ConnectionPool] = [:]

  private static let libraryReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(limits: HTTPLimits) throws(ProviderError) {
    guard TransferThread.libraryReady else { throw ProviderError(.connect, "libcurl could not be initialised") }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProviderError(.connect, "no pipe for the HTTP thread (errno \(errno))") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    self.limits = limits
    (sleepEnd, wakeEnd) = (ends[0], ends[1])

    // Signals are read elsewhere; and OpenSSL's writes must not raise SIGPIPE here. The new thread inherits the mask.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var identity = pthread_t()
    let result = pthread_create(
      &identity, nil,
      { context in
        guard let context else { return nil }
        let thread = Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue()
        thread.run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(self).release()
      throw ProviderError(.connect, "no thread for HTTP (errno \(result))")
    }
    thread.withLock { $0 = identity }
  }

  deinit {
    close(wakeEnd)
    close(sleepEnd)
  }

  /// Hands the thread something to do, in the order of posting.
  func post(_ message: Message) {
    let (wasEmpty, isClosed) = inbox.withLock { inbox in
      defer { if !inbox.isClosed { inbox.messages.append(message) } }
      return (inbox.messages.isEmpty, inbox.isClosed)
    }
    if isClosed {
      if case .add(let transfer) = message { transfer.finish(.failure(TransferThread.closed)) }
    } else if wasEmpty {
      // One byte wakes for all that is in the box.
      var byte: UInt8 = 1
      _ = write(wakeEnd, &byte, 1)
    }
  }

  private static let closed = ProviderError(.cancelled, "HTTP is shut down")

  /// Ends the thread and waits for that.
  func stop() {
    let identity: pthread_t? = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let identity else { return }
    post(.stop)
    pthread_join(identity, nil)
  }

  private func run() {
    while readInbox() {
      let now = MonotonicClock.now()
      var watched: [pollfd] = [pollfd(fd: sleepEnd, events: Int16(POLLIN), revents: 0)]
      var owners: [ConnectionPool] = []
      for pool in pools.values {
        for (socket, events) in pool.sockets {
          watched.append(pollfd(fd: socket, events: events, revents: 0))
          owners.append(pool)
        }
      }
      let ready = poll(&watched, nfds_t(watched.count), pollTimeout(now: now))
      if ready > 0 {
        if watched[0].revents != 0 { emptyPipe() }
        for (watch, pool) in zip(watched.dropFirst(), owners) where watch.revents != 0 { pool.ready(watch.fd, watch.revents) }
      }
      settle(now: MonotonicClock.now())
    }
  }

  /// Times that have come, transfers that are done, pools that nobody uses any more.
  private func settle(now: Int) {
    for (name, pool) in pools {
      pool.timePassed(now: now)
      pool.finish(now: now)
      if let since = pool.idleSince, now - since >= limits.idle.milliseconds { pools[name] = nil }
    }
  }

  /// Milliseconds until something is due; -1 for never.
  private func pollTimeout(now: Int) -> Int32 {
    let idle = limits.idle.milliseconds
    let due = pools.values.compactMap { pool in pool.idleSince.map { min($0 + idle, pool.wakesAt ?? .max) } ?? pool.wakesAt }.min()
    guard let due else { return -1 }
    return Int32(clamping: max(0, due - now))
  }

  private func emptyPipe() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(sleepEnd, &bytes, 16) > 0 {}
  }

  /// Does what was posted; false when it was to stop.
  private func readInbox() -> Bool {
    var stops = false
    for message in takeMessages() {
      switch message {
      case .add(let transfer): add(transfer)
      case .cancel(let transfer):
        pools[transfer.request.pool]?.remove(transfer, now: MonotonicClock.now())
        transfer.finish(.failure(ProviderError(.cancelled, "the request was cancelled")))
      case .stop: stops = true
      }
    }
    if stops { closeDown() }
    return !stops
  }

  private func takeMessages(closing: Bool = false) -> [Message] {
    inbox.withLock { inbox in
      defer {
        inbox.messages.removeAll()
        inbox.isClosed = closing
      }
      return inbox.messages
    }
  }

  private func add(_ transfer: Transfer) {
    // Its cancellation may have come first.
    guard !transfer.isFinished else { return }
    let name = transfer.request.pool
    let pool = pools[name] ?? ConnectionPool(limits: transfer.limits, now: MonotonicClock.now())
    pools[name] = pool
    guard let pool, pool.add(transfer) else {
      transfer.finish(.failure(ProviderError(.connect, "libcurl could not begin the transfer to \(transfer.request.host)")))
      return
    }
  }

  /// Ends what is under way and what was posted since, so that nobody waits for ever.
  private func closeDown() {
    for pool in pools.values {
      for transfer in pool.underWay {
        pool.remove(transfer, now: 0)
        transfer.finish(.failure(TransferThread.closed))
      }
    }
    pools = [:]
    for case .add(let transfer) in takeMessages(closing: true) { transfer.finish(.failure(TransferThread.closed)) }
  }
}
