import PlacesKit
import Synchronization

/// Answers the requests that a provider's process sends to the daemon.
final class ProviderRequestHandler: Sendable {
  private let providerContext = Mutex<ProviderContext?>(nil)
  private let log: ProviderLog

  init(log: ProviderLog) { self.log = log }

  /// Sets the context with which requests are answered. Requests that come earlier fail.
  func setContext(_ context: ProviderContext) {
    if !context.settings.isEmpty || context.baseURL != nil { log.becomeConfidential() }
    providerContext.withLock { $0 = context }
  }

  /// True once the provider may have received its settings: after the first step of the handshake.
  var hasContext: Bool { providerContext.withLock { $0 != nil } }

  /// Answers a request.
  /// - Throws: the error of the request; `plugin` if the request is malformed or comes before the reply to `initialize`; `unsupported` if
  ///   the method is unknown.
  func answer(_ method: String, _ parameters: JSONValue, meter: (any RequestMeter)?) async throws(ProviderError) -> [UInt8] {
    guard let providerContext = providerContext.withLock({ $0 }) else {
      throw ProviderError(.plugin, "\(method) was sent before the reply to initialize")
    }
    // The answer may be secret: it may be a response to a request with the key, or a value that the provider stored.
    if method != ProviderProtocol.Method.storageSet { log.becomeConfidential() }
    switch method {
    case ProviderProtocol.Method.httpSend:
      // The daemon's HTTP function checks the host, also for plugins inside the daemon.
      return try await providerContext.send(try HTTPRequest(wire: parameters), meter).wire
    case ProviderProtocol.Method.storageGet:
      let value = try await providerContext.storage.value(for: try key(parameters))
      var writer = JSONWriter()
      writer.object { WireBytes.write(value, as: "value", to: &$0) }
      return writer.bytes
    case ProviderProtocol.Method.storageSet:
      try await providerContext.storage.set(try WireBytes.read("value", of: parameters), for: try key(parameters))
      return Array("{}".utf8)
    default: throw ProviderError(.unsupported, "a provider cannot call \(method)")
    }
  }

  /// Handles a notification; unknown ones are ignored, as JSON-RPC requires.
  func handleNotification(_ method: String, _ parameters: JSONValue) {
    guard method == ProviderProtocol.Method.log, let message = parameters["message"]?.string else { return }
    log.add(parameters["level"]?.string.flatMap(LogLevel.init(rawValue:)) ?? .info, message)
  }

  private func key(_ parameters: JSONValue) throws(ProviderError) -> String {
    guard let key = parameters["key"]?.string else { throw ProviderError(.plugin, "storage needs a key") }
    return key
  }
}
