import Geocoders
import JSON
import PlacesAPI
import PlacesKit

/// A card with the data of a chosen place, for a terminal: name, address, telephone, website, hours of today, rating, distance, sources.
struct PlaceCard: Sendable {
  private var name = ""
  private var type = ""
  private var address = ""
  /// The lines below the address, each with a label.
  private var facts: [(label: String, text: String)] = []
  private var credits: [AttributionRow]

  /// - Parameters:
  ///   - row: the row that was chosen. The card shows its sources and those of its alternatives, and its distance and texts if the place
  ///   lacks them.
  ///   - credits: the credits of the row, whose text may come from other sources than the place.
  ///   - now: seconds since 1970.
  init(_ place: PlaceRow, chosen row: SuggestionRow?, credits: [AttributionRow], now: Double) {
    let values = place.values
    self.credits = place.attributions + credits
    name = values[.name]?.string ?? row?.primary?.text ?? place.id.text
    type = (values[.types]?[0]?.string ?? row?.types.first?.rawValue ?? "").replacing("_", with: " ")
    address = ShortAddress.text(place) ?? row?.secondary?.text ?? ""
    if address == name { address = "" }
    add("phone", values[.phoneNumber]?.string)
    add("website", values[.website]?.string)
    add("hours", OpeningHoursToday(place, now: now).text)
    add("rating", PlaceCard.rating(values))
    add("distance", (place.distance ?? row?.distance).map(Format.distance))
    let point = values[.coordinate]
    add("location", point.flatMap { PlaceCard.text(latitude: $0["latitude"]?.double, longitude: $0["longitude"]?.double) })
    addSources((row?.allSources ?? []) + place.sources)
    add("id", place.id.text)
  }

  /// The card of a row whose provider has no details.
  init(_ row: SuggestionRow, credits: [AttributionRow]) {
    self.credits = credits
    name = row.primary?.text ?? row.text.text
    type = (row.types.first?.rawValue ?? "").replacing("_", with: " ")
    address = row.secondary?.text ?? ""
    add("distance", row.distance.map(Format.distance))
    add("location", row.location.flatMap { PlaceCard.text(latitude: $0.latitude, longitude: $0.longitude) })
    addSources(row.allSources)
    add("id", row.id?.text)
  }

  /// The card, with lines of at most `console.width` columns.
  func lines(_ console: Console) -> [String] {
    let width = console.width ?? 80
    var lines = [StyledText(name, .bold) + (type.isEmpty ? StyledText("") : StyledText("  \(type)", .dim))]
    if !address.isEmpty { lines.append(StyledText(address)) }
    let column = (facts.map { Width.of($0.label) }.max() ?? 0) + 2
    for (label, text) in facts {
      let wrapped = Help.wrapped(printable(text), width: max(20, width - column))
      for (index, line) in wrapped.enumerated() {
        let head = index == 0 ? label : ""
        lines.append(StyledText(head + String(repeating: " ", count: column - Width.of(head)), .dim) + StyledText(line))
      }
    }
    var seen: Set<String> = []
    let credit = credits.map(\.text).filter { seen.insert($0).inserted }.joined(separator: " · ")
    if !credit.isEmpty { lines += Help.wrapped(printable(credit), width: width).map { StyledText($0, .dim) } }
    return lines.map { $0.cut(to: width).text(colour: console.usesColour) }
  }

  private mutating func add(_ label: String, _ text: String?) {
    if let text, !text.isEmpty { facts.append((label, text)) }
  }

  private mutating func addSources(_ sources: [Source]) {
    var seen: Set<String> = []
    add("sources", sources.map(\.provider).filter { seen.insert($0).inserted }.joined(separator: ", "))
  }

  private static func rating(_ values: [PlaceField: JSONValue]) -> String? {
    guard let rating = values[.rating]?.double else { return nil }
    let count = values[.userRatingsTotal]?.integer.map { " (\(Format.count($0, "rating")))" } ?? ""
    return "\(Format.fixed(rating, 1)) of 5\(count)"
  }

  private static func text(latitude: Double?, longitude: Double?) -> String? {
    guard let latitude, let longitude else { return nil }
    return "\(Format.fixed(latitude, 6)),\(Format.fixed(longitude, 6))"
  }
}

/// The opening hours of today, in the place's own time.
struct OpeningHoursToday {
  /// `open now, 07:00–19:00`, or the service's own text; nil if nothing is known.
  private(set) var text: String?

  init(_ place: PlaceRow, now: Double) {
    if let status = place.values[.businessStatus]?.string, status != "operational" {
      text = status.replacing("_", with: " ")
      return
    }
    guard let hours = place.values[.currentOpeningHours] ?? place.values[.openingHours] else { return }
    let offsets = OpeningHoursToday.offsets(place, now)
    let dayNumbers = Set(offsets.map { Int(((now + Double($0) * 60) / 86_400).rounded(.down)) })
    // Day 0 is 1 January 1970, a Thursday. Weekday 0 is Sunday. If the day is not certain, there is no weekday.
    let weekday = dayNumbers.count == 1 ? dayNumbers.first.map { (($0 + 4) % 7 + 7) % 7 } : nil
    let hoursText = hours["text"]?.string
    var today: String?
    if let weekday, let texts = hours["weekdayText"]?.array, texts.count == 7 {
      // The list begins with Monday.
      today = texts[(weekday + 6) % 7].string
    } else if let weekday, let periods = hours["periods"]?.array, !periods.isEmpty {
      today = OpeningHoursToday.spans(periods, on: weekday)
    } else if let hoursText, offsets.count == 1 {
      today = OpeningHoursToday.spans(hoursText, offset: offsets[0], now)
    }
    let isOpen = hours["openNow"]?.boolean ?? hoursText.flatMap { OpeningHoursToday.isOpen($0, offsets, now) }
    let parts = [isOpen.map { $0 ? "open now" : "closed now" }, today ?? hoursText]
    text = parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// Whether a place with these hours is open, from a text in OpenStreetMap's notation; nil if the text cannot be parsed or the
  /// result is not certain, such as if the possible offsets lead to different results.
  private static func isOpen(_ text: String, _ offsets: [Int], _ now: Double) -> Bool? {
    guard let expression = OpeningHoursExpression(text) else { return nil }
    let statuses = Set(offsets.map { expression.status(at: now, offset: $0) })
    guard statuses.count == 1, let status = statuses.first, status != .unknown else { return nil }
    return status == .open
  }

  /// The opening hours of the day that contains `now`, from a text in OpenStreetMap's notation; nil if the text cannot be parsed or states
  /// that the hours are not known.
  private static func spans(_ text: String, offset: Int, _ now: Double) -> String? {
    guard let expression = OpeningHoursExpression(text) else { return nil }
    let start = ((now + Double(offset) * 60) / 86_400).rounded(.down) * 86_400 - Double(offset) * 60
    var spans: [(from: Int, to: Int)] = []
    for minute in 0..<1_440 {
      switch expression.status(at: start + Double(minute * 60), offset: offset) {
      case .unknown: return nil
      case .closed: continue
      case .open:
        if spans.last?.to == minute { spans[spans.count - 1].to += 1 } else { spans.append((minute, minute + 1)) }
      }
    }
    if spans.first?.from == 0, spans.first?.to == 1_440 { return "today all day" }
    let texts = spans.map { "\(clock($0.from / 60, $0.from % 60))–\(clock($0.to / 60, $0.to % 60))" }
    return texts.isEmpty ? "closed today" : "today \(texts.joined(separator: ", "))"
  }

  private static func clock(_ hour: Int, _ minute: Int) -> String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }

  /// The possible offsets of the place's time from UTC, in minutes, positive east of Greenwich; empty if nothing is known.
  private static func offsets(_ place: PlaceRow, _ now: Double) -> [Int] {
    if let offset = place.values[.utcOffsetMinutes]?.integer, abs(offset) <= 1_440 { return [offset] }
    guard let country = ShortAddress.component("country", of: place)?["short"]?.string else { return [] }
    return LocalTime.offsets(country: country, longitude: place.values[.coordinate]?["longitude"]?.double, at: now)
  }

  /// The opening hours of a weekday, from a list of periods: the periods that begin on this day, and the rest of those that began earlier
  /// and end after its first midnight.
  private static func spans(_ periods: [JSONValue], on weekday: Int) -> String {
    typealias Moment = (day: Int, minute: Int)
    func moment(_ time: JSONValue?) -> Moment? {
      guard let day = time?["day"]?.integer, let hour = time?["hour"]?.integer, let minute = time?["minute"]?.integer,
        (0..<7).contains(day), (0...24).contains(hour), (0..<60).contains(minute)
      else { return nil }
      return (day, hour * 60 + minute)
    }
    // Google and others report a place that never closes as one period without an end.
    if periods.count == 1, periods[0]["close"] == nil { return "today all day" }
    let spans = periods.flatMap { period -> [(from: Int, text: String)] in
      guard let open = moment(period["open"]) else { return [] }
      guard let close = moment(period["close"]) else { return open.day == weekday ? [(from: open.minute, text: "all day")] : [] }
      var length = (close.day - open.day + 7) % 7 * 1_440 + close.minute - open.minute
      // If the end is not later than the beginning, the period ends on the next day.
      if length <= 0 { length += 1_440 }
      let from = (open.day - weekday + 7) % 7 * 1_440 + open.minute
      // The period recurs every week: it begins within the coming seven days, and it began a week before that.
      return [from, from - 7 * 1_440].compactMap { span(from: $0, to: $0 + length) }
    }
    let texts = spans.sorted { $0.from < $1.from }.map(\.text)
    return texts.isEmpty ? "closed today" : "today \(texts.joined(separator: ", "))"
  }

  /// The part of a period that lies in a day, in minutes since the day's beginning; nil if no part does. If a period ends on the next day,
  /// its end is shown if the period is at most 24 hours long; otherwise midnight is shown as its end.
  private static func span(from: Int, to: Int) -> (from: Int, text: String)? {
    guard from < 1_440, to > 0 else { return nil }
    if from <= 0, to >= 1_440 { return (0, "all day") }
    let start = max(from, 0)
    let endsNextDay = to > 1_440 && to - from <= 1_440
    let end = endsNextDay ? to - 1_440 : min(to, 1_440)
    return (start, "\(clock(start / 60, start % 60))–\(clock(end / 60, end % 60))")
  }
}

/// The short form of a place's address.
enum ShortAddress {
  /// The service's own address line, or a line made of the address's parts, whichever is shorter; nil if neither is known.
  static func text(_ place: PlaceRow) -> String? {
    let line = place.values[.formattedAddress]?.string
    guard let composed = composed(place) else { return line }
    guard let line else { return composed }
    return composed.count < line.count ? composed : line
  }

  /// The first component of the address that has this type; nil if there is none.
  static func component(_ type: String, of place: PlaceRow) -> JSONValue? {
    place.values[.addressComponents]?.array?.first { $0["types"]?.array?.contains(.string(type)) == true }
  }

  /// The street and number, the postcode and town, and the country. Without a street, the region precedes the country.
  private static func composed(_ place: PlaceRow) -> String? {
    func part(_ type: String) -> String? { component(type, of: place)?["long"]?.string }
    let country = component("country", of: place)
    guard let countryName = country?["long"]?.string else { return nil }
    let street = part("route").map {
      StreetLine.text(street: $0, houseNumber: part("street_number"), country: country?["short"]?.string)
    }
    let town = part("locality") ?? part("postal_town")
    guard street != nil || town != nil else { return nil }
    let shownTown = town.map { [street == nil ? nil : part("postal_code"), $0].compactMap { $0 }.joined(separator: " ") }
    let region = street == nil ? part("administrative_area_level_1") : nil
    var parts: [String] = []
    for text in [street, shownTown, region, countryName].compactMap({ $0 }) where parts.last != text { parts.append(text) }
    return parts.joined(separator: ", ")
  }
}
