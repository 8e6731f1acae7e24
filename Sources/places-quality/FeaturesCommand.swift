import Merging

/// `places-quality features`: prints the features of pairs for the training script.
enum FeaturesCommand {
  static let command = Command(name: "features", summary: "print what the matching model sees of pairs from standard input", run: run)

  private static func run(_ arguments: [String]) {
    guard arguments.isEmpty else {
      print(
        "usage: places-quality features  < PAIRS.tsv\n\nReads what match --pairs reads; prints a header line, then model and features of each pair."
      )
      return
    }
    print((["model"] + Matcher.featureNames).joined(separator: "\t"))
    TabSeparatedRecords(prefixes: ["a_", "b_"], ignoring: ["label"]).forEachPair { a, b, others in
      let (model, values) = Matcher.features(a, b, among: others)
      print(([model] + values.map { "\(($0 * 10_000).rounded() / 10_000)" }).joined(separator: "\t"))
    }
  }
}
