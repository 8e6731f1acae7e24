/// Why a provider could not be brought up. The message is one sentence for the administrator and names the plugin.
public struct ProviderStartError: Error, Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// No file of that name in any of the folders.
    case notFound
    /// Somebody else could replace the file.
    case untrusted
    /// The dynamic linker refuses it, or it is not a plugin.
    case unloadable
    /// Built against another contract, or speaks another version of the protocol.
    case version
    /// A setting is missing, unknown, or of the wrong kind.
    case settings
    /// The provider itself refused to start, died, or took too long.
    case start
    /// The machine refused a process, a pipe or a limit.
    case system
  }

  public var kind: Kind
  /// The plugin's file or name, or the instance's id.
  public var subject: String
  /// What failed, on what, and what to do.
  public var message: String
  /// What its process had logged or complained of, oldest first: what `HostedProvider.lines` would tell of one that started.
  public var lines: [String] = []
  /// Whether it had been told by then what its lines may repeat, such as a setting that is a secret: they are for administrators alone.
  public var isConfidential = false

  public init(_ kind: Kind, _ subject: String, _ message: String) {
    self.kind = kind
    self.subject = subject
    self.message = message
  }
}

extension ProviderStartError {
  /// The last that its process wrote, blank lines aside and without the time in front; nil where the message ends with it or quotes it.
  public var lastWords: Substring? {
    let texts = lines.lazy.map { $0.drop { $0 != " " }.dropFirst() }
    guard let text = texts.last(where: { !$0.isBlank }) else { return nil }
    return message.contains("(\(text))") || message.hasSuffix(": \(text)") ? nil : text
  }
}

extension ProviderStartError: CustomStringConvertible {
  public var description: String { message }
}
