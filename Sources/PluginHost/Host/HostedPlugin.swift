import PlacesKit
import Synchronization

/// The plugin of a provider process. Opens the plugin's file, creates the provider, and answers the daemon's requests.
final class HostedPlugin: Sendable {
  private enum State {
    case closed
    case opened(any Provider.Type)
    case configured(any PlaceService)
  }

  /// The id of the request that is being answered. Requests that the provider sends to the daemon in the meantime contain it as `for`.
  @TaskLocal static var currentRequest: MessageID?

  private let peer: ProtocolPeer
  private let time: any TimeSource
  private let openPlugin: @Sendable () throws(ProviderStartError) -> any Provider.Type
  private let state = Mutex(State.closed)

  /// - Parameter open: opens the plugin; called by `initialize`.
  init(
    peer: ProtocolPeer, time: any TimeSource = SystemTime(), open: @escaping @Sendable () throws(ProviderStartError) -> any Provider.Type
  ) {
    self.peer = peer
    self.time = time
    openPlugin = open
  }

  /// Answers a request of the daemon with the bytes of the result, or with an error.
  func answer(_ id: MessageID, _ method: String, _ parameters: JSONValue) async -> Result<[UInt8], ProviderError> {
    await Self.$currentRequest.withValue(id) {
      do throws(ProviderError) {
        let answer = try await answer(method, parameters)
        // The other members of the reply take less than 1,024 bytes.
        guard answer.count < ProviderProtocol.maxLineFromProvider - 1_024 else {
          throw ProviderError(.tooLarge, "the answer is larger than \(ProviderProtocol.maxLineFromProvider) bytes")
        }
        return .success(answer)
      } catch {
        return .failure(error)
      }
    }
  }

  private func answer(_ method: String, _ parameters: JSONValue) async throws(ProviderError) -> [UInt8] {
    switch method {
    case ProviderProtocol.Method.initialize: return try initialize()
    case ProviderProtocol.Method.configure: return try await configure(decode(parameters))
    case ProviderProtocol.Method.probe: return try await ProtocolMessage.encode(["status": provider().probe()])
    case Call.autocomplete.rawValue: return try await ProtocolMessage.encode(provider().autocomplete(decode(parameters)))
    case Call.search.rawValue: return try await ProtocolMessage.encode(provider().search(decode(parameters)))
    case Call.details.rawValue: return try await ProtocolMessage.encode(provider().details(decode(parameters)))
    case Call.reverse.rawValue: return try await ProtocolMessage.encode(provider().reverse(decode(parameters)))
    case Call.geocode.rawValue: return try await ProtocolMessage.encode(provider().geocode(decode(parameters)))
    case Call.photo.rawValue: return try await ProtocolMessage.encode(provider().photoIfOffered(decode(parameters)))
    default: throw ProviderError(.unsupported, "unknown method \(method)")
    }
  }

  private func initialize() throws(ProviderError) -> [UInt8] {
    let plugin: any Provider.Type
    do throws(ProviderStartError) { plugin = try openPlugin() } catch {
      throw ProviderError(.plugin, error.message, detail: error.kind.rawValue)
    }
    state.withLock { $0 = .opened(plugin) }
    return try handshakeReply(plugin.manifest)
  }

  /// The reply to `initialize` or `configure`: the version of the protocol and the manifest.
  private func handshakeReply(_ manifest: Manifest) throws(ProviderError) -> [UInt8] {
    var writer = JSONWriter()
    let bytes = try ProtocolMessage.encode(manifest)
    writer.object { writer in
      writer.member("protocol", ["major": .integer(Int64(ProviderProtocol.major)), "minor": .integer(Int64(ProviderProtocol.minor))])
      writer.key("manifest")
      writer.raw(bytes)
    }
    return writer.bytes
  }

  private func configure(_ instance: ConfigureParameters) async throws(ProviderError) -> [UInt8] {
    guard case .opened(let plugin) = state.withLock({ $0 }) else {
      throw ProviderError(.plugin, "configure must be sent once, after initialize")
    }
    let provider = try await plugin.init(context: RemoteContext(peer: peer, time: time).context(of: instance))
    state.withLock { $0 = .configured(provider) }
    return try handshakeReply(provider.manifest)
  }

  private func provider() throws(ProviderError) -> any PlaceService {
    guard case .configured(let provider) = state.withLock({ $0 }) else { throw ProviderError(.plugin, "not configured yet") }
    return provider
  }

  private func decode<T: Decodable>(_ value: JSONValue) throws(ProviderError) -> T {
    do { return try T(providerJSON: value) } catch { throw ProviderError(.plugin, error.message) }
  }
}
