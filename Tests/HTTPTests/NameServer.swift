import Foundation
import Glibc
import HTTP
import PlacesTesting
import Synchronization

/// A name server on its own loopback address, and clients that use only this server: each is started by a thread with a private mount of
/// /etc/resolv.conf that names it. That requires root; the C library has no other way.
final class NameServer: Sendable {
  static let isPossible = geteuid() == 0

  private let descriptor: Int32
  /// The address of every name (IPv4); nil to receive questions without answering.
  private let address: [UInt8]?
  private let folder: TemporaryFolder
  private let count = Mutex(0)

  /// Questions that came.
  var questions: Int { count.withLock { $0 } }

  init(answering address: [UInt8]?) throws {
    self.address = address
    folder = try TemporaryFolder()
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(53).bigEndian
    // Any of 16 million addresses, so that no two tests meet.
    var bytes: [UInt8] = []
    repeat {
      bytes = [127] + (0..<3).map { _ in UInt8.random(in: 1...254) }
      place.sin_addr.s_addr = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    } while !bind(to: place)
    try folder.write("nameserver \(bytes.map(String.init).joined(separator: "."))\noptions attempts:1 timeout:30\n", to: "resolv.conf")
    // Holds its own reference to nothing but the descriptor, and ends with it.
    Thread.detachNewThread { [descriptor, address, weak self] in
      var buffer = [UInt8](repeating: 0, count: 1_500)
      while true {
        var peer = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let received = withUnsafeMutablePointer(to: &peer) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length) }
        }
        guard received > 12, self?.count.withLock({ $0 += 1 }) != nil else { break }
        guard let address else { continue }
        let reply = NameServer.reply(to: Array(buffer.prefix(received)), address)
        _ = withUnsafePointer(to: &peer) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(descriptor, reply, reply.count, 0, $0, length) }
        }
      }
      close(descriptor)
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func bind(to place: sockaddr_in) -> Bool {
    withUnsafePointer(to: place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// The answer with one address (RFC 1035, section 4), or without one if the question is for IPv6.
  private static func reply(to question: [UInt8], _ address: [UInt8]) -> [UInt8] {
    let end = (question.dropFirst(12).firstIndex(of: 0) ?? 12) + 5
    let wantsIPv4 = question.count >= end && question[end - 3] == 1
    let header = Array(question.prefix(2)) + [0x81, 0x80, 0, 1, 0, wantsIPv4 ? 1 : 0, 0, 0, 0, 0]
    return header + question[12..<min(end, question.count)] + (wantsIPv4 ? [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4] + address : [])
  }

  /// Starts a client that asks this server for names.
  func start(_ client: HTTPClient) throws {
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let file = folder.file("resolv.conf")
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      outcome.withLock { outcome in
        outcome = Result {
          guard seeInsteadOfResolvConf(file) else { throw POSIXError(.init(rawValue: errno) ?? .EPERM) }
          try client.start()
        }
      }
      done.signal()
    }
    done.wait()
    try outcome.withLock { try $0?.get() }
  }
}

/// Moves the calling thread, and threads that it starts, to a private mount namespace (unshare(2), mount(2)). Swift's Glibc module lacks
/// these calls.
private func seeInsteadOfResolvConf(_ file: String) -> Bool {
  typealias Unshare = @convention(c) (Int32) -> Int32
  typealias Mount = @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?) -> Int32
  guard let unshare = dlsym(nil, "unshare"), let mount = dlsym(nil, "mount") else { return false }
  let (newMounts, bind, recursivelyPrivate): (Int32, UInt, UInt) = (0x20000, 0x1000, 0x4000 | 0x40000)
  let mounted = unsafeBitCast(mount, to: Mount.self)
  return unsafeBitCast(unshare, to: Unshare.self)(newMounts) == 0 && mounted(nil, "/", nil, recursivelyPrivate, nil) == 0
    && mounted(file, "/etc/resolv.conf", nil, bind, nil) == 0
}
