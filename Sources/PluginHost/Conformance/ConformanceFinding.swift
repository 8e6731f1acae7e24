/// A violation of the provider contract.
public struct ConformanceFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The contract forbids it.
    case error
    /// It works, but probably not as meant.
    case warning
  }

  public var severity: Severity
  /// The subject of the check, such as `manifest` or `autocomplete, empty body`.
  public var subject: String
  /// The violation, in a sentence.
  public var message: String

  public init(_ severity: Severity, _ subject: String, _ message: String) {
    self.severity = severity
    self.subject = subject
    self.message = message
  }

  public var description: String { "\(severity.rawValue): \(subject): \(message)" }
}
