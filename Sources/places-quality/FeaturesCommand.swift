import Merging

/// `places-quality features`: prints the features of pairs of records, which are the numbers from which `Matcher` computes its
/// probability. The script that trains the matcher reads them.
enum FeaturesCommand {
  static let command = Command(name: "features", summary: "print the features of pairs of records from standard input", run: run)

  private static func run(_ arguments: [String]) {
    guard arguments.isEmpty else {
      print(
        "usage: places-quality features  < PAIRS.tsv\n\nReads the same input as match --pairs. Prints a header line, then the model and the features of each pair."
      )
      return
    }
    print((["model"] + Matcher.featureNames).joined(separator: "\t"))
    TabSeparatedRecords(prefixes: ["a_", "b_"], ignoring: ["label"]).forEachPair { a, b, profile in
      let (model, values) = Matcher.features(a, b, among: profile)
      print(([model] + values.map { "\(($0 * 10_000).rounded() / 10_000)" }).joined(separator: "\t"))
    }
  }
}
