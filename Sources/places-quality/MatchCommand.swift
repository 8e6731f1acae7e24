import Merging

/// `places-quality match`: clusters records from standard input, or judges pairs of them.
enum MatchCommand {
  static let command = Command(name: "match", summary: "cluster records, or judge pairs of records, from standard input", run: run)

  private static let help = """
    usage: places-quality match --records [--as-daemon] | --pairs  < FILE.tsv

    Reads tab-separated values with a header line from standard input.

    --records  Columns, in any order: source id name other_names latitude longitude address house_number postcode
               locality region country phone website category; all but the first three are optional. Other names are
               separated by |. Prints one line for each record, in order: id, cluster id. A cluster has at most
               one record of a source. Records are joined from a low probability, which suits lists that have most
               places in common: 0.02 for towns, 0.35 for businesses.
    --as-daemon  Joins records from the probabilities from which the daemon joins rows, those of `same`.
    --pairs    The same columns twice, prefixed a_ and b_; a column named label is ignored. Prints one line for
               each pair, in order: probability (0...1) that both mean the same place, decision (same, maybe, different).
               From 0.5 on, a pair is more likely one place than two; `same` means certain enough to merge.

    Unknown columns and impossible coordinates are reported on standard error and ignored.

    --pairs judges a pair by its columns, not by equal ids. All pairs of a file are treated as one answer: another record of the same
    source that fits better counts against a pair. A record with only a name and a point is treated as a business if most records have
    streets, telephones or websites, and otherwise as a town.
    """

  private static func run(_ arguments: [String]) {
    switch arguments {
    case ["--records"]: clusterRecords(asDaemon: false)
    case ["--records", "--as-daemon"]: clusterRecords(asDaemon: true)
    case ["--pairs"]: judgePairs()
    case ["--help"], ["-h"]: print(help)
    default: complain("match: expected --records or --pairs; see places-quality match --help")
    }
  }

  private static func clusterRecords(asDaemon: Bool) {
    let input = TabSeparatedRecords(prefixes: [""])
    var records: [MatchRecord] = []
    while let recordsOfLine = input.next() { records.append(contentsOf: recordsOfLine) }
    for (record, cluster) in zip(records, Matcher.clusters(records, asDaemon: asDaemon)) { print("\(record.id ?? "")\tc\(cluster + 1)") }
  }

  private static func judgePairs() {
    TabSeparatedRecords(prefixes: ["a_", "b_"], ignoring: ["label"]).forEachPair { a, b, profile in
      let verdict = Matcher.compare(a, b, among: profile)
      print("\((verdict.probability * 10_000).rounded() / 10_000)\t\(verdict.decision.rawValue)")
    }
  }
}
