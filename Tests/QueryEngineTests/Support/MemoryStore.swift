import QueryEngine
@testable import Storage
import PlacesKit
import PlacesTesting
import Synchronization

/// A cache in memory with the rules of the disk cache.
final class MemoryStore: AnswerStore {
  let cache: Cache
  private let places = Mutex<[PlaceKey: StoredPlace]>([:])
  private let used = Mutex<[UserChoice]>([])
  private let time: ManualTime
  private let delay = Mutex(0.0)
  /// Answers that may be stored on disk.
  let answersForDisk = Atomic(0)

  init(time: ManualTime) {
    self.time = time
    cache = Cache(path: "/nonexistent/cache.db", diskBytes: 0, memoryBytes: 16 << 20, time: time, log: { _, _ in })
  }

  var now: Double { cache.now }
  func lookup(_ key: AnswerKey) -> FoundAnswer? { cache.lookup(key) }
  func find(_ key: AnswerKey, onDisk: Bool) async -> FoundAnswer? {
    if let found = cache.lookup(key) { return found }
    if onDisk, await !wait() { return nil }
    return await cache.find(key, onDisk: false)
  }
  var purgeCount: Int { cache.purgeCount }
  func store(_ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool, unlessPurgedSince purgeCount: Int) -> Bool {
    let isKept = cache.store(answer, for: key, under: terms, onDisk: false, unlessPurgedSince: purgeCount)
    if isKept, onDisk { answersForDisk.add(1, ordering: .relaxed) }
    return isKept
  }
  func store(_ place: Place, for key: PlaceKey, under terms: Terms, unlessPurgedSince purgeCount: Int) {}
  func place(_ key: PlaceKey) async -> StoredPlace? { await wait() ? places.withLock { $0[key] } : nil }
  func store(_ use: UserChoice, under terms: Terms) { used.withLock { $0.insert(use, at: 0) } }
  func choices(of user: UInt32) async -> [UserChoice]? { await wait() ? used.withLock { $0.filter { $0.user == user } } : nil }
  func forgetChoices(of user: UInt32, place: String?) async -> Int? {
    guard await wait() else { return nil }
    return used.withLock { used in
      let before = used.count
      used.removeAll { use in use.user == user && (place == nil || place == use.place) }
      return before - used.count
    }
  }
  func endSession(_ session: @autoclosure () -> String, of user: UInt32) { cache.endSession(session(), of: user) }

  /// The seconds that the simulated disk takes for entries that are not in memory.
  func slow(_ seconds: Double) { delay.withLock { $0 = seconds } }

  private func wait() async -> Bool {
    let seconds = delay.withLock { $0 }
    guard seconds > 0 else { return true }
    return (try? await time.sleep(until: time.monotonic() + seconds)) != nil
  }

  /// Stores the data that earlier answers had about a place.
  func know(_ place: Place, for key: PlaceKey, at time: Double) {
    places.withLock { $0[key] = StoredPlace(place, at: time) }
  }
}

extension StoredPlace {
  fileprivate init(_ place: Place, at time: Double) {
    self.init(place: place, times: place.values.mapValues { _ in time })
  }
}
