import CSeccomp
import Glibc
import Linux
import PlacesKit
import Synchronization

/// One provider as the configuration describes it.
public struct InstanceDescription: Sendable, Hashable {
  /// The program of a provider.
  public enum Source: Sendable, Hashable {
    /// The name of a plugin in one of the plugin folders.
    case plugin(String)
    /// A plugin's file.
    case file(String)
    /// The absolute path and the arguments of an executable that speaks the provider protocol.
    case command([String])
  }
  /// Where a plugin runs: in a process of its own, or in the daemon's process.
  public enum Isolation: String, Sendable, Hashable, Codable, CaseIterable {
    case process
    case inProcess = "in-process"
  }

  /// One of the services that a plugin can call, as the program that starts the plugin describes it.
  public struct Service: Sendable, Hashable {
    /// The manifest that replaces the one that the plugin declares before it is configured. It names the hosts that the provider may call,
    /// and the part of a request that carries the key.
    public var manifest: Manifest
    /// Settings that the plugin gets in addition to those of the configuration.
    public var settings: [String: JSONValue]

    public init(manifest: Manifest, settings: [String: JSONValue]) {
      self.manifest = manifest
      self.settings = settings
    }
  }

  public var id: String
  public var source: Source
  /// Nil for a plugin that can call only one service.
  public var service: Service?
  /// Ignored for a command, which always runs in its own process.
  public var isolation: Isolation
  /// The settings as the administrator wrote them. `start` checks them against the manifest.
  public var settings: [String: JSONValue]
  /// The maximum number of bytes of memory that a process may write to.
  public var memoryLimit: Int
  /// The seconds of processor time that a process begins with, and the maximum that it can accumulate. Each request adds half a second.
  public var processorSeconds: Double
  /// The folders that a process may read in addition to its own files and the system's libraries, such as the folder of its data.
  public var readablePaths: [String]
  /// True if a command may run even if the kernel has no Landlock to restrict its access to files.
  public var allowUnconfined: Bool

  public init(
    id: String, source: Source, service: Service? = nil, isolation: Isolation = .process, settings: [String: JSONValue] = [:],
    memoryLimit: Int = 256 << 20, processorSeconds: Double = 20, readablePaths: [String] = [], allowUnconfined: Bool = false
  ) {
    self.id = id
    self.source = source
    self.service = service
    self.isolation = isolation
    self.settings = settings
    self.memoryLimit = memoryLimit
    self.processorSeconds = processorSeconds
    self.readablePaths = readablePaths
    self.allowUnconfined = allowUnconfined
  }
}

/// Starts providers, in this process or in separate processes, and keeps them running.
///
/// `run` is the parent task of all providers; its cancellation stops them. `start` may be called before `run` or after it.
public final class ProviderRuntime: Sendable {
  private let folders: [String]
  private let host: String
  private let time: any TimeSource
  private let log: @Sendable (_ instance: String, LogLevel, String) -> Void
  private let policy: LifeCycle.Policy
  private let thread: PipeThread
  /// True if plugins run under the address sanitizer, whose shadow memory would exceed any limit of writable memory.
  static let isSanitized = cseccomp_is_sanitized() == 1
  /// True if the kernel has Landlock. Without it a process may read every file that the daemon may read.
  private let hasLandlock: Bool
  /// Records members of providers' JSON that the daemon does not know; nil if they are ignored.
  private let unknownMembers: UnknownMembers?
  /// True once the absence of Landlock was logged.
  private let hasWarned = Mutex(false)
  /// The supervisors that `run` has not begun to run yet, at most 256.
  private let (supervisors, supervisorSignal) = AsyncStream.makeStream(of: Supervisor.self, bufferingPolicy: .bufferingOldest(256))

  /// - Parameters:
  ///   - folders: the folders in which plugins are searched for, in this order.
  ///   - host: the program that opens a plugin in a separate process.
  ///   - log: receives the lines of providers and the ends of their processes.
  /// - Throws: `system` if no epoll instance or thread can be created.
  public convenience init(
    folders: [String] = PluginFile.defaultFolders(), host: String = ProviderRuntime.defaultHost(), time: any TimeSource = SystemTime(),
    log: @escaping @Sendable (_ instance: String, LogLevel, String) -> Void
  ) throws(ProviderStartError) {
    try self.init(folders: folders, host: host, time: time, policy: LifeCycle.Policy(), log: log)
  }

  init(
    folders: [String] = PluginFile.defaultFolders(), host: String = ProviderRuntime.defaultHost(), time: any TimeSource = SystemTime(),
    policy: LifeCycle.Policy, hasLandlock: Bool = cseccomp_has_landlock() == 1, unknownMembers: UnknownMembers? = nil,
    log: @escaping @Sendable (_ instance: String, LogLevel, String) -> Void
  ) throws(ProviderStartError) {
    self.folders = folders
    self.host = host
    self.time = time
    self.policy = policy
    self.hasLandlock = hasLandlock
    self.unknownMembers = unknownMembers
    self.log = log
    thread = try PipeThread.shared.get()
  }

  /// The path of `places-provider-host`: in the executable's directory in a build tree, otherwise in `../libexec/placesd` or
  /// `../lib/placesd`.
  public static func defaultHost(executable: String = PluginFile.currentExecutable) -> String {
    let folder = executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? "."
    let candidates = [folder, folder + "/../libexec/placesd", folder + "/../lib/placesd"].map { $0 + "/places-provider-host" }
    return candidates.first { access($0, X_OK) == 0 } ?? candidates[1]
  }

  /// Supervises the providers that are started, until it is cancelled. When it returns, all of their processes have ended.
  public func run() async {
    await withDiscardingTaskGroup { group in
      for await supervisor in supervisors { group.addTask(name: "provider \(supervisor.id)") { await supervisor.run() } }
      group.cancelAll()
    }
  }

  /// Starts one provider.
  /// - Throws: the reason if it cannot be started; its process is then ended.
  public func start(_ instance: InstanceDescription, context: @escaping ContextFactory) async throws(ProviderStartError) -> HostedProvider {
    if instance.isolation == .inProcess, let file = try await readingFiles(of: instance, { self.file(of: instance) }) {
      guard file.isBundled else {
        throw ProviderStartError(
          .untrusted, file.path,
          "provider \(instance.id): \(file.path) may not run inside the daemon, because it is not in the directory of the daemon's own plugins, and a crash of it would end the daemon: set isolation = \"process\""
        )
      }
      let service = try await loadInProcess(file, for: instance, context: context)
      return HostedProvider(id: instance.id, service: BoundedService(provider: service), supervisor: nil)
    }
    let specification = try await readingFiles(of: instance) { self.specification(for: instance) }
    if !hasLandlock { warnOnce(instance.id) }
    let log = ProviderLog(time: time) { [log] in log(instance.id, $0, $1) }
    let handshake = Handshake(instance: instance, context: context, unknownMembers: unknownMembers)
    let (thread, time) = (thread, time)
    let supervisor = Supervisor(id: instance.id, policy: policy, time: time, log: log) { startLimit in
      ProviderProcess(
        id: instance.id,
        launch: { () throws(ProviderStartError) in try await ChildProcess.launch(specification, as: instance.id, on: thread) },
        handshake: handshake, time: time, log: log, startLimit: startLimit)
    }
    guard case .enqueued = supervisorSignal.yield(supervisor) else {
      throw ProviderStartError(.system, instance.id, "provider \(instance.id) cannot be started while the daemon shuts down")
    }
    let manifest: Manifest
    do throws(ProviderStartError) { manifest = try await supervisor.firstManifest() } catch {
      // The error contains the lines of the process's log, because the caller gets no `HostedProvider` from which to read them.
      var error = error
      error.logLines = log.lines
      error.isConfidential = !error.logLines.isEmpty && log.isConfidential
      throw error
    }
    let service = BoundedService(provider: ProcessService(manifest: manifest, supervisor: supervisor, unknownMembers: unknownMembers))
    return HostedProvider(id: instance.id, service: service, supervisor: supervisor)
  }

  /// Logs, at the first call only, that the kernel has no Landlock.
  private func warnOnce(_ id: String) {
    let isFirstCall = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirstCall {
      log(id, .error, "this kernel has no Landlock: the processes of providers may read every file that the daemon may read")
    }
  }

  /// Runs `look`, which finds and checks a provider's files, within the time limit of the provider's first start.
  private func readingFiles<Found: Sendable>(
    of instance: InstanceDescription, _ look: @escaping @Sendable () -> Result<Found, ProviderStartError>
  ) async throws(ProviderStartError) -> Found {
    let found = await withTimeLimit(policy.firstStartLimit, clock: time, task: "files of \(instance.id)") { await onDedicatedThread(look) }
    if let found { return try found.get() }
    if Task.isCancelled { throw ProcessEnd.stopped.error(of: instance.id) }
    throw ProviderStartError(
      .start, instance.id,
      "provider \(instance.id): its files could not be checked within \(policy.firstStartLimit) s: check the disk that they are on")
  }

  /// The outcome of `foundFile`, for `readingFiles`, whose closure cannot throw.
  private func file(of instance: InstanceDescription) -> Result<PluginFile?, ProviderStartError> {
    do throws(ProviderStartError) { return .success(try foundFile(of: instance)) } catch { return .failure(error) }
  }

  /// The outcome of `launchSpecification`, for `readingFiles`.
  private func specification(for instance: InstanceDescription) -> Result<LaunchSpecification, ProviderStartError> {
    do throws(ProviderStartError) { return .success(try launchSpecification(for: instance)) } catch { return .failure(error) }
  }

  /// Finds and checks the file of a plugin; nil for a command.
  private func foundFile(of instance: InstanceDescription) throws(ProviderStartError) -> PluginFile? {
    switch instance.source {
    case .plugin(let name): try PluginFile.find(name, in: folders)
    case .file(let path): try PluginFile(path: path)
    case .command: nil
    }
  }

  /// Finds and checks the program of a provider's process, and determines the limits of the process.
  private func launchSpecification(for instance: InstanceDescription) throws(ProviderStartError) -> LaunchSpecification {
    if let file = try foundFile(of: instance) {
      let program = try TrustedPath(checking: host).resolved
      return LaunchSpecification(
        arguments: [program, file.path], readablePaths: ReadableFiles.ofPlugin(file.path, host: program) + instance.readablePaths,
        memoryLimit: Self.isSanitized ? .max : instance.memoryLimit, processorSeconds: instance.processorSeconds)
    }
    guard case .command(let arguments) = instance.source, let program = arguments.first, program.hasPrefix("/") else {
      throw ProviderStartError(
        .notFound, instance.id, "provider \(instance.id): its command must begin with the absolute path of a program")
    }
    guard hasLandlock || instance.allowUnconfined else {
      throw ProviderStartError(
        .start, instance.id,
        "provider \(instance.id): this kernel has no Landlock, so its command could read every file that the daemon may read, including keys: boot with lsm=landlock,…, or set allow_unconfined = true"
      )
    }
    // An argument that is an existing file may be the script of an interpreter, which is code like the interpreter itself.
    for (index, argument) in arguments.enumerated() where argument.hasPrefix("/") && (index == 0 || access(argument, F_OK) == 0) {
      _ = try TrustedPath(checking: argument)
    }
    return LaunchSpecification(
      arguments: arguments, readablePaths: ReadableFiles.ofCommand(arguments) + instance.readablePaths, memoryLimit: instance.memoryLimit,
      processorSeconds: instance.processorSeconds)
  }
}
