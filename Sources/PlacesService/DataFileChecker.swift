import Dispatch
import PlacesKit
import Synchronization

/// Detects that data files of providers (`DaemonControl.dataFiles`) were replaced. A request checks the files if the last check is at least
/// a second old. Thus an idle daemon does nothing. The check runs on its own queue, because it blocks if the disk does not respond.
final class DataFileChecker: Sendable {
  private struct Checks {
    /// The identity of each file at the last check, nil for a missing file. The whole array is nil before the first check.
    var identities: [FileIdentity?]?
    /// The number of checks that have not returned.
    var pendingCount = 0
  }

  private let checks = Mutex(Checks())
  /// The time until which the last check is valid, in monotonic seconds, as the bit pattern of a `Double`. It is atomic and not in
  /// `checks`, because the thread of the RPC loop reads it before each lookup of a cached reply, and must not wait for a lock.
  private let validUntil = Atomic<UInt64>(0)
  private let queue = DispatchQueue(label: "data-watch")
  private let now: @Sendable () -> Double
  private let maxWait: Double
  private let identify: @Sendable (String) -> FileIdentity?

  /// - Parameters:
  ///   - now: returns monotonic seconds.
  ///   - maxWait: the seconds for which a request waits for a check. After that, the files are treated as unchanged.
  ///   - identify: reads a file's identity, and may block.
  init(
    now: @escaping @Sendable () -> Double, maxWait: Double = 0.1,
    identify: @escaping @Sendable (String) -> FileIdentity? = { FileIdentity($0) }
  ) {
    self.now = now
    self.maxWait = maxWait
    self.identify = identify
  }

  /// True if the last check is still valid. Does not block.
  func isCurrent(at now: Double) -> Bool { now < Double(bitPattern: validUntil.load(ordering: .relaxed)) }

  /// Checks the files.
  /// - Returns: true if one of them was replaced since the last check.
  func checkFiles(at paths: [String]) async -> Bool {
    guard !paths.isEmpty else {
      validUntil.store((now() + 1).bitPattern, ordering: .relaxed)
      return false
    }
    let mayCheck = checks.withLock { checks in
      // Eight unfinished checks mean that the disk does not respond.
      guard checks.pendingCount < 8 else { return false }
      checks.pendingCount += 1
      return true
    }
    let isChanged = mayCheck ? await haveFilesChanged(paths) : false
    validUntil.store((now() + 1).bitPattern, ordering: .relaxed)
    return isChanged
  }

  /// Compares the files with the last check. Returns false if the comparison takes longer than `maxWait` seconds.
  private func haveFilesChanged(_ paths: [String]) async -> Bool {
    await withCheckedContinuation { continuation in
      let result = FirstResult(continuation)
      queue.async { [self] in
        let identities = paths.map(identify)
        let isChanged = checks.withLock { checks in
          checks.pendingCount -= 1
          return checks.identities.map { $0 != identities } ?? false
        }
        // If the check took too long, its identities are not stored, so that the next check finds the change again.
        if result.resume(returning: isChanged) { checks.withLock { $0.identities = identities } }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + maxWait) { result.resume(returning: false) }
    }
  }
}

/// A continuation that is resumed by the first of two callers: the check, or the timer that limits the wait.
private final class FirstResult: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

  /// Resumes the continuation and returns true, if this is the first call.
  @discardableResult func resume(returning value: Bool) -> Bool {
    guard let continuation = continuation.withLock({ $0.take() }) else { return false }
    continuation.resume(returning: value)
    return true
  }
}
