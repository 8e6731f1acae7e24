import PlacesKit
import Synchronization

extension Conformance {
  /// Checks a provider that is linked into this program.
  public init(of provider: any Provider.Type, settings: [String: JSONValue] = [:], baseURL: String? = nil) {
    self.init(settings: settings, baseURL: baseURL) { context throws(ProviderStartError) in
      let manifest = provider.manifest
      let providerContext = try checkedContext(id: "check", settings: settings, manifest: manifest, context)
      do throws(ProviderError) { return try await provider.init(context: providerContext) } catch {
        throw ProviderStartError(.start, manifest.plugin, "provider \(manifest.plugin) cannot start: \(error.message)")
      }
    }
  }

  /// Starts a plugin or command in its sandbox as the daemon would, checks it, and ends it.
  /// - Parameter sample: a query for which the provider finds something, so that there are rows to check.
  /// - Throws: `system` if no process can be supervised at all; faults of the provider are findings.
  public static func check(
    _ instance: InstanceDescription, baseURL: String? = nil, sample: Sample? = nil
  ) async throws(ProviderStartError) -> [ConformanceFinding] {
    let unknownMembers = UnknownMembers()
    let runtime = try ProviderRuntime(policy: LifeCycle.Policy(), unknownMembers: unknownMembers) { _, _, _ in }
    return await withTaskGroup(of: [ConformanceFinding]?.self) { group in
      group.addTask(name: "hosting") {
        await runtime.run()
        return nil
      }
      group.addTask(name: "check \(instance.id)") {
        await findings(instance, baseURL: baseURL, sample: sample, runtime)
          + unknownMembers.all.map { ConformanceFinding(.warning, $0.subject, "the member \($0.path) is unknown and ignored") }
      }
      var result: [ConformanceFinding] = []
      // When the check has ended, `cancelAll` ends the hosting, whose result is nil.
      while let next = await group.next() {
        group.cancelAll()
        if let next { result = next }
      }
      return result
    }
  }

  /// Starts the provider, checks it and stops it. Returns the findings.
  private static func findings(
    _ instance: InstanceDescription, baseURL: String?, sample: Sample?, _ runtime: ProviderRuntime
  ) async -> [ConformanceFinding] {
    let started = StartedProvider()
    var findings = await Conformance(
      settings: instance.settings, baseURL: baseURL, sample: sample, dataDirectories: instance.readablePaths
    ) { context throws(ProviderStartError) in
      let provider = try await runtime.start(instance, context: context)
      started.set(provider)
      // The limits that the daemon applies are left out, so that the check finds rows that exceed them.
      return (provider.service as? BoundedService)?.provider ?? provider.service
    }.check()
    if let status = started.provider?.status, let end = status.lastEnd {
      findings.append(ConformanceFinding(.error, "process", "its process \(end); number of restarts: \(status.restarts)"))
    }
    await started.provider?.stop()
    return findings
  }
}

/// The provider that a check has started.
private final class StartedProvider: Sendable {
  private let holder = Mutex<HostedProvider?>(nil)
  var provider: HostedProvider? { holder.withLock { $0 } }
  func set(_ provider: HostedProvider) { holder.withLock { $0 = provider } }
}
