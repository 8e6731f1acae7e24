import CLinux
import Glibc

/// An epoll instance whose watches end with their first event. Any thread may set one, also while another waits: no bell is needed.
public final class OneShotPoller: Sendable {
  private static let bellData = UInt64.max
  private let epoll: FileDescriptor
  private let bell: FileDescriptor

  public init() throws(SystemError) {
    epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll(), "create an epoll instance"))
    bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd(), "create an eventfd"))
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, bell.number, EPOLLIN.rawValue, Self.bellData), "watch an eventfd")
  }

  /// Watches a descriptor until it is ready, in place of what it was watched for before. It need not be taken out: one that is closed
  /// is watched no more.
  /// - Parameter name: what `wait` gives for it; below `UInt64.max`.
  public func watch(_ descriptor: Int32, for events: EventLoop.Events, as name: UInt64) throws(SystemError) {
    let wanted = events.rawValue | EPOLLONESHOT.rawValue
    if clinux_epoll_change(epoll.number, EPOLL_CTL_MOD, descriptor, wanted, name) == 0 { return }
    guard errno == ENOENT else { throw SystemError("watch a descriptor") }
    _ = try SystemError.check(clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, descriptor, wanted, name), "watch a descriptor")
  }

  /// The names of descriptors that are ready or hung up; none when somebody rang, or so many milliseconds have passed (-1: without a limit).
  public func wait(milliseconds: Int32) -> [UInt64] {
    var events = [UInt32](repeating: 0, count: 128)
    var names = [UInt64](repeating: 0, count: 128)
    let count = clinux_epoll_wait(epoll.number, &events, &names, 128, milliseconds)
    let ready = names.prefix(max(0, Int(count)))
    guard ready.contains(Self.bellData) else { return Array(ready) }
    var rings: UInt64 = 0
    _ = Glibc.read(bell.number, &rings, 8)
    return ready.filter { $0 != Self.bellData }
  }

  /// Ends a wait, or the next one.
  public func ring() {
    var one: UInt64 = 1
    // A full counter rings as well.
    _ = Glibc.write(bell.number, &one, 8)
  }
}
