/// Timers in a sorted array. The soonest timer is last. An array suffices because few timers exist at once. All times
/// are in seconds of one clock, which the caller chooses.
public struct TimerQueue {
  /// Identifies a timer. An id is never reused.
  public struct ID: Sendable, Hashable { fileprivate var number: UInt64 }

  private struct Entry {
    var time: Double
    var id: ID
    var work: () -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// When the next timer is due; nil if there is none.
  public var nextTime: Double? { entries.last?.time }

  /// Adds a timer. Timers with the same time are due in the order in which they were added.
  public mutating func add(at time: Double, _ work: @escaping () -> Void) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    let index = entries.firstIndex { $0.time <= time } ?? entries.endIndex
    entries.insert(Entry(time: time, id: id, work: work), at: index)
    return id
  }

  /// Removes a timer. Does nothing if it is not in the queue.
  public mutating func remove(_ id: ID) { entries.removeAll { $0.id == id } }

  /// Removes the timers that are due, and returns their work, the soonest first.
  public mutating func takeDue(at now: Double) -> [() -> Void] {
    var work: [() -> Void] = []
    while let entry = entries.last, entry.time <= now {
      work.append(entry.work)
      entries.removeLast()
    }
    return work
  }
}
