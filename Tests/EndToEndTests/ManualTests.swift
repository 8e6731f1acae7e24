import Foundation
import Testing

@Suite("placesd(8)")
struct ManualTests {
  @Test("has the options and exit codes of --help, in the same order, and no others")
  func options() throws {
    let help = try output(["--help"])
    let page = try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/man/placesd.8", encoding: .utf8)
    let lines = page.split(separator: "\n")
    let inHelp = help.split(separator: "\n").filter { $0.hasPrefix("  --") }.compactMap { $0.split(separator: " ").first }
    let inManual = lines.filter { $0.hasPrefix(".It Fl \\-") }.map { "--" + $0.dropFirst(9).prefix { $0 != " " } }
    #expect(inHelp.map(String.init) == inManual)
    #expect(inManual.count >= 5)
    let codes = lines.compactMap { $0.hasPrefix(".It ") ? Int($0.dropFirst(4)) : nil }
    let told = help.split(separator: "Exit status:").last?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
    #expect(codes == [0, 1, 2, 6, 75])
    #expect(told.filter { $0 != 8 && $0 != 5 } == codes)
  }

  @Test(
    "agrees with the command line",
    arguments: [(["--frob"], 2), (["--config"], 2), (["--version"], 0), (["--check"], 6)] as [([String], Int32)])
  func exits(_ arguments: [String], _ code: Int32) async throws {
    let home = try Home(daemon: "language = 7", withIndex: false)
    let daemon = try DaemonProcess(home, arguments: arguments + (arguments == ["--check"] ? ["--config", home.configuration] : []))
    #expect(try await daemon.exitCode() == code)
    #expect(!home.log.isEmpty)
  }

  private func output(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(try DaemonProcess.programs)/placesd")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
