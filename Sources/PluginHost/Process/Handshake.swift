import PlacesKit

/// The first messages to a provider's process: versions, manifest, settings.
struct Handshake: Sendable {
  let instance: InstanceDescription
  let context: ContextFactory
  /// Records the manifest's members that this daemon does not know; nil if they are ignored.
  var unknownMembers: UnknownMembers?
  private let manifests = FirstManifests()

  private var id: String { instance.id }

  /// The maximum size of a manifest in bytes. Parts of it are in every reply.
  static let maxManifestSize = 64 << 10

  /// Performs the handshake, and returns the manifest of the configured provider.
  /// - Parameter setContext: receives the context after `initialize` and before `configure`, since the provider may use it while it is
  ///   configured.
  /// - Throws: `version`, `settings`, or `start` with the provider's own reason.
  func run(with peer: ProtocolPeer, setContext: @Sendable (ProviderContext) -> Void) async throws(ProviderStartError) -> Manifest {
    let initialize: JSONValue = [
      "protocol": ["major": .integer(Int64(ProviderProtocol.major)), "minor": .integer(Int64(ProviderProtocol.minor))]
    ]
    let answer = try await ask(peer, ProviderProtocol.Method.initialize, initialize)
    guard let major = answer["protocol"]?["major"]?.integer else { throw fault("did not report its version of the provider protocol") }
    guard major == ProviderProtocol.major else {
      throw ProviderStartError(
        .version, id,
        "provider \(id) speaks version \(major) of the provider protocol, this daemon \(ProviderProtocol.major): install a provider of that version"
      )
    }
    let manifest = try manifest(of: answer["manifest"], at: .declared)
    let providerContext = try checkedContext(instance, manifest: manifest, context)
    setContext(providerContext)
    var configure: JSONObject = [
      "id": .string(id), "settings": .object(JSONObject(providerContext.settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })),
      "dataDirectories": .array(providerContext.dataDirectories.map(JSONValue.string)),
    ]
    if let address = providerContext.baseURL { configure["baseURL"] = .string(address) }
    // The provider returns another manifest if its settings restrict its capabilities.
    let configuredManifest = try await ask(peer, ProviderProtocol.Method.configure, .object(configure))["manifest"]
    return try self.manifest(of: configuredManifest ?? answer["manifest"], at: .configured)
  }

  private func ask(_ peer: ProtocolPeer, _ method: String, _ parameters: JSONValue) async throws(ProviderStartError) -> JSONValue {
    do { return try await peer.call(method, parameters.bytes) } catch {
      // If the plugin's host could not open the file, the `detail` of its error is a kind of `ProviderStartError`.
      if let kind = error.detail.flatMap(ProviderStartError.Kind.init(rawValue:)) { throw ProviderStartError(kind, id, error.message) }
      throw ProviderStartError(.start, id, "provider \(id) cannot start: \(error.message)")
    }
  }

  /// Decodes a manifest. Checks its size, and that it equals the manifest of the instance's first process at this step.
  private func manifest(of value: JSONValue?, at step: FirstManifests.Step) throws(ProviderStartError) -> Manifest {
    guard let value else { throw fault("did not return its manifest") }
    guard value.bytes.count <= Self.maxManifestSize else {
      throw fault("returned a manifest of more than \(Self.maxManifestSize >> 10) KiB")
    }
    let manifest: Manifest
    do { manifest = try Manifest(providerJSON: value, unknownMembers: unknownMembers?.recorder(for: "manifest")) } catch {
      throw fault("returned an invalid manifest: \(error.message)")
    }
    guard manifests.recordOrCompare(manifest, at: step) else {
      throw fault("returned a manifest that differs from the previous one; reload the configuration")
    }
    return manifest
  }

  private func fault(_ text: String) -> ProviderStartError { ProviderStartError(.start, id, "provider \(id) \(text)") }
}
