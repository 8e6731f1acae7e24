import CLinux
import Glibc

/// An epoll instance whose watches end with their first event. Any thread may set one, also while another waits: no bell is needed.
public final class OneShotPoller: Sendable {
  private static let bellData = UInt64.max
  /// Descriptors that one wait gives.
  private static let most = 128
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

  /// A descriptor that is ready, and is watched no more.
  public struct Ready: Sendable {
    public let name: UInt64
    public let events: EventLoop.Events
  }

  /// Descriptors that are ready or hung up; none when somebody rang, or so many milliseconds have passed (-1: without a limit).
  public func wait(milliseconds: Int32) -> [Ready] {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.most) { events in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.most) { names in
        let count = clinux_epoll_wait(epoll.number, events.baseAddress, names.baseAddress, Int32(Self.most), milliseconds)
        var ready: [Ready] = []
        for index in 0..<max(0, Int(count)) {
          if names[index] == Self.bellData {
            var rings: UInt64 = 0
            _ = Glibc.read(bell.number, &rings, 8)
          } else {
            ready.append(Ready(name: names[index], events: EventLoop.Events(rawValue: events[index])))
          }
        }
        return ready
      }
    }
  }

  /// Ends a wait, or the next one.
  public func ring() {
    var one: UInt64 = 1
    // A full counter rings as well.
    _ = Glibc.write(bell.number, &one, 8)
  }
}
