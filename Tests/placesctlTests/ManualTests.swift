import Configuration
import Foundation  // Process, to run what the manual shows
import PluginHost
import JSON
import PlacesAPI
import PlacesKit
import Testing

@testable import placesctl

/// A file of the repository.
private func repository(_ path: String) throws -> String {
  try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/\(path)", encoding: .utf8)
}

/// The items of a manual page's lists, by the text after `.It`.
private func items(_ page: String) throws -> Set<String> {
  Set(try repository("man/\(page)").split(separator: "\n").filter { $0.hasPrefix(".It ") }.map { String($0.dropFirst(4)) })
}

@Suite("The manual, the examples and the completion agree with the tables")
struct ManualTests {
  @Test("placesctl(1) documents every command, option and exit code")
  func commands() throws {
    let page = try repository("man/placesctl.1")
    let items = try items("placesctl.1")
    for command in Commands.all {
      #expect(items.contains { $0 == "Ic \(command.name)" || $0.hasPrefix("Ic \(command.name) ") }, "\(command.name)")
      for option in command.allOptions {
        #expect(page.contains("Fl \\-\(option.name)"), "\(command.name) --\(option.name)")
        #expect(page.contains(option.summary.prefix { $0 != "." && $0 != ":" && $0 != ";" }), "\(option.summary)")
      }
    }
    for exit in ExitCode.allCases { #expect(page.contains(".It \(exit.rawValue)\n\(exit.summary.prefix { $0 != ":" })"), "\(exit)") }
  }

  @Test("placesctl(1) documents only existing commands and options")
  func nothingElse() throws {
    let names = Set(Commands.all.map(\.name))
    let options = Set(Commands.all.flatMap(\.allOptions).map(\.name))
    for item in try items("placesctl.1") {
      if item.hasPrefix("Ic ") {
        let words = item.dropFirst(3).split(separator: " ")
        #expect(names.contains { name in words.starts(with: name.split(separator: " ")) }, "\(item)")
      }
      if let flag = item.firstRange(of: "Fl \\-") {
        #expect(options.contains(String(item[flag.upperBound...].prefix { $0 != " " })), "\(item)")
      }
    }
  }

  @Test("placesd.toml(5) documents every key, and no other")
  func keys() throws {
    let found = Set(try items("placesd.toml.5").filter { $0.hasPrefix("Va ") }.map { String($0.dropFirst(3)) })
    let expected = Set(
      ConfigurationKeys.sections.flatMap { section in
        section.keys.map { $0.table == section.name ? $0.name : "\($0.table.dropFirst(section.name.count + 1)).\($0.name)" }
      })
    #expect(found == expected)
    let page = try repository("man/placesd.toml.5")
    for section in ConfigurationKeys.sections { #expect(page.contains(".Ss [\(section.name)]")) }
  }

  @Test("places-rpc(7) documents every method, parameter and error")
  func methods() throws {
    let page = try repository("man/places-rpc.7")
    func check<M: PlacesAPI.Method>(_ method: M.Type) throws {
      let start = try #require(page.range(of: ".It Sy \(M.name)\n"), "\(M.name)")
      let section = page[start.upperBound...].prefix { _ in true }
      let end = section.range(of: "\n.It Sy ")?.lowerBound ?? section.endIndex
      for field in M.schema.fields {
        #expect(section[..<end].contains(".It Va \(field.name)\(field.isRequired ? " Pq required" : "")\n"), "\(M.name) \(field.name)")
      }
      #expect(section[..<end].contains("For administrators.") == (M.access == .administrator), "\(M.name)")
    }
    for method in Catalogue.methods { try check(method) }
    for error in APIError.Name.allCases { #expect(page.contains(".It \(error.code) Sy \(error.rawValue)\n"), "\(error)") }
    for outcome in ProviderReport.Outcome.allCases { #expect(page.contains(".Sy \(outcome.rawValue)"), "\(outcome)") }
  }

  @Test("places-provider(7) documents every cause of a provider's error")
  func causes() throws {
    let page = try repository("man/places-provider.7")
    for cause in ProviderError.Cause.allCases {
      #expect(page.contains("\(cause.rawValue) ") || page.contains("\(cause.rawValue)\n"), "\(cause)")
    }
  }

  @Test("places-provider(7) documents every parameter that a manifest may name, with the calls that have it")
  func manifestParameters() throws {
    let page = try repository("man/places-provider.7")
    let section = page.split(separator: "\n.Sh ").first { $0.hasPrefix("PARAMETERS\n") } ?? ""
    var items: [String: Set<String>] = [:]
    var before: Set<String> = []
    for item in section.split(separator: "\n.It Va ").dropFirst() {
      let lines = item.split(separator: "\n")
      // The calls are in the first line after the name.
      let words = Set(lines.dropFirst().first?.split { !$0.isLetter }.map(String.init) ?? [])
      let (calls, all) = (words.intersection(Call.allCases.map(\.rawValue)), Set(Call.allCases.map(\.rawValue)))
      let told = words.isSuperset(of: ["All", "but"]) ? all.subtracting(calls.isEmpty ? ["reverse"] : calls) : calls
      before = words.isSuperset(of: ["All", "calls"]) ? all : words.isSuperset(of: ["The", "same"]) ? before : told
      items[String(lines[0])] = before
    }
    for parameter in Capability.Parameter.allCases {
      #expect(
        items[parameter.rawValue] == Set(Call.allCases.filter { $0.parameters.contains(parameter) }.map(\.rawValue)), "\(parameter)")
    }
  }

  @Test("The example of places-provider(7) is a provider")
  func example() throws {
    let page = try repository("man/places-provider.7")
    let begin = try #require(page.range(of: ".Bd -literal\n#!"))
    let end = try #require(page[begin.upperBound...].range(of: "\n.Ed"))
    let script = "#!" + page[begin.upperBound..<end.lowerBound].replacing("\\-", with: "-").replacing("\\e", with: "\\")
    let requests = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":{"major":1,"minor":0},"daemon":"1"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"configure","params":{"id":"tiny","settings":{},"dataDirectories":[]}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"autocomplete","params":{"query":"va","limit":5,"types":[],"countries":[],"kinds":["place"]}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"reverse","params":{}}"#,
      #"{"jsonrpc":"2.0","id":5,"method":"search","params":{"query":"schaan","limit":5,"fields":["name"]}}"#,
      #"{"jsonrpc":"2.0","id":6,"method":"details","params":{"id":"1","fields":["name"]}}"#,
      #"{"jsonrpc":"2.0","id":7,"method":"details","params":{"id":"9","fields":["name"]}}"#,
      #"{"jsonrpc":"2.0","id":8,"method":"shutdown","params":{}}"#,
    ]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data((requests.joined(separator: "\n") + "\n").utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let replies = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(replies.compactMap { $0["id"]?.integer } == [1, 2, 3, 4, 5, 6, 7])
    #expect(replies.first?["result"]?["manifest"]?["plugin"] == "tiny")
    let rows = replies[2]["result"]?["rows"]?.array ?? []
    #expect(rows.map { $0["text"]?["text"]?.string } == ["Vaduz"])
    #expect(replies[3]["error"]?["data"]?["cause"] == "unsupported")
    // As the daemon reads it.
    #expect(replies[4]["result"]?["rows"]?[0]?["values"]?["name"] == "Schaan")
    #expect(replies[5]["result"]?["id"] == "1" && replies[5]["result"]?["values"]?["name"] == "Vaduz")
    #expect(replies[6]["error"]?["data"]?["cause"] == "not_found")
  }

  @Test("Help lists every option and argument, in 80 columns")
  func help() async {
    for command in Commands.all {
      let outcome = await run(command.path + ["--help"], width: 80)
      #expect(outcome.exit == .results)
      for option in command.allOptions { #expect(outcome.output.contains(option.usage), "\(command.name) \(option.usage)") }
      for argument in command.arguments { #expect(outcome.output.contains(argument.usage)) }
      for line in outcome.output.split(separator: "\n") { #expect(Width.of(String(line)) <= 80, "\(line)") }
    }
    let overview = await run(["--help"], width: 80).output
    for command in Commands.all { #expect(overview.contains("  \(command.name)")) }
    #expect(await run([]).exit == .usage)
  }

  @Test("The example configuration is good as it is, and with every comment taken away; it holds every key")
  func exampleConfiguration() throws {
    let text = try repository("etc/placesd.toml")
    // Copied, because the repository may belong to a different user, whose configuration files are not trusted.
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("placesd-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/providers.d", withIntermediateDirectories: true)
    let drops = try FileManager.default.contentsOfDirectory(atPath: "etc/providers.d").map { "providers.d/\($0)" }
    try FileManager.default.createDirectory(atPath: "\(folder)/services", withIntermediateDirectories: true)
    for name in ["placesd.toml", "services/ban.toml"] + drops {
      try repository("etc/\(name)").write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    let shipped = try Configuration.load(path: "\(folder)/placesd.toml", locations: .system)
    #expect(shipped.providers.filter(\.enabled).map(\.id) == ["gazetteer"])
    #expect(shipped.providers.count > 6)
    let whole = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }.joined(separator: "\n")
    // In the directory of the description that it names.
    let path = "\(folder)/whole.toml"
    try FileManager.default.removeItem(atPath: "\(folder)/providers.d")
    try whole.write(toFile: path, atomically: true, encoding: .utf8)
    let read = try Configuration.load(path: path, locations: .system)
    #expect(read.daemon.adminGroup == "placesd-admin")
    for section in ConfigurationKeys.sections {
      for key in section.keys where key.name != "command" && key.name != "credential" && key.table.hasSuffix("CLASS") == false {
        #expect(
          whole.split(separator: "\n").contains { $0.hasPrefix("\(key.name) =") || $0.hasPrefix("[providers.example.\(key.name)]") },
          "\(key.name)")
      }
    }
  }
}
