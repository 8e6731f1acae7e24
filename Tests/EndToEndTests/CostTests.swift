import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("The cost of typing")
struct CostTests {
  /// List prices in millionths: a suggestion costs 2,830 at Google and 15,000 at Foursquare, details 5,000.
  @Test("is the price of the calls that remain after short words, pauses and sessions")
  func sums() throws {
    // Six letters typed slowly, and five quicker than any service answers; both people then look at the place's details.
    let slow = ["b", "be", "ber", "berl", "berli", "berlin"].enumerated().map { "0\t1\ten\t\(100 + 400 * $0)\t\($1)\t0" }
    let quick = ["p", "pa", "par", "pari", "paris"].enumerated().map { "1\t1\ten\t\(100 + 50 * $0)\t\($1)\t0" }
    let folder = try TemporaryFolder()
    let path = try folder.write((["session\tgeonameid\tlang\tt_ms\ttyped\tfinal"] + slow + quick).joined(separator: "\n") + "\n", to: "k")
    let result = try run([path, try DaemonProcess.programs])
    // Eleven keystrokes at both, and two places.
    #expect(result["naive"]?["dollars"]?.double == dollars(google: 11, foursquare: 11))
    // Seven of them have three letters; a session of four ends cheapest with Essentials.
    #expect(result["daemon"]?["dollars"]?.double == dollars(google: 7, foursquare: 7))
    #expect(result["daemon"]?["calls"]?["google autocomplete"]?.double == 3_500)
    // Only the last of the fast keystrokes is followed by a pause.
    #expect(result["daemon and fetcher"]?["dollars"]?.double == dollars(google: 5, foursquare: 5))
  }

  /// For 1,000 sessions, in cents' precision.
  private func dollars(google: Int, foursquare: Int) -> Double {
    (Double(google * 2_830 + 2 * 5_000 + foursquare * 15_000) * 500 / 1e4).rounded() / 100
  }

  private func run(_ arguments: [String]) throws -> JSONValue {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "\(try DaemonProcess.programs)/bench-sessions")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONValue(parsing: Array(data))
  }
}
