import Foundation
import Glibc
import PlacesTesting
import Testing

@testable import Configuration

@Suite("Files are found, limited in size, and trusted only if no other user may write or read them")
struct FileTests {
  let folder: TemporaryFolder
  let locations: Locations

  init() throws {
    folder = try TemporaryFolder()
    locations = Locations(environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path], userID: 1000)
  }

  func said(_ path: String? = nil) -> [String] {
    do throws(ConfigurationErrors) {
      _ = try Configuration.load(path: path, locations: locations)
      return []
    } catch {
      return error.problems.map { $0.description.replacing(folder.path, with: "F") }
    }
  }

  @Test("A missing main file is an empty configuration, unless its path was set explicitly")
  func missing() throws {
    #expect(said() == [])
    #expect(said(folder.file("x.toml")) == ["F/x.toml: cannot be read: No such file or directory"])
    let named = Locations(environment: ["PLACES_CONFIG": folder.file("y.toml")], userID: 0)
    #expect(throws: ConfigurationErrors.self) { try Configuration.load(locations: named) }
  }

  @Test("The main file and its providers.d are read in order, without hidden and foreign files")
  func dropIns() throws {
    mkdir(folder.file("providers.d"), 0o700)
    try folder.write("[daemon]\nregion = \"li\"", to: "x.toml")
    try folder.write("[providers.b]\nplugin = \"b\"", to: "providers.d/b.toml")
    try folder.write("[providers.a]\nplugin = \"a\"", to: "providers.d/a.toml")
    try folder.write("nonsense", to: "providers.d/.hidden.toml")
    try folder.write("nonsense", to: "providers.d/c.toml.dpkg-old")
    let read = try Configuration.load(path: folder.file("x.toml"), locations: locations)
    #expect(read.daemon.region == "LI")
    #expect(read.providers.map(\.id) == ["a", "b", "gazetteer"])
    #expect(read.files.map { $0.replacing(folder.path, with: "F") } == ["F/x.toml", "F/providers.d/a.toml", "F/providers.d/b.toml"])
  }

  @Test("A folder, a pipe and a huge file are rejected immediately")
  func strange() throws {
    mkdir(folder.file("d.toml"), 0o700)
    #expect(said(folder.file("d.toml")) == ["F/d.toml: cannot be read: it is not a regular file"])
    mkfifo(folder.file("p.toml"), 0o600)
    #expect(said(folder.file("p.toml")) == ["F/p.toml: cannot be read: it is not a regular file"])
    try folder.write(String(repeating: "#\n", count: 600_000), to: "h.toml")
    #expect(said(folder.file("h.toml")) == ["F/h.toml: cannot be read: it is larger than 1 MiB"])
  }

  @Test("A file that every user can write is rejected, because it could make the daemon run a command")
  func writable() throws {
    try folder.write("", to: "w.toml")
    chmod(folder.file("w.toml"), 0o666)
    #expect(said(folder.file("w.toml")) == ["F/w.toml: every user can write it; chmod o-w F/w.toml"])
  }

  @Test("A folder that every user can write is rejected, and a sticky folder is not")
  func writableFolder() throws {
    mkdir(folder.file("d"), 0o700)
    mkdir(folder.file("d/providers.d"), 0o700)
    try folder.write("", to: "d/x.toml")
    for (name, path) in [("d", "F/d/"), ("d/providers.d", "F/d/providers.d")] {
      chmod(folder.file(name), 0o777)
      #expect(said(folder.file("d/x.toml")) == ["\(path): every user can write it; chmod o-w \(path)"])
      chmod(folder.file(name), 0o1777)
      #expect(said(folder.file("d/x.toml")) == [])
      chmod(folder.file(name), 0o700)
    }
  }

  @Test(
    "Root's files and the user's own are trusted, another user's are not",
    arguments: [(0, 7, true), (7, 7, true), (8, 7, false), (8, 0, false)])
  func owners(_ owner: uid_t, _ user: uid_t, _ isGood: Bool) {
    let problems = FileAccess(mode: 0o644, owner: owner).problems("x", user: user).map(\.description)
    #expect(problems == (isGood ? [] : ["x: it belongs to user \(owner), who could change it; chown root x"]))
  }

  @Test("The owner that is checked is the file's", .enabled(if: geteuid() == 0, "only root gives files away"))
  func foreign() throws {
    try folder.write("", to: "x.toml")
    chown(folder.file("x.toml"), 12_345, 12_345)
    #expect(said(folder.file("x.toml")) == ["F/x.toml: it belongs to user 12345, who could change it; chown root F/x.toml"])
  }

  @Test(
    "A key's file may be read by its owner and a group, and written by its owner",
    arguments: [
      (0o600, true), (0o400, true), (0o640, true), (0o440, true), (0o644, false), (0o660, false), (0o604, false), (0o602, false),
      (0o666, false),
    ] as [(UInt32, Bool)])
  func keyModes(_ mode: UInt32, _ good: Bool) throws {
    try folder.write("PLKEY_7f3c\n", to: "key")
    try folder.write("[providers.a]\nplugin = \"a\"\nenabled = true\napi_key_file = \"\(folder.file("key"))\"", to: "x.toml")
    chmod(folder.file("key"), mode)
    let said = said(folder.file("x.toml"))
    let octal = String(mode, radix: 8)
    #expect(
      said == (good ? [] : ["F/x.toml:4:16: F/key has mode \(octal): others may read or change the key of [providers.a]; chmod 600 F/key"]))
  }

  @Test("A key is one line of printable ASCII and never appears in a message", arguments: ["", "\n", "two words", "tab\tbed", "ä", "a\nb"])
  func badKeys(_ key: String) throws {
    try folder.write(key, to: "key")
    chmod(folder.file("key"), 0o600)
    var provider = ProviderSettings(id: "a")
    provider.apiKeyFile = folder.file("key")
    let error = try #require(throws: ConfigurationProblem.self) { try provider.secret(locations: locations) }
    #expect(error.message == "\(folder.file("key")) must hold the key of [providers.a] and nothing else, as one line of printable ASCII")
  }

  @Test("Printing a key does not show it")
  func secrets() throws {
    try folder.write("PLKEY_7f3c\n", to: "key")
    chmod(folder.file("key"), 0o600)
    var provider = ProviderSettings(id: "a")
    provider.apiKeyFile = folder.file("key")
    let secret = try #require(try provider.secret(locations: locations))
    #expect(secret.reveal { $0 } == "PLKEY_7f3c")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("PLKEY"))
  }

  @Test("A systemd credential is read from the folder that systemd names")
  func credential() throws {
    try folder.write("PLKEY_1", to: "google")
    var provider = ProviderSettings(id: "a")
    provider.credential = "google"
    let here = Locations(environment: ["CREDENTIALS_DIRECTORY": folder.path], userID: 0)
    #expect(try provider.secret(locations: here)?.reveal { $0 } == "PLKEY_1")
    #expect(provider.credentialProblem(locations: here) == nil && provider.credentialNote(locations: here) == nil)
    #expect(try provider.secret(locations: .system) == nil)
    #expect(provider.credentialProblem(locations: .system)?.description.contains("LoadCredential=google:FILE") == true)
    #expect(provider.credentialNote(locations: .system)?.contains("\"google\" was not checked") == true)
  }

  @Test("A group of administrators that does not exist is reported")
  func group() {
    var daemon = DaemonSettings(locations: .system)
    #expect(daemon.adminGroupNote == nil && daemon.adminGroupID == nil)
    daemon.adminGroup = "root"
    #expect(daemon.adminGroupNote == nil && daemon.adminGroupID == 0)
    daemon.adminGroup = "no-such-group"
    #expect(daemon.adminGroupNote?.contains("no group \"no-such-group\"") == true && daemon.adminGroupID == nil)
  }

  @Test("A missing key stops an enabled provider only")
  func missingKey() throws {
    let key = folder.file("none")
    try folder.write("[providers.a]\nplugin = \"a\"\napi_key_file = \"\(key)\"", to: "x.toml")
    #expect(said(folder.file("x.toml")) == [])
    try folder.write("[providers.a]\nplugin = \"a\"\nenabled = true\napi_key_file = \"\(key)\"", to: "x.toml")
    #expect(said(folder.file("x.toml")) == ["F/x.toml:4:16: the key of [providers.a] in F/none cannot be read: No such file or directory"])
  }
}

@Suite("Locations follow the XDG specification, systemd, and the file system hierarchy")
struct LocationTests {
  @Test("The system's daemon")
  func system() {
    let system = Locations.system
    #expect(system.configuration == "/etc/placesd/placesd.toml")
    #expect(system.socket == "/run/placesd/placesd.sock")
    #expect(system.stateDirectory == "/var/lib/placesd")
    #expect(system.cacheDirectory == "/var/cache/placesd")
  }

  @Test("A user's daemon, with and without XDG variables; relative ones are ignored")
  func user() {
    let plain = Locations(environment: ["HOME": "/home/ada", "XDG_STATE_HOME": "relative"], userID: 7)
    #expect(plain.configuration == "/home/ada/.config/placesd/placesd.toml")
    #expect(plain.stateDirectory == "/home/ada/.local/state/placesd")
    #expect(plain.socket == "/run/user/7/placesd/placesd.sock")
    let xdg = Locations(environment: ["XDG_CACHE_HOME": "/c", "XDG_RUNTIME_DIR": "/r", "XDG_CONFIG_HOME": "/f"], userID: 7)
    #expect(xdg.cacheDirectory == "/c/placesd")
    #expect(xdg.socket == "/r/placesd/placesd.sock")
    #expect(xdg.configuration == "/f/placesd/placesd.toml")
  }

  @Test("systemd's folders take precedence, the first of several")
  func systemd() {
    let unit = Locations(
      environment: ["STATE_DIRECTORY": "/var/lib/private/placesd:/x", "CACHE_DIRECTORY": "/cd", "RUNTIME_DIRECTORY": "/run/placesd"],
      userID: 61_000)
    #expect(unit.stateDirectory == "/var/lib/private/placesd")
    #expect(unit.cacheDirectory == "/cd")
    #expect(unit.socket == "/run/placesd/placesd.sock")
  }

  @Test("The plugins that may run inside the daemon are those of the source tree")
  func bundled() throws {
    let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let plugins = try FileManager.default.contentsOfDirectory(atPath: tree.appending(path: "Plugins").path)
    #expect(Configuration.bundledPlugins.sorted() == plugins.map { $0.lowercased() }.sorted())
  }
}
