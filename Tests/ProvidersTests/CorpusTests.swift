import Foundation
import Glibc
import PlacesKit
import ResponseParsers
import Testing

/// Stored answers of every service, in `Tests/Fuzzing/Corpus`: one directory per parser, one file per answer, and next to each directory
/// the expected results, one line per answer. Inputs that the fuzzer finds are added.
@Suite("The corpus of answers") struct CorpusTests {
  static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzzing/Corpus")

  @Test("Each answer is parsed as expected, in bounded time", arguments: ResponseParser.all.map(\.name))
  func replay(name: String) async throws {
    let parser = try #require(ResponseParser.all.first { $0.name == name })
    let folder = CorpusTests.corpus.appendingPathComponent(name)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files.count >= 12)
    var lines: [String] = []
    for file in files {
      let input = Array(try Data(contentsOf: folder.appendingPathComponent(file)))
      let start = processorTime()
      let result = await parser.read(input)
      // A debug build on a machine that does other things; the fuzzer holds optimised parsers to 0.1 s.
      #expect(processorTime() - start < 0.5, "\(file)")
      switch result {
      case .success(let outcome):
        #expect(outcome.fault == nil, "\(file)")
        lines.append("\(file): \("\(outcome)".replacing("\n", with: "⏎"))")
      case .failure(let error):
        #expect(!error.message.isEmpty)
        lines.append("\(file): error \(error.cause)" + (error.detail.map { " \($0)" } ?? ""))
      }
    }
    let record = CorpusTests.corpus.appendingPathComponent(name + ".expected")
    guard let expected = try? String(contentsOf: record, encoding: .utf8) else {
      try (lines.joined(separator: "\n") + "\n").write(to: record, atomically: true, encoding: .utf8)
      Issue.record("nothing was expected of \(name) yet; what came out is written down: is it right?")
      return
    }
    let wanted = expected.split(separator: "\n").map(String.init)
    for (line, wanted) in zip(lines, wanted) { #expect(line == wanted) }
    #expect(lines.count == wanted.count)
  }

  @Test("Every folder of the corpus has its parser")
  func complete() throws {
    // The gateway's requests are replayed by its own tests.
    let names = try FileManager.default.contentsOfDirectory(atPath: CorpusTests.corpus.path).filter { !$0.hasPrefix("gateway.") }
    #expect(Set(names.map { $0.replacing(".expected", with: "") }) == Set(ResponseParser.all.map(\.name)))
  }

  /// Processor time of the whole process, including other threads, but not other processes.
  private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
