import Glibc
import Linux
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PlacesClient

@Suite("A client calls, reconnects and times out")
struct ClientTests {
  let unreachable = ClientError.unreachable(sockets: ["/s"], reason: "gone")

  @Test("A socket that this user may not open is distinguished from one without a server, in any order of the sockets")
  func forbidden() {
    func verdict(_ codes: Int32...) -> ClientError {
      SocketDialer.error(for: codes.map { SystemError("connect to", code: $0) }, of: ["/a", "/b"])
    }
    #expect(verdict(ENOENT, EACCES) == .forbidden(socket: "/b", reason: "Permission denied"))
    #expect(verdict(EACCES, ENOENT) == .forbidden(socket: "/a", reason: "Permission denied"))
    #expect(verdict(ENOENT, ECONNREFUSED) == .unreachable(sockets: ["/a", "/b"], reason: "Connection refused"))
    #expect(!verdict(EACCES).isTransient)
  }

  @Test(
    "A client connects to the configured socket only, or else to the user's own daemon and then the system's",
    arguments: [
      (["PLACES_SOCKET": "/a"], 7, ["/a"]), (["XDG_RUNTIME_DIR": "/x"], 7, ["/x/placesd/placesd.sock", "/run/placesd/placesd.sock"]),
      ([:], 7, ["/run/user/7/placesd/placesd.sock", "/run/placesd/placesd.sock"]), ([:], 0, ["/run/placesd/placesd.sock"]),
      (["XDG_RUNTIME_DIR": "x"], 7, ["/run/user/7/placesd/placesd.sock", "/run/placesd/placesd.sock"]),
    ] as [([String: String], UInt32, [String])])
  func sockets(environment: [String: String], userID: UInt32, paths: [String]) {
    #expect(SocketDialer(environment: environment, userID: userID).paths == paths)
  }

  @Test("Parameters are sent by name, without defaults, and the result is typed")
  func typed() async throws {
    let daemon = ScriptedDaemon { _, _ in .result(suggestions("Berlin")) }
    let client = PlacesClient(dialer: daemon)
    var parameters = Autocomplete.Parameters(query: "berl")
    parameters.limit = 3
    let result = try await client.autocomplete(parameters)
    #expect(result.suggestions.map(\.text.text) == ["Berlin"])
    #expect(daemon.received == [.init(method: "places.autocomplete", params: ["query": "berl", "limit": 3])])
  }

  @Test("The other sources of a place are rows of the same type, in suggestions and in places")
  func alternatives() async throws {
    var suggestion = row("Berlin").object ?? JSONObject()
    suggestion["alternatives"] = [row("Berlin, Deutschland", id: "google:1")]
    let rows: JSONValue = [.object(suggestion), row("Bern", id: "gazetteer:2")]
    let daemon = ScriptedDaemon { call, _ in
      guard call.method == "places.search" else {
        return .result(["suggestions": rows, "providers": [], "attributions": [], "complete": true, "revision": 1])
      }
      let other: JSONValue = [
        "id": "google:1", "row": "r1", "name": "Berlin Mitte", "sources": [["provider": "google", "id": "google:1", "rank": 3]],
        "attributions": [["provider": "google", "text": "Google Maps"]],
      ]
      let place: JSONValue = [
        "id": "gazetteer:1", "row": "r1", "name": "Berlin", "sources": [], "attributions": [], "alternatives": [other],
      ]
      return .result(["places": [place], "providers": [], "attributions": [], "complete": true])
    }
    let client = PlacesClient(dialer: daemon)
    let suggestions = try await client.autocomplete(Autocomplete.Parameters(query: "be")).suggestions
    #expect(suggestions.map { $0.alternatives?.map(\.text.text) } == [["Berlin, Deutschland"], nil])
    #expect(suggestions.first?.alternatives?.first?.id?.text == "google:1")
    #expect(suggestions.first?.allSources.map(\.provider) == ["gazetteer", "gazetteer"])
    let place = try #require(try await client.search(Search.Parameters(query: "be", fields: [.name])).places.first)
    let other = try #require(place.alternatives?.first)
    #expect(place.alternatives?.count == 1 && other.id.text == "google:1" && other.alternatives == nil)
    #expect(other.values[.name] == "Berlin Mitte" && other.attributions.map(\.text) == ["Google Maps"])
    #expect(other.sources.map(\.rank) == [3])
  }

  @Test("One connection serves many calls")
  func oneConnection() async throws {
    let daemon = ScriptedDaemon { _, _ in .result(info) }
    let client = PlacesClient(dialer: daemon)
    for _ in 0..<5 { _ = try await client.info() }
    #expect(daemon.dials == 1)
    client.close()
    _ = try await client.info()
    #expect(daemon.dials == 2)
  }

  @Test("Partial answers reach the caller")
  func partial() async throws {
    let daemon = ScriptedDaemon { _, _ in
      var answer = suggestions("Berlin").object ?? JSONObject()
      answer["partial"] = ["request": 1, "revision": 1, "suggestions": [row("Bern")], "providers": [], "attributions": []]
      return .result(.object(answer))
    }
    let seen = Mutex<[String]>([])
    _ = try await PlacesClient(dialer: daemon).autocomplete(Autocomplete.Parameters(query: "be")) { partial in
      seen.withLock { $0 += partial.suggestions?.map(\.text.text) ?? [] }
    }
    #expect(seen.withLock { $0 } == ["Bern"])
  }

  @Test("A call is sent again once if the connection breaks")
  func repeated() async throws {
    let daemon = ScriptedDaemon { _, number in number == 0 ? .error(.connectionLost) : .result(suggestions("Bern")) }
    let result = try await PlacesClient(dialer: daemon).autocomplete(Autocomplete.Parameters(query: "be"))
    #expect(result.suggestions.count == 1)
    #expect(daemon.dials == 2)
    let broken = ScriptedDaemon { _, _ in .error(.connectionLost) }
    await #expect(throws: ClientError.connectionLost) {
      try await PlacesClient(dialer: broken).autocomplete(Autocomplete.Parameters(query: "be"))
    }
    #expect(broken.received.count == 2)
  }

  @Test("A call that changes something is never repeated")
  func notRepeated() async throws {
    let daemon = ScriptedDaemon { _, _ in .error(.connectionLost) }
    let client = PlacesClient(dialer: daemon)
    let id = try #require(PlaceID("gazetteer:1"))
    await #expect(throws: ClientError.connectionLost) { try await client.select(id, session: SessionID()) }
    await #expect(throws: ClientError.connectionLost) {
      try await client.call(ProvidersDisable.self, ProviderParameters(provider: "a"))
    }
    // They may have been paid for, and the session is over: the same again would cost the price without one.
    var details = Details.Parameters(id: id, fields: [.name])
    details.session = SessionID()
    await #expect(throws: ClientError.connectionLost) { try await client.details(details) }
    var search = Search.Parameters(query: "a", fields: [.name])
    search.cache = .bypass
    await #expect(throws: ClientError.connectionLost) { try await client.call(Search.self, search) }
    await #expect(throws: ClientError.connectionLost) { try await client.call(Resolve.self, Resolve.Parameters(query: "a")) }
    #expect(daemon.received.count == 5)
  }

  @Test("A restarted daemon is found, after pauses that grow up to a maximum")
  func backoff() async throws {
    let time = ManualTime()
    let daemon = ScriptedDaemon(dialing: { [unreachable] in $0 < 3 ? unreachable : nil }) { _, _ in .result(info) }
    let client = PlacesClient(dialer: daemon, backoff: Backoff(firstPause: 0.1, maxPause: 0.3, timeLimit: 5), time: time, random: { $0 })
    let began = time.monotonic()
    async let answer = client.info()
    let pauses = await advance(time, until: { daemon.received.count == 1 })
    #expect(try await answer.name == "placesd")
    #expect(daemon.dials == 4)
    #expect(zip(pauses, [0.1, 0.2, 0.3]).allSatisfy { abs($0 - $1) < 1e-9 } && pauses.count == 3, "\(pauses)")
    #expect(time.monotonic() - began < 1)
  }

  @Test("A client stops connecting to an absent daemon after the total time")
  func givenUp() async throws {
    let time = ManualTime()
    let daemon = ScriptedDaemon(dialing: { [unreachable] _ in unreachable }) { _, _ in .never }
    let client = PlacesClient(dialer: daemon, backoff: Backoff(firstPause: 1, maxPause: 1, timeLimit: 3.5), time: time, random: { $0 })
    let done = Mutex(false)
    async let failure: Void = {
      await #expect(throws: unreachable) { try await client.info() }
      done.withLock { $0 = true }
    }()
    _ = await advance(time, until: { done.withLock { $0 } })
    await failure
    #expect(daemon.dials == 4)
  }

  @Test("Without a backoff there is one attempt")
  func once() async {
    let daemon = ScriptedDaemon(dialing: { [unreachable] _ in unreachable }) { _, _ in .never }
    await #expect(throws: unreachable) { try await PlacesClient(dialer: daemon, backoff: .none).info() }
    #expect(daemon.dials == 1)
  }

  @Test("A call to a daemon that hangs ends at the time limit, and is cancelled")
  func hanging() async throws {
    let time = ManualTime()
    let daemon = ScriptedDaemon { _, _ in .never }
    let client = PlacesClient(dialer: daemon, time: time)
    var parameters = Autocomplete.Parameters(query: "be")
    parameters.deadlineMs = 500
    async let failure: Void = { [parameters] in
      await #expect(throws: ClientError.timeLimit(seconds: 2.5)) { try await client.autocomplete(parameters) }
    }()
    await daemon.wait(for: 1)
    try? await waitUntil { time.sleepers > 0 }
    time.advance(by: 2.49)
    #expect(time.sleepers == 1)
    time.advance(by: 0.02)
    await failure
    #expect(daemon.cancelled == 1)
  }

  @Test("Cancelling the caller cancels the call")
  func cancelled() async throws {
    let daemon = ScriptedDaemon { _, _ in .never }
    let client = PlacesClient(dialer: daemon, time: ManualTime())
    await withTaskGroup { group in
      group.addTask(name: "call") { await #expect(throws: ClientError.cancelled) { try await client.info() } }
      await daemon.wait(for: 1)
      group.cancelAll()
    }
    #expect(daemon.cancelled == 1)
  }

  @Test("A reply of an unexpected shape is reported as unreadable")
  func unreadable() async {
    let daemon = ScriptedDaemon { _, _ in .result(["nothing": true]) }
    let error = await #expect(throws: ClientError.self) { try await PlacesClient(dialer: daemon).info() }
    #expect(error?.message.hasPrefix("the daemon's reply cannot be read: service.info") == true)
  }

  @Test("An error keeps its name and the providers' reports")
  func refusal() {
    let refusal = ClientError.Refusal(
      code: -32001, message: "m", data: ["providers": [["provider": "a", "outcome": "timeout", "count": 0, "latencyMs": 5]]])
    #expect(refusal.name == .allProvidersFailed)
    #expect(refusal.providers.map(\.outcome) == [.timeout])
    #expect(ClientError.refused(ClientError.Refusal(code: -32008, message: "m", data: ["retryAfterMs": 250])).retryAfter == 0.25)
  }
}

/// Advances the clock from alarm to alarm until a condition holds; returns the steps. It does not advance to time limits of 30 s or more.
func advance(_ time: ManualTime, until isDone: @escaping @Sendable () -> Bool) async -> [Double] {
  var steps: [Double] = []
  try? await waitUntil {
    if isDone() { return true }
    if let next = time.nextWake, next - time.monotonic() < 20 {
      steps.append(next - time.monotonic())
      time.advance(by: next - time.monotonic())
    }
    return false
  }
  return steps
}
