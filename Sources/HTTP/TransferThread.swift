import CCurl
import Glibc
import Linux
import PlacesKit
import Synchronization

/// The thread that makes all HTTP transfers. It sleeps until a socket is ready, a timer expires, or another thread posts a message.
///
/// `@unchecked Sendable`: only this thread uses the pools. All other state is constant or has a mutex.
final class TransferThread: @unchecked Sendable {
  /// A message of another thread to this thread.
  enum Message {
    case add(Transfer)
    case cancel(Transfer)
    case stop
  }
  private let limits: HTTPLimits
  private struct Inbox {
    var messages: [Message] = []
    /// True if the thread no longer reads the inbox.
    var isClosed = false
  }
  private let inbox = Mutex(Inbox())
  private let poller: OneShotPoller
  private let thread = Mutex<pthread_t?>(nil)
  private var pools: [ConnectionPoolKey: ConnectionPool] = [:]
  /// The same pools, by the numbers in the poller's tokens.
  private var poolsByNumber: [UInt32: ConnectionPool] = [:]
  private var lastPoolNumber: UInt32 = 0

  private static let isLibraryReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Starts the thread. Throws `connect` if the thread cannot be started.
  init(limits: HTTPLimits) throws(ProviderError) {
    guard TransferThread.isLibraryReady else { throw ProviderError(.connect, "libcurl could not be initialised") }
    do throws(SystemError) { poller = try OneShotPoller() } catch {
      throw ProviderError(.connect, "cannot wait for sockets: \(error)")
    }
    self.limits = limits

    // All signals are blocked while the thread is created, so that it inherits this mask. Another thread reads signals, and OpenSSL's
    // writes must not raise SIGPIPE.
    var allSignals = sigset_t()
    var previousMask = sigset_t()
    sigfillset(&allSignals)
    pthread_sigmask(SIG_SETMASK, &allSignals, &previousMask)
    defer { pthread_sigmask(SIG_SETMASK, &previousMask, nil) }
    var threadID = pthread_t()
    let result = pthread_create(
      &threadID, nil,
      { context in
        guard let context else { return nil }
        let thread = Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue()
        thread.run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(self).release()
      throw ProviderError(.connect, "could not create a thread for HTTP (errno \(result))")
    }
    thread.withLock { $0 = threadID }
  }

  /// Passes a message to the thread, which handles messages in the order of the calls.
  func post(_ message: Message) {
    let (wasEmpty, isClosed) = inbox.withLock { inbox in
      defer { if !inbox.isClosed { inbox.messages.append(message) } }
      return (inbox.messages.isEmpty, inbox.isClosed)
    }
    if isClosed {
      if case .add(let transfer) = message { transfer.finish(.failure(TransferThread.shutdownError)) }
    } else if wasEmpty {
      // One wake-up suffices for everything in the inbox.
      poller.wake()
    }
  }

  private static let shutdownError = ProviderError(.cancelled, "HTTP is shut down")

  /// Ends the thread and waits until it has ended.
  func stop() {
    let threadID: pthread_t? = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let threadID else { return }
    post(.stop)
    pthread_join(threadID, nil)
  }

  private func run() {
    while readInbox() {
      // Before the thread sleeps, it starts posted requests and returns complete responses.
      handleTimersAndCompletions(now: MonotonicClock.now())
      for ready in poller.wait(milliseconds: pollTimeout(now: MonotonicClock.now())) {
        let (number, socket) = ConnectionPool.poolAndSocket(of: ready.token)
        poolsByNumber[number]?.ready(socket, ready.events)
      }
    }
  }

  /// Handles expired timers and completed transfers, and closes pools that have been idle for too long.
  private func handleTimersAndCompletions(now: Int) {
    for (key, pool) in pools {
      pool.handleExpiredTimer(now: now)
      pool.finishCompletedTransfers(now: now)
      if let idleSince = pool.idleSince, now - idleSince >= limits.idleTimeout.milliseconds {
        pools[key] = nil
        poolsByNumber[pool.number] = nil
      }
    }
  }

  /// The milliseconds until the next timer expires or the next pool has been idle for too long; -1 if neither will happen.
  private func pollTimeout(now: Int) -> Int32 {
    let idleTimeout = limits.idleTimeout.milliseconds
    var nextTime = Int.max
    for pool in pools.values {
      if let timerExpiresAt = pool.timerExpiresAt { nextTime = min(nextTime, timerExpiresAt) }
      if let idleSince = pool.idleSince { nextTime = min(nextTime, idleSince + idleTimeout) }
    }
    return nextTime == .max ? -1 : Int32(clamping: max(0, nextTime - now))
  }

  /// Handles the posted messages. Returns false if the thread must stop.
  private func readInbox() -> Bool {
    var mustStop = false
    for message in takeMessages() {
      switch message {
      case .add(let transfer): add(transfer)
      case .cancel(let transfer):
        pools[transfer.request.poolKey]?.remove(transfer, now: MonotonicClock.now())
        transfer.finish(.failure(ProviderError(.cancelled, "the request was cancelled")))
      case .stop: mustStop = true
      }
    }
    if mustStop { shutDown() }
    return !mustStop
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
    // The cancellation of the transfer may have been posted before the transfer.
    guard !transfer.isFinished else { return }
    guard pool(of: transfer)?.add(transfer) == true else {
      return transfer.finish(.failure(ProviderError(.connect, "libcurl could not begin the transfer to \(transfer.request.host)")))
    }
  }

  /// The connection pool for a transfer; nil if memory for a new pool cannot be allocated.
  private func pool(of transfer: Transfer) -> ConnectionPool? {
    let key = transfer.request.poolKey
    if let pool = pools[key] { return pool }
    lastPoolNumber &+= 1
    let pool = ConnectionPool(number: lastPoolNumber, limits: transfer.limits, poller: poller, now: MonotonicClock.now())
    pools[key] = pool
    poolsByNumber[lastPoolNumber] = pool
    return pool
  }

  /// Ends the transfers in progress and those in the inbox, so that no caller waits forever.
  private func shutDown() {
    for pool in pools.values {
      for transfer in pool.transfersInProgress {
        pool.remove(transfer, now: 0)
        transfer.finish(.failure(TransferThread.shutdownError))
      }
    }
    pools = [:]
    poolsByNumber = [:]
    for case .add(let transfer) in takeMessages(closing: true) { transfer.finish(.failure(TransferThread.shutdownError)) }
  }
}
