import CLinux
import Glibc

/// Blocks signals, and reads them on an event loop.
public enum Signals {
  /// Blocks these signals, and ignores SIGPIPE and SIGXFSZ. Must be called before any other thread exists, because threads inherit the mask
  /// of blocked signals.
  public static func prepare(_ signals: [Int32]) {
    clinux_ignore_write_signals()
    _ = clinux_block(bits(signals))
  }

  /// Unblocks these signals. Then they have their default effect, such as to end the process.
  public static func unblock(_ signals: [Int32]) { _ = clinux_unblock(bits(signals)) }

  /// Calls `receive` on the loop's thread with each of these signals that arrives. Must be called on that thread, or before the loop
  /// starts.
  public static func watch(_ signals: [Int32], on loop: EventLoop, _ receive: @escaping (Int32) -> Void) throws(SystemError) {
    let descriptor = FileDescriptor(owning: try SystemError.check(clinux_signalfd(bits(signals)), "create a signalfd"))
    let number = descriptor.number
    _ = try loop.add(number, .readable, SignalReader(descriptor, receive))
  }

  /// The set of signals in the form of `clinux_block`: bit 0 is signal 1.
  private static func bits(_ signals: [Int32]) -> UInt64 {
    signals.reduce(0) { 1...64 ~= $1 ? $0 | 1 << UInt64($1 - 1) : $0 }
  }
}

private final class SignalReader: EventHandler {
  private let descriptor: FileDescriptor
  private let receive: (Int32) -> Void

  init(_ descriptor: consuming FileDescriptor, _ receive: @escaping (Int32) -> Void) {
    self.descriptor = descriptor
    self.receive = receive
  }

  func ready(_ events: EventLoop.Events) {
    while true {
      let signal = clinux_read_signal(descriptor.number)
      guard signal > 0 else { return }
      receive(signal)
    }
  }
}
