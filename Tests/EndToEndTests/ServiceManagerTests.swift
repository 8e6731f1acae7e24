import Foundation
import Glibc
import JSON
import PlacesTesting
import Testing

@Suite("A daemon that a service manager starts")
struct ServiceManagerTests {
  @Test("serves the passed socket, including earlier connections, and does not remove its path")
  func activation() async throws {
    let home = try Home()
    let listener = try Self.bind(home.folder.file("activated"), SOCK_STREAM)
    #expect(listen(listener, 16) == 0)
    // The manager listens; the client is quicker than the daemon.
    let early = try Connection(to: home.folder.file("activated"))
    try early.send(early.request("places.autocomplete", ["query": "suva"]).text + "\n")
    let setting = DaemonProcess.Setting(
      script: #"LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; exec "$@" 3<&0 </dev/null"#,
      input: FileHandle(fileDescriptor: listener, closeOnDealloc: true))
    try await withDaemon(home, in: setting) { daemon in
      let reply = try await early.reply()
      #expect(reply.ids == ["gazetteer:2193733"], "\(reply.text)")
      #expect(try await Connection(to: home.folder.file("activated")).suggest("suva").ids == ["gazetteer:2193733"])
      #expect(!FileManager.default.fileExists(atPath: home.socket), "a socket of its own beside the manager's")
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
    }
    #expect(FileManager.default.fileExists(atPath: home.folder.file("activated")))
  }

  @Test("does not start with sockets that it could not serve")
  func several() async throws {
    let home = try Home()
    let listener = try Self.bind(home.folder.file("activated"), SOCK_STREAM)
    #expect(listen(listener, 16) == 0)
    let setting = DaemonProcess.Setting(
      script: #"LISTEN_PID=$$ LISTEN_FDS=2; export LISTEN_PID LISTEN_FDS; exec "$@" 3<&0 4<&0 </dev/null"#,
      input: FileHandle(fileDescriptor: listener, closeOnDealloc: true))
    let daemon = try DaemonProcess(home, in: setting)
    #expect(try await daemon.exitCode() == 1)
    #expect(home.log.contains("2 sockets were passed, but only the first is served"), "\(home.log)")
  }

  @Test("does not start if LISTEN_FDS names a missing socket, and reports that")
  func absent() async throws {
    let home = try Home()
    let setting = DaemonProcess.Setting(script: #"LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; exec "$@" 3<&-"#)
    let daemon = try DaemonProcess(home, in: setting)
    #expect(try await daemon.exitCode() == 1)
    #expect(home.log.contains("LISTEN_FDS is set, but descriptor 3 is not open"), "\(home.log)")
  }

  /// Runs the rest of its arguments under the system call filter of the unit that the first one names (libseccomp).
  private static let filter = """
    import ctypes, os, sys
    names = {"arch_prctl"}
    for line in open(sys.argv[1]):
        if line.startswith("SystemCallFilter="): names |= set(line.strip().split("=", 1)[1].split())
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    filter = library.seccomp_init(ctypes.c_uint32(0x00050000 | 1))
    for name in names:
        number = library.seccomp_syscall_resolve_name(name.encode())
        assert number != -1, name
        library.seccomp_rule_add(ctypes.c_void_p(filter), ctypes.c_uint32(0x7fff0000), number, 0)
    assert library.seccomp_load(ctypes.c_void_p(filter)) == 0
    os.execv(sys.argv[2], sys.argv[2:])
    """

  @Test(
    "answers, calls services, restarts providers, reloads and stops under the system call filter of its units",
    arguments: ["system", "user"])
  func systemCalls(manager: String) async throws {
    let service = try PhotonService { _ in [.answer(PhotonService.berlin)] }
    defer { service.stop() }
    let home = try Home(providers: service.settings)
    let script = try home.folder.write(Self.filter, to: "filter.py")
    let unit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../etc/systemd/\(manager)/placesd.service")
    let setting = DaemonProcess.Setting(script: #"exec /usr/bin/python3 "\#(script)" "\#(unit.path)" "$@""#)
    try await withDaemon(home, in: setting) { daemon in
      let client = try await daemon.connect()
      try await client.ready("photon")
      #expect(try await client.suggest("suva").ids.contains("gazetteer:2193733"))
      try await eventually("the service's request") { service.asked.isEmpty ? nil : () }
      for method in ["cache.stats", "budget.get", "providers.list"] {
        #expect(try await client.call(method)["result"] != nil, "\(method)")
      }
      for process in try daemon.children() { kill(process, SIGKILL) }
      try await client.ready("photon")
      #expect(try await client.call("service.reload")["result"]?["reloaded"] == true)
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0, "\(home.log)")
    }
    #expect(!home.log.contains("not permitted"), "\(home.log)")
  }

  @Test("calls no service whose credential the manager did not pass")
  func credential() async throws {
    let home = try Home(withIndex: false)
    try home.configure(
      providers: """
        [providers.pelias]
        plugin = "pelias"
        enabled = true
        base_url = "https://pelias.example"
        credential = "pelias"
        """)
    try await withDaemon(home) { daemon in
      try await daemon.logged("LoadCredential=pelias:FILE")
      try await daemon.logged("provider pelias could not be started")
    }
    let check = try DaemonProcess(home, arguments: ["--check", "--config", home.configuration])
    #expect(try await check.exitCode() == 0, "the check needs no credential")
    #expect(home.log.contains("the credential \"pelias\" was not checked"), "\(home.log)")
  }

  @Test("sends no request to a service whose CA file it cannot read, also if the provider is enabled later")
  func authorities() async throws {
    let home = try Home(withIndex: false)
    try home.configure(
      providers: """
        [providers.pelias]
        plugin = "pelias"
        enabled = false
        base_url = "https://pelias.example"
        ca_file = "\(home.folder.file("none.pem"))"
        """)
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect().call("providers.enable", ["provider": "pelias"])
      try await daemon.logged("provider pelias could not be started")
      try await daemon.logged("none.pem cannot be read: No such file or directory")
    }
  }

  @Test("ignores LISTEN_FDS of another process")
  func foreign() async throws {
    let home = try Home()
    try await withDaemon(home, in: .init(environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"])) { daemon in
      let reply = try await daemon.suggest("suva")
      #expect(reply.ids == ["gazetteer:2193733"], "\(reply.text)")
    }
  }

  @Test("notifies the manager when it is ready, alive, reloading and stopping")
  func notifications() async throws {
    let home = try Home()
    let path = home.folder.file("notify")
    let inbox = try Self.bind(path, SOCK_DGRAM)
    defer { close(inbox) }
    try await withDaemon(home, in: .init(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "300000"])) { daemon in
      let ready = try await Self.notification("READY=1", in: inbox)
      #expect(ready.contains("STATUS=answering on \(home.socket)"))
      // Ready means that it answers now, without another try.
      #expect(try await Connection(to: home.socket).suggest("suva").ids == ["gazetteer:2193733"])
      for _ in 0..<2 { _ = try await Self.notification("WATCHDOG=1", in: inbox) }
      daemon.signal(SIGHUP)
      let reloading = try await Self.notification("RELOADING=1", in: inbox)
      let moment = reloading.first { $0.hasPrefix("MONOTONIC_USEC=") }.flatMap { Double($0.dropFirst(15)) }
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let age = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - (moment ?? 0) / 1e6
      #expect((0...15).contains(age), "\(reloading)")
      _ = try await Self.notification("READY=1", in: inbox)
      daemon.signal(SIGTERM)
      _ = try await Self.notification("STOPPING=1", in: inbox)
      #expect(try await daemon.exitCode() == 0)
    }
  }

  /// A Unix socket of the test's own.
  private static func bind(_ path: String, _ kind: __socket_type) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { room in room.copyBytes(from: path.utf8.prefix(room.count - 1)) }
    let descriptor = socket(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard bound else { throw Connection.Failure(description: "cannot bind \(path): \(String(cString: strerror(errno)))") }
    return descriptor
  }

  /// The lines of the next datagram that has a line; others are passed over.
  private static func notification(_ line: String, in inbox: Int32) async throws -> [String] {
    try await eventually("the notification \(line)") {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(inbox, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return nil }
      let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
      return lines.contains(line) ? lines : nil
    }
  }
}
