import Foundation
import JSON
import PlacesTesting
import Testing

/// System calls of the daemon fail, wherever that may be: one of them, or again and again while it serves.
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

  /// Errors of a machine that lacks descriptors, memory, threads and room on its disk, and of signals, at any call of a running daemon and its
  /// providers.
  private static let all = [
    "open,openat,openat2=\(EMFILE)", "recvfrom,recvmsg=\(ECONNRESET)", "read,readv,recvfrom=\(EINTR)", "pread64,preadv=\(EIO)",
    "write,writev,sendto=\(EINTR)", "pwrite64,pwritev=\(ENOSPC)", "pwrite64=\(EIO)", "fsync,fdatasync,ftruncate=\(EIO)",
    "accept4=\(EMFILE)", "accept4=\(ENOMEM)", "epoll_ctl=\(ENOMEM)", "epoll_wait,epoll_pwait,poll,ppoll=\(EINTR)", "sendto=\(ENOBUFS)",
    "eventfd2,pipe2,socketpair,socket,connect=\(EMFILE)", "fstat,newfstatat,stat,lstat,statx=\(EIO)", "mkdir,mkdirat=\(ENOSPC)",
    "rename,unlink=\(EIO)", "getrandom=\(EINTR)", "clone,clone3,fork,vfork=\(EAGAIN)",
  ].joined(separator: ":")
  private static let seeds: [Int] = isProving ? Array(1...40) : [1, 2]
  private static let periods = [2, 3, 5, 7, 11, 13, 17, 19, 23]

  @Test("serves, and neither hangs, traps nor forgets spending, if one in a hundred of all calls fails", arguments: seeds)
  func random(seed: Int) async throws {
    // With 16 requests, no call failed for one of the forty seeds.
    try await disturb(Self.all, period: 100, seed: seed, requests: 64, spendsAgain: Self.isProving)
  }

  @Test(
    "serves or ends with a sentence, and neither hangs nor forgets spending, if every nth of all calls fails",
    arguments: isProving ? periods : [3, 11])
  func regular(period: Int) async throws { try await disturb(Self.all, period: period, seed: 0, answers: period >= 11) }

  @Test(
    "serves, and neither hangs, traps nor forgets spending, if every nth call of a kind fails",
    .enabled(if: isProving, "it runs eighty daemons, in make prove"), arguments: kinds.indices, [2, 5, 11])
  func regular(kind: Int, period: Int) async throws {
    let (names, error) = Self.kinds[kind]
    try await disturb("\(names)=\(error)", period: period, seed: 0, answers: names != "sendto" || period > 2)
  }

  /// Starts a daemon with a paid provider and sends paid requests. Then lets calls fail, and sends more. Ends the daemon, and checks that its
  /// ledger contains every request that the service received.
  /// - Parameters:
  ///   - requests: the number of requests while calls fail.
  ///   - answers: whether it must answer more than a quarter of the requests. If so many calls fail that a request hardly ever gets an
  ///     answer, the daemon may also end, by itself or through a library that traps, with a sentence.
  ///   - spendsAgain: whether it must send a paid request again, which it does after it has read the ledger.
  private func disturb(
    _ rules: String, period: Int, seed: Int, requests: Int = 16, answers mustAnswer: Bool = true, spendsAgain: Bool = false
  ) async throws {
    let what = "period \(period), seed \(seed), \(rules)"
    let service = try ScriptedServer { _ in
      [.answer(#"{"suggestions": [{"placePrediction": {"placeId": "A1", "text": {"text": "Berlin, Germany"}, "types": ["locality"]}}]}"#)]
    }
    defer { service.stop() }
    let home = try Home()
    try home.configureGoogle(at: service.url, "budget = { calls_per_day = \(Self.callsPerDay), user_share = 1 }")
    let tool = "\(try DaemonProcess.programs)/system-calls"
    let daemon = try DaemonProcess(home, in: .init(wrapper: [tool, "disturb", rules, "\(period)", "\(seed)"]))
    defer { daemon.kill() }
    let client = try await daemon.connect()
    try await client.ready("google")
    for number in 1...Self.undisturbedRequests { _ = try await client.suggest("paris \(number)") }
    #expect(service.requests.count == Self.undisturbedRequests)
    daemon.signal(SIGUSR1)
    var connection: Connection?
    /// Whether a request gets an answer.
    func isAnswered(_ query: String) async throws -> Bool {
      do {
        connection = try connection ?? Connection(to: home.socket)
        return try await connection?.suggest(query, ["deadlineMs": 200]) != nil
      } catch let timeout as ConditionTimeout {
        throw timeout
      } catch {
        // The daemon may close a connection whose calls fail.
        connection = nil
        return false
      }
    }
    /// Whether the budget allows no further request. A request that may have been sent counts, so that the service may have received fewer.
    func isBudgetSpent() async -> Bool {
      let reply = try? await connection?.call("budget.get", ["provider": "google"])
      return reply?["result"]?["providers"]?[0]?["month"]?["spent"]?["calls"]?.integer == Self.callsPerDay
    }
    var answers = 0
    for number in 1...requests where daemon.isRunning { answers += try await isAnswered("berlin \(number)") ? 1 : 0 }
    if spendsAgain, service.requests.count < Self.callsPerDay {
      let sent = service.requests.count
      var number = requests
      try await eventually("\(what): another paid request", within: 60, every: .milliseconds(100)) {
        number += 1
        _ = try await isAnswered("berlin \(number)")
        if service.requests.count > sent { return () }
        guard await isBudgetSpent() else { return nil }
        print("\(what): the budget was spent after \(service.requests.count) requests at the service")
        return ()
      }
    }
    connection = nil
    daemon.signal(SIGTERM)
    let code = try await daemon.exitCode()
    let isExplained =
      code < 128 ? home.log.contains(" cannot ") : !mustAnswer && code == 128 + SIGILL && home.log.contains("cannot continue: signal ILL")
    #expect(code == 0 || isExplained, "\(what): exit \(code):\n\(home.log.suffix(2_000))")
    // A loop that retries a call without a pause makes more.
    #expect(calls(home) < 3_000, "\(what): \(calls(home)) calls failed")
    #expect(calls(home) > 0 || rules != Self.all, "\(what): no call failed")
    #expect(answers > requests / 4 || !mustAnswer, "\(what): \(answers) replies")
    try await expectSpending(service.requests.count, home, what)
  }

  private static let undisturbedRequests = 3
  private static let callsPerDay = 12

  /// Checks that the service received no more requests than the ledger counts and the budget allows.
  private func expectSpending(_ sent: Int, _ home: Home, _ what: String) async throws {
    try await withDaemon(home) { daemon in
      let reply = try await daemon.connect().call("budget.get", ["provider": "google"])
      let account = reply["result"]?["providers"]?[0]
      #expect(account != nil && account?["needsConfirmation"] == nil, "\(what): the ledger is in doubt: \(reply.text)")
      let month = account?["month"]
      let counted = ["spent", "reserved"].reduce(0) { $0 + Int(month?[$1]?["calls"]?.integer ?? 0) }
      #expect(sent <= counted && counted <= Self.callsPerDay, "\(what): \(sent) requests sent, \(counted) counted: \(reply.text)")
    }
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
