import Glibc
import PlacesTesting
import ServiceDescriptions
import Testing

@testable import Configuration

@Suite("A provider of a described service") struct ServiceFileTests {
  let folder: TemporaryFolder
  let locations: Locations

  static let sound = """
    format = 1
    name = "T"
    summary = "A test."
    documentation = "https://example.org/"
    hosts = ["api.example.org"]
    attributions = [{ text = "T" }]
    terms = { source = "none" }
    key = { query = "k" }
    settings.site = { summary = "The site." }
    fields = { id = "@.id", name = "@.name" }
    [search]
    path = "/s"
    rows = "$.rows[*]"
    query.q = "{query}"
    query.site = "{settings.site}"
    """

  init() throws {
    folder = try TemporaryFolder()
    locations = Locations(environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path], userID: 1000)
    mkdir(folder.file("services"), 0o700)
  }

  func draft(_ provider: String) throws -> Configuration.Draft {
    try folder.write("[providers.t]\nplugin = \"described\"\n\(provider)", to: "x.toml")
    return Configuration.draft(path: folder.file("x.toml"), locations: locations)
  }

  func said(_ provider: String) throws -> [String] {
    try draft(provider).problems.map { $0.description.replacing(folder.path, with: "F") }
  }

  @Test("The file in the configuration's folder is read, and determines hosts, key and settings")
  func read() throws {
    try folder.write(Self.sound, to: "services/t.toml")
    let draft = try draft("service = \"t\"\nsite = \"a\"")
    #expect(draft.problems == [])
    let provider = try #require(draft.configuration[provider: "t"])
    let manifest = try #require(provider.serviceFile?.manifest)
    #expect(manifest.hosts == ["api.example.org"])
    #expect(manifest.credential == .query(name: "k"))
    #expect(provider.serviceSettings["description"]?.string == Self.sound)
    #expect(draft.configuration.files.last?.hasSuffix("/services/t.toml") == true)
    #expect(provider.missingSettings(for: manifest).map(\.message) == ["[providers.t] needs a key"])
    // A changed description is another provider.
    try folder.write(Self.sound + "\n# changed", to: "services/t.toml")
    #expect(try self.draft("service = \"t\"\nsite = \"a\"").configuration[provider: "t"] != provider)
  }

  @Test("A description cannot have a setting with the name of a key that every provider has")
  func settingNames() {
    for key in ProviderSettings.keys { #expect(!SettingNames.isFree(key.name), "\(key.name)") }
    #expect(SettingNames.isFree("site"))
  }

  @Test("A missing name, a missing file and a mistake in the file are reported with their places")
  func mistakes() throws {
    try folder.write(Self.sound.replacing("{query}", with: "{querry}"), to: "services/t.toml")
    #expect(try said("") == ["F/x.toml:1:12: [providers.t] needs `service`; name a file in services, without .toml; see places-service(5)"])
    // Only directories that exist are named, besides the one for the administrator's own descriptions.
    let unknown = Locations(environment: ["HOME": folder.path], userID: 1000, executableDirectory: folder.file("none/bin"))
    try folder.write("[providers.t]\nplugin = \"described\"\nservice = \"tt\"", to: "x.toml")
    let draft = Configuration.draft(path: folder.file("x.toml"), locations: unknown)
    #expect(
      draft.problems.map { $0.description.replacing(folder.path, with: "F") }
        == ["F/x.toml:3:11: there is no description tt.toml in F/services; did you mean \"t\"?"])
    // Its program is not started without the description, which it could only report as missing once more.
    #expect(draft.configuration[provider: "t"]?.namesProgram == false)
    #expect(try said("service = \"t\"") == ["F/services/t.toml:14:13: `search.query.q`: unknown value `querry`; did you mean `query`?"])
    chmod(folder.file("services/t.toml"), 0o666)
    #expect(try said("service = \"t\"").contains { $0.contains("every user can write it") })
    try folder.write("[providers.t]\nplugin = \"photon\"\nservice = \"t\"", to: "y.toml")
    let other = Configuration.draft(path: folder.file("y.toml"), locations: locations)
    #expect(other.problems.map(\.message) == ["`providers.t.service` is for `plugin = \"described\"`"])
  }
}
