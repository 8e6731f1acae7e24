import PlacesKit

/// Something that did not happen in time.
struct TimeLimitExceeded: Error, CustomStringConvertible {
  var description: String
}

/// Looks again and again until there is a value, without holding a thread; throws after `seconds`.
func eventually<Value>(
  _ what: String, within seconds: Double = 15, every pause: Duration = .milliseconds(2), _ look: () async throws -> Value?
) async throws -> Value {
  let time = SystemTime()
  let end = time.monotonic() + seconds
  while true {
    if let value = try await look() { return value }
    guard time.monotonic() < end else { throw TimeLimitExceeded(description: "\(what): not within \(seconds) s") }
    try await Task.sleep(for: pause)
  }
}
