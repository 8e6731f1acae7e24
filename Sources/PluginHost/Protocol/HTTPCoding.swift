import PlacesKit

/// Bytes in JSON: as text if they are valid UTF-8 without control characters except tabs and line breaks, else in base64.
enum WireBytes {
  /// Writes the bytes as the member `name` if they are plain text, otherwise as the member `nameBase64`. Writes nothing for nil.
  static func write(_ bytes: [UInt8]?, as name: String, to writer: inout JSONWriter) {
    guard let bytes else { return }
    // In JSON text, a tab or a line break takes two bytes, another control character six, and any other byte at most two.
    // `maxLineFromDaemon` allows two bytes for each byte of the largest body. Therefore bytes with other control characters are written in
    // base64.
    let isPlain = !bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if isPlain, let text = String(validating: bytes, as: UTF8.self) {
      writer.member(name, text)
    } else {
      writer.member(name + "Base64", Base64.encode(bytes))
    }
  }

  /// Reads bytes that `write` wrote; nil if the object has neither member.
  /// - Throws: `plugin` if the member is not a string or not valid base64.
  static func read(_ name: String, of value: JSONValue) throws(ProviderError) -> [UInt8]? {
    if let text = value[name] {
      guard let text = text.string else { throw ProviderError(.plugin, "\(name) must be a string") }
      return Array(text.utf8)
    }
    guard let encoded = value[name + "Base64"] else { return nil }
    guard let bytes = encoded.string.flatMap(Base64.decode) else { throw ProviderError(.plugin, "\(name)Base64 must be base64") }
    return bytes
  }
}

extension HTTPRequest {
  /// The request as the parameters of `http.send`.
  /// - Parameter call: the id of the call for which the request is made.
  func wire(for call: MessageID?) throws(ProviderError) -> [UInt8] {
    let credential = try credential.map { placement throws(ProviderError) in try ProtocolMessage.encode(placement) }
    var writer = JSONWriter(reserving: 512 + body.count)
    writer.object { writer in
      writer.member("method", method.rawValue)
      if let host { writer.member("host", host) }
      writer.key("path")
      writer.value(.array(path.map(JSONValue.string)))
      writer.key("query")
      writer.items(query)
      writer.key("headers")
      writer.items(headers)
      if !body.isEmpty { WireBytes.write(body, as: "body", to: &writer) }
      if let credential {
        writer.key("credential")
        writer.raw(credential)
      }
      if let call { writer.member("for", call.json) }
    }
    return writer.bytes
  }

  /// - Throws: `plugin`, naming the invalid member.
  init(wire value: JSONValue) throws(ProviderError) {
    let bytes = try WireBytes.read("body", of: value) ?? []
    guard var object = value.object else { throw ProviderError(.plugin, "the parameters of http.send must be an object") }
    // The decoder expects an array of bytes. The body was read above.
    object["body"] = []
    do { self = try HTTPRequest(providerJSON: .object(object)) } catch {
      throw ProviderError(.plugin, "http.send: \(error.message)")
    }
    body = bytes
  }
}

extension HTTPResponse {
  /// The response as the result of `http.send`.
  var wire: [UInt8] {
    var writer = JSONWriter(reserving: 512 + body.count)
    writer.object { writer in
      writer.member("status", status)
      writer.key("headers")
      writer.items(headers)
      WireBytes.write(body, as: "body", to: &writer)
    }
    return writer.bytes
  }

  /// - Throws: `plugin` if the daemon's reply is not an HTTP response.
  init(wire value: JSONValue) throws(ProviderError) {
    guard let status = value["status"]?.integer else { throw ProviderError(.plugin, "a response must have a status") }
    let headers = (value["headers"]?.array ?? []).compactMap { header -> HTTPRequest.Item? in
      guard let name = header["name"]?.string, let text = header["value"]?.string else { return nil }
      return HTTPRequest.Item(name, text)
    }
    self.init(status: status, headers: headers, body: try WireBytes.read("body", of: value) ?? [])
  }
}

extension JSONWriter {
  fileprivate mutating func items(_ items: [HTTPRequest.Item]) {
    array { writer in
      for item in items {
        writer.object { writer in
          writer.member("name", item.name)
          writer.member("value", item.value)
        }
      }
    }
  }
}
