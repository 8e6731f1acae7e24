import CSeccomp
import Foundation
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PluginHost

/// Set once.
private final class Released: Sendable {
  private let state = Atomic(false)
  var isTrue: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
}

@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
  @Test("A provider in a process of its own answers like one inside the daemon")
  func sameBehaviour() async throws {
    try await withHosting { hosting, _ in
      for isolation in [InstanceDescription.Isolation.inProcess, .process] {
        let provider = try await hosting.start(.misbehaving(["greeting": "bonjour"], isolation: isolation)) { _ in .silent }
        let service = provider.service
        #expect(service is BoundedService)
        #expect(service.manifest.name == "Misbehaving")
        #expect(try await service.say("you") == "bonjour you")
        let failure = await #expect(throws: ProviderError.self) { try await service.say("fail") }
        #expect(failure == ProviderError(.quota, "told to fail", retryAfterSeconds: 7, detail: "WORD"))
        #expect(try await service.details(DetailsRequest(id: "1", fields: [.name])).name == "One")
        let missing = await #expect(throws: ProviderError.self) { try await service.details(DetailsRequest(id: "2", fields: [.name])) }
        #expect(missing?.cause == .notFound)
        #expect(try await service.probe() == "alive")
        await provider.stop()
      }
    }
  }

  @Test("What no provider may do fails inside its cage")
  func cage() async throws {
    // All others are refused by the filter of system calls.
    let others = [
      "clone3": "Function not implemented", "ioctl-input": "Inappropriate ioctl for device",
      "ioctl-console": "Inappropriate ioctl for device", "ioctl-owner": "Inappropriate ioctl for device",
      "ioctl-terminal": "Inappropriate ioctl for device",
    ]
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      var (lines, rows): ([String], [Suggestion]) = ([], [])
      repeat {
        rows = try await provider.service.autocomplete(AutocompleteRequest(query: "attempts \(lines.count)")).rows
        lines += rows.map(\.text.text)
      } while !rows.isEmpty
      #expect(lines.count >= 219)
      for line in lines {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let isFile = ["open", "create-"].contains { words[0].hasPrefix($0) } && !["open_tree", "open_by_handle_at"].contains(words[0])
        #expect(words[1] == others[words[0]] ?? (isFile ? "Permission denied" : "Operation not permitted"), "\(words[0])")
      }
      #expect(try await provider.service.say("attempt environment") == "SWIFT_BACKTRACE=enable=no")
      #expect(try await provider.service.say("still there") == "hello still there")
    }
  }

  @Test(
    "A provider neither reads nor changes the daemon's keys, ledger and configuration", arguments: ["key", "ledger.db", "placesd.toml"])
  func files(name: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", to: name)
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      for what in ["read", "write"] { #expect(try await provider.service.say("attempt \(what) \(path)") == "Permission denied") }
    }
  }

  @Test(
    "A provider uses the daemon's HTTP, storage and log",
    arguments: [InstanceDescription.Isolation.inProcess, .process])
  func world(isolation: InstanceDescription.Isolation) async throws {
    try await withHosting { hosting, lines in
      let storage = MemoryStorage()
      let provider = try await hosting.start(.misbehaving(isolation: isolation)) { _ in
        .with(storage: storage) { request throws(ProviderError) in
          guard request.host == "places.example" else { throw ProviderError(.plugin, "undeclared host") }
          return HTTPResponse(status: 203, body: Array("\(request.path) \(request.query)".utf8))
        }
      }
      let service = provider.service
      #expect(try await service.say("get places.example")?.hasPrefix("203 ") == true)
      #expect(try await service.say("get places.example")?.contains("ü") == true)
      let refused = await #expect(throws: ProviderError.self) { try await service.say("get elsewhere.example") }
      #expect(refused == ProviderError(.plugin, "undeclared host"))
      _ = try await service.say("keep a secret")
      #expect(try await service.say("kept") == "a secret")
      #expect(try await storage.value(for: "kept") == Array("a secret".utf8))
      _ = try await service.say("log")
      if isolation == .process { #expect(lines.all == ["m notice: a line of the log"]) }
    }
  }

  @Test(
    "Each request that leaves is counted for the call that it is made for, and none leaves for a call that is over",
    arguments: [InstanceDescription.Isolation.inProcess, .process])
  func counted(isolation: InstanceDescription.Isolation) async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving(isolation: isolation)) { _ in
        ProviderContext(
          id: "",
          send: { (request, meter) throws(ProviderError) in
            try await meter?.reserveAndSend()
            return HTTPResponse(status: 200, body: [])
          }, storage: MemoryStorage(), log: { _, _ in }, now: { 0 })
      }
      for (query, sends) in [("you", false), ("get places.example", true), ("fail", false)] {
        let meter = CountingMeter()
        _ = try? await provider.service.metered(by: meter).say(query)
        #expect((meter.sent > 0) == sends, "\(query)")
      }
      let settled = CountingMeter()
      settled.close()
      let refused = await #expect(throws: ProviderError.self) {
        try await provider.service.metered(by: settled).say("get places.example")
      }
      #expect(refused?.cause == .cancelled)
    }
  }

  @Test("All concurrent calls of a provider can send an HTTP request at the same time, and requests of ended calls do not block them")
  func crowd() async throws {
    try await withHosting { hosting, _ in
      let (fetches, signal) = AsyncStream.makeStream(of: Void.self)
      let provider = try await hosting.start(.misbehaving()) { _ in
        .with { _ throws(ProviderError) in
          signal.yield()
          await waitForCancellation()
          throw ProviderError(.cancelled, "cancelled")
        }
      }
      let crowd = Rate.maxConcurrent + 1
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<crowd { group.addTask { _ = try await provider.service.say("get places.example") } }
        // A refusal arrives first, and is thrown.
        group.addTask {
          var arrived = 0
          for await _ in fetches {
            arrived += 1
            if arrived == crowd { break }
          }
        }
        try await group.next()
        group.cancelAll()
      }
    }
  }

  @Test("Cancelling a call cancels its HTTP request")
  func cancelledFetch() async throws {
    try await withHosting { hosting, _ in
      let (fetches, signal) = AsyncStream.makeStream(of: String.self)
      let provider = try await hosting.start(.misbehaving()) { _ in
        .with { _ throws(ProviderError) in
          signal.yield("began")
          await waitForCancellation()
          signal.yield("cancelled")
          throw ProviderError(.cancelled, "cancelled")
        }
      }
      let process = provider.status.processID
      var heard = fetches.makeAsyncIterator()
      await withTaskGroup { group in
        group.addTask { _ = try? await provider.service.say("get places.example") }
        #expect(await heard.next() == "began")
        group.cancelAll()
      }
      #expect(await heard.next() == "cancelled")
      #expect(try await remains(for: 350) { provider.status.processID == process })
      #expect(try await provider.service.say("you") == "hello you")
      #expect(provider.status.processID == process, "who waited for the daemon did not hang")
    }
  }

  @Test("A provider that cannot start is reported, and its resources are released")
  func refusals() async throws {
    try await withHosting { hosting, _ in
      let refused = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(.misbehaving(["refuse": true])) { _ in .silent }
      }
      #expect(refused == ProviderStartError(.start, "m", "provider m cannot start: told to refuse"))
      let wrong = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(.misbehaving(["greeting": "hola"])) { _ in .silent }
      }
      #expect(wrong == ProviderStartError(.settings, "m", #"provider m: greeting must be one of "hello", "bonjour""#))
      let missing = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(InstanceDescription(id: "m", source: .plugin("none"))) { _ in .silent }
      }
      #expect(missing?.kind == .notFound)
      let relative = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(InstanceDescription(id: "m", source: .command(["python3"]))) { _ in .silent }
      }
      #expect(relative?.message.contains("absolute path") == true)
      let unreadable = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(InstanceDescription(id: "m", source: .command(["/etc/passwd"]))) { _ in .silent }
      }
      #expect(unreadable?.message.contains("/etc/passwd cannot be started: running it failed: Permission denied") == true)
    }
  }

  @Test("A cancelled start ends immediately, and leaves no process")
  func cancelledStart() async throws {
    try await withHosting { hosting, _ in
      let seconds = "3600.25"
      let began = ContinuousClock.now
      let error = await withTaskGroup(of: ProviderStartError?.self) { group in
        group.addTask {
          do throws(ProviderStartError) {
            _ = try await hosting.start(InstanceDescription(id: "m", source: .command(["/usr/bin/sleep", seconds]))) { _ in .silent }
            return nil
          } catch { return error }
        }
        try? await waitUntil { isRunning(seconds) }
        group.cancelAll()
        return await group.next() ?? nil
      }
      #expect(error?.message == "provider m was stopped while it started")
      try await waitUntil { !isRunning(seconds) }
      #expect(began.duration(to: .now) < .seconds(LifeCycle.Policy().firstStartLimit), "nobody waited for the handshake's limit")
    }
  }

  @Test(
    "The protected pages with a program's path are aligned for any page size", arguments: [4_096, 16_384, 65_536])
  func pages(size: Int) {
    var random = SeededRandom(seed: UInt64(size))
    for bytes in [1, 2, 4_095, 4_096, 4_097] {
      let address = UInt64.random(in: 20 << 40..<84 << 40, using: &random)
      for address in [address, address & ~0xFFFF, address | 0xFFFF] {
        var length = 0
        let start = cseccomp_pages(address, bytes, size, &length)
        #expect(start.isMultiple(of: UInt64(size)) && length.isMultiple(of: size))
        #expect(start <= address && address + UInt64(bytes) <= start + UInt64(length))
        #expect(length < bytes + 2 * size)
      }
    }
  }

  @Test("A program on a disk that does not answer affects only its own provider")
  func deadDisk() async throws {
    let folder = try TemporaryFolder()
    let program = folder.file("program")
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
    // Whoever opens the file now waits until the lease is given back, as for a disk.
    let file = open(program, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let (setSignal, setLease, getLease): (Int32, Int32, Int32) = (10, 1_024, 1_025)
    try #require(fcntl(file, setSignal, SIGURG) == 0 && fcntl(file, setLease, F_WRLCK) == 0)
    let time = ManualTime()
    try await withHosting(time: time) { hosting, _ in
      let running = try await hosting.start(.misbehaving()) { _ in .silent }
      let isOver = Released()
      let slow = Task { () async -> ProviderStartError? in
        defer { isOver.set() }
        do throws(ProviderStartError) {
          _ = try await hosting.start(InstanceDescription(id: "slow", source: .command([program, "3600.5"]))) { _ in .silent }
          return nil
        } catch { return error }
      }
      try await waitUntil { fcntl(file, getLease) != F_WRLCK }
      #expect(try await running.service.say("you") == "hello you")
      let next = try await hosting.start(.misbehaving()) { _ in .silent }
      #expect(try await next.service.say("you") == "hello you")
      #expect(!isOver.isTrue && !isRunning("3600.5"), "the slow one waits still")
      try await waitUntil {
        time.advance(by: 1)
        return isOver.isTrue
      }
      #expect(await slow.value?.message == "provider slow did not start within 5.0 s and was killed")
    }
  }

  /// Whether a process has this argument.
  private func isRunning(_ argument: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      let words = Int(process).flatMap { try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8) }
      return words?.hasSuffix("\0\(argument)\0") == true
    }
  }

  @Test("A library that is not a plugin is refused by its host with the linker's reason")
  func noPlugin() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("no library", to: "libText.so")
    try await withHosting { hosting, _ in
      let error = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(InstanceDescription(id: "m", source: .file(path))) { _ in .silent }
      }
      #expect(error?.kind == .unloadable)
      #expect(error?.message.contains("libText.so cannot be opened") == true)
    }
  }
}
