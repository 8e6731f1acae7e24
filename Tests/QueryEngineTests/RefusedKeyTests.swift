import Resilience
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

@Suite("A key that the service refuses")
struct RefusedKeyTests {
  private let simulation = Simulation()
  private let refusals = Refusals()

  /// The engine's reports of refused keys, and of providers that were resumed.
  private final class Refusals: Sendable {
    private let reports = Mutex<[String]>([])
    var all: [String] { reports.withLock { $0 } }
    func add(_ report: String) { reports.withLock { $0.append(report) } }
  }

  private func engine(_ service: ScriptedService, isRefused: Bool = false) -> Engine {
    let engine = Engine(
      providers: [instance(service, isRefused: isRefused)], time: simulation.time,
      onKeyStatusChange: { [refusals] id, startNumber in refusals.add(startNumber.map { "\(id) \($0)" } ?? "\(id) resumed") })
    simulation.start { await engine.run() }
    return engine
  }

  private func instance(_ service: ScriptedService, isRefused: Bool) -> ProviderInstance {
    ProviderInstance(id: "paid", service: service, isKeyRejected: isRefused)
  }

  private var refusing: ScriptedService {
    ScriptedService(.scripted("Paid"), in: simulation) { _, _ in .failure(ProviderError(.credentials, "HTTP 403")) }
  }

  private func ask(_ engine: Engine) {
    let asked = simulation.start { _ = try? await engine.autocomplete(.init(query: "berl"), caller: EngineCaller(user: 1)) }
    _ = simulation.finish(asked)
  }

  @Test(
    "is not assumed if none is configured: the service is called again after a pause, and the status says what is missing",
    arguments: [
      (CredentialPlacement.query(name: "key"), "no key is configured: set api_key_file"),
      (.none, "the service is called without a key, so its operator must allow this machine"),
    ])
  func keyless(_ placement: CredentialPlacement, _ advice: String) throws {
    let time = simulation.time
    var manifest = Manifest.scripted("Paid")
    manifest.credential = placement
    let service = ScriptedService(manifest, in: simulation) { _, _ in .failure(ProviderError(.credentials, "HTTP 403")) }
    let log = EngineLog()
    let engine = Engine(
      providers: [ProviderInstance(id: "paid", service: service, lacksKey: true)], time: time, log: { log.add($0, $1) },
      onKeyStatusChange: { [refusals] id, _ in refusals.add(id) })
    simulation.start { await engine.run() }
    for _ in 0..<12 { ask(engine) }
    let status = engine.status(of: "paid")
    #expect(status?.state == .suspended && status?.until != nil && refusals.all.isEmpty)
    #expect(status?.reason?.hasPrefix("HTTP 403; \(advice)") == true)
    #expect(log.lines.contains { $0.contains("a call failed: its service refuses access, and \(advice)") })
    let before = service.calls.count
    simulation.pass(3_600)
    ask(engine)
    #expect(service.calls.count > before)
  }

  @Test("is not assumed if none is configured: the refused call is not repeated")
  func keylessOnce() {
    // Ten calls permit one repeat; these 20 are made first, so that only the missing key prevents one.
    let service = ScriptedService(.scripted("Paid"), in: simulation) { _, number in
      .failure(ProviderError(number < 20 ? .badRequest : .credentials, "HTTP 403"))
    }
    let engine = Engine(providers: [ProviderInstance(id: "paid", service: service, lacksKey: true)], time: simulation.time)
    simulation.start { await engine.run() }
    for _ in 0..<22 { ask(engine) }
    #expect(service.calls.count == 22)
  }

  @Test("is reported when the service refuses it, and again when an administrator resumes the provider")
  func reports() {
    let engine = engine(refusing)
    let refusal = "paid \(engine.provider("paid")?.instance.startID ?? 0)"
    ask(engine)
    #expect(refusals.all == [refusal])
    engine.resume("paid")
    #expect(refusals.all == [refusal, "paid resumed"])
  }

  @Test("is reported with the start number of the instance that made the call, even if that instance has been replaced")
  func late() {
    let service = ScriptedService(.scripted("Paid"), in: simulation) { _, _ in
      .failure(ProviderError(.credentials, "HTTP 403"), after: 0.1)
    }
    let engine = engine(service)
    let refusal = "paid \(engine.provider("paid")?.instance.startID ?? 0)"
    let asked = simulation.start { _ = try? await engine.autocomplete(.init(query: "berl"), caller: EngineCaller(user: 1)) }
    simulation.settle()
    let next = instance(service, isRefused: true)
    engine.replaceProviders([next])
    _ = simulation.finish(asked)
    #expect(refusals.all == [refusal] && refusal != "paid \(next.startID)")
  }

  @Test("is not used if it was refused before under the same configuration, until the provider is resumed")
  func knownBefore() {
    let service = refusing
    let engine = engine(service, isRefused: true)
    ask(engine)
    #expect(service.calls.isEmpty)
    let status = engine.status(of: "paid")
    #expect(status?.state == .suspended && status?.cause == "credentials" && status?.until == nil)
    engine.resume("paid")
    ask(engine)
    #expect(service.calls.count == 1)
  }

  @Test("stays refused after a restart, unless the configuration has changed", arguments: [true, false])
  func restarted(hasSameConfiguration: Bool) {
    let service = refusing
    let engine = engine(service)
    ask(engine)
    // The start of a provider compares its configuration with that of the refusal.
    engine.replaceProviders([instance(service, isRefused: hasSameConfiguration)])
    #expect((engine.status(of: "paid")?.state == .suspended) == hasSameConfiguration)
  }
}
