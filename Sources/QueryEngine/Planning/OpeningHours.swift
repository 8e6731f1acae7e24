import Geocoders
import PlacesKit

/// Evaluates the opening hours of a place.
enum OpeningHours {
  private static let minutesPerWeek = 7 * 1440

  /// True if the place is open; nil if that is not known. A place may have its opening hours in several forms. The first available form of
  /// these is used: periods in local time (if the offset from UTC is known), the service's `openNow` at the time of the fetch, and
  /// OpenStreetMap's `opening_hours`.
  /// - Parameter now: seconds since 1970.
  static func isOpen(_ place: Place, at now: Double) -> Bool? {
    if let status = place.values[.businessStatus]?.string, status != "operational" { return false }
    guard let hours = place.values[.currentOpeningHours] ?? place.values[.openingHours] else { return nil }
    let offset = place.values[.utcOffsetMinutes]?.integer.flatMap { abs($0) <= 1_440 ? Int($0) : nil }
    if let periods = hours["periods"]?.array, !periods.isEmpty, let offset {
      let minute = minuteOfWeek(now, offset: offset)
      return periods.contains { contains($0, minute) }
    }
    if let isOpen = hours["openNow"]?.boolean { return isOpen }
    return hours["text"]?.string.flatMap { isOpen($0, place, offset: offset, at: now) }
  }

  /// Evaluates `opening_hours`. If several local times are possible at the place, all of them must give the same result.
  /// - Parameter offset: minutes from UTC; nil if that is not known.
  private static func isOpen(_ text: String, _ place: Place, offset: Int?, at now: Double) -> Bool? {
    guard let expression = OpeningHoursExpression(text) else { return nil }
    let offsets =
      offset.map { [$0] } ?? place.evidence.country.map { LocalTime.offsets(country: $0, longitude: place.location?.longitude, at: now) }
      ?? []
    let statuses = Set(offsets.map { expression.status(at: now, offset: $0, location: place.location) })
    guard statuses.count == 1, let status = statuses.first, status != .unknown else { return nil }
    return status == .open
  }

  /// The minutes since the week began on Sunday. 1970 began on a Thursday, which is four days later.
  private static func minuteOfWeek(_ now: Double, offset: Int) -> Int {
    let minutes = Int(max(0, min(now, 1e12)) / 60) + offset + 4 * 1440
    return ((minutes % minutesPerWeek) + minutesPerWeek) % minutesPerWeek
  }

  private static func contains(_ period: JSONValue, _ minute: Int) -> Bool {
    guard let opening = period["open"].flatMap(minuteOfWeek) else { return false }
    // A period that does not close is always open.
    guard let closing = period["close"].flatMap(minuteOfWeek) else { return true }
    return opening < closing ? (opening..<closing).contains(minute) : minute >= opening || minute < closing
  }

  private static func minuteOfWeek(_ point: JSONValue) -> Int? {
    guard let day = point["day"]?.integer, let hour = point["hour"]?.integer, let minute = point["minute"]?.integer,
      (0...6).contains(day), (0...24).contains(hour), (0...59).contains(minute)
    else { return nil }
    return (day * 1440 + hour * 60 + minute) % minutesPerWeek
  }
}
