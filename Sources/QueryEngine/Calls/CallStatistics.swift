import PlacesAPI

/// Counters and latencies of a provider's calls since the daemon started.
struct CallStatistics: Sendable {
  private(set) var counters = ProviderStatus.Counters()
  /// The durations of the latest calls in seconds, in a ring buffer.
  private var latencies: [Double] = []
  /// The index of the oldest latency, which the next call replaces once the buffer is full.
  private var oldestIndex = 0
  private static let capacity = 256

  /// Counts a call.
  /// - Parameter wasSent: true if a part of the call was sent. A call of which nothing was sent counts only if it failed or timed out.
  mutating func add(_ outcome: ProviderOutcome, seconds: Double, wasSent: Bool) {
    guard wasSent || outcome.status == .error || outcome.status == .timeout else { return }
    if wasSent { counters.sent += 1 }
    switch outcome.status {
    case .ok, .empty: counters.succeeded += 1
    case .timeout: counters.timedOut += 1
    // The service is not the cause, so the call is neither a success nor a failure.
    case .cancelled, .overBudget: return
    default: counters.failed += 1
    }
    if latencies.count < CallStatistics.capacity {
      latencies.append(seconds)
    } else {
      latencies[oldestIndex] = seconds
      oldestIndex = (oldestIndex + 1) % CallStatistics.capacity
    }
  }

  /// Counts rows that were dropped from the service's answers.
  mutating func addDropped(_ rows: Int) { counters.dropped = (counters.dropped ?? 0) + rows }

  /// The counters, and the median and the 99th percentile of the latest calls, in milliseconds with two decimals.
  var summary: ProviderStatus.Counters {
    var summary = counters
    let sorted = latencies.sorted()
    if let longest = sorted.last {
      summary.medianMs = (sorted[sorted.count / 2] * 1e5).rounded() / 100
      summary.p99Ms = ((sorted.count < 100 ? longest : sorted[sorted.count * 99 / 100]) * 1e5).rounded() / 100
    }
    return summary
  }
}
