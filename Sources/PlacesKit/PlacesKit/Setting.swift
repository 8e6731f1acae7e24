import JSON

/// A setting that a plugin defines, and that each of its instances can have in the configuration.
public struct Setting: Sendable, Hashable, Codable {
  /// The JSON type of a setting's value. A value of the kind `strings` is a list of strings; a value of the kind `url` is a string.
  public enum Kind: String, Sendable, Hashable, Codable { case string, integer, number, boolean, strings, url }
  public var name: String
  public var kind: Kind
  public var summary: String
  public var required: Bool
  public var defaultValue: JSONValue?
  /// The allowed values; empty if every value is allowed.
  public var choices: [String]

  public init(
    _ name: String, _ kind: Kind, _ summary: String, required: Bool = false, defaultValue: JSONValue? = nil, choices: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.required = required
    self.defaultValue = defaultValue
    self.choices = choices
  }
}

extension Setting {
  /// A description of the allowed values that can follow "must be".
  public var expected: String {
    let list = choices.map { "\"\($0)\"" }.joined(separator: ", ")
    return switch kind {
    case .string: choices.isEmpty ? "a string" : "one of \(list)"
    case .strings: choices.isEmpty ? "a list of strings" : "a list, each element one of \(list)"
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "true or false"
    case .url: "a URL that starts with http:// or https:// and names no user"
    }
  }

  /// True if a value is of the setting's kind, and is one of `choices` unless that list is empty. `1.0` is not an integer, because a
  /// provider in another language would receive it as a floating-point number.
  public func accepts(_ value: JSONValue) -> Bool {
    switch kind {
    case .string: value.string.map(isChoice) ?? false
    case .strings: value.array?.allSatisfy { $0.string.map(isChoice) ?? false } ?? false
    case .integer: if case .integer = value { true } else { false }
    case .number: value.double != nil
    case .boolean: value.boolean != nil
    // The URL may contain `{placeholder}`s, which the plugin replaces.
    case .url: value.string.flatMap(ServiceURL.init) != nil
    }
  }

  private func isChoice(_ text: String) -> Bool { choices.isEmpty || choices.contains(text) }
}
