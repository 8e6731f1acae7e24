import JSON

/// A key of a table: its name, its permitted values, and the property that it sets.
struct KeyDefinition<Section>: Sendable {
  var name: String
  /// The accepted values, such as `an integer from 10 to 30000`.
  var expected: String
  /// One sentence for the manual.
  var summary: String
  /// The keys of the value if it is a table, otherwise empty.
  var children: [KeyDescription]
  /// Reads the value into its property, or reports a problem and leaves the property unchanged.
  var read: @Sendable (TOMLValue, inout SectionReader, inout Section) -> Void
  /// Returns the value as JSON; null if it is not set.
  var show: @Sendable (Section) -> JSONValue

  /// A key that always has a value.
  init<Value>(_ name: String, _ path: WritableKeyPath<Section, Value> & Sendable, _ kind: ValueKind<Value>, _ summary: String) {
    self.name = name
    self.summary = summary
    expected = kind.expected
    children = kind.children
    read = { value, reader, section in
      if let newValue = kind.read(value, &reader) { section[keyPath: path] = newValue }
    }
    show = { kind.show($0[keyPath: path]) }
  }

  /// A key that may be left out.
  init<Value>(optional name: String, _ path: WritableKeyPath<Section, Value?> & Sendable, _ kind: ValueKind<Value>, _ summary: String) {
    self.name = name
    self.summary = summary
    expected = kind.expected
    children = kind.children
    read = { value, reader, section in
      if let newValue = kind.read(value, &reader) { section[keyPath: path] = newValue }
    }
    show = { $0[keyPath: path].map(kind.show) ?? .null }
  }

  /// The documentation of the key and of the keys in its value.
  /// - Parameter defaults: a section in which every key has its default.
  func description(in table: String, defaults: Section) -> [KeyDescription] {
    let ownDescription = KeyDescription(table: table, name: name, expected: expected, summary: summary, defaultValue: show(defaults))
    return [ownDescription] + children.map { $0.inside("\(table).\(name)") }
  }
}

/// The documentation of a key, for the manual, the example and `placesctl config show`.
public struct KeyDescription: Sendable, Hashable {
  /// The table that contains the key, such as `daemon` or `providers.ID.rate`.
  public var table: String
  public var name: String
  /// The accepted values, such as `an integer from 10 to 30000`.
  public var expected: String
  /// One sentence.
  public var summary: String
  /// The default; null if it has none.
  public var defaultValue: JSONValue

  /// The description with `table` put before the name of the key's own table.
  func inside(_ table: String) -> KeyDescription {
    var copy = self
    copy.table = self.table.isEmpty ? table : "\(table).\(self.table)"
    return copy
  }
}
