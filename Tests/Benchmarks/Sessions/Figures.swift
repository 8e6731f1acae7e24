import JSON
import PlacesKit

/// The totals of one way of sending requests.
struct Figures: Sendable {
  /// Calls that reached a service, by provider and kind, such as `google autocomplete`.
  var calls: [String: Int] = [:]
  /// Millionths of a dollar at list prices, without the free calls of each month.
  var micros = 0
  /// The number of keystrokes with each outcome of a provider, such as `google: cached`.
  var outcomes: [String: Int] = [:]
  var keystrokes = 0

  mutating func count(_ outcome: String) { outcomes[outcome, default: 0] += 1 }

  /// The figures as JSON: calls and dollars for 1,000 sessions, and shares of all keystrokes.
  func json(_ sessions: Int) -> JSONValue {
    let perThousand = 1_000 / Double(max(1, sessions))
    var calls = JSONObject()
    for (name, count) in self.calls.sorted(by: { $0.key < $1.key }) { calls[name] = .number((Double(count) * perThousand).rounded()) }
    var shares = JSONObject()
    for (name, count) in outcomes.sorted(by: { $0.key < $1.key }) {
      shares[name] = .number((Double(count) / Double(max(1, keystrokes)) * 1_000).rounded() / 1_000)
    }
    return [
      "keystrokes": .number((Double(keystrokes) * perThousand).rounded()), "calls": .object(calls),
      "dollars": .number((Double(micros) * perThousand / 1e4).rounded() / 100), "shares": .object(shares),
    ]
  }
}
