import PlacesKit

/// Records in the background that a service has rejected a provider's API key, so that the request that noticed the rejection does not wait
/// for the disk. A daemon that is stopped right after the rejection still records it before it ends.
public struct RejectedKeyJournal: Sendable {
  /// The maximum number of seconds for which the end of the daemon waits for the disk.
  static let diskTimeout = 1.0

  private let reports: AsyncStream<(provider: String, startID: Int?)>
  private let reportInput: AsyncStream<(provider: String, startID: Int?)>.Continuation
  /// A stream without elements, which ends when all reports are written.
  private let completion: AsyncStream<Void>
  private let completionInput: AsyncStream<Void>.Continuation

  private let time: any TimeSource

  public init(time: any TimeSource) {
    self.time = time
    // If the disk is too slow, the oldest reports are dropped.
    (reports, reportInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    (completion, completionInput) = AsyncStream.makeStream()
  }

  /// Reports that the service rejected the key.
  /// - Parameter startID: the number of the provider's start after which the key was used; nil to report that the provider may be called
  ///   again.
  public func report(_ provider: String, startID: Int?) { reportInput.yield((provider, startID)) }

  /// Starts a task that writes the reports in their order until `finish`. The task has no parent, because a parent would cancel
  /// the task when the daemon ends, before the reports are written.
  public func run(_ write: @escaping @Sendable (String, Int?) async -> Void) {
    Task(name: "rejected keys") {
      for await (provider, startID) in reports { await write(provider, startID) }
      completionInput.finish()
    }
  }

  /// Returns when all reports are written, or after `diskTimeout` seconds.
  public func finish() async {
    reportInput.finish()
    _ = await withTimeLimit(Self.diskTimeout, clock: time, task: "rejected keys") { for await _ in completion {} }
  }
}
