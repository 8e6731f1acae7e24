/// Runs `work` in a child task, and returns its result. If the work has not ended at the deadline (in monotonic seconds), or when the
/// calling task is cancelled, this function cancels the work, waits until it has ended, and returns nil.
public func withDeadline<Value: Sendable>(
  _ deadline: Double, clock time: any TimeSource, task name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask(name: name) { await work() }
    group.addTask(name: "time limit of \(name)") {
      try? await time.sleep(until: deadline)
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}

/// Calls `withDeadline` with a deadline `seconds` from now.
public func withTimeLimit<Value: Sendable>(
  _ seconds: Double, clock time: any TimeSource, task name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await withDeadline(time.monotonic() + seconds, clock: time, task: name, work)
}
