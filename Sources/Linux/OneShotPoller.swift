import CLinux
import Glibc

/// An epoll instance whose watches end with their first event. Any thread may add a watch, even while another thread waits.
public final class OneShotPoller: Sendable {
  private static let wakeData = UInt64.max
  /// The maximum number of descriptors that one wait returns.
  private static let maxEvents = 128
  private let epoll: FileDescriptor
  private let wakeEvent: FileDescriptor

  public init() throws(SystemError) {
    epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll(), "create an epoll instance"))
    wakeEvent = FileDescriptor(owning: try SystemError.check(clinux_eventfd(), "create an eventfd"))
    _ = try SystemError.check(
      clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, wakeEvent.number, EPOLLIN.rawValue, Self.wakeData), "watch an eventfd")
  }

  /// Watches a descriptor until it is ready. An earlier watch of the same descriptor is replaced. The kernel removes a descriptor that is
  /// closed.
  /// - Parameter token: identifies the descriptor in the result of `wait`. It must be below `UInt64.max`.
  public func watch(_ descriptor: Int32, for events: EventLoop.Events, as token: UInt64) throws(SystemError) {
    let eventMask = events.rawValue | EPOLLONESHOT.rawValue
    if clinux_epoll_change(epoll.number, EPOLL_CTL_MOD, descriptor, eventMask, token) == 0 { return }
    guard errno == ENOENT else { throw SystemError("watch a descriptor") }
    _ = try SystemError.check(clinux_epoll_change(epoll.number, EPOLL_CTL_ADD, descriptor, eventMask, token), "watch a descriptor")
  }

  /// A descriptor that is ready, and whose watch has ended.
  public struct Ready: Sendable {
    public let token: UInt64
    public let events: EventLoop.Events
  }

  /// Waits until a watched descriptor is ready or has hung up, until `wake` is called, or for this many milliseconds (-1 for no limit).
  /// Returns the descriptors that are ready or have hung up; empty if there are none.
  public func wait(milliseconds: Int32) -> [Ready] {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.maxEvents) { events in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.maxEvents) { tokens in
        let count = clinux_epoll_wait(epoll.number, events.baseAddress, tokens.baseAddress, Int32(Self.maxEvents), milliseconds)
        var ready: [Ready] = []
        for index in 0..<max(0, Int(count)) {
          if tokens[index] == Self.wakeData {
            var wakeCount: UInt64 = 0
            _ = FileDescriptor.result { Glibc.read(wakeEvent.number, &wakeCount, 8) }
          } else {
            ready.append(Ready(token: tokens[index], events: EventLoop.Events(rawValue: events[index])))
          }
        }
        return ready
      }
    }
  }

  /// Ends the current wait, or the next one.
  public func wake() {
    var one: UInt64 = 1
    // The write fails only if the counter is full. Then the descriptor is already readable.
    _ = Glibc.write(wakeEvent.number, &one, 8)
  }
}
