import Testing

extension ProgramRun {
  /// `places-quality match` over a table.
  fileprivate init(matching option: String, _ input: String) async throws {
    try await self.init("places-quality", ["match", option], input: input)
  }

  fileprivate var lines: [Substring] { output.split(separator: "\n") }
}

@Suite("Arguments of places-quality typed")
struct TypedArgumentTests {
  @Test(
    "options may stand before the operand, and mistakes are reported before anything is measured",
    arguments: [
      (["--index", "/nowhere/index", "/nowhere/data"], "/nowhere/data/geonames/cities500.txt.gz: No such file or directory"),
      (["/nowhere/data", "--misses"], "/nowhere/data/geonames/cities500.txt.gz: No such file or directory"),
      (["--index"], "typed: --index needs a file"), (["--miss"], "typed: unknown option --miss; see places-quality typed --help"),
    ])
  func mistakes(_ arguments: [String], _ reason: String) async throws {
    let ran = try await ProgramRun("places-quality", ["typed"] + arguments)
    #expect(ran.exit == 2 && ran.output.isEmpty && ran.diagnostics == "places-quality: \(reason)\n", "\(ran)")
  }
}

@Suite("Input of places-quality match")
struct MatchingTests {
  @Test("reads columns in any order, a byte order mark and CRLF, and writes one line for each record with its cluster")
  func records() async throws {
    let ran = try await ProgramRun(
      matching: "--records",
      "\u{FEFF}name\tid\tsource\tlatitude\tlongitude\tother_names\r\nWien\t1\ta\t48.2085\t16.3721\tVienna|Vienne\r\n"
        + "Vienna\t2\tb\t48.20849\t16.37208\t\r\nGraz\t3\tb\t47.07\t15.44\r\n")
    #expect(ran.exit == 0 && ran.diagnostics.isEmpty, "\(ran)")
    #expect(ran.lines.map { $0.prefix { $0 != "\t" } } == ["1", "2", "3"])
    let clusters = ran.lines.map { $0.drop { $0 != "\t" } }
    #expect(clusters.count == 3 && clusters[0] == clusters[1] && clusters[1] != clusters[2], "\(ran.lines)")
  }

  @Test("reads pairs and writes a probability and a decision for each; a label is ignored")
  func pairs() async throws {
    let columns = ["a_source", "a_id", "a_name", "a_phone", "b_source", "b_id", "b_name", "b_phone", "label"]
    let ran = try await ProgramRun(
      matching: "--pairs",
      columns.joined(separator: "\t") + "\nx\t1\tCafé Central\t+43 1 5333763\ty\t2\tCafe Central Wien\t01 5333763\t1\n"
        + "x\t3\tGate 3\t\ty\t4\tGate 4\t\t0\n")
    #expect(ran.exit == 0 && ran.diagnostics.isEmpty && ran.lines.count == 2, "\(ran)")
    #expect(ran.lines.last?.hasSuffix("\tdifferent") == true, "\(ran)")
    for line in ran.lines {
      let probability = try #require(line.split(separator: "\t").first.flatMap { Double($0) })
      #expect((0...1).contains(probability))
    }
  }

  @Test("unknown columns and invalid coordinates are reported, and all else is evaluated")
  func remarks() async throws {
    let ran = try await ProgramRun(
      matching: "--records",
      "source\tid\tname\tlatitude\tlongitude\tpopulation\na\t1\tBerlin\tnorth\t13\t9\na\t2\tParis\t99\t2\t9\nb\t3\tRom\tnan\t1e999\t9\n")
    #expect(ran.exit == 0 && ran.lines.count == 3, "\(ran)")
    #expect(ran.diagnostics.contains("not known and not read: population;"), "\(ran)")
    #expect(ran.diagnostics.contains("3 records, the first in line 2, have impossible coordinates"), "\(ran)")
  }

  @Test(
    "input that cannot be evaluated is rejected with the reason",
    arguments: [
      ("", "standard input is empty"), ("source\tname\na\tBerlin\n", "column id is missing"),
      ("source\tid\tname\na\t1\n", "line 2 has 2 of at least 3 columns"),
    ])
  func refused(_ input: String, _ reason: String) async throws {
    let ran = try await ProgramRun(matching: "--records", input)
    #expect(ran.exit == 2 && ran.diagnostics.contains(reason), "\(ran)")
  }
}
