import Foundation
import JSON
import PlacesTesting
import Testing

/// A pseudoterminal (pty(7)), and the output written to it.
private final class PseudoTerminal {
  let screen: Int32
  let line: Int32
  private var seen: [UInt8] = []

  init() throws {
    // Swift's Glibc lacks posix_openpt(3) and its family; these are the requests that they make (ioctl_tty(2)).
    let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, index): (Int32, UInt32) = (0, 0)
    guard screen >= 0, ioctl(screen, unlock, &locked) == 0, ioctl(screen, number, &index) == 0 else {
      throw Connection.Failure(description: "no terminal is to be had: \(String(cString: strerror(errno)))")
    }
    line = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit {
    close(line)
    close(screen)
  }

  /// The terminal's modes.
  var flags: [UInt32] {
    var mode = termios()
    tcgetattr(line, &mode)
    return [mode.c_iflag, mode.c_oflag, mode.c_lflag]
  }

  func press(_ keys: String) { _ = keys.withCString { write(screen, $0, strlen($0)) } }

  /// Waits until a text has been drawn since the last time.
  func shows(_ text: String) async throws {
    try await eventually("'\(text)' on the terminal") { () -> Void? in
      var wanted = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while poll(&wanted, 1, 0) == 1 {
        let count = read(screen, &buffer, buffer.count)
        guard count > 0 else { break }
        seen += buffer.prefix(count)
      }
      guard let found = Data(seen).range(of: Data(text.utf8)) else { return nil }
      seen.removeFirst(found.upperBound)
      return ()
    }
  }
}

@Suite("placesctl suggest --interactive on a terminal")
struct TypingTests {
  private func start(_ terminal: PseudoTerminal, _ socket: String, output: Pipe) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(try DaemonProcess.programs)/placesctl")
    process.arguments = ["suggest", "-i", "--socket", socket, "--jsonl"]
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle(fileDescriptor: terminal.line)
    process.standardError = FileHandle(fileDescriptor: terminal.line)
    process.standardOutput = output
    try process.run()
    return process
  }

  @Test("Typing, the arrow keys and Enter print the place on standard output, and the terminal is restored")
  func choice() async throws {
    try await withDaemon(Home()) { daemon in
      _ = try await daemon.connect()
      let terminal = try PseudoTerminal()
      let before = terminal.flags
      let output = Pipe()
      let process = try start(terminal, daemon.home.socket, output: output)
      defer { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }
      try await terminal.shows("> ")
      #expect(terminal.flags != before)
      for key in ["p", "a", "r"] { terminal.press(key) }
      try await terminal.shows("> par")
      try await terminal.shows("Texas")
      terminal.press("\u{1B}[B")
      try await terminal.shows("› Paris, Texas")
      terminal.press("\r")
      try await eventually("the end") { process.isRunning ? nil : () }
      #expect(process.terminationStatus == 0)
      let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      #expect(try JSONValue(parsing: text.split(separator: "\n").joined())["place"]?["id"] == "gazetteer:4717560", "\(text)")
      #expect(terminal.flags == before)
    }
  }

  @Test("Esc, Ctrl-C, a signal and a crash restore the terminal", arguments: ["\u{1B}", "\u{03}", "TERM", "HUP", "SEGV"])
  func leaving(_ way: String) async throws {
    try await withDaemon(Home()) { daemon in
      _ = try await daemon.connect()
      let terminal = try PseudoTerminal()
      let before = terminal.flags
      let process = try start(terminal, daemon.home.socket, output: Pipe())
      defer { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }
      try await terminal.shows("> ")
      #expect(terminal.flags != before)
      let signals = ["TERM": SIGTERM, "HUP": SIGHUP, "SEGV": SIGSEGV]
      if let signal = signals[way] { Glibc.kill(process.processIdentifier, signal) } else { terminal.press(way) }
      try await eventually("the end") { process.isRunning ? nil : () }
      #expect(process.terminationStatus == signals[way] ?? 1)
      #expect((process.terminationReason == .uncaughtSignal) == (signals[way] != nil))
      #expect(terminal.flags == before)
    }
  }
}
