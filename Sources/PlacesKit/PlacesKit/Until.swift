/// Does the work, and gives it up when a moment has come (monotonic seconds): then its task is cancelled, and nil is the result. Work that
/// does not heed that is waited for all the same.
public func until<Value: Sendable>(
  _ moment: Double, of time: any TimeSource, _ name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask(name: name) { await work() }
    group.addTask(name: "patience for \(name)") {
      try? await time.sleep(until: moment)
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}

/// The same, with a deadline this many seconds from now.
public func within<Value: Sendable>(
  _ seconds: Double, of time: any TimeSource, _ name: String, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
  await until(time.monotonic() + seconds, of: time, name, work)
}
