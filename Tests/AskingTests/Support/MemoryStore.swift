import Asking
@testable import Keeping
import PlacesKit
import PlacesTesting
import Synchronization

/// The cache without its disk: what it keeps, it keeps in memory, by the same rules.
final class MemoryStore: AnswerStore {
  let cache: Cache
  private let places = Mutex<[PlaceKey: KeptPlace]>([:])
  private let used = Mutex<[UsedPlace]>([])

  init(time: ManualTime) {
    cache = Cache(path: "/nonexistent/cache.db", diskBytes: 0, memoryBytes: 16 << 20, time: time, log: { _, _ in })
  }

  func lookup(_ key: AnswerKey) -> FoundAnswer? { cache.lookup(key) }
  func find(_ key: AnswerKey) async -> FoundAnswer? { cache.lookup(key) }
  func keep(_ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool) -> Bool {
    cache.keep(answer, for: key, under: terms, onDisk: false)
  }
  func keep(_ place: Place, for key: PlaceKey, under terms: Terms) {}
  func place(_ key: PlaceKey) async -> KeptPlace? { places.withLock { $0[key] } }
  func keep(_ use: UsedPlace, under terms: Terms) { used.withLock { $0.insert(use, at: 0) } }
  func uses(of user: UInt32) async -> [UsedPlace] { used.withLock { $0.filter { $0.user == user } } }
  func endSession(_ session: String, of user: UInt32) { cache.endSession(session, of: user) }

  /// Puts in what earlier answers told of a place.
  func know(_ place: Place, for key: PlaceKey, at time: Double) {
    places.withLock { $0[key] = KeptPlace(place, at: time) }
  }
}

extension KeptPlace {
  fileprivate init(_ place: Place, at time: Double) {
    self.init(place: place, times: place.values.mapValues { _ in time })
  }
}
