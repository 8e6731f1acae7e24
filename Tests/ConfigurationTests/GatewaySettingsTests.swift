import Foundation
import PlacesTesting
import Testing

@testable import Configuration

@Suite("gateway.toml") struct GatewaySettingsTests {
  private func problems(_ text: String) -> [String] { GatewaySettings.read(Array(text.utf8), file: "t").1.map(\.description) }

  @Test("is read")
  func values() {
    let (settings, problems) = GatewaySettings.read(
      Array(
        """
        listen = ["192.168.1.2:80", "[::1]:2325"]
        allow_from = ["192.168.1.0/24"]
        allow_origins = ["https://maps.example.org", "*"]
        tiles_url = "https://tiles.example.org/{z}/{x}/{y}.png"
        idle_s = 0
        """.utf8), file: "t")
    #expect(problems.isEmpty)
    #expect(settings.listen == ["192.168.1.2:80", "[::1]:2325"])
    #expect(settings.idleSeconds == 0)
    #expect(settings.tilesURL == "https://tiles.example.org/{z}/{x}/{y}.png")
    #expect(settings.connections == GatewaySettings().connections)
  }

  @Test(
    "reports every mistake with its position",
    arguments: [
      (
        "listen = [\"localhost:1\"]",
        "t:1:11: `listen` must be a numeric address with a port such as \"127.0.0.1:2325\" or \"[::1]:2325\", not \"localhost:1\""
      ),
      (
        "listen = [\"0.0.0.0:2325\"]",
        "t:1:10: `listen` has 0.0.0.0:2325, which other machines can reach, and there is no `allow_from`; name the networks whose machines may connect, such as \"192.168.1.0/24\""
      ),
      ("listen = []", "t:1:10: `listen` must be a list of 1 to 64 numeric addresses with ports, not an empty list"),
      (
        "allow_origins = [\"https://a/b\"]",
        "t:1:18: `allow_origins` must be an origin such as \"https://example.org\", or \"*\", not \"https://a/b\""
      ),
      (
        "allow_from = [\"10.0.0.0/33\"]",
        "t:1:15: `allow_from` must be a network such as \"192.168.1.0/24\" or \"fd00::/8\", not \"10.0.0.0/33\""
      ),
      (
        "tiles_url = \"https://a/{z}/{x}\"",
        "t:1:13: `tiles_url` must be a URL with {z}, {x} and {y} such as \"https://tiles.example.org/{z}/{x}/{y}.png\", not \"https://a/{z}/{x}\""
      ),
      ("idle = 3", "t:1:1: unknown key `idle`; did you mean `idle_s`?"),
    ])
  func mistakes(_ text: String, _ said: String) { #expect(problems(text) == [said]) }

  @Test(
    "networks hold the addresses that begin with the same bits",
    arguments: [
      ("192.168.1.0/24", [192, 168, 1, 77], true), ("192.168.1.0/24", [192, 168, 2, 77], false), ("10.128.0.0/9", [10, 200, 0, 1], true),
      ("10.128.0.0/9", [10, 100, 0, 1], false), ("0.0.0.0/0", [1, 2, 3, 4], true), ("127.0.0.1", [127, 0, 0, 2], false),
      ("::/0", [1, 2, 3, 4], false),
    ] as [(String, [UInt8], Bool)])
  func networks(_ network: String, _ address: [UInt8], _ isInside: Bool) throws {
    #expect(try #require(NetworkPrefix(network)).contains(address) == isInside)
  }

  @Test(
    "a network's length is a number of bits without a sign, at most the length of the address",
    arguments: ["10.0.0.0/+8", "10.0.0.0/-0", "10.0.0.0/", "10.0.0.0/ 8", "10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8"])
  func invalidNetworks(_ network: String) { #expect(NetworkPrefix(network) == nil) }

  @Test("names only directories that exist; they are looked for when the file is loaded")
  func directories() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("page_dir = \"\(folder.path)\"\nleaflet_dir = \"\(folder.path)\"\n", to: "gateway.toml")
    #expect(try GatewaySettings.load(path: file).pageDirectory == folder.path)
    try folder.write("page_dir = \"\(folder.path)/absent\"\nleaflet_dir = \"\(file)\"\n", to: "gateway.toml")
    let errors = #expect(throws: ConfigurationErrors.self) { try GatewaySettings.load(path: file) }
    let advice = "name an existing directory, or leave the key out"
    #expect(
      errors?.problems.map(\.description) == [
        "\(file):1:12: `page_dir`: the directory \"\(folder.path)/absent\" cannot be read: No such file or directory; \(advice)",
        "\(file):2:15: `leaflet_dir`: the directory \"\(file)\" cannot be read: Not a directory; \(advice)",
      ])
    // A value that is refused is reported once.
    try folder.write("leaflet_dir = 3\n", to: "gateway.toml")
    let refusal = #expect(throws: ConfigurationErrors.self) { try GatewaySettings.load(path: file) }
    #expect(refusal?.problems.count == 1)
  }

  @Test("has an example with every key, in the order of the table")
  func example() throws {
    let example = try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/etc/gateway.toml", encoding: .utf8)
    let lines = example.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { $0.dropFirst() }
    #expect(problems(lines.joined(separator: "\n")).isEmpty)
    #expect(lines.map { String($0.prefix { $0 != " " }) } == GatewaySettings.section.keys.map(\.name))
  }

  @Test("has the keys, the values and the defaults of places-gateway(8)")
  func manual() throws {
    let page = try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/man/places-gateway.8", encoding: .utf8)
    let told = page.split(separator: "\n").filter { $0.hasPrefix(".It Va ") }.map { $0.dropFirst(7).split(separator: " ")[0] }
    #expect(told.map(String.init) == GatewaySettings.section.keys.map(\.name))
    let text = page.replacing("\n", with: " ").replacing("\\-", with: "-")
    for key in GatewaySettings.section.keys where !key.defaultValue.isNull && key.defaultValue.array == nil {
      let defaultValue = key.defaultValue.string ?? key.defaultValue.text
      let entry = text.split(separator: ".It Va \(key.name) ").last?.split(separator: ".It Va ").first ?? ""
      #expect(entry.contains("Default: \(defaultValue)."), "\(key.name)")
    }
  }
}
