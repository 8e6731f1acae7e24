import Foundation
import Testing

@testable import placesctl

@Suite("Shells complete what is typed")
struct CompletionTests {
  @Test("The completions that are installed are the ones that the program prints", arguments: CompletionCommand.Shell.allCases)
  func completion(_ shell: CompletionCommand.Shell) async throws {
    let file = [.bash: "etc/bash-completion/placesctl", .zsh: "etc/zsh/_placesctl", .fish: "etc/fish/placesctl.fish"][shell]
    #expect(
      try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/\(#require(file))", encoding: .utf8)
        == shell.script(Commands.all))
    #expect(await run(["completion", shell.rawValue]).output == shell.script(Commands.all))
  }

  @Test(
    "The completion is a script that bash accepts, and completes commands and options",
    arguments: [
      (["placesctl", "sug"], 1, "suggest"), (["placesctl", "providers", "resu"], 2, "resume"),
      (["placesctl", "suggest", "x", "--comp"], 3, "--compare"),
      (["placesctl", "suggest", "x", "--cache", "ref"], 4, "refresh"), (["placesctl", "suggest", "-t", "citi"], 3, "cities"),
      (["placesctl", "search", "--sort", "d"], 3, "distance"), (["placesctl", "metrics", "--format", "o"], 3, "openmetrics"),
      (["placesctl", "gazetteer", "import", "--format", "geoj"], 4, "geojson"), (["placesctl", "log", "--level", "de"], 3, "debug"),
      (["placesctl", "search", "--price", "in"], 3, "inexpensive"), (["placesctl", "completion", "b"], 2, "bash"),
      (["placesctl", "providers", "show", "gaz"], 3, "gazetteer"), (["placesctl", "suggest", "-p", "ph"], 3, "photon"),
      (["placesctl", "gazetteer", "import", "--form"], 3, "--format"), (["placesctl", "budget", "--prov"], 2, "--provider"),
      (["placesctl", "budget", "con"], 2, "confirm"), (["placesctl", "-q", "sug"], 2, "suggest"),
      (["placesctl", "--json", "providers", "sho"], 3, "show"), (["placesctl", "--json", "providers", "show", "gaz"], 4, "gazetteer"),
      (["placesctl", "--socket", "/s", "-q", "sug"], 4, "suggest"), (["placesctl", "--socket", "=", "/s", "sug"], 4, "suggest"),
      (["placesctl", "--qui"], 1, "--quiet"), (["placesctl", "--socket", "s"], 2, ""), (["placesctl", "-p", "ph"], 2, ""),
      (["placesctl", "gazetteer", "remove", "t"], 3, "town"),
    ] as [([String], Int, String)])
  func completes(_ words: [String], _ current: Int, _ expected: String) throws {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      #"placesctl() { echo '{"calls":[],"id":"gazetteer"}'; echo '{"id":"photon"}'; echo '{"name":"town"}'; }; timeout() { shift; "$@"; }"#
      + "\n"
      + BashCompletion.script(Commands.all)
      + "\nCOMP_WORDS=(\(line)); COMP_CWORD=\(current); _placesctl; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    #expect(try output("/bin/bash", ["-c", script]) == expected + "\n")
  }

  @Test(
    "The completion for fish offers commands, options and their values", .enabled(if: exists("fish"), "needs fish"),
    arguments: [
      ("sug", "suggest"), ("providers resu", "resume"), ("suggest x --comp", "--compare"), ("suggest --cache ref", "refresh"),
      ("suggest -t citi", "cities"), ("search --sort d", "distance"), ("gazetteer import --format geoj", "geojson"),
      ("completion b", "bash"), ("providers show gaz", "gazetteer"), ("suggest -p ph", "photon"),
      ("gazetteer import --form", "--format"), ("budget --prov", "--provider"), ("budget con", "confirm"), ("suggest --limit ", nil),
      ("-q sug", "suggest"), ("--json providers sho", "show"), ("--json providers show gaz", "gazetteer"),
      ("--socket /s -q sug", "suggest"), ("-p sug", nil), ("--qui", "--quiet"),
      ("gazetteer remove t", "town"),
    ] as [(String, String?)])
  func completesInFish(_ line: String, _ expected: String?) throws {
    let script =
      #"function placesctl; echo '{"calls":[],"id":"gazetteer"}'; echo '{"id":"photon"}'; echo '{"name":"town"}'; end; function timeout; $argv[2..]; end"#
      + "\n"
      + FishCompletion.script(Commands.all) + "complete -C 'placesctl \(line)'\n"
    let offered = try output("/usr/bin/fish", ["--no-config", "-c", script]).split(separator: "\n")
    #expect(offered.map { String($0.prefix { $0 != "\t" }) } == (expected.map { [$0] } ?? []))
  }

  @Test(
    "The completion for zsh is a valid script, and offers the permitted words", .enabled(if: exists("zsh"), "needs zsh"),
    arguments: [
      ("sug", "suggest:Suggest places and queries for the beginning of a text."),
      ("providers resu", "resume:End the suspension of a provider."), ("budget con", "confirm:"),
      ("budget --prov", "--provider[Only the account of this provider.]"),
      ("suggest --ca", "--cache[How the cache is used: default, only, refresh or bypass.]:MODE:(default only refresh bypass)"),
      ("suggest -p ", "-p[Query only this provider; may be repeated.]:ID:_placesctl_providers"), ("config check ", "::FILE:_files"),
      ("-q sug", "suggest:Suggest places and queries for the beginning of a text."),
      ("--json --socket /s providers resu", "resume:End the suspension of a provider."), ("--json budget con", "confirm:"),
      ("--qui", "--quiet[Print no diagnostics on standard error.]"), ("--socket ", ":PATH:_files"),
      ("-q completion ", ":SHELL:(bash zsh fish)"),
      ("completion ", ":SHELL:(bash zsh fish)"), ("gazetteer build ", "--json[Print the result as one JSON document.]"),
      ("gazetteer remove ", ":NAME:_placesctl_sources"),
      ("plugin check --set a=1 --se", "*--set[One of the plugin's own settings"),
    ])
  func completesInZsh(_ line: String, _ expected: String) throws {
    let script = """
      compdef() { :; }; _describe() { print -rl -- ${(P)2}; }; _arguments() { print -rl -- "$@"; }
      \(ZshCompletion.script(Commands.all))
      words=(placesctl ${=1}); [[ $1 == *' ' ]] && words+=(''); CURRENT=$#words; _placesctl
      """
    #expect(try output("/usr/bin/zsh", ["-f", "-c", script, "zsh", line]).contains(expected))
  }

  static func exists(_ shell: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)") }

  private func output(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }
}
