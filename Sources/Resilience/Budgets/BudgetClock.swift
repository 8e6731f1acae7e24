import PlacesKit

/// The calendar by which budgets count days. A change of the machine's clock must neither grant a budget twice nor leave it used up
/// indefinitely. Therefore a budget day ends at the first midnight (UTC, wall clock) that is at least 23¾ hours of the monotonic clock
/// after its beginning. The next budget day is the day of the wall clock, even if that is an earlier day.
///
/// Every budget day thus lasts at least 23¾ hours and, whatever happens to the wall clock, less than 48 hours.
public struct BudgetClock: Sendable, Hashable {
  /// The state that a daemon restores if it starts during the same boot.
  public struct SavedState: Sendable, Hashable {
    /// When the budget day began, in seconds of the monotonic clock.
    public var began: Double
    public init(began: Double) { self.began = began }
  }

  /// The minimum length of a day in seconds: a quarter of an hour less than a day, since clocks are adjusted.
  static let minDayLength = 85_500.0

  private(set) var day: Day
  private(set) var savedState: SavedState
  /// True if the budget day has moved to an earlier day, whose spending may have been dropped from memory.
  private(set) var hasGoneBackwards = false

  /// A clock that trusts the wall time (seconds since 1970).
  init(wall: Double, monotonic: Double) {
    day = Day(wall: wall)
    savedState = SavedState(began: monotonic - (wall - day.start))
  }

  /// Continues after the latest time in a ledger. After a reboot, which resets the monotonic clock, a later wall time is trusted at once;
  /// an earlier one only after the ledger's day has lasted one more day.
  init(after history: LedgerHistory, wall: Double, monotonic: Double) {
    self.init(wall: wall, monotonic: monotonic)
    let latest = Day(wall: history.latest)
    if let known = history.clock {
      (day, savedState) = (latest, known)
    } else if latest > day {
      (day, savedState) = (latest, SavedState(began: monotonic))
    }
  }

  /// The budget time in seconds since 1970: the wall time, or the nearest moment of the budget day.
  mutating func time(wall: Double, monotonic: Double) -> Double {
    let today = Day(wall: wall)
    let midnight = monotonic - (wall - today.start)
    if today != day, midnight - savedState.began >= BudgetClock.minDayLength {
      if today < day { hasGoneBackwards = true }
      (day, savedState) = (today, SavedState(began: midnight))
    }
    return min(max(wall, day.start), day.end.nextDown)
  }
}
