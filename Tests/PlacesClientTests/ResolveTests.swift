import PlacesAPI
import PlacesKit
import Testing

@testable import PlacesClient

@Suite("A text that nothing was chosen for becomes a place, cheapest first")
struct ResolveTests {
  static func provider(_ id: String, remote: Bool) -> JSONValue {
    [
      "id": .string(id), "name": "x", "plugin": "x", "version": "1", "state": "ready", "leavesMachine": .boolean(remote),
      "calls": ["search"], "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
    ]
  }

  static func places(_ ids: String...) -> JSONValue {
    [
      "places": .array(ids.map { ["id": .string($0), "row": "r", "sources": [], "attributions": []] }), "providers": [],
      "attributions": [], "complete": true,
    ]
  }

  /// A daemon with one local and one remote provider, which know so many places.
  func daemon(local: ScriptedDaemon.Answer, all: ScriptedDaemon.Answer) -> ScriptedDaemon {
    ScriptedDaemon { asked, _ in
      if asked.method == "providers.list" {
        return .result(["providers": [Self.provider("gazetteer", remote: false), Self.provider("google", remote: true)]])
      }
      return asked.params["providers"] == nil ? all : local
    }
  }

  @Test("What this machine knows costs nothing more")
  func local() async throws {
    let daemon = daemon(local: .result(Self.places("gazetteer:1")), all: .never)
    #expect(try await PlacesClient(dialer: daemon).resolve("berlin")?.id == PlaceID("gazetteer:1"))
    #expect(daemon.asked.last?.params["providers"] == ["gazetteer"])
    #expect(daemon.asked.last?.params["limit"] == 1)
    #expect(daemon.asked.count == 2)
  }

  @Test(
    "What it does not know, or cannot ask, all are asked",
    arguments: [
      ScriptedDaemon.Answer.result(places()), .error(.refused(.init(code: -32006, message: "m"))),
    ])
  func remote(_ local: ScriptedDaemon.Answer) async throws {
    let daemon = daemon(local: local, all: .result(Self.places("google:2")))
    #expect(try await PlacesClient(dialer: daemon).resolve("cafe x")?.id == PlaceID("google:2"))
    #expect(daemon.asked.count == 3)
  }

  @Test("Nobody knowing it is no error")
  func nobody() async throws {
    let daemon = daemon(local: .result(Self.places()), all: .result(Self.places()))
    #expect(try await PlacesClient(dialer: daemon).resolve("qqq") == nil)
  }
}
