import JSON

/// An option of a command, as help, completion, the manual and the parser know it.
struct Option: Sendable {
  /// What an option takes, and what becomes of it.
  indirect enum Value: Sendable, Hashable {
    /// Nothing: the option is there or not.
    case flag
    case text
    case integer
    case number
    /// Several, by repeating the option or with commas.
    case list(of: Value)
    /// One of these words.
    case choice([String])
    /// One of many words, in capitals or not.
    case word(WordList)
    /// The id of a provider.
    case provider
    /// The name of a source of the gazetteer's index.
    case source
    /// `500ms`, `2s`, or seconds without a unit; becomes milliseconds, which lie in the range.
    case duration(ClosedRange<Int>)
    /// `LAT,LON`.
    case point
    /// `LAT,LON,RADIUS` in metres, or `SOUTH,WEST,NORTH,EAST`.
    case area
  }

  /// The long name, without dashes.
  var name: String
  var short: Character?
  var value: Value
  /// What stands for the value in help.
  var label: String
  /// One sentence.
  var summary: String
  /// The parameter of the wire that it sets; nil for one that only this program knows.
  var parameter: String?

  /// A flag.
  init(_ name: String, short: Character? = nil, sets parameter: String? = nil, _ summary: String) {
    self.init(name, short: short, .flag, "", sets: parameter, summary)
  }

  init(
    _ name: String, short: Character? = nil, _ value: Value, _ label: String, sets parameter: String? = nil, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.label = label
    self.parameter = parameter
    self.summary = summary
  }

  /// As it stands in help: `-n, --name LABEL`.
  var usage: String {
    (short.map { "-\($0), " } ?? "") + "--\(name)" + (value == .flag ? "" : " \(label)")
  }
}
