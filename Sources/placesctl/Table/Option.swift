import JSON

/// An option of a command, for help, completion, the manual and the parser.
struct Option: Sendable {
  /// The type of an option's value.
  indirect enum ValueType: Sendable, Hashable {
    /// No value.
    case flag
    case text
    case integer
    case number
    /// Several values, given by repeating the option or separated by commas.
    case list(of: ValueType)
    /// One of these words.
    case choice([String])
    /// One word of a long list; case does not matter.
    case word(Vocabulary)
    /// The id of a provider.
    case provider
    /// The name of a source of the gazetteer's index.
    case source
    /// `500ms`, `2s`, or seconds without a unit. It is converted to milliseconds, which must be in the range.
    case duration(ClosedRange<Int>)
    /// A BCP 47 tag of a known language.
    case language
    /// A point in any notation that the daemon reads in a query, or the name of a place, which is resolved before the command runs.
    case point
    /// A point and a radius in metres, separated by a comma, or `SOUTH,WEST,NORTH,EAST`.
    case area
  }

  /// The long name, without dashes.
  var name: String
  var short: Character?
  var valueType: ValueType
  /// The placeholder of the value in help.
  var label: String
  /// One sentence.
  var summary: String
  /// The parameter of the protocol that the option sets; nil for an option of this program only.
  var parameter: String?
  /// True if the option may be given several times and each of its values counts, as for a list. Of other options, the last value counts.
  var isRepeatable: Bool

  /// An option without a value.
  init(_ name: String, short: Character? = nil, sets parameter: String? = nil, _ summary: String) {
    self.init(name, short: short, .flag, "", sets: parameter, summary)
  }

  init(
    _ name: String, short: Character? = nil, _ valueType: ValueType, _ label: String, sets parameter: String? = nil,
    isRepeatable: Bool = false, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.valueType = valueType
    self.label = label
    self.parameter = parameter
    self.summary = summary
    if case .list = valueType { self.isRepeatable = true } else { self.isRepeatable = isRepeatable }
  }

  /// The option's usage in help: `-n, --name LABEL`.
  var usage: String {
    (short.map { "-\($0), " } ?? "") + "--\(name)" + (valueType == .flag ? "" : " \(label)")
  }
}
