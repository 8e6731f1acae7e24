import PlacesKit
import Testing

@testable import PluginHost

struct SettingsCheckTests {
  private let declared = [
    Setting("url", .url, "where", required: true), Setting("size", .integer, "how many", defaultValue: 3),
    Setting("ratio", .number, "how much"),
    Setting("on", .boolean, "whether"), Setting("words", .strings, "which", choices: ["a", "b"]),
    Setting("mode", .string, "how", choices: ["x", "y"]),
  ]

  @Test("Valid settings are accepted, and defaults are filled in")
  func good() throws {
    let given: [String: JSONValue] = ["url": "https://x", "ratio": 1, "on": true, "words": ["b"], "mode": "y"]
    var expected = given
    expected["size"] = 3
    #expect(try SettingsCheck.check(given, against: declared, of: "p") == expected)
  }

  @Test(
    "A bad setting is named, without its value",
    arguments: [
      ("url", "ftp://secret", "url must be a URL"), ("url", "https://", "url must be a URL"), ("size", 1.5, "size must be an integer"),
      ("size", .number(1), "size must be an integer"), ("url", "https://secret@host", "names no user"),
      ("url", "https://x#secret", "url must"),
      ("ratio", "secret", "ratio must be a number"), ("on", 1, "on must be true or false"),
      ("words", "a", #"words must be a list, each element one of "a", "b""#),
      ("words", ["secret"], #"words must be a list, each element one of "a", "b""#), ("mode", "secret", #"mode must be one of "x", "y""#),
      ("mode", 1, #"mode must be one of "x", "y""#),
      ("sise", 1, "sise is not one of its settings; it has url, size, ratio, on, words, mode"),
    ] as [(String, JSONValue, String)])
  func bad(name: String, value: JSONValue, message: String) {
    let error = #expect(throws: ProviderStartError.self) {
      try SettingsCheck.check(["url": "https://x"].merging([name: value]) { $1 }, against: declared, of: "p")
    }
    #expect(error?.kind == .settings)
    #expect(error?.message.contains(message) == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("One message reports all faults")
  func several() {
    let error = #expect(throws: ProviderStartError.self) { try SettingsCheck.check(["on": 1, "none": 1], against: declared, of: "p") }
    #expect(
      error?.message.hasPrefix("provider p: url is missing: where; on must be true or false; none is not one of its settings") == true)
  }
}
