import PlacesAPI
import PlacesKit

/// Counters and durations of a provider's calls since the daemon started.
struct CallStatistics: Sendable {
  var counters = ProviderStatus.Counters()
  /// The durations of the latest calls in seconds, oldest first.
  private var durations: [Double] = []
  private static let maxDurations = 256

  /// Counts an attempt as sent, and by its outcome.
  /// - Parameter wasSent: true if a part of the call was sent. An attempt that sent nothing counts only if the provider or its service
  ///   failed or timed out, for example because the service refused the connection.
  mutating func add(_ outcome: ProviderOutcome, seconds: Double, wasSent: Bool) {
    let isFailedAttempt = outcome.status == .timeout || outcome.status == .error && outcome.cause != ProviderError.Cause.badRequest.rawValue
    guard wasSent || isFailedAttempt else { return }
    counters.sent += 1
    switch outcome.status {
    case .ok, .empty: counters.succeeded += 1
    case .timeout: counters.timedOut += 1
    // The service did not cause this outcome. So the call is neither a success nor a failure, and its duration does not count.
    case .cancelled, .overBudget:
      counters.abandoned = (counters.abandoned ?? 0) + 1
      return
    default: counters.failed += 1
    }
    durations.append(seconds)
    if durations.count > CallStatistics.maxDurations { durations.removeFirst() }
  }

  /// The counters, and the median and the 99th percentile of the latest durations, in milliseconds with two decimals.
  var summary: ProviderStatus.Counters {
    var summary = counters
    let sorted = durations.sorted()
    if let longest = sorted.last {
      summary.medianMs = (sorted[sorted.count / 2] * 1e5).rounded() / 100
      summary.p99Ms = ((sorted.count < 100 ? longest : sorted[sorted.count * 99 / 100]) * 1e5).rounded() / 100
    }
    return summary
  }
}
