import FaultySockets
import Glibc
import Linux

/// The daemon's end of a client's connection, whose system calls fail on demand.
final class ServerSocket {
  /// The faults of the system calls on a connection.
  enum Fault: CaseIterable {
    case sendFails, receiveFails, watchFails

    fileprivate var order: (call: faulty_call, errors: [Int32]) {
      switch self {
      case .sendFails: (FAULTY_SEND, [ENOBUFS, ENOMEM, ECONNRESET, EPIPE])
      case .receiveFails: (FAULTY_RECEIVE, [ECONNRESET, ENOMEM])
      case .watchFails: (FAULTY_ADD, [ENOMEM, ENOSPC])
      }
    }

    var name: String {
      switch self {
      case .sendFails: "socket: a send fails"
      case .receiveFails: "socket: a receive fails"
      case .watchFails: "socket: it cannot be watched"
      }
    }
  }

  /// The faults that do not end a connection.
  enum Delay {
    static let shortened = "socket: short reads and writes"
    static let blocked = "socket: the send buffer is full"
  }

  static var faultNames: Set<String> { Set(Fault.allCases.map(\.name)).union([Delay.shortened, Delay.blocked]) }

  struct Failure: Error {}
  fileprivate let socket: OpaquePointer

  /// The client's descriptor, which the client closes.
  let client: Int32

  /// A connection.
  /// - Parameter buffer: the size of the daemon's send buffer; 0 for the usual one.
  init(user: UInt32, buffer: Int32) throws {
    var client: Int32 = -1
    guard let socket = faulty_socket_create(user, buffer, &client) else { throw Failure() }
    (self.socket, self.client) = (socket, client)
  }

  deinit { faulty_socket_free(socket) }

  /// Lets the next such call after `after` calls fail.
  func fail(_ fault: Fault, after: Int, using random: inout some RandomNumberGenerator) {
    guard let error = fault.order.errors.randomElement(using: &random) else { return }
    faulty_socket_fail(socket, fault.order.call, error, after, 1)
  }

  /// Lets each call transfer at most `most` bytes.
  func shorten(to most: UInt32) { faulty_socket_shorten(socket, most) }

  var isAccepted: Bool { faulty_socket_is_accepted(socket) != 0 }

  /// True if a call failed that ends the connection.
  var hasFailed: Bool { Fault.allCases.contains { hasFailed($0) } }

  private func hasFailed(_ fault: Fault) -> Bool { faulty_socket_failures(socket, fault.order.call) > 0 }

  /// The names of the faults that happened.
  var faults: Set<String> {
    var names = Set(Fault.allCases.filter { hasFailed($0) }.map(\.name))
    if faulty_socket_shortened(socket) > 0 { names.insert(Delay.shortened) }
    if faulty_socket_blocked(socket) > 0 { names.insert(Delay.blocked) }
    return names
  }
}

/// A listening socket at which the scenario connects clients, and whose `accept` fails on demand.
final class Listener {
  /// The errors of accept(2).
  enum Fault: CaseIterable {
    case processFiles, systemFiles, memory, aborted

    fileprivate var error: Int32 {
      switch self {
      case .processFiles: EMFILE
      case .systemFiles: ENFILE
      case .memory: ENOMEM
      case .aborted: ECONNABORTED
      }
    }

    var name: String { "accept: \(String(cString: strerror(error)))" }
    /// True if the daemon closes the connection for which it has no descriptor.
    var closesConnection: Bool { self == .processFiles || self == .systemFiles }
  }

  private let socket: OpaquePointer
  /// The daemon's descriptor, which it closes.
  let descriptor: Int32
  /// The fault that was ordered last, and the failures before it.
  private var order: (fault: Fault, earlierFailures: Int)?

  init() throws {
    var descriptor: Int32 = -1
    guard let socket = faulty_listener_create(&descriptor) else { throw ServerSocket.Failure() }
    self.socket = socket
    self.descriptor = descriptor
  }

  deinit { faulty_socket_free(socket) }

  /// Connects a client.
  func connect(_ server: ServerSocket) throws {
    guard faulty_listener_offer(socket, server.socket) == 0 else { throw ServerSocket.Failure() }
  }

  /// Lets the next `count` calls fail.
  func fail(_ fault: Fault, count: Int) {
    order = (fault, faulty_socket_failures(socket, FAULTY_ACCEPT))
    faulty_socket_fail(socket, FAULTY_ACCEPT, fault.error, 0, count)
  }

  /// The ordered fault, if it happened.
  var fault: Fault? { order.flatMap { faulty_socket_failures(socket, FAULTY_ACCEPT) > $0.earlierFailures ? $0.fault : nil } }
}
