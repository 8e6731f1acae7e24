import PlacesKit

/// The calendar by which budgets count days. A change of the machine's clock must neither grant a budget twice nor leave it used up
/// indefinitely. Therefore a budget day ends at the first midnight (UTC, wall clock) that is at least 23¾ hours of the monotonic clock
/// after its beginning. The next budget day is the day of the wall clock, even if that is an earlier day.
///
/// Thus every budget day lasts at least 23¾ hours. If the wall clock is set once during a budget day, the day lasts less than 72 hours: the
/// first midnight may come too early, and the second one may begin the calendar day that the budget day already has.
struct BudgetClock: Sendable, Hashable {
  /// The minimum length of a budget day in seconds: a quarter of an hour less than 24 hours, to tolerate small adjustments of the wall
  /// clock.
  static let minDayLength = 85_500.0

  private(set) var day: Day
  /// When the budget day began, in monotonic seconds. The ledger stores this time, so that a daemon that restarts during the same boot
  /// continues the day.
  private(set) var dayStart: Double
  /// True if the budget day has moved to an earlier day. The spending of that day may have been dropped from memory.
  private(set) var hasGoneBackwards = false

  /// A clock that continues after the latest time in a ledger. After a reboot, which resets the monotonic clock, a later wall time is
  /// trusted at once. An earlier wall time is trusted only after the ledger's day has lasted one more day.
  /// - Parameter wall: the wall time, in seconds since 1970.
  init(after history: LedgerAmounts = LedgerAmounts(), wall: Double, monotonic: Double) {
    day = Day(wall: wall)
    dayStart = monotonic - (wall - day.start)
    let latestDay = Day(wall: history.latestTime)
    if let knownStart = history.dayStart {
      (day, dayStart) = (latestDay, knownStart)
    } else if latestDay > day {
      (day, dayStart) = (latestDay, monotonic)
    }
  }

  /// The budget time in seconds since 1970. It is the wall time or, if the wall time is outside the budget day, the nearest moment of the
  /// budget day.
  mutating func time(wall: Double, monotonic: Double) -> Double {
    let today = Day(wall: wall)
    let midnight = monotonic - (wall - today.start)
    if today != day, midnight - dayStart >= BudgetClock.minDayLength {
      if today < day { hasGoneBackwards = true }
      (day, dayStart) = (today, midnight)
    }
    return min(max(wall, day.start), day.end.nextDown)
  }
}
