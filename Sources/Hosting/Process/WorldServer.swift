import PlacesKit
import Synchronization

/// Answers what a provider's process asks of the world, within what its manifest declares.
final class WorldServer: Sendable {
  private let world = Mutex<Handshake.Outcome?>(nil)
  private let log: ProviderLog

  init(log: ProviderLog) { self.log = log }

  func open(_ outcome: Handshake.Outcome) { world.withLock { $0 = outcome } }

  /// - Throws: what the world answers, or `plugin` for what a provider may not ask.
  func answer(_ method: String, _ parameters: JSONValue) async throws(ProviderError) -> [UInt8] {
    guard let world = world.withLock({ $0 }) else { throw ProviderError(.plugin, "\(method) before initialize has been answered") }
    switch method {
    case ProviderProtocol.Method.send:
      let request = try HTTPRequest(wire: parameters)
      if let host = request.host, !world.manifest.hosts.contains(host) {
        log.add(.error, "it asked for a host that its manifest does not declare")
        throw ProviderError(.plugin, "the manifest does not declare this host")
      }
      return try await world.context.http(request).wire
    case ProviderProtocol.Method.get:
      let value = try await world.context.storage.value(for: try key(parameters))
      var writer = JSONWriter()
      writer.object { WireBytes.write(value, as: "value", to: &$0) }
      return writer.bytes
    case ProviderProtocol.Method.set:
      try await world.context.storage.set(try WireBytes.read("value", of: parameters), for: try key(parameters))
      return Array("{}".utf8)
    default: throw ProviderError(.unsupported, "a provider cannot ask for \(method)")
    }
  }

  /// A notification; unknown ones are ignored, as JSON-RPC wants it.
  func take(_ method: String, _ parameters: JSONValue) {
    guard method == ProviderProtocol.Method.log, let message = parameters["message"]?.string else { return }
    log.add(parameters["level"]?.string.flatMap(LogLevel.init(rawValue:)) ?? .info, message)
  }

  private func key(_ parameters: JSONValue) throws(ProviderError) -> String {
    guard let key = parameters["key"]?.string else { throw ProviderError(.plugin, "storage needs a key") }
    return key
  }
}
