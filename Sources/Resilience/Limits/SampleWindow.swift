/// The latest outcomes of a provider's calls.
struct SampleWindow: Sendable, Hashable {
  private var samples: [Bool] = []
  private var next = 0
  private let capacity: Int
  private(set) var failures = 0

  var count: Int { samples.count }

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Adds an outcome; removes the oldest one if the window is full.
  mutating func add(failure: Bool) {
    if samples.count < capacity {
      samples.append(failure)
    } else {
      if samples[next] { failures -= 1 }
      samples[next] = failure
      next = (next + 1) % capacity
    }
    if failure { failures += 1 }
  }
}
