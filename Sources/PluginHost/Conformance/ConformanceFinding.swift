/// A difference between what a provider does and what the contract requires.
public struct ConformanceFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The contract forbids it.
    case error
    /// It works, but probably not as meant.
    case warning
  }

  public var severity: Severity
  /// What was checked, such as `manifest` or `autocomplete, empty body`.
  public var subject: String
  /// What is wrong, in a sentence.
  public var message: String

  public init(_ severity: Severity, _ subject: String, _ message: String) {
    self.severity = severity
    self.subject = subject
    self.message = message
  }

  public var description: String { "\(severity.rawValue): \(subject): \(message)" }
}
