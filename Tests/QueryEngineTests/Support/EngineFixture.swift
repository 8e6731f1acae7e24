import Resilience
import Storage
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization

@testable import QueryEngine

/// Collects the lines that an engine logs.
final class EngineLog: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ level: LogLevel, _ line: String) { state.withLock { $0.append("\(level.rawValue): \(line)") } }
}

/// An engine with scripted providers, a simulated clock and a store in memory.
final class EngineFixture: Sendable {
  let simulation: Simulation
  let engine: Engine
  let services: [String: ScriptedService]
  let store: MemoryStore?
  let log = EngineLog()

  var time: ManualTime { simulation.time }

  struct ScriptedProvider {
    var manifest: Manifest
    var timeout = 5.0
    var weight = 1.0
    var answersImmediately = false
    var script: @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour
  }

  init(
    seed: UInt64? = nil, settings: EngineSettings = EngineSettings(), budgets: BudgetService? = nil, storesAnswers: Bool = false,
    simulation: Simulation? = nil, _ scripts: [String: ScriptedProvider]
  ) {
    let simulation = simulation ?? Simulation(seed: seed)
    self.simulation = simulation
    let services = scripts.mapValues { ScriptedService($0.manifest, in: simulation, script: $0.script) }
    self.services = services
    let providers = scripts.sorted { $0.key < $1.key }.compactMap { id, script in
      services[id].map {
        ProviderInstance(
          id: id, service: $0, weight: script.weight, timeout: script.timeout, answersImmediately: script.answersImmediately)
      }
    }
    store = storesAnswers ? MemoryStore(time: simulation.time) : nil
    engine = Engine(
      providers: providers, settings: settings, budgets: budgets, cache: store, time: simulation.time,
      random: SeededRandom(seed: seed ?? 1), log: { [log] in log.add($0, $1) })
    let engine = engine
    running = simulation.start { await engine.run() }
    simulation.settle()
  }

  private let running: Running<Void>

  deinit {
    running.cancel()
    simulation.settle()
  }

  /// Starts an autocomplete request.
  func ask(
    _ query: String, user: UInt32 = 1_000, _ change: (inout Autocomplete.Parameters) -> Void = { _ in },
    partial: Engine.ShowSuggestions? = nil, done: @escaping @Sendable (Autocomplete.Result) -> Void = { _ in }
  ) -> Running<Result<Autocomplete.Result, APIError>> {
    var parameters = Autocomplete.Parameters(query: query)
    change(&parameters)
    let final = parameters
    let engine = engine
    return simulation.start {
      do throws(APIError) {
        let result = try await engine.autocomplete(final, caller: EngineCaller(user: user), partial: partial)
        done(result)
        return .success(result)
      } catch { return .failure(error) }
    }
  }

  /// Runs an autocomplete request to its end.
  func answer(
    _ query: String, user: UInt32 = 1_000, _ change: (inout Autocomplete.Parameters) -> Void = { _ in }
  ) -> Result<Autocomplete.Result, APIError>? {
    simulation.finish(ask(query, user: user, change))
  }

  func search(
    _ query: String, user: UInt32 = 1_000, _ change: (inout Search.Parameters) -> Void = { _ in }
  ) -> Result<PlacesResult, APIError>? {
    var parameters = Search.Parameters(query: query, fields: [.placeID, .name])
    change(&parameters)
    let final = parameters
    let engine = engine
    return simulation.finish(
      simulation.start {
        do throws(APIError) { return .success(try await engine.search(final, caller: EngineCaller(user: user))) } catch {
          return .failure(error)
        }
      })
  }

  func reverse(
    _ location: Coordinate, user: UInt32 = 1_000, _ change: (inout Reverse.Parameters) -> Void = { _ in }
  ) -> Result<PlacesResult, APIError>? {
    var parameters = Reverse.Parameters(location: location)
    change(&parameters)
    let final = parameters
    let engine = engine
    return simulation.finish(
      simulation.start {
        do throws(APIError) { return .success(try await engine.reverse(final, caller: EngineCaller(user: user))) } catch {
          return .failure(error)
        }
      })
  }

  func resolve(
    _ query: String, _ change: (inout Resolve.Parameters) -> Void = { _ in }
  ) -> Result<Resolve.Result, APIError>? {
    var parameters = Resolve.Parameters(query: query)
    change(&parameters)
    let final = parameters
    let engine = engine
    return simulation.finish(
      simulation.start {
        do throws(APIError) { return .success(try await engine.resolve(final, caller: EngineCaller(user: 1_000))) } catch {
          return .failure(error)
        }
      })
  }

  func details(
    _ id: String, fields: Set<PlaceField>, session: SessionID? = nil, user: UInt32 = 1_000, explain: Bool = false
  ) -> Result<Details.Result, APIError>? {
    guard let id = PlaceID(id) else { return nil }
    var parameters = Details.Parameters(id: id, fields: fields)
    parameters.session = session
    parameters.explain = explain
    let final = parameters
    let engine = engine
    return simulation.finish(
      simulation.start {
        do throws(APIError) { return .success(try await engine.details(final, caller: EngineCaller(user: user))) } catch {
          return .failure(error)
        }
      })
  }

  /// Reports a choice. Returns the error if the engine rejects it.
  @discardableResult func select(_ id: String, in session: SessionID, user: UInt32 = 1_000) -> APIError? {
    guard let id = PlaceID(id) else { return nil }
    let engine = engine
    return simulation.finish(
      simulation.start { () async -> APIError? in
        do throws(APIError) {
          try await engine.select(Select.Parameters(session: session, id: id), caller: EngineCaller(user: user))
        } catch { return error }
        return nil
      }) ?? nil
  }

  func calls(to id: String) -> [ScriptedService.RecordedCall] { services[id]?.calls ?? [] }
}

extension Result {
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
  var value: Success? { if case .success(let value) = self { value } else { nil } }
}

extension [ProviderReport] {
  subscript(id: String) -> ProviderReport? { first { $0.provider == id } }
}
