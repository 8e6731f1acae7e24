import Synchronization

/// Files that this process has mapped, which is how SQLite reads an index.
public enum Mappings {
  private static let lock = Mutex(())

  /// Runs what unmaps a file, or what gives back the pages of all that are mapped: never both at once, since what was unmapped is soon
  /// somebody's memory. It may not call this again.
  public static func alone<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }
}
