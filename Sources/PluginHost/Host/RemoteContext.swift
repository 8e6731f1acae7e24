import PlacesKit

/// The context of a provider in its own process: HTTP, storage and log are requests to the daemon.
struct RemoteContext: ProviderStorage {
  let peer: ProtocolPeer
  let time: any TimeSource

  func context(of instance: ConfigureParameters) -> ProviderContext {
    ProviderContext(
      id: instance.id, settings: instance.settings, baseURL: instance.baseURL,
      http: { request throws(ProviderError) in
        try HTTPResponse(wire: await peer.call(ProviderProtocol.Method.httpSend, request.wire(for: HostedPlugin.currentRequest)))
      },
      storage: self,
      log: { level, message in
        peer.notify(ProviderProtocol.Method.log, JSONValue.object(["level": .string(level.rawValue), "message": .string(message)]).bytes)
      },
      dataDirectories: instance.dataDirectories, now: { [time] in time.wall() })
  }

  func value(for key: String) async throws(ProviderError) -> [UInt8]? {
    try WireBytes.read("value", of: await peer.call(ProviderProtocol.Method.storageGet, parameters(key, nil)))
  }

  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {
    _ = try await peer.call(ProviderProtocol.Method.storageSet, parameters(key, value))
  }

  private func parameters(_ key: String, _ value: [UInt8]?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("key", key)
      WireBytes.write(value, as: "value", to: &writer)
      if let call = HostedPlugin.currentRequest { writer.member("for", call.json) }
    }
    return writer.bytes
  }
}
