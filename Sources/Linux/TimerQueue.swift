/// Timers, sorted by time with the soonest last. Few exist at once, so a sorted array suffices.
public struct TimerQueue {
  /// Identifies a timer; never reused.
  public struct ID: Sendable, Hashable { fileprivate var number: UInt64 }

  private struct Entry {
    var at: Double
    var id: ID
    var work: () -> Void
  }

  private var entries: [Entry] = []
  private var latest: UInt64 = 0

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// When the next work is due.
  public var next: Double? { entries.last?.at }

  /// Work with the same time runs in the order in which it was added.
  public mutating func add(at time: Double, _ work: @escaping () -> Void) -> ID {
    latest += 1
    let id = ID(number: latest)
    let index = entries.firstIndex { $0.at <= time } ?? entries.endIndex
    entries.insert(Entry(at: time, id: id, work: work), at: index)
    return id
  }

  public mutating func remove(_ id: ID) { entries.removeAll { $0.id == id } }

  /// Removes and returns what is due, soonest first.
  public mutating func due(at now: Double) -> [() -> Void] {
    var work: [() -> Void] = []
    while let entry = entries.last, entry.at <= now {
      work.append(entry.work)
      entries.removeLast()
    }
    return work
  }
}
