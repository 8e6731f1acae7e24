import Glibc
import Synchronization

/// Writes log lines to a descriptor on its own thread, so that the threads that log never wait for the descriptor's reader. If too many
/// lines wait, further lines are dropped and counted, and a later line reports their number.
///
/// `@unchecked Sendable`: a semaphore may be used by several threads, and all other state is in `queue`.
public final class LogWriter: @unchecked Sendable {
  private struct Queue {
    var lines: [[UInt8]] = []
    /// The size of the queued lines in bytes.
    var byteCount = 0
    /// The number of dropped lines that no line has reported yet.
    var unreportedDropCount = 0
    /// The number of lines that were dropped since the writer was created.
    var droppedCount = 0
    /// True while the thread writes lines that it has taken from the queue.
    var isWriting = false
    var hasThread = false
  }

  /// The writer to standard error.
  public static let standardError = LogWriter(descriptor: 2)

  private let queue = Mutex(Queue())
  /// The semaphore for which the thread waits. It is posted for each line that is added to an empty queue.
  private let work = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let descriptor: Int32
  private let capacity: Int

  /// - Parameters:
  ///   - descriptor: a descriptor that must stay open as long as the writer is used.
  ///   - capacity: the maximum number of bytes of waiting lines.
  public init(descriptor: Int32, capacity: Int = 256 << 10) {
    self.descriptor = descriptor
    self.capacity = capacity
    sem_init(work, 0, 0)
  }

  /// The number of lines that were dropped since the writer was created.
  public var droppedCount: Int { queue.withLock { $0.droppedCount } }

  /// Queues a line, which ends with a line break. Returns at once.
  public func write(_ line: String) {
    let bytes = Array(line.utf8)
    let (isFirst, needsThread) = queue.withLock { queue in
      guard queue.byteCount + bytes.count <= capacity else {
        queue.unreportedDropCount += 1
        queue.droppedCount += 1
        return (false, false)
      }
      queue.lines.append(bytes)
      queue.byteCount += bytes.count
      defer { queue.hasThread = true }
      return (queue.lines.count == 1, !queue.hasThread)
    }
    if needsThread { startThread() }
    if isFirst { sem_post(work) }
  }

  /// Waits until all queued lines are written, but at most this many seconds. Called before the process ends.
  public func flush(within seconds: Double) {
    let end = monotonicSeconds() + seconds
    while queue.withLock({ !$0.lines.isEmpty || $0.isWriting }), monotonicSeconds() < end { usleep(500) }
  }

  /// Starts the thread, which runs as long as the process. If no thread can be created, the next line tries again.
  private func startThread() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<LogWriter>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      return queue.withLock { $0.hasThread = false }
    }
    pthread_detach(thread)
  }

  /// Waits for lines and writes them, forever.
  private func run() {
    while true {
      while sem_wait(work) != 0 {}
      let (lines, unreportedDropCount) = queue.withLock { queue in
        defer {
          queue.lines = []
          queue.byteCount = 0
          queue.unreportedDropCount = 0
          queue.isWriting = true
        }
        return (queue.lines, queue.unreportedDropCount)
      }
      for line in lines { writeLine(line) }
      if unreportedDropCount > 0 {
        writeLine(Array("<4>\(unreportedDropCount) lines were dropped: standard error was not read fast enough\n".utf8))
      }
      queue.withLock { $0.isWriting = false }
    }
  }

  /// Writes a whole line, and blocks until it is written. If the write fails, the remainder of the line is dropped.
  private func writeLine(_ line: [UInt8]) {
    line.withUnsafeBytes { bytes in
      var writtenCount = 0
      while writtenCount < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + writtenCount }, bytes.count - writtenCount)
        if count > 0 {
          writtenCount += count
        } else if errno == EAGAIN {
          var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&writable, 1, -1)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
