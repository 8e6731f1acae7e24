/// The latest outcomes of a provider's calls, in a ring buffer.
struct SampleWindow: Sendable, Hashable {
  /// True for a failure.
  private var samples: [Bool] = []
  /// The index of the oldest sample, which the next one replaces once the window is full.
  private var oldestIndex = 0
  private let capacity: Int
  /// The number of failures among the samples.
  private(set) var failureCount = 0

  var count: Int { samples.count }

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Adds an outcome; removes the oldest one if the window is full.
  mutating func add(failure: Bool) {
    if samples.count < capacity {
      samples.append(failure)
    } else {
      if samples[oldestIndex] { failureCount -= 1 }
      samples[oldestIndex] = failure
      oldestIndex = (oldestIndex + 1) % capacity
    }
    if failure { failureCount += 1 }
  }
}
