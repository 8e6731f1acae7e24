import Glibc
import PlacesKit

/// An opened plugin. It stays open as long as the process: `dlclose` of a library with Swift types crashes.
public struct PluginLibrary: Sendable {
  public let file: PluginFile
  public let provider: any Provider.Type

  /// The manifest before any settings are known.
  public var manifest: Manifest { provider.manifest }

  /// Opens the file in this process and checks its version of the provider contract, which is the types and protocols of PlacesKit. Linux
  /// has no stable Swift ABI, so a C function of the plugin returns the version before any Swift value of the plugin is used.
  /// - Parameter contracts: the versions of the contract that the plugin may have been built with.
  /// - Throws: `unloadable` or `version`.
  public init(
    opening file: PluginFile, contracts: ClosedRange<Int32> = oldestContractVersion...contractVersion()
  ) throws(ProviderStartError) {
    guard let handle = dlopen(file.path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
      throw ProviderStartError(.unloadable, file.path, "the plugin \(file.path) cannot be opened: \(reason)")
    }
    guard let version = dlsym(handle, "places_plugin_version"), let entry = dlsym(handle, "places_plugin") else {
      throw ProviderStartError(.unloadable, file.path, "\(file.path) is not a plugin: it lacks places_plugin_version or places_plugin")
    }
    typealias Version = @convention(c) () -> Int32
    typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
    let pluginVersion = unsafeBitCast(version, to: Version.self)()
    // The types of an older plugin have another layout in memory; a newer one may call functions that this daemon does not have.
    guard contracts.contains(pluginVersion) else {
      let acceptedVersions = Set([contracts.lowerBound, contracts.upperBound]).sorted().map(Self.text).joined(separator: " to ")
      throw ProviderStartError(
        .version, file.path,
        "the plugin \(file.path) was built for version \(Self.text(pluginVersion)) of the provider contract, and this daemon opens plugins of "
          + "version \(acceptedVersions): build it against this daemon's PlacesKit")
    }
    guard let pointer = unsafeBitCast(entry, to: Entry.self)() else {
      throw ProviderStartError(.unloadable, file.path, "the plugin \(file.path) returned no provider")
    }
    self.file = file
    provider = Unmanaged<PluginEntry>.fromOpaque(pointer).takeRetainedValue().provider
  }

  /// A version of the contract as text. It is the major version times 1,000, plus the minor version.
  private static func text(_ version: Int32) -> String { "\(version / 1_000).\(version % 1_000)" }
}
