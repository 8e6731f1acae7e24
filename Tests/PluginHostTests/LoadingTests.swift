import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

struct LoadingTests {
  static let file = Result { try PluginFile.find("misbehaving", in: PluginFile.defaultFolders()) }

  @Test("A plugin in the executable's folder is found by its name, opened, and answers")
  func opens() async throws {
    let service = try await loadInProcess(Self.file.get(), for: InstanceDescription(id: "m", source: .plugin("m"))) { _ in .silent }
    #expect(service.manifest.name == "Misbehaving")
    let page = try await service.autocomplete(AutocompleteRequest(query: "you"))
    #expect(page.rows.map(\.text.text) == ["hello you"])
    // Errors of the plugin keep their type across the library's border.
    let failure = await #expect(throws: ProviderError.self) { try await service.autocomplete(AutocompleteRequest(query: "fail")) }
    #expect(failure == ProviderError(.quota, "told to fail", retryAfterSeconds: 7, detail: "WORD"))
  }

  @Test(
    "A plugin of another version of the contract, older or newer, is refused with its version and those that the daemon opens",
    arguments: [
      (2_000...2_000, "2.0"), (999...999, "0.999"), (1_005...1_006, "1.5 to 1.6"), (1_002...1_003, "1.2 to 1.3"), (1_000...1_000, "1.0"),
    ])
  func refusesVersions(contracts: ClosedRange<Int32>, text: String) throws {
    let file = try Self.file.get()
    let error = #expect(throws: ProviderStartError.self) { try PluginLibrary(opening: file, contracts: contracts) }
    #expect(error?.kind == .version)
    #expect(
      error?.message
        == "the plugin \(file.path) was built for version 1.4 of the provider contract, and this daemon opens plugins of version \(text): build it against this daemon's PlacesKit"
    )
  }

  @Test("A plugin that was built for contract version 1.0 is refused before any of its Swift code runs")
  func refusesFirstVersion() throws {
    let folder = try TemporaryFolder()
    let source = try folder.write(
      "#include <stdlib.h>\nint places_plugin_version(void) { return 1000; }\nvoid *places_plugin(void) { abort(); }\n", to: "old.c")
    let compiler = try Process.run(
      URL(fileURLWithPath: "/usr/bin/cc"), arguments: ["-shared", "-fPIC", "-o", folder.file("libOld.so"), source])
    compiler.waitUntilExit()
    let file = try PluginFile(path: folder.file("libOld.so"))
    let error = #expect(throws: ProviderStartError.self) { try PluginLibrary(opening: file) }
    #expect(error?.kind == .version && error?.message.contains("was built for version 1.0 of the provider contract") == true)
  }

  @Test("A file that is not a library, and a library that is not a plugin, are refused with the reason")
  func refusesForeignFiles() throws {
    let folder = try TemporaryFolder()
    let text = try PluginFile(path: folder.write("no library", to: "libText.so"))
    let damaged = #expect(throws: ProviderStartError.self) { try PluginLibrary(opening: text) }
    #expect(damaged?.kind == .unloadable)
    let kit = try PluginFile(path: PluginFile.defaultFolders()[0] + "/libPlacesKit.so")
    let foreign = #expect(throws: ProviderStartError.self) { try PluginLibrary(opening: kit) }
    #expect(foreign?.message.contains("lacks places_plugin_version") == true)
    #expect(throws: ProviderStartError.self) { try PluginFile(path: folder.write("", to: "plugin.txt")) }
  }

  @Test("A plugin outside the daemon's plugin directory never runs inside the daemon, whatever its name")
  func foreignFolder() async throws {
    let folder = try TemporaryFolder()
    let own = try Self.file.get().path
    try FileManager.default.copyItem(atPath: own, toPath: folder.file("libMisbehaving.so"))
    let hosting = try ProviderRuntime(folders: [folder.path] + PluginFile.defaultFolders()) { _, _, _ in }
    let error = await #expect(throws: ProviderStartError.self) {
      try await hosting.start(.misbehaving(isolation: .inProcess)) { _ in .silent }
    }
    #expect(error?.kind == .untrusted)
    #expect(error?.message.contains("libMisbehaving.so may not run inside the daemon") == true)
    #expect(try PluginFile(path: own).isBundled)
    // A link that leads to the daemon's own file is that file.
    symlink(own, folder.file("libLinked.so"))
    #expect(try PluginFile(path: folder.file("libLinked.so")).isBundled)
  }

  @Test("A provider's refusal to start carries its own reason")
  func refusal() async throws {
    let file = try Self.file.get()
    let error = await #expect(throws: ProviderStartError.self) {
      try await loadInProcess(file, for: InstanceDescription(id: "m", source: .plugin("m"), settings: ["refuse": true])) { _ in .silent }
    }
    #expect(error == ProviderStartError(.start, "m", "provider m cannot start: told to refuse"))
  }

  @Test(
    "A name that is not a valid file name finds nothing",
    arguments: ["", "../x", "a/b", "a b", "é", String(repeating: "a", count: 65), "nowhere"])
  func names(name: String) {
    let error = #expect(throws: ProviderStartError.self) { try PluginFile.find(name, in: PluginFile.defaultFolders()) }
    #expect(error?.kind == .notFound)
  }
}
