import HTTP
import PlacesKit
import PlacesTesting
import Testing

@Suite("Cancellation") struct CancellationTests {
  @Test func `A cancelled request ends at once and closes its connection`() async throws {
    let server = try ScriptedServer { _ in [.wait(30)] }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url)
      let error = await withTaskGroup(of: ProviderError?.self) { group in
        group.addTask(name: "request") {
          await failure { () throws(ProviderError) in
            try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(30))
          }
        }
        try? await waitUntil { server.requests.count == 1 }
        group.cancelAll()
        return await group.next() ?? nil
      }
      #expect(error?.cause == .cancelled)
      try await waitUntil { server.open == 0 }
      #expect(client.requestsInProgress == 0)
    }
  }

  @Test func `A request that is cancelled before it begins never leaves`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url)
      await withTaskGroup(of: ProviderError?.self) { group in
        group.cancelAll()
        group.addTask(name: "request") {
          await failure { () throws(ProviderError) in try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(30))
          }
        }
        for await error in group { #expect(error?.cause == .cancelled) }
      }
    }
    #expect(server.accepted == 0)
  }

  @Test func `Cancelling at any moment loses no request and leaks none`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url)
      var answered = 0
      var random = SeededRandom(seed: 7)
      for number in 0..<300 {
        let before = server.requests.count
        answered += await withTaskGroup(of: Bool.self) { group in
          group.addTask(name: "request \(number)") {
            (try? await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(5))) != nil
          }
          // Before it is sent, on its way, or once it has come.
          switch random.next() % 3 {
          case 0: break
          case 1: try? await waitUntil { client.requestsInProgress > 0 || server.requests.count > before }
          default: try? await waitUntil { server.requests.count > before }
          }
          group.cancelAll()
          return await group.next() == true ? 1 : 0
        }
      }
      #expect(client.requestsInProgress == 0)
      // The test is meaningful only if some requests finished before their cancellation.
      #expect(answered > 10)
    }
    try await waitUntil { server.open == 0 }
  }

  @Test func `Stopping ends what is under way`() async throws {
    let server = try ScriptedServer { _ in [.wait(30)] }
    defer { server.stop() }
    let client = HTTPClient()
    try client.start()
    let access = try access(to: server.url)
    await withTaskGroup(of: ProviderError?.self) { group in
      for number in 0..<4 {
        group.addTask(name: "request \(number)") {
          await failure { () throws(ProviderError) in try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(30))
          }
        }
      }
      try? await waitUntil { server.requests.count == 4 }
      client.stop()
      for await error in group { #expect(error?.cause == .cancelled) }
    }
    try await waitUntil { server.open == 0 }
  }
}
