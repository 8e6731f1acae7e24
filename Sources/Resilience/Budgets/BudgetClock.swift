import PlacesKit

/// The calendar by which budgets count days. If the machine's clock is set, budgets must neither be granted twice nor stay used up until a
/// date that never came. The rule: a budget day ends at the first midnight (UTC) of the wall clock that comes at least 23¾ hours after the day
/// began, by the monotonic clock. The next budget day is the wall clock's, even if that is an earlier one.
///
/// So every budget day lasts at least 23¾ hours, and less than 48 hours whatever happens to the wall clock.
public struct BudgetClock: Sendable, Hashable {
  /// What a daemon needs to know that starts later during the same boot.
  public struct Record: Sendable, Hashable {
    /// When the budget day began, in seconds of the monotonic clock.
    public var began: Double
    public init(began: Double) { self.began = began }
  }

  /// Seconds that a day lasts at least: a quarter of an hour less than a day, since clocks are adjusted.
  static let minDayLength = 85_500.0

  private(set) var day: Day
  private(set) var record: Record
  /// True if the day has become an earlier one: what was spent in that one may have been dropped from memory.
  private(set) var hasGoneBackwards = false

  /// A clock that trusts the wall time (seconds since 1970).
  init(wall: Double, monotonic: Double) {
    day = Day(wall: wall)
    record = Record(began: monotonic - (wall - day.start))
  }

  /// Continues after the latest time of a ledger. After a reboot, which sets the monotonic clock back, a later wall time is trusted; before an
  /// earlier one is, the ledger's day lasts a whole day more.
  init(after history: LedgerHistory, wall: Double, monotonic: Double) {
    self.init(wall: wall, monotonic: monotonic)
    let latest = Day(wall: history.latest)
    if let known = history.clock {
      (day, record) = (latest, known)
    } else if latest > day {
      (day, record) = (latest, Record(began: monotonic))
    }
  }

  /// The budget time in seconds since 1970: the wall time, or the nearest moment of the budget day.
  mutating func time(wall: Double, monotonic: Double) -> Double {
    let today = Day(wall: wall)
    let midnight = monotonic - (wall - today.start)
    if today != day, midnight - record.began >= BudgetClock.minDayLength {
      if today < day { hasGoneBackwards = true }
      (day, record) = (today, Record(began: midnight))
    }
    return min(max(wall, day.start), day.end.nextDown)
  }
}
