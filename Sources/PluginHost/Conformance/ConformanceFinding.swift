/// A violation of the provider contract, or something else in a provider that is probably a mistake.
public struct ConformanceFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The provider violates the contract.
    case error
    /// The provider does something that the contract allows, but that is probably a mistake.
    case warning
  }

  public var severity: Severity
  /// The subject of the check, such as `manifest` or `autocomplete, empty body`.
  public var subject: String
  /// A description of the finding for the provider's author.
  public var message: String

  public init(_ severity: Severity, _ subject: String, _ message: String) {
    self.severity = severity
    self.subject = subject
    self.message = message
  }

  public var description: String { "\(severity.rawValue): \(subject): \(message)" }
}
