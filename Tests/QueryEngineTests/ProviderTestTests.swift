import Resilience
import PlacesAPI
import PlacesKit
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("A provider that an administrator tests")
struct ProviderTestTests {
  /// Tests a provider as an administrator does.
  private func runTest(_ id: String, in fixture: EngineFixture) -> Result<ProvidersTest.Result, APIError>? {
    let engine = fixture.engine
    return fixture.simulation.finish(
      fixture.simulation.start {
        do throws(APIError) {
          return .success(try await engine.test(ProvidersTest.Parameters(provider: id), caller: EngineCaller(user: 0)))
        } catch { return .failure(error) }
      })
  }

  @Test("makes one real call and reports its cost")
  func oneCall() throws {
    let prices = PriceTable(classes: [PriceClass("suggest", micros: 2_830)], calls: [.autocomplete: "suggest"])
    let fixture = EngineFixture(["alpha": .init(manifest: .scripted("Alpha", prices: prices)) { _, _ in .suggestions([.city("Berlin")]) }])
    let result = try #require(runTest("alpha", in: fixture)?.value)
    #expect(result.report.outcome == .ok)
    #expect(result.rows == ["Berlin"])
    #expect(result.costMicros == 2_830)
    #expect(result.status == nil, "a paid service is not asked for its status")
    #expect(fixture.calls(to: "alpha").count == 1)
  }

  @Test(
    "reports the same cost as the ledger, even if the test failed; 0 if a free call was left or nothing was sent",
    arguments: [
      (ScriptedService.Behaviour.suggestions([.city("Berlin")]), 0, 2_830), (.suggestions([.city("Berlin")]), 1, 0),
      (.failure(ProviderError(.http, "answered 500")), 0, 2_830), (.hanging, 0, 2_830),
      (.unsent(ProviderError(.badRequest, "not so")), 0, 0), (.several(2, .suggestions([.city("Berlin")])), 0, 5_660),
      (.several(2, .suggestions([.city("Berlin")])), 1, 2_830), (.several(3, .suggestions([.city("Berlin")])), 2, 2_830),
    ])
  func cost(behaviour: ScriptedService.Behaviour, freeCalls: Int, micros: Int) throws {
    let simulation = Simulation()
    let budgets = BudgetService(ledger: MemoryLedger(time: simulation.time), time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    defer { running.cancel() }
    let suggest = PriceClass("suggest", micros: 2_830, freePerMonth: freeCalls)
    let prices = PriceTable(classes: [suggest], calls: [.autocomplete: "suggest"])
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation, ["alpha": .init(manifest: .scripted("Alpha", prices: prices)) { _, _ in behaviour }])
    let result = try #require(runTest("alpha", in: fixture)?.value)
    #expect(result.costMicros == micros)
    #expect(result.currency == (micros == 0 ? nil : "USD"))
    #expect(budgets.report(provider: "alpha").day.spent.micros == micros)
  }

  @Test("whose price is not known reports neither a cost nor that it is free, and is not asked for its status")
  func unknownPrice() throws {
    let prices = PriceTable(calls: [.autocomplete: "suggest"])
    let fixture = EngineFixture(["alpha": .init(manifest: .scripted("Alpha", prices: prices)) { _, _ in .suggestions([.city("Berlin")]) }])
    let result = try #require(runTest("alpha", in: fixture)?.value)
    #expect(result.report.outcome == .ok && result.costMicros == nil && result.currency == nil && result.status == nil)
    #expect(fixture.engine.status(of: "alpha")?.isFree == nil)
    #expect(fixture.calls(to: "alpha").count == 1)
  }

  @Test("A failed call whose price is not known is not repeated, since it may have been billed; a free one is")
  func unknownPriceIsNotRepeated() throws {
    func calls(_ prices: PriceTable) -> Int {
      let fixture = EngineFixture(["alpha": .init(manifest: .scripted("Alpha", prices: prices)) { _, _ in .suggestions([.city("Berlin")]) }]
      )
      // Ten calls permit one repeat.
      for number in 0..<12 { _ = fixture.answer("berlin\(number)") }
      fixture.services["alpha"]?.behave { _, _ in .failure(ProviderError(.http, "answered 500")) }
      _ = fixture.answer("bern")
      return fixture.calls(to: "alpha").count - 12
    }
    #expect(calls(PriceTable()) == 2)
    #expect(calls(PriceTable(calls: [.autocomplete: "suggest"])) == 1)
  }

  @Test("reports that it does not accept a text")
  func shortText() {
    let fixture = EngineFixture(["alpha": .init(manifest: .scripted("Alpha", minimumLetters: 30)) { _, _ in .suggestions([]) }])
    #expect(runTest("alpha", in: fixture)?.error?.message == "alpha cannot be tested with this text: Alpha needs at least 30 letters")
    #expect(fixture.calls(to: "alpha").isEmpty)
  }

  @Test("that does not run is reported, with the command that starts it")
  func absent() throws {
    let fixture = EngineFixture([:])
    let off = ProviderStatus(
      id: "google", name: "google", plugin: "google", version: "", state: .disabled, reason: "switched off", leavesMachine: true, calls: [])
    var broken = off
    (broken.id, broken.state, broken.reason) = ("pelias", .failed, "its key is missing")
    fixture.engine.replaceProviders([], absent: [off, broken])
    let disabled = runTest("google", in: fixture)?.error
    #expect(disabled?.name == .unsupported)
    #expect(disabled?.message == "provider google is disabled; providers.enable switches it on")
    #expect(disabled?.data["providers"]?[0]?["cause"]?.string == "disabled")
    #expect(runTest("pelias", in: fixture)?.error?.message == "provider pelias does not run: its key is missing")
    #expect(runTest("photon", in: fixture)?.error?.name == .notFound)
  }

  @Test("whose process ended permanently is reported as failed, whatever its calls return")
  func fault() throws {
    let fixture = EngineFixture(["alpha": .init(manifest: .scripted("Alpha")) { _, _ in .failure(ProviderError(.credentials, "no")) }])
    #expect(fixture.answer("ber")?.error != nil)
    #expect(fixture.engine.status.map(\.state) == [.suspended])
    var instance = try #require(fixture.engine.provider("alpha")).instance
    instance.fault = { "its process ended too often" }
    instance.weight = 2
    fixture.engine.replaceProviders([instance])
    let status = try #require(fixture.engine.status(of: "alpha"))
    #expect(status.state == .failed && status.reason == "its process ended too often" && status.cause == "plugin")
  }

  @Test("is asked for its status if that is free, also if the call failed")
  func probeStatus() throws {
    let fixture = EngineFixture(["alpha": .init(manifest: .scripted("Alpha")) { _, _ in .failure(ProviderError(.http, "answered 500")) }])
    let result = try #require(runTest("alpha", in: fixture)?.value)
    #expect(result.report.outcome == .error && result.status == "Alpha is alive")
  }

  @Test("reports what the service says about an error, which no reply to a user contains and the log only without the query")
  func serviceMessage() throws {
    let message = "Account 4711 is closed, but you asked for 'berlin' and berlin at 52.5"
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .status(403, cause: .credentials, message: message) }
    ])
    let reply = fixture.answer("berlin")
    #expect(reply?.error?.message.contains("4711") == false)
    let data = reply?.error.map { JSONValue.object($0.data).text }
    #expect(data?.contains("4711") == false, "\(data ?? "")")
    let logged = "; the service says: Account 4711 is closed, but you asked for … and … at …"
    #expect(fixture.log.lines.contains { $0.hasSuffix(logged) }, "\(fixture.log.lines)")
    #expect(fixture.engine.status(of: "a")?.reason?.hasSuffix(logged) == true, "for administrators")
    fixture.engine.resume("a")
    #expect(try #require(runTest("a", in: fixture)?.value).serviceMessage == message)
  }
}
