import PlacesKit

/// A condition that did not hold in time.
public struct ConditionTimeout: Error, CustomStringConvertible {
  public let description: String
  public init(description: String) { self.description = description }
}

/// Waits until `look` returns a value, without blocking a thread. The only place in the tests that polls: a test that can wait for an event
/// or advance a `ManualTime` does that instead.
/// - Parameter seconds: the limit. It is far above what a loaded machine needs, since only a failing test reaches it.
/// - Throws: `ConditionTimeout` after `seconds`; what `look` throws; `CancellationError`.
@discardableResult
public func eventually<Value>(
  _ what: String, within seconds: Double = 20, every pause: Duration = .milliseconds(1), _ look: () async throws -> Value?
) async throws -> Value {
  let time = SystemTime()
  let end = time.monotonic() + seconds
  while true {
    if let value = try await look() { return value }
    guard time.monotonic() < end else { throw ConditionTimeout(description: "\(what): not within \(seconds) s") }
    try await Task.sleep(for: pause)
  }
}

/// Waits until a condition holds.
/// - Throws: `ConditionTimeout` after `seconds`, with the place of the call.
public func waitUntil(
  within seconds: Double = 20, file: String = #fileID, line: Int = #line, _ condition: () async throws -> Bool
) async throws {
  try await eventually("the condition at \(file):\(line)", within: seconds) { try await condition() ? () : nil }
}

/// Checks that a condition holds now and at each of a number of looks, a millisecond apart.
/// - Returns: false at the first look at which it does not hold.
public func remains(for looks: Int, _ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<looks {
    guard try await condition() else { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}

/// Suspends until the calling task is cancelled.
public func waitForCancellation() async {
  let (never, signal) = AsyncStream.makeStream(of: Never.self)
  for await _ in never {}
  signal.finish()
}
