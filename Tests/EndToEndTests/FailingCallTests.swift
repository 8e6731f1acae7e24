import Foundation
import JSON
import PlacesTesting
import Testing

/// One system call of the daemon fails, wherever that may be.
@Suite("A daemon whose system calls fail", .serialized)
struct FailingCallTests {
  /// Calls, and errors that they may end with on a real machine.
  private static let kinds: [(names: String, error: Int32)] = [
    ("open,openat,openat2", EMFILE), ("open,openat,openat2", EACCES), ("read,readv,recvfrom,recvmsg", EIO), ("read,recvfrom", EINTR),
    ("pread64,preadv", EIO), ("write,writev", ENOSPC), ("write,writev,sendto", EINTR), ("pwrite64,pwritev", ENOSPC), ("pwrite64", EIO),
    ("fsync,fdatasync", EIO), ("ftruncate", EIO), ("mmap", ENOMEM), ("mremap,brk", ENOMEM), ("accept4", EMFILE), ("accept4", ECONNABORTED),
    ("epoll_ctl", ENOSPC), ("epoll_wait,epoll_pwait", EINTR), ("epoll_create1,eventfd2,pipe2,socketpair", EMFILE), ("socket", EMFILE),
    ("fcntl", EACCES), ("fstat,newfstatat,stat,lstat,statx", EIO), ("mkdir,mkdirat", ENOSPC), ("rename,unlink", EIO),
    ("getrandom", EINTR), ("setsockopt,getsockopt", ENOMEM), ("clone,clone3", EAGAIN), ("sendto", ENOBUFS),
  ]
  private static let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"
  private static let places = 1...60

  // The order of calls differs between machines, so that a place is not the same call everywhere.
  @Test(
    "answers, starts with less, or ends with a sentence; it does not hang",
    .enabled(if: isProving, "it tries many places, in make prove"), arguments: kinds.indices)
  func fails(kind: Int) async throws {
    for first in Self.places {
      let count = try await fail(Self.kinds[kind].names, with: Self.kinds[kind].error, first: first)
      // The daemon makes no more of these calls.
      if count < first { break }
    }
  }

  @Test(
    "ends with a sentence, or obeys SIGTERM, if what it waits with cannot be created",
    arguments: [("epoll_create1,eventfd2,signalfd4", EMFILE), ("epoll_ctl", ENOSPC)])
  func waiting(names: String, error: Int32) async throws {
    var first = 1
    while try await fail(names, with: error, first: first) >= first { first += 1 }
    #expect(first > 5, "\(names): only \(first - 1) calls")
  }

  @Test("closes the connection if a reply cannot be sent")
  func lostReply() async throws {
    let home = try Home()
    let daemon = try failing("sendto", with: ENOBUFS, first: 1, home)
    defer { daemon.kill() }
    let client = try await daemon.connect()
    try client.send(client.request("service.info", [:]).text + "\n")
    #expect(try await client.line() == nil)
    #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
  }

  @Test("refuses to start if its arguments cannot be read")
  func arguments() async throws {
    try await fail("read", with: EIO, first: 1)
  }

  private func failing(_ names: String, with error: Int32, first: Int, _ home: Home) throws -> DaemonProcess {
    let tool = "\(try DaemonProcess.programs)/system-calls"
    return try DaemonProcess(home, in: .init(wrapper: [tool, "fail", names, "\(error)", "\(first)", "1"]))
  }

  /// Lets one call fail and checks the daemon's behaviour; the number of such calls of the daemon.
  @discardableResult
  private func fail(_ names: String, with error: Int32, first: Int) async throws -> Int {
    let home = try Home()
    let what = "\(names) \(first) fails with \(String(cString: strerror(error)))"
    let daemon = try failing(names, with: error, first: first, home)
    defer { daemon.kill() }
    guard let connection = try? await daemon.connect() else {
      try #require(!daemon.isRunning, "\(what): it neither listens nor ends:\n\(home.log)")
      try await expectReason(daemon, what)
      return calls(home)
    }
    // Each of these may meet the failure: an error is an answer, and so is a closed connection.
    for method in ["cache.stats", "budget.get", "service.info"] { _ = try? await connection.call(method) }
    let isAnswered = try await eventually("an answer or the end", within: 10, every: .milliseconds(20)) { () -> Bool? in
      let answer = try? await Connection(to: home.socket).suggest("suva")
      return answer?["result"] != nil ? true : daemon.isRunning ? nil : false
    }
    // It may listen before it finds that it cannot go on; then it ends with the reason.
    guard isAnswered else {
      try await expectReason(daemon, what)
      return calls(home)
    }
    daemon.signal(SIGTERM)
    let code = try await daemon.exitCode(within: 9)
    #expect(code == 0, "\(what): exit \(code):\n\(home.log)")
    return calls(home)
  }

  /// Checks that the daemon ended with a sentence on standard error.
  private func expectReason(_ daemon: DaemonProcess, _ what: String) async throws {
    let code = try await daemon.exitCode(within: 1)
    #expect(code != 0 && daemon.home.log.contains(" cannot "), "\(what): exit \(code):\n\(daemon.home.log)")
  }

  /// The number of calls, which the program that lets them fail prints at its end.
  private func calls(_ home: Home) -> Int { home.log.split(separator: "\n").last.flatMap { Int($0) } ?? 0 }
}
