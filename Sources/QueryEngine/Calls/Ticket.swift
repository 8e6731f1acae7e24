import Synchronization

/// Numbers that are given once in the life of the process.
enum Ticket {
  private static let last = Atomic<Int>(0)
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
