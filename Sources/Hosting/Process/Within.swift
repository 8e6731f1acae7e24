import PlacesKit

/// Does the work, and gives it up when so many seconds have passed: then its task is cancelled, and nil is the result.
func within<T: Sendable>(
  _ seconds: Double, of time: any TimeSource, _ name: String, _ work: @escaping @Sendable () async -> T
) async -> T? {
  await withTaskGroup(of: T?.self) { group in
    group.addTask(name: name) { await work() }
    group.addTask(name: "\(name), its limit") {
      try? await time.sleep(until: time.monotonic() + seconds)
      return nil
    }
    let first = await group.next() ?? nil
    group.cancelAll()
    return first
  }
}
