import PlacesAPI
import PlacesKit
import PlacesTesting
import Testing

@testable import Asking

@Suite("Providers that answer in the request's own task")
struct AtOnceTests {
  @Test("An administrator's limits hold for them as for others: who comes too early waits", arguments: [true, false])
  func limits(isRate: Bool) throws {
    let world = World(["a": .init(manifest: .scripted("A", remote: false)) { _, _ in .suggestions([.city("Berlin")], after: 0.1) }])
    let service = try #require(world.services["a"])
    let rate = isRate ? Rate(perSecond: 1, concurrent: 64) : Rate(concurrent: 1)
    world.engine.replaceProviders([ProviderInstance(id: "a", service: service, answersAtOnce: true, rate: rate)])
    let requests = ["ber", "berl"].map { query in world.ask(query) { $0.deadlineMs = 1_500 } }
    for request in requests { #expect(world.simulation.finish(request)?.value != nil) }
    let starts = world.asked("a").map(\.at)
    #expect(starts.count == 2 && abs(starts[1] - starts[0] - (isRate ? 1 : 0.1)) < 1e-6)
  }
}
