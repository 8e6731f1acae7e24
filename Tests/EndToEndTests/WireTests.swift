import JSON
import PlacesTesting
import Testing

@Suite("The daemon on its socket")
struct WireTests {
  @Test("answers the first request with the expected place")
  func firstAnswer() async throws {
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      let reply = try await client.suggest("berl", ["limit": 3])
      #expect(reply.ids.first == "gazetteer:2950159")
      #expect(reply["result"]?["suggestions"]?[0]?["primary"]?["matches"] == [["start": 0, "end": 4]])
      #expect(reply["result"]?["complete"] == true)
      #expect(reply.report("gazetteer")?["outcome"] == "ok")
      #expect(reply["result"]?["attributions"]?[0]?["text"]?.string?.contains("GeoNames") == true)
      let details = try await client.call("places.details", ["id": "gazetteer:2950159", "fields": ["coordinate", "name"]])
      #expect(details["result"]?["place"]?["name"] == "Berlin", "\(details.text)")
    }
  }

  @Test("accepts a request byte by byte, and two requests without a separator")
  func byteByByte() async throws {
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      let request = client.request("places.autocomplete", ["query": "münch"]).text
      for byte in request.unicodeScalars {
        try client.send(String(byte))
        try await waitUntil { client.unreadBytes == 0 }
      }
      #expect(try await client.reply().ids.first == "gazetteer:2867714")
      try client.send(client.request("places.autocomplete", ["query": "suva"]).text + client.request("service.info", [:]).text)
      let replies = [try await client.reply(), try await client.reply()]
      #expect(replies.contains { $0.ids == ["gazetteer:2193733"] })
      #expect(replies.contains { $0["result"]?["name"] == "placesd" })
    }
  }

  @Test("answers a batch in one line, without replies to notifications")
  func batch() async throws {
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      let requests: JSONValue = [
        ["jsonrpc": "2.0", "id": "a", "method": "places.autocomplete", "params": ["query": "suva"]],
        ["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": "nobody"]], 7,
        ["jsonrpc": "2.0", "id": "b", "method": "places.autocomplete", "params": ["query": "amst"]],
      ]
      try client.send(requests.text)
      let replies = try #require(try await client.reply().array)
      #expect(replies.count == 3)
      #expect(replies.first { $0["id"] == "a" }?.ids == ["gazetteer:2193733"])
      #expect(replies.first { $0["id"] == "b" }?.ids == ["gazetteer:2759794"])
      #expect(replies.first { $0["id"] == .null }?["error"]?["code"] == -32600)
    }
  }

  @Test("refuses invalid requests with a code and the parameter's name, and continues")
  func mistakes() async throws {
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      #expect(try await client.call("places.divine")["error"]?["code"] == -32601)
      let wrong: [(JSONObject, String)] = [
        (["limit": 51], "limit"), (["limit": "3"], "limit"), (["lang": "de"], "lang"), (["types": ["nonsense"]], "types"),
        (["deadlineMs": 9], "deadlineMs"), (["cache": "never"], "cache"), (["countries": ["germany"]], "countries"),
        (["origin": ["latitude": 91, "longitude": 0]], "origin"), (["seq": 1], "seq"),
      ]
      for (params, name) in wrong {
        let error = try await client.suggest("x", params)["error"]
        #expect(error?["code"] == -32602)
        #expect(error?["data"]?["parameter"]?.string?.hasPrefix(name) == true, "\(name): \(error?.text ?? "no error")")
      }
      #expect(try await client.call("places.autocomplete")["error"]?["data"]?["parameter"] == "query")
      try client.send("{]\n")
      #expect(try await client.reply()["error"]?["code"] == -32700)
      #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
    }
  }

  @Test("answers a client that has shut down its writing side, and then closes the connection")
  func halfClose() async throws {
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      try client.send(client.request("places.autocomplete", ["query": "suva"]).text)
      client.halfClose()
      #expect(try await client.reply().ids == ["gazetteer:2193733"])
      #expect(try await client.line() == nil)
    }
  }

  @Test("continues to serve other clients if one disconnects")
  func hangUp() async throws {
    try await withDaemon(Home()) { daemon in
      let client = try await daemon.connect()
      for round in 0..<20 {
        // In the middle of a request, in the middle of a reply, and with many requests in flight.
        let other = try await daemon.connect()
        let request = other.request("places.autocomplete", ["query": "a", "cache": "bypass"]).text
        try other.send(round % 2 == 0 ? String(request.prefix(round * 4)) : String(repeating: request + "\n", count: round))
        #expect(try await client.suggest("suva", ["cache": "bypass"]).ids == ["gazetteer:2193733"])
      }
    }
  }
}
