import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import Storage

@Suite("State of administrators and providers")
struct StateTests {
  @Test("overrides survive a restart and can be removed")
  func overrides() async throws {
    let folder = try TemporaryFolder()
    let log = Log()
    let store = StateStore(path: folder.file("state.json"), log: log.write)
    try await store.override("google", enabled: false)
    try await store.override("photon", enabled: true)
    #expect(StateStore(path: folder.file("state.json"), log: log.write).overrides == ["google": false, "photon": true])
    try await store.override("google", enabled: nil)
    #expect(StateStore(path: folder.file("state.json"), log: log.write).overrides == ["photon": true])
    #expect(log.lines.isEmpty)
  }

  @Test(
    "a file that cannot be parsed is set aside and reported",
    arguments: ["", "{", "[]", "{\"version\":2,\"enabled\":{}}", "{\"version\":1,\"enabled\":{\"a\":1}}"])
  func damaged(text: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "state.json")
    let log = Log()
    let store = StateStore(path: folder.file("state.json"), log: log.write)
    #expect(store.overrides.isEmpty && log.lines.count == 1)
    #expect(Files.exists(folder.file("state.json.bad")))
    try await store.override("a", enabled: true)
    #expect(StateStore(path: folder.file("state.json"), log: log.write).overrides == ["a": true])
  }

  @Test("if a damaged file may have disabled a provider, its state is uncertain until it is set, also in later runs")
  func doubt() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state.json")
    try folder.write(#"{"version":1,"enabled":{"photon":fal"#, to: "state.json")
    let (log, uncertain) = (Log(), Set(["google", "photon", "pelias"]))
    #expect(uncertain.allSatisfy(StateStore(path: path, uncertain: uncertain, log: log.write).isUncertain))
    // The lost file cannot have disabled a provider that was configured later.
    let store = StateStore(path: path, uncertain: uncertain.union(["new"]), log: log.write)
    #expect(uncertain.allSatisfy(store.isUncertain) && !store.isUncertain("new") && log.lines.count == 1)
    try await store.override("photon", enabled: true)
    try await store.override("pelias", enabled: false)
    let later = StateStore(path: path, uncertain: uncertain, log: log.write)
    #expect(later.isUncertain("google") && !later.isUncertain("photon") && !later.isUncertain("pelias"))
    #expect(later.overrides == ["photon": true, "pelias": false])
  }

  @Test("an unreadable file, and damage that cannot be recorded, keep the state uncertain")
  func lastingDoubt() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state.json")
    try folder.write("{", to: "state.json")
    let obstacle = path + ".new"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    for _ in 0..<2 { #expect(StateStore(path: path, uncertain: ["photon"], log: { _, _ in }).isUncertain("photon")) }
    try FileManager.default.removeItem(atPath: obstacle)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(StateStore(path: path, uncertain: ["photon"], log: { _, _ in }).isUncertain("photon"))
    try FileManager.default.removeItem(atPath: path)
    #expect(!StateStore(path: path, uncertain: ["photon"], log: { _, _ in }).isUncertain("photon"), "nothing was ever switched")
  }

  @Test("an override that cannot be stored has no effect")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    let store = StateStore(path: folder.file("missing/state.json"), log: { _, _ in })
    await #expect(throws: StateError.self) { try await store.override("a", enabled: true) }
    #expect(store.overrides.isEmpty)
  }

  @Test("a rejected key is known at the next start, only with the same configuration, and the file does not contain the key")
  func refusedKeys() async throws {
    let folder = try TemporaryFolder()
    let (path, log, time) = (folder.file("refused.json"), Log(), ManualTime())
    let (old, new) = (RejectedKeys.checksum(of: ["url", "secret-key"]), RejectedKeys.checksum(of: ["url", "other-key"]))
    #expect(old != new && old != RejectedKeys.checksum(of: ["urls", "ecret-key"]))
    let first = RejectedKeys(path: path, time: time, log: log.write)
    await first.record("google", rejected: old)
    await first.record("pelias", rejected: old)
    await first.record("pelias", rejected: nil)
    let second = RejectedKeys(path: path, time: time, log: log.write)
    #expect(
      second.isRejected("google", checksum: old) && !second.isRejected("google", checksum: new)
        && !second.isRejected("pelias", checksum: old))
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("secret"))
    await second.forget("google", unless: old)
    #expect(second.isRejected("google", checksum: old))
    await second.forget("google", unless: new)
    #expect(!RejectedKeys(path: path, time: time, log: log.write).isRejected("google", checksum: old))
    #expect(log.lines.isEmpty)
  }

  @Test("if it cannot be stored, a rejected key is known until the daemon ends; a damaged file is ignored")
  func unkeptRefusal() async throws {
    let folder = try TemporaryFolder()
    let (log, time) = (Log(), ManualTime())
    let store = RejectedKeys(path: folder.file("missing/refused.json"), time: time, log: log.write)
    await store.record("google", rejected: 7)
    #expect(store.isRejected("google", checksum: 7) && log.lines.count == 1)
    try folder.write("{\"version\":1,\"refused\":[7]}", to: "refused.json")
    #expect(!RejectedKeys(path: folder.file("refused.json"), time: time, log: log.write).isRejected("google", checksum: 7))
  }

  @Test("an unreadable file is not overwritten, and is used once it can be read")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state.json")
    let kept = #"{"version":1,"enabled":{"google":false}}"#
    try folder.write(kept + String(repeating: " ", count: 1 << 20), to: "state.json")
    let log = Log()
    let store = StateStore(path: path, log: log.write)
    #expect(store.overrides.isEmpty && log.lines.count == 1)
    await #expect(throws: StateError.self) { try await store.override("photon", enabled: true) }
    #expect(try Files.read(path, limit: 2 << 20)?.count == kept.utf8.count + 1 << 20)
    try folder.write(kept, to: "state.json")
    try await store.override("photon", enabled: true)
    #expect(store.overrides == ["google": false, "photon": true])
    #expect(StateStore(path: path, log: log.write).overrides == ["google": false, "photon": true])
  }

  @Test("a file that is read only when an override is set has no effect if the override cannot be stored")
  func unkeptReading() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state.json")
    try folder.write(String(repeating: " ", count: (1 << 20) + 1), to: "state.json")
    let store = StateStore(path: path, log: { _, _ in })
    try folder.write(#"{"version":1,"enabled":{"google":false}}"#, to: "state.json")
    let obstacle = path + ".new"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    await #expect(throws: StateError.self) { try await store.override("photon", enabled: true) }
    #expect(store.overrides.isEmpty)
    try FileManager.default.removeItem(atPath: obstacle)
    try await store.override("photon", enabled: true)
    #expect(store.overrides == ["google": false, "photon": true])
  }

  @Test("two processes of one provider share its storage and its limits")
  func lives() async throws {
    let folder = try TemporaryFolder()
    let storages = ProviderValueStores(parent: folder.file("storage"))
    let (first, second) = (storages["p"], storages["p"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, life) in [first, second].enumerated() {
        group.addTask {
          for _ in 0..<20 {
            try await life.set([UInt8](repeating: UInt8(number), count: 64 << 10), for: "0")
            let value = try await life.value(for: "0")
            #expect(value?.count == 64 << 10 && Set(value ?? []).count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<16 { try await (number % 2 == 0 ? first : second).set([UInt8](repeating: 0, count: 64 << 10), for: "\(number)") }
    for life in [first, second] { await #expect(throws: ProviderError.self) { try await life.set([1], for: "one more") } }
    try await storages["q"].set([1], for: "another's")
  }

  @Test("a provider finds the values that it stored under any key, and no values of other providers")
  func storage() async throws {
    let folder = try TemporaryFolder()
    let keys = ["a", "A", "../../etc/passwd", "é/\u{0}", String(repeating: "k", count: 80), ".", "a b"]
    let storage = ProviderValueStore(parent: folder.file("storage"), instance: "../google")
    for key in keys { try await storage.set(Array("value of \(key)".utf8), for: key) }
    let again = ProviderValueStore(parent: folder.file("storage"), instance: "../google")
    for key in keys { #expect(try await again.value(for: key) == Array("value of \(key)".utf8)) }
    #expect(try await ProviderValueStore(parent: folder.file("storage"), instance: "b").value(for: "a") == nil)
    try await again.set(nil, for: "a")
    #expect(try await again.value(for: "a") == nil)
    #expect(Files.names(in: folder.path) == ["storage"], "nothing lands elsewhere")
  }

  @Test("a provider cannot exceed the limits of its storage")
  func limits() async throws {
    let folder = try TemporaryFolder()
    let storage = ProviderValueStore(parent: folder.file("storage"), instance: "p")
    await #expect(throws: ProviderError.self) { try await storage.set([UInt8](repeating: 0, count: (64 << 10) + 1), for: "a") }
    for number in 0..<16 { try await storage.set([UInt8](repeating: 0, count: 64 << 10), for: "\(number)") }
    await #expect(throws: ProviderError.self) { try await storage.set([1], for: "one more") }
    try await storage.set(nil, for: "0")
    try await storage.set([1], for: "one more")
    await #expect(throws: ProviderError.self) { try await storage.set([1], for: "") }
    let empty = ProviderValueStore(parent: folder.file("storage"), instance: "empty")
    for number in 0..<256 { try await empty.set([], for: "\(number)") }
    await #expect(throws: ProviderError.self) { try await empty.set([], for: "one more") }
    try await empty.set([1], for: "0")
    await #expect(throws: ProviderError.self) { try await storage.value(for: String(repeating: "k", count: 81)) }
  }
}
