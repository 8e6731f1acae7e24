import JSON

/// A key of a table: its name, what it may hold, and which property it sets.
struct Key<Section>: Sendable {
  var name: String
  /// What it may hold, such as `an integer from 10 to 30000`.
  var expected: String
  /// One sentence for the manual.
  var summary: String
  /// The keys of the table that it holds.
  var children: [KeyDescription]
  var read: @Sendable (TOMLValue, inout Reader, inout Section) -> Void
  /// The value as JSON; null where it is not set.
  var show: @Sendable (Section) -> JSONValue

  /// A key that always has a value.
  init<Value>(_ name: String, _ path: WritableKeyPath<Section, Value> & Sendable, _ kind: Kind<Value>, _ summary: String) {
    self.name = name
    self.summary = summary
    expected = kind.expected
    children = kind.children
    read = { value, reader, section in
      if let read = kind.read(value, &reader) { section[keyPath: path] = read }
    }
    show = { kind.show($0[keyPath: path]) }
  }

  /// A key that may be left out.
  init<Value>(optional name: String, _ path: WritableKeyPath<Section, Value?> & Sendable, _ kind: Kind<Value>, _ summary: String) {
    self.name = name
    self.summary = summary
    expected = kind.expected
    children = kind.children
    read = { value, reader, section in
      if let read = kind.read(value, &reader) { section[keyPath: path] = read }
    }
    show = { $0[keyPath: path].map(kind.show) ?? .null }
  }

  /// What the manual tells of it; `standard` is a section with every default.
  func description(in table: String, standard: Section) -> [KeyDescription] {
    let own = KeyDescription(table: table, name: name, expected: expected, summary: summary, standard: show(standard))
    return [own] + children.map { $0.inside("\(table).\(name)") }
  }
}

/// What the manual, the example and `placesctl config show` tell of a key.
public struct KeyDescription: Sendable, Hashable {
  /// The table that it stands in, such as `daemon` or `providers.ID.rate`.
  public var table: String
  public var name: String
  /// What it may hold, such as `an integer from 10 to 30000`.
  public var expected: String
  /// One sentence.
  public var summary: String
  /// The default; null where there is none.
  public var standard: JSONValue

  func inside(_ table: String) -> KeyDescription {
    var copy = self
    copy.table = self.table.isEmpty ? table : "\(table).\(self.table)"
    return copy
  }
}
