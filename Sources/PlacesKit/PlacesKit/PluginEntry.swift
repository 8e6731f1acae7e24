/// The version of the contract between the daemon and its plugins: 1,000 times the major version, plus the minor version.
///
/// The function is compiled into each plugin, so that a plugin reports the version with which it was built, and not the version of the
/// daemon that loads it. Swift has no stable ABI on Linux, so each change of a type or protocol that plugins use must raise the version. It
/// must also raise `oldestContractVersion`, unless plugins that were built before the change still work.
///
/// - 1.1: `Suggestion` stores its fields behind a reference; `ProviderContext.send` takes a meter; `ReverseRequest` has a
///   collection.
/// - 1.2: the fields of the tier `extended`; `SearchRequest.rankBy` can be nil; `GeocodedPlace.partialMatch`;
///   searches without a text (`withoutQuery`).
/// - 1.3: `PhotoService`, the call `photo` and the parameter of that name. Plugins of 1.2 still work, because no layout and no existing
///   protocol changed.
/// - 1.4: `viewport`, `iconImageURL` and `url` of a suggestion, and `distance` of a place. They change the layouts of both types.
@export(implementation)
public func contractVersion() -> Int32 { 1_004 }

/// The oldest version of the contract whose plugins this version can open.
public let oldestContractVersion: Int32 = 1_004

/// The object that a plugin's entry point `places_plugin` returns. A plugin consists of its provider type and these two functions:
///
///     @c(places_plugin_version) public func version() -> Int32 { contractVersion() }
///     @c(places_plugin) public func plugin() -> UnsafeMutableRawPointer { PluginEntry(MyProvider.self).retained() }
public final class PluginEntry: Sendable {
  public let provider: any Provider.Type

  public init(_ provider: any Provider.Type) { self.provider = provider }

  /// A pointer to this object with an additional reference, which the daemon releases.
  public func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
}
