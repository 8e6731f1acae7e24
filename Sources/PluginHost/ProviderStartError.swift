/// The reason why a provider could not be started. The message is one sentence for the administrator and names the plugin.
public struct ProviderStartError: Error, Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The plugin, the host or the command was not found.
    case notFound
    /// Another user could replace the file.
    case untrusted
    /// The dynamic linker refuses the file, or the file is not a plugin.
    case unloadable
    /// The plugin was built for another version of the contract, or the provider speaks another version of the protocol.
    case version
    /// A setting is missing, unknown, or of the wrong kind.
    case settings
    /// The provider itself refused to start, died, or took too long.
    case start
    /// The system could not provide a process, a pipe or a limit.
    case system
  }

  public var kind: Kind
  /// The plugin's file or name, or the instance's id.
  public var subject: String
  /// A sentence that states what failed, on what, and what to do.
  public var message: String
  /// The lines that the provider's process logged or wrote to its standard error, oldest first, as in `HostedProvider.logLines`.
  public var logLines: [String] = []
  /// True if the process had received data that its lines may repeat, such as a secret setting. The lines are then for administrators only.
  public var isConfidential = false

  public init(_ kind: Kind, _ subject: String, _ message: String) {
    self.kind = kind
    self.subject = subject
    self.message = message
  }
}

extension ProviderStartError {
  /// The last of `logLines` that is not blank, without its time; nil if there is none, or if the message already contains it.
  public var lastErrorLine: Substring? {
    let texts = logLines.lazy.map { $0.drop { $0 != " " }.dropFirst() }
    guard let text = texts.last(where: { !$0.isBlank }) else { return nil }
    return message.contains("(\(text))") || message.hasSuffix(": \(text)") ? nil : text
  }
}

extension ProviderStartError: CustomStringConvertible {
  public var description: String { message }
}
