/// Runs `work`, and returns its result. If `work` has not ended at `moment` (monotonic seconds), cancels it and returns nil, after it has
/// ended.
public func until<Value: Sendable>(
  _ moment: Double, of time: any TimeSource, _ name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask(name: name) { await work() }
    group.addTask(name: "time limit of \(name)") {
      try? await time.sleep(until: moment)
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}

/// Runs `work` for at most `seconds`; see `until`.
public func within<Value: Sendable>(
  _ seconds: Double, of time: any TimeSource, _ name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await until(time.monotonic() + seconds, of: time, name, work)
}
