import Foundation
import Testing

@Suite("The tables of tests") struct FeatureTableTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  @Test("Each row names a test that exists", arguments: ["ProvidersTests/README.md", "README.md"])
  func namedTests(table: String) throws {
    let table = try String(contentsOf: Self.tests.appendingPathComponent(table), encoding: .utf8)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| feature") && !$0.hasPrefix("| demand") }
    #expect(rows.count >= 50)
    var files: [String: String] = [:]
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 3, "\(row)")
      guard cells.count == 3 else { continue }
      let file = cells[1].trimmingCharacters(in: ["`"])
      if files[file] == nil { files[file] = try String(contentsOf: Self.tests.appendingPathComponent(file), encoding: .utf8) }
      let source = files[file] ?? ""
      #expect(
        source.contains("@Test(\"\(cells[2])\"") || source.contains("    \"\(cells[2])\"") || source.contains("func `\(cells[2])`")
          || file.hasSuffix(".py") && source.contains(cells[2]), "\(row)")
    }
  }
}
