/// An alarm: its time in monotonic seconds, and a number that identifies it.
struct Alarm: Comparable {
  var due: Double
  var number: UInt64

  static func < (a: Alarm, b: Alarm) -> Bool { (a.due, a.number) < (b.due, b.number) }
}

/// A binary heap of alarms, with the earliest alarm first.
struct AlarmHeap {
  private var alarms: [Alarm] = []

  var count: Int { alarms.count }
  var first: Alarm? { alarms.first }

  mutating func insert(_ alarm: Alarm) {
    alarms.append(alarm)
    var child = alarms.count - 1
    while child > 0, alarms[child] < alarms[(child - 1) / 2] {
      alarms.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = alarms.popLast(), !alarms.isEmpty else { return }
    alarms[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < alarms.count && alarms[child] < alarms[least] { least = child }
      guard least != parent else { return }
      alarms.swapAt(least, parent)
      parent = least
    }
  }

  /// Removes the alarms for which the closure returns false. A sorted array is a valid heap.
  mutating func keep(_ isWanted: (Alarm) -> Bool) { alarms = alarms.filter(isWanted).sorted() }
}
