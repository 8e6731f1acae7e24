import PlacesKit
import Synchronization

/// Answers what a provider's process asks of the world.
final class ProviderRequestHandler: Sendable {
  private let world = Mutex<ProviderContext?>(nil)
  private let log: ProviderLog

  init(log: ProviderLog) { self.log = log }

  func open(_ context: ProviderContext) {
    if !context.settings.isEmpty || context.baseURL != nil { log.becomeConfidential() }
    world.withLock { $0 = context }
  }

  /// Whether the provider has learned anything of this machine.
  var isOpen: Bool { world.withLock { $0 != nil } }

  /// - Throws: what the world answers, or `plugin` for what a provider may not ask.
  func answer(_ method: String, _ parameters: JSONValue, meter: (any RequestMeter)?) async throws(ProviderError) -> [UInt8] {
    guard let world = world.withLock({ $0 }) else { throw ProviderError(.plugin, "\(method) before initialize has been answered") }
    // What it asks for may be a secret, too: an answer that a key was needed for, or what it once kept.
    if method != ProviderProtocol.Method.set { log.becomeConfidential() }
    switch method {
    case ProviderProtocol.Method.send:
      // Which hosts it may ask, the daemon's HTTP function knows; it is the same for every way to run.
      return try await world.send(try HTTPRequest(wire: parameters), meter).wire
    case ProviderProtocol.Method.get:
      let value = try await world.storage.value(for: try key(parameters))
      var writer = JSONWriter()
      writer.object { WireBytes.write(value, as: "value", to: &$0) }
      return writer.bytes
    case ProviderProtocol.Method.set:
      try await world.storage.set(try WireBytes.read("value", of: parameters), for: try key(parameters))
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
