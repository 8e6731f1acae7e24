import PlacesKit

/// What the engine hears of refused keys on its way to somebody's answer, written down behind it: a daemon that is stopped right after
/// such an answer must know of it at its next start.
public struct Refusals: Sendable {
  /// How long a stop waits for a disk.
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

  /// A provider's service refuses the key, to that start of it; or it is to be asked again, where there is no start.
  public func tell(of provider: String, start: Int?) { told.yield((provider, start)) }

  /// Writes down what is told, in its order, until `finish`: in no task of the daemon's own, since those are cancelled at its end.
  public func run(_ write: @escaping @Sendable (String, Int?) async -> Void) {
    Task(name: "refused keys") {
      for await (provider, start) in news { await write(provider, start) }
      ended.finish()
    }
  }

  /// Returns when all that was told is written down, or a disk took too long over it.
  public func finish() async {
    told.finish()
    _ = await within(Self.patience, of: time, "refused keys") { for await _ in end {} }
  }
}
