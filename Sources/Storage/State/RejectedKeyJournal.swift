import PlacesKit

/// Records rejected keys in the background, so that the request that noticed the rejection does not wait for the disk. A daemon that is
/// stopped right afterwards still records the rejection before it ends.
public struct RejectedKeyJournal: Sendable {
  /// Seconds for which the daemon's stop waits for the disk.
  static let diskTimeout = 1.0

  private let reports: AsyncStream<(provider: String, start: Int?)>
  private let input: AsyncStream<(provider: String, start: Int?)>.Continuation
  private let completion: AsyncStream<Void>
  private let completed: AsyncStream<Void>.Continuation

  private let time: any TimeSource

  public init(time: any TimeSource) {
    self.time = time
    (reports, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    (completion, completed) = AsyncStream.makeStream()
  }

  /// Reports that the service rejected the key that was used by this start of the provider; without a start, that the provider may be
  /// queried again.
  public func report(_ provider: String, start: Int?) { input.yield((provider, start)) }

  /// Writes the reports in order until `finish`. The task has no parent, because the daemon's tasks are cancelled at its end.
  public func run(_ write: @escaping @Sendable (String, Int?) async -> Void) {
    Task(name: "rejected keys") {
      for await (provider, start) in reports { await write(provider, start) }
      completed.finish()
    }
  }

  /// Returns when all reports are written, or after `diskTimeout` seconds.
  public func finish() async {
    input.finish()
    _ = await within(Self.diskTimeout, of: time, "rejected keys") { for await _ in completion {} }
  }
}
