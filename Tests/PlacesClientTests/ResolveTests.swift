import PlacesAPI
import PlacesKit
import Testing

@testable import PlacesClient

@Suite("A text that nothing was chosen for becomes a place, cheapest first")
struct ResolveTests {
  static func provider(_ id: String, remote: Bool, isFree: Bool = false, calls: JSONValue = ["search"]) -> JSONValue {
    [
      "id": .string(id), "name": "x", "plugin": "x", "version": "1", "state": "ready", "leavesMachine": .boolean(remote),
      "isFree": .boolean(isFree), "calls": calls, "counters": ["sent": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "saved": 0],
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
    #expect(try await PlacesClient(dialer: daemon).resolve("berlin")?.place.id == PlaceID("gazetteer:1"))
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
    #expect(try await PlacesClient(dialer: daemon).resolve("cafe x")?.place.id == PlaceID("google:2"))
    #expect(daemon.asked.count == 3)
  }

  @Test("Free services are asked before those that cost")
  func free() async throws {
    let daemon = ScriptedDaemon { asked, _ in
      if asked.method == "providers.list" {
        return .result([
          "providers": [
            Self.provider("gazetteer", remote: false, isFree: true), Self.provider("nominatim", remote: true, isFree: true),
            Self.provider("google", remote: true),
          ]
        ])
      }
      return .result(asked.params["providers"] == ["nominatim"] ? Self.places("nominatim:2") : Self.places())
    }
    #expect(try await PlacesClient(dialer: daemon).resolve("cafe x")?.place.id == PlaceID("nominatim:2"))
    #expect(daemon.asked.dropFirst().map { $0.params["providers"] } == [["gazetteer"], ["nominatim"]])
  }

  @Test("Nobody knowing it is no error")
  func nobody() async throws {
    let daemon = daemon(local: .result(Self.places()), all: .result(Self.places()))
    #expect(try await PlacesClient(dialer: daemon).resolve("qqq") == nil)
  }

  @Test("A name that is only spelt alike is given where nobody knows a better one, and said to be so")
  func alike() async throws {
    func place(_ id: String, _ match: String) -> JSONValue {
      [
        "places": [["id": .string(id), "row": "r", "sources": [], "attributions": [], "explain": ["match": .string(match)]]],
        "providers": [], "attributions": [], "complete": true,
      ]
    }
    let better = daemon(local: .result(place("gazetteer:1", "fuzzy")), all: .result(place("google:2", "exact")))
    let found = try #require(try await PlacesClient(dialer: better).resolve("schaan"))
    #expect(found.place.id == PlaceID("google:2") && found.fit == .name)
    for all in [ScriptedDaemon.Answer.result(Self.places()), .error(.refused(.init(code: -32001, message: "m")))] {
      let worse = daemon(local: .result(place("gazetteer:1", "fuzzy")), all: all)
      let alike = try #require(try await PlacesClient(dialer: worse).resolve("schaan"))
      #expect(alike.place.id == PlaceID("gazetteer:1") && alike.fit == .alike)
      #expect(alike.place.explain == nil)
    }
  }

  @Test("An umlaut written with an e is no slip")
  func umlaut() async throws {
    let answer: JSONValue = [
      "places": [["id": "gazetteer:1", "row": "r", "name": "Zürich", "sources": [], "attributions": [], "explain": ["match": "fuzzy"]]],
      "providers": [], "attributions": [], "complete": true,
    ]
    let daemon = daemon(local: .result(answer), all: .never)
    #expect(try await PlacesClient(dialer: daemon).resolve("zuerich")?.fit == .name)
    #expect(daemon.asked.count == 2)
  }

  @Test("A provider that only suggests is asked for a suggestion, and for its details where it has any", arguments: [false, true])
  func suggesting(hasDetails: Bool) async throws {
    let daemon = ScriptedDaemon { asked, _ in
      switch asked.method {
      case "providers.list": return .result(["providers": [Self.provider("tiny", remote: false, calls: ["autocomplete"])]])
      case "places.autocomplete":
        return .result([
          "suggestions": [
            [
              "kind": "place", "id": "tiny:2", "text": ["text": "Schaan, Liechtenstein", "matches": []], "row": "r1", "types": ["locality"],
              "sources": [], "explain": ["match": "exact"],
            ]
          ], "providers": [], "attributions": [], "complete": true, "revision": 1,
        ])
      case "places.details" where hasDetails:
        return .result([
          "place": ["id": "tiny:2", "row": "r1", "name": "Schaan", "sources": [], "attributions": []], "providers": [], "attributions": [],
        ])
      default: return .error(.refused(.init(code: -32006, message: "m")))
      }
    }
    let found = try #require(try await PlacesClient(dialer: daemon).resolve("schaan"))
    #expect(found.place.id == PlaceID("tiny:2") && found.fit == .name)
    #expect(found.place.values[.name]?.string == (hasDetails ? "Schaan" : "Schaan, Liechtenstein"))
  }
}
