/// Does the work until a time (monotonic seconds); then cancels its task and returns nil. Waits for work that ignores the cancellation.
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

/// Does the work for at most this many seconds; see `until`.
public func within<Value: Sendable>(
  _ seconds: Double, of time: any TimeSource, _ name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await until(time.monotonic() + seconds, of: time, name, work)
}
