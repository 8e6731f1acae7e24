/// The version of this contract. A plugin built against another major version is refused before any of its Swift code runs.
///
/// It is compiled into each plugin, so that the plugin tells the version it was built with, not the host's.
@export(implementation)
public func contractVersion() -> Int32 { 1_000 }

/// What a plugin's `places_plugin` entry point hands over, retained. A plugin consists of its provider type and these two
/// functions:
///
///     @c(places_plugin_version) public func version() -> Int32 { contractVersion() }
///     @c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(MyProvider.self).retained() }
public final class PluginEntry: Sendable {
  public let provider: any Provider.Type

  public init(_ provider: any Provider.Type) { self.provider = provider }

  public func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
}
