/// A violation of the provider contract, or something else in a provider that is probably a mistake.
public struct ConformanceFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The contract forbids what was found.
    case error
    /// What was found is allowed, but is probably not what the author meant.
    case warning
  }

  public var severity: Severity
  /// The subject of the check, such as `manifest` or `autocomplete, empty body`.
  public var subject: String
  /// What was found, in a sentence.
  public var message: String

  public init(_ severity: Severity, _ subject: String, _ message: String) {
    self.severity = severity
    self.subject = subject
    self.message = message
  }

  public var description: String { "\(severity.rawValue): \(subject): \(message)" }
}
