import Testing

@testable import places_gateway

@Suite("The gateway's command line")
struct OptionsTests {
  @Test("A flag with a value is refused", arguments: ["--check=no", "--check=", "--help=x", "--version=1", "-h=x", "-V=1"])
  func flags(_ argument: String) {
    guard case .wrong(let message) = Options.read([argument]) else {
      Issue.record("accepted")
      return
    }
    #expect(message.hasSuffix(" takes no value"))
  }

  @Test("Flags and a file are accepted", arguments: [["--check", "--config", "/x"], ["--config=/x", "--check"]])
  func accepted(_ arguments: [String]) {
    guard case .run(let options) = Options.read(arguments) else {
      Issue.record("refused")
      return
    }
    #expect(options.checksOnly && options.configuration == "/x")
  }
}
