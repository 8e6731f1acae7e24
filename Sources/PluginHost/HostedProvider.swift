import PlacesKit

/// A provider that was started: its service, its status, and how to end it.
public struct HostedProvider: Sendable {
  /// The state of a provider and of its process.
  public struct Status: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
      /// Runs inside the daemon.
      case inProcess = "in-process"
      /// A process has been started, and its handshake is not done.
      case starting
      /// The process answers requests.
      case running
      /// The process has ended, and another one is started after a delay.
      case restarting
      /// The process ended too often. No other one is started for some minutes, or until the provider is resumed.
      case off
      /// The provider was stopped, or its first start failed. It is not started again.
      case stopped
    }
    public var state: State
    /// The process's id, while one runs.
    public var processID: Int32?
    public var restarts: Int
    /// How the previous process ended, such as `was ended by signal 9 (Killed)`.
    public var lastEnd: String?
    /// When the previous process ended, in seconds since 1970.
    public var lastEndAt: Double?
    /// A clause that states for how long the provider is off; nil if it is not off.
    public var offNote: String?
  }

  public let id: String
  public let service: any PlaceService
  private let supervisor: Supervisor?

  init(id: String, service: any PlaceService, supervisor: Supervisor?) {
    self.id = id
    self.service = service
    self.supervisor = supervisor
  }

  public var status: Status { supervisor?.status ?? Status(state: .inProcess, processID: nil, restarts: 0, lastEnd: nil) }

  /// The last 200 lines that the provider's processes logged or wrote to their standard errors, oldest first.
  public var logLines: [String] { supervisor?.log.lines ?? [] }

  /// Starts the process of a provider that is off, and forgets its earlier crashes.
  public func resume() { supervisor?.resume() }

  /// Ends the provider's process, and returns when the process is gone. Does nothing for a provider inside the daemon.
  public func stop() async { await supervisor?.stop() }
}
