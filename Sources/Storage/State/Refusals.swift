import PlacesKit

/// Records rejected keys in the background, so that the request that noticed the rejection does not wait for the disk. A daemon that is
/// stopped right afterwards still records the rejection before it ends.
public struct Refusals: Sendable {
  /// Seconds for which a stop waits for the disk.
  static let patience = 1.0

  private let news: AsyncStream<(provider: String, start: Int?)>
  private let told: AsyncStream<(provider: String, start: Int?)>.Continuation
  private let end: AsyncStream<Void>
  private let ended: AsyncStream<Void>.Continuation

  private let time: any TimeSource

  public init(time: any TimeSource) {
    self.time = time
    (news, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    (end, ended) = AsyncStream.makeStream()
  }

  /// Reports that the service rejected the key that was used by this start of the provider; without a start, that the provider may be
  /// queried again.
  public func tell(of provider: String, start: Int?) { told.yield((provider, start)) }

  /// Writes the reports in order until `finish`. The task has no parent, because the daemon's tasks are cancelled at its end.
  public func run(_ write: @escaping @Sendable (String, Int?) async -> Void) {
    Task(name: "refused keys") {
      for await (provider, start) in news { await write(provider, start) }
      ended.finish()
    }
  }

  /// Returns when all reports are written, or after `patience` seconds.
  public func finish() async {
    told.finish()
    _ = await within(Self.patience, of: time, "refused keys") { for await _ in end {} }
  }
}
