import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

struct LogTests {
  @Test("Standard error is logged by lines, wherever it was cut, without terminal control characters")
  func lines() {
    let text = Array("first\n\u{1B}[31mred\u{7}\n\nl\u{202E}ast\n".utf8)
    for cut in 0...text.count {
      let written = Lines()
      let log = ProviderLog(time: ManualTime()) { written.add("\($0.rawValue): \($1)") }
      log.add(standardError: Array(text[..<cut]))
      log.add(standardError: Array(text[cut...]))
      #expect(log.lines == ["first", "\u{FFFD}[31mred\u{FFFD}", "l\u{FFFD}ast"].map { "2027-01-15T08:00:00.000Z \($0)" })
      #expect(written.all.first == "warning: first")
    }
  }

  @Test("More than 64 KiB a minute are dropped, and counted")
  func bounded() {
    let time = ManualTime()
    let written = Lines()
    let log = ProviderLog(time: time) { written.add("\($1)") }
    for _ in 0..<1_000 { log.add(.info, String(repeating: "x", count: 10_000)) }
    #expect(written.all.reduce(0) { $0 + $1.utf8.count } <= ProviderLog.maxBytesPerMinute)
    #expect(written.all.allSatisfy { $0.count == ProviderLog.maxLineLength })
    let kept = written.all.count
    time.advance(by: 61)
    log.add(.info, "again")
    #expect(written.all.suffix(2) == ["\(1_000 - kept) lines of the provider were dropped in the minute before", "again"])
    #expect(log.lines.count <= ProviderLog.maxLines)
  }

  @Test("The last error output is the last line that is not blank, of the current process")
  func lastErrorOutput() {
    let log = ProviderLog(time: ManualTime()) { _, _ in }
    log.add(standardError: Array("no licence\n \t\n\n".utf8))
    #expect(log.lastErrorOutput == "no licence")
    log.beginProcess()
    #expect(log.lastErrorOutput == nil)
  }

  @Test("A line without end uses no more memory than a line of maximum length")
  func endless() {
    let log = ProviderLog(time: ManualTime()) { _, _ in }
    for _ in 0..<100 { log.add(standardError: Array(repeating: 0x41, count: 65_536)) }
    log.add(standardError: [0x0A])
    #expect(log.lines.map(\.count) == [ProviderLog.maxLineLength + "2027-01-15T08:00:00.000Z ".count])
  }
}
