import Foundation
import Glibc
import JSON
import PlacesTesting
import Testing

@Suite("A provider that a file describes") struct DescribedServiceTests {
  static let description = """
    format = 1
    name = "Towns"
    summary = "A list of towns."
    documentation = "https://towns.example.org/docs"
    hosts = ["towns.example.org"]
    attributions = [{ text = "The towns' own list" }]
    terms = { source = "none", ids = "forever", coordinates = "1 day", other = "1 day", blending = "free" }
    key = { query = "token" }
    settings.list = { summary = "The list.", default = "all" }
    fields = { id = "@.id", name = "@.name", latitude = "@.at[0]", longitude = "@.at[1]" }
    [autocomplete]
    path = "/lists/{settings.list}/towns"
    query.starts = "{query}"
    query.most = "{limit}"
    rows = "$.towns[*]"
    """

  @Test("The daemon asks the service with the key, and its rows are those of the answer")
  func answers() async throws {
    let server = try ScriptedServer { _ in
      [.answer(#"{"towns": [{"id": 1, "name": "Berlstedt", "at": [51.06, 11.24]}, {"id": 2, "at": [1, 2]}]}"#)]
    }
    defer { server.stop() }
    let home = try Home(
      providers: """
        [providers.towns]
        plugin = "described"
        service = "towns"
        list = "a/b"
        enabled = true
        base_url = "\(server.url)"
        allow_private_addresses = true
        api_key_file = "KEY"
        """)
    let key = try home.folder.write("secret-7", to: "key")
    chmod(key, 0o600)
    let text = try String(contentsOfFile: home.configuration, encoding: .utf8).replacing("\"KEY\"", with: "\"\(key)\"")
    try home.folder.write(text, to: "placesd.toml")
    mkdir(home.folder.file("services"), 0o700)
    try home.folder.write(Self.description, to: "services/towns.toml")
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("towns")
      let reply = try await client.suggest("berls")
      #expect(reply.texts.contains { $0.hasPrefix("Berlstedt") }, "\(reply.text)")
      #expect(reply.ids.contains("towns:1"), "\(reply.text)")
      #expect(server.requests.map(\.target) == ["/lists/a%2Fb/towns?starts=berls&most=10&token=secret-7"])
      #expect(!home.log.contains("secret-7"))
      // A changed file is read with the configuration, and one with a mistake is refused with its place.
      try home.folder.write(Self.description.replacing("{query}", with: "{querry}"), to: "services/towns.toml")
      daemon.signal(SIGHUP)
      try await daemon.logged("services/towns.toml:13:18: `autocomplete.query.starts`: unknown value `querry`; did you mean `query`?")
      try home.folder.write(Self.description.replacing("query.starts", with: "query.begins"), to: "services/towns.toml")
      daemon.signal(SIGHUP)
      try await daemon.logged("the configuration was reloaded")
      try await client.ready("towns")
      _ = try await client.suggest("berlst")
      #expect(server.requests.last?.target.contains("begins=berlst") == true)
    }
  }

  @Test(
    "What a service says about an error is shown to administrators without the key, and to no user",
    arguments: ["pelias", "towns"])
  func serviceMessage(id: String) async throws {
    let server = try ScriptedServer { _ in
      [.answer(status: 403, #"{"message": "Account 4711 is closed.\nYour key \u0063anary-7f3a-key may not ask for 'berls'."}"#)]
    }
    defer { server.stop() }
    let home = try Home()
    let key = try home.folder.write("canary-7f3a-key", to: "key")
    chmod(key, 0o600)
    let towns =
      "[providers.towns]\nplugin = \"described\"\nservice = \"towns\"\nenabled = true\nbase_url = \"\(server.url)\"\nallow_private_addresses = true"
    try home.configure(providers: (id == "towns" ? towns : Home.pelias(at: server.url)) + "\napi_key_file = \"\(key)\"")
    mkdir(home.folder.file("services"), 0o700)
    try home.folder.write(Self.description, to: "services/towns.toml")
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready(id)
      let message = "Account 4711 is closed. Your key [key] may not ask for 'berls'."
      let test = try await client.call("providers.test", ["provider": .string(id), "query": "berls"])
      #expect(test["result"]?["serviceMessage"]?.string == message, "\(test.text)")
      _ = try await client.call("providers.resume", ["provider": .string(id)])
      let replies = try await client.suggest("berlst").text + client.suggest("berlst", ["explain": true]).text
      #expect(!replies.contains("4711") && !replies.contains("canary"), "\(replies)")
      #expect(home.log.contains("the service says: Account 4711 is closed."), "\(home.log)")
      #expect(!home.log.contains("canary") && !home.log.contains("berls"), "\(home.log)")
      let list = try await client.call("providers.get", ["provider": .string(id)])
      #expect(list.text.contains("4711") && !list.text.contains("berls"), "for administrators: \(list.text)")
    }
  }
}
