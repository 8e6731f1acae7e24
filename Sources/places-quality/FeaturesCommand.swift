import Merging

/// `places-quality features`: what the model sees of pairs, for the training script.
enum FeaturesCommand {
  static let command = Command(name: "features", summary: "print what the matching model sees of pairs from standard input", run: run)

  private static func run(_ arguments: [String]) {
    guard arguments.isEmpty else {
      print(
        "usage: places-quality features  < PAIRS.tsv\n\nReads what match --pairs reads; prints a header line, then model and features of each pair."
      )
      return
    }
    let input = TabSeparatedRecords(prefixes: ["a_", "b_"], ignoring: ["label"])
    print((["model"] + Matcher.featureNames).joined(separator: "\t"))
    while let pair = input.next(), pair.count == 2 {
      let (model, values) = Matcher.features(pair[0], pair[1])
      print(([model] + values.map { "\(($0 * 10_000).rounded() / 10_000)" }).joined(separator: "\t"))
    }
  }
}
