import CTerminal
import Glibc
import Linux
import Synchronization

/// The terminal of the interactive list. It is a protocol, so that tests need no terminal.
protocol TypingTerminal: Sendable {
  /// Sets the terminal to deliver each key immediately and without echo, and returns the keys. The stream ends when the terminal is closed.
  func open() throws(SystemError) -> AsyncStream<TerminalKey>
  func draw(_ text: String)
  func size() -> (columns: Int, rows: Int)
  /// Restores the settings that the terminal had before `open`.
  func close()
}

/// The terminal of this process: keys from standard input, the list on standard error, so that standard output stays for data.
final class ProcessTerminal: TypingTerminal {
  /// The loop that reads the keys; nil if the terminal is not open.
  private let loop = Mutex<EventLoop?>(nil)

  /// Nil if standard input or standard error is not a terminal.
  init?(isInteractive: Bool) {
    guard isInteractive, isatty(STDIN_FILENO) == 1 else { return nil }
  }

  func open() throws(SystemError) -> AsyncStream<TerminalKey> {
    guard cterminal_keys(STDIN_FILENO) == 0 else { throw SystemError("set up the terminal") }
    // 4,096 keys are more than a user types ahead.
    let (keys, keyInput) = AsyncStream.makeStream(of: TerminalKey.self, bufferingPolicy: .bufferingOldest(4_096))
    let loop = try EventLoop(name: "keys")
    try loop.start()
    loop.enqueue {
      do { _ = try loop.add(STDIN_FILENO, .readable, KeyReader(loop, keyInput)) } catch { keyInput.finish() }
    }
    self.loop.withLock { $0 = loop }
    return keys
  }

  func draw(_ text: String) { Console.writeAll(text, STDERR_FILENO) }

  func size() -> (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
  }

  func close() {
    loop.withLock { loop in
      loop?.stop()
      loop = nil
    }
    cterminal_restore(STDIN_FILENO)
  }
}

/// Reads keys from standard input on the loop's thread.
private final class KeyReader: EventHandler {
  private let loop: EventLoop
  private let keyInput: AsyncStream<TerminalKey>.Continuation
  private var decoder = KeyDecoder()
  /// Ends the wait for the rest of a key's bytes.
  private var timer: TimerQueue.ID?

  init(_ loop: EventLoop, _ keyInput: AsyncStream<TerminalKey>.Continuation) {
    self.loop = loop
    self.keyInput = keyInput
  }

  func ready(_ events: EventLoop.Events) {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      keyInput.finish()
      loop.stop()
      return
    }
    if let timer { loop.cancel(timer) }
    timer = nil
    for key in decoder.take(buffer.prefix(count)) { keyInput.yield(key) }
    guard let limit = decoder.timeLimit else { return }
    timer = loop.after(limit) { [self] in for key in decoder.flush() { keyInput.yield(key) } }
  }
}
