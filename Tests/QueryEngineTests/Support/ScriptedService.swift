import PlacesKit
import Storage
import PlacesTesting
import Synchronization

@testable import QueryEngine

/// A provider that follows a script, and records its calls.
final class ScriptedService: PlaceService {
  enum Behaviour: Sendable {
    case suggestions([Suggestion], exhaustive: Bool = false, after: Double = 0)
    case places([Place], next: String? = nil, after: Double = 0)
    case photo(PhotoImage)
    case failure(ProviderError, after: Double = 0)
    /// Fails without having sent anything.
    case unsent(ProviderError, after: Double = 0)
    /// Sends this many requests, each reserved, and then follows another behaviour; reports each request after the first.
    indirect case several(Int, sent: @Sendable () -> Void = {}, Behaviour)
    /// Sends so many requests more without the key, and then follows another behaviour.
    indirect case withoutKey(Int, Behaviour)
    /// Sends so many requests without the key and none with it, and then follows another behaviour.
    indirect case onlyWithoutKey(Int, Behaviour)
    /// Reserves one request more and does not send it.
    indirect case reserving(Behaviour)
    /// Sends one more request if it can be reserved, and then behaves as given.
    indirect case trying(Behaviour)
    /// Fails, because its service answered with this status, and with this message about the error.
    case status(Int, cause: ProviderError.Cause = .http, message: String? = nil)
    /// Answers only when it is cancelled, with an error.
    case hanging
    /// Answers after this many seconds, and ignores cancellation.
    case deaf(Double)
  }

  struct RecordedCall: Sendable {
    var call: ProviderCall
    var at: Double
    var wasCancelled = false
    var isOver = false
  }

  let manifest: Manifest
  private let simulation: Simulation
  private var time: ManualTime { simulation.time }
  private let script: Mutex<@Sendable (ProviderCall, Int) -> Behaviour>
  private let record = Mutex<[RecordedCall]>([])

  init(_ manifest: Manifest, in simulation: Simulation, script: @escaping @Sendable (ProviderCall, Int) -> Behaviour) {
    self.manifest = manifest
    self.simulation = simulation
    self.script = Mutex(script)
  }

  /// The received calls, in order.
  var calls: [RecordedCall] { record.withLock { $0 } }
  /// The number of calls in progress.
  var inProgress: Int { calls.count { !$0.isOver } }

  func behave(_ script: @escaping @Sendable (ProviderCall, Int) -> Behaviour) { self.script.withLock { $0 = script } }

  /// The status line, which every scripted provider returns.
  func probe() async throws(ProviderError) -> String? { "\(manifest.name) is alive" }

  func metered(by meter: any RequestMeter) -> any PlaceService { MeteredScript(service: self, meter: meter) }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    try await MeteredScript(service: self, meter: nil).autocomplete(request)
  }
  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    try await MeteredScript(service: self, meter: nil).search(request)
  }
  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> {
    try await MeteredScript(service: self, meter: nil).reverse(request)
  }
  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> {
    try await MeteredScript(service: self, meter: nil).geocode(request)
  }
  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    try await MeteredScript(service: self, meter: nil).details(request)
  }

  fileprivate func answer(_ call: ProviderCall, _ meter: (any RequestMeter)?) async throws(ProviderError) -> ProviderAnswer {
    let index = record.withLock { record in
      record.append(RecordedCall(call: call, at: time.monotonic()))
      return record.count - 1
    }
    defer { record.withLock { $0[index].isOver = true } }
    return try await perform(script.withLock { $0 }(call, index), index, meter)
  }

  private func perform(_ behaviour: Behaviour, _ index: Int, _ meter: (any RequestMeter)?) async throws(ProviderError) -> ProviderAnswer {
    switch behaviour {
    case .unsent: break
    case .onlyWithoutKey(let count, let behaviour): return try await act(.withoutKey(count, behaviour), index, meter)
    default: try await meter?.reserveAndSend()
    }
    return try await act(behaviour, index, meter)
  }

  /// Performs the behaviour after the first request.
  private func act(_ behaviour: Behaviour, _ index: Int, _ meter: (any RequestMeter)?) async throws(ProviderError) -> ProviderAnswer {
    switch behaviour {
    case .several(let count, let sent, let behaviour):
      for _ in 1..<max(1, count) {
        try await meter?.reserveAndSend()
        sent()
      }
      return try await act(behaviour, index, meter)
    case .withoutKey(let count, let behaviour), .onlyWithoutKey(let count, let behaviour):
      for _ in 0..<count { try await meter?.withoutKey.reserveAndSend() }
      return try await act(behaviour, index, meter)
    case .trying(let behaviour):
      try? await meter?.reserveAndSend()
      return try await act(behaviour, index, meter)
    case .reserving(let behaviour):
      try await meter?.reserve()
      return try await act(behaviour, index, meter)
    case .suggestions(let rows, let exhaustive, let delay):
      try await wait(delay, index)
      return .suggestions(Page(rows: rows, exhaustive: exhaustive))
    case .places(let rows, let next, let delay):
      try await wait(delay, index)
      return .places(Page(rows: rows, next: next))
    case .photo(let image): return .photo(image)
    case .failure(let error, let delay), .unsent(let error, let delay):
      try await wait(delay, index)
      throw error
    case .status(let status, let cause, let message):
      meter?.record(status: status) { message }
      throw ProviderError(cause, "answered \(status)")
    case .hanging:
      try await wait(1e9, index)
      throw ProviderError(.timeout, "a test does not wait so long")
    case .deaf(let delay):
      await withCheckedContinuation { continuation in
        simulation.start { [time] in
          try? await time.sleep(until: time.monotonic() + delay)
          continuation.resume()
        }
      }
      throw ProviderError(.timeout, "ignored the cancellation")
    }
  }

  private func wait(_ seconds: Double, _ index: Int) async throws(ProviderError) {
    guard seconds > 0 else { return }
    do { try await time.sleep(until: time.monotonic() + seconds) } catch {
      record.withLock { $0[index].wasCancelled = true }
      throw ProviderError(.cancelled, "the call was cancelled")
    }
  }
}

/// A scripted service whose requests are charged to a meter.
private struct MeteredScript: PlaceService, PhotoService {
  let service: ScriptedService
  let meter: (any RequestMeter)?

  var manifest: Manifest { service.manifest }

  func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
    if case .suggestions(let page) = try await service.answer(.autocomplete(request), meter) { return page }
    throw ProviderError(.decode, "the script has places for an autocomplete call")
  }

  func search(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await places(.search(request)) }

  func reverse(_ request: ReverseRequest) async throws(ProviderError) -> Page<Place> { try await places(.reverse(request)) }

  func geocode(_ request: SearchRequest) async throws(ProviderError) -> Page<Place> { try await places(.geocode(request)) }

  func details(_ request: DetailsRequest) async throws(ProviderError) -> Place {
    guard let place = try await places(.details(request)).rows.first else { throw ProviderError(.notFound, "no such place") }
    return place
  }

  func photo(_ request: PhotoRequest) async throws(ProviderError) -> PhotoImage {
    if case .photo(let image) = try await service.answer(.photo(request), meter) { return image }
    throw ProviderError(.decode, "the script has rows for a photo call")
  }

  private func places(_ call: ProviderCall) async throws(ProviderError) -> Page<Place> {
    if case .places(let page) = try await service.answer(call, meter) { return page }
    throw ProviderError(.decode, "the script has suggestions for a call for places")
  }
}

extension Manifest {
  /// A provider that can do everything, for nothing.
  static func scripted(
    _ name: String, parameters: [Capability.Parameter: Capability.Support] = .all(.native), kinds: Set<Suggestion.Kind> = [.place, .query],
    minimumLetters: Int = 1, narrows: Bool = false, remote: Bool = true, terms: Terms = .testing, rate: Rate = Rate(concurrent: 64),
    prices: PriceTable = PriceTable(), sessions: SessionRule? = nil, pages: Bool = false, fields: Set<PlaceField> = Set(PlaceField.allCases)
  ) -> Manifest {
    func capability(_ pages: Bool = false) -> Capability {
      Capability(
        parameters: parameters, minimumLetters: minimumLetters, maximumRows: 20, kinds: kinds, narrows: narrows, fields: fields,
        pages: pages)
    }
    return Manifest(
      plugin: "scripted", name: name, version: "1", summary: "Follows a script.", autocomplete: capability(), search: capability(pages),
      details: capability(), reverse: capability(), hosts: remote ? ["example.org"] : [], terms: terms,
      attributions: [Attribution(text: "© \(name)")], rate: rate, prices: prices, sessions: sessions)
  }
}

extension [Capability.Parameter: Capability.Support] {
  static func all(_ support: Capability.Support) -> Self {
    Dictionary(uniqueKeysWithValues: Capability.Parameter.allCases.map { ($0, support) })
  }
}

extension Terms {
  static let testing = Terms(
    idsSeconds: nil, coordinatesSeconds: 3_600, otherSeconds: 3_600, negativeSeconds: 60, staleSeconds: 3_600, isolation: .user,
    mixing: .free, source: "made for tests")
}

extension Suggestion {
  static func city(_ name: String, id: String? = nil, _ location: Coordinate? = nil, country: String? = nil) -> Suggestion {
    var evidence = Evidence()
    evidence.country = country
    return Suggestion(
      kind: .place, id: id ?? name.lowercased(), text: FormattedText(name), primary: FormattedText(name), types: ["locality"],
      location: location, evidence: evidence)
  }
}

extension Place {
  static func named(_ name: String, id: String? = nil, _ values: [PlaceField: JSONValue] = [:], at location: Coordinate? = nil) -> Place {
    Place(id: id ?? name.lowercased(), values: [.name: .string(name)].merging(values) { $1 }, types: ["museum"], location: location)
  }
}
