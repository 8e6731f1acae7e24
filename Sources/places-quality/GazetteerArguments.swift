/// The arguments of a command that measures the gazetteer: operands, flags and `--index FILE`, in any order.
struct GazetteerArguments {
  private(set) var operands: [String] = []
  /// The file of the index; nil if it is not given.
  private(set) var index: String?
  private var flags: Set<String> = []

  /// Ends the program if an option is unknown or lacks its value.
  /// - Parameters:
  ///   - command: the name of the command, for messages.
  ///   - knownFlags: the command's options without a value, besides `--help`.
  init(_ arguments: [String], of command: String, flags knownFlags: [String] = []) {
    var remainingArguments = arguments[...]
    while let argument = remainingArguments.popFirst() {
      if argument == "--index" {
        guard let file = remainingArguments.popFirst() else { complain("\(command): --index needs a file") }
        index = file
      } else if argument.hasPrefix("-") {
        guard (knownFlags + ["--help", "-h"]).contains(argument) else {
          complain("\(command): unknown option \(argument); see places-quality \(command) --help")
        }
        flags.insert(argument)
      } else {
        operands.append(argument)
      }
    }
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  var asksForHelp: Bool { has("--help") || has("-h") }
}
