import PlacesAPI
import PlacesKit
import PlacesTesting
import Resilience
import Testing

@testable import QueryEngine

@Suite("Photos through the engine")
struct PhotoTests {
  private static let image = PhotoImage(format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xE0])
  private static let prices = PriceTable(classes: [PriceClass("photo", micros: 7_000)], calls: [.photo: "photo"])

  private static let script: @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour = { call, _ in
    if case .photo = call { return .several(2, .photo(image)) }
    let photo: JSONValue = ["id": "p/1", "attributions": [["text": "A. Author", "url": "https://a.example"]]]
    return .places([.named("Berlin", id: "1", [.photos: [photo]])])
  }

  private func photo(_ id: String, in world: World) -> Result<Photo.Result, APIError>? {
    guard let id = PlaceID(id) else { return nil }
    let engine = world.engine
    return world.simulation.finish(
      world.simulation.start {
        do throws(APIError) {
          return .success(try await engine.photo(Photo.Parameters(id: id), caller: EngineCaller(user: 1_000)))
        } catch { return .failure(error) }
      })
  }

  @Test("The id that details return finds the provider; the reply has the file, the service's credit and the author's")
  func credits() throws {
    let world = World(keeps: true, ["a": .init(manifest: .scripted("A"), script: Self.script)])
    let place = try #require(world.details("a:1", fields: [.name, .photos])?.value).place
    let id = try #require(place.values[.photos]?[0]?["id"]?.string)
    #expect(id == "a:p/1")
    let result = try #require(photo(id, in: world)?.value)
    #expect(result.contentType == .jpeg && result.dataBase64 == "/9j/4A==" && result.file == Self.image.bytes)
    #expect(result.attributions.map(\.text) == ["© A", "A. Author"])
    // Once more is one more call: nothing is stored, whatever the terms allow.
    #expect(photo(id, in: world)?.value != nil)
    let calls = world.asked("a").compactMap { asked in if case .photo(let request) = asked.call { request } else { nil } }
    #expect(calls == Array(repeating: PhotoRequest(id: "p/1", maxWidth: 1_024, maxHeight: 1_024), count: 2))
  }

  @Test("A photo is reserved before it is requested and billed once, though it takes two requests; both are counted")
  func budget() throws {
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["a": BudgetLimits(callsPerDay: 3, microsPerDay: 10_000)], block: 1,
      time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    let world = World(
      budgets: budgets, simulation: simulation, ["a": .init(manifest: .scripted("A", prices: Self.prices), script: Self.script)])
    let first = try #require(photo("a:p/1", in: world)?.value)
    #expect(first.providers.map(\.outcome) == [.ok])
    // 7,000 more would exceed the 10,000.
    #expect(photo("a:p/1", in: world)?.error?.data["providers"]?[0]?["outcome"] == "over_budget")
    #expect(world.asked("a").count == 1)
    running.cancel()
  }

  @Test("Errors: an unknown provider, one without photos, a photo that is gone")
  func errors() {
    let world = World([
      "a": .init(manifest: .scripted("A", parameters: [:]), script: Self.script),
      "b": .init(manifest: .scripted("B")) { _, _ in .failure(ProviderError(.notFound, "gone")) },
    ])
    #expect(photo("c:1", in: world)?.error?.name == .notFound)
    #expect(photo("a:p/1", in: world)?.error?.name == .unsupported)
    #expect(photo("b:1", in: world)?.error?.name == .notFound)
    #expect(world.asked("a").isEmpty)
  }
}
