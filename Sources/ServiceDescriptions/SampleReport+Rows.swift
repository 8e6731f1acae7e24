import JSON
import PlacesKit

extension DescribedRow.Omission {
  /// Why the row is left out, for the author of the description.
  var reason: String {
    switch self {
    case .kind("skip"): "its `kind` is skip"
    case .kind(let word): "its `kind` is \(JSONValue.string(word).text), which is not place, query or skip"
    case .noText: "it has no text: neither `name`, `label`, `text`, `primary` nor a part of the address has a value"
    case .noIdentity: "it has neither an `id` nor a position"
    }
  }
}

extension SampleReport {
  /// Some positions in each country, by its two-letter code. They show whether another position may be in or near the country.
  public typealias CountryPoints = [String: [Coordinate]]

  /// A warning about rows with the same id, which a client could not tell apart; nil if there are none.
  static func repeatedIDs(in rows: [Row]) -> Warning? {
    let rows = rows.filter { $0.id != nil }
    let groups = Dictionary(grouping: rows, by: { $0.id ?? "" }).values.filter { $0.count > 1 }
    guard let firstGroup = groups.min(by: { $0[0].number < $1[0].number }), let id = firstGroup[0].id else { return nil }
    let numbers = firstGroup.prefix(3).map { String($0.number) }.joined(separator: ", ") + (firstGroup.count > 3 ? ", …" : "")
    return Warning(
      subject: "id", message: "the rows \(numbers) have the same id \(JSONValue.string(id).text), and are one place to a client")
  }

  /// A warning about the first row whose position is far from its country (or the service's countries) and would be less than
  /// a quarter as far away with latitude and longitude in the other order; nil if there is none.
  static func swappedPosition(in rows: [(number: Int, row: DescribedRow)], countries: [String], _ points: CountryPoints) -> Warning? {
    for (number, row) in rows {
      let codes = row.place.parts.countryCode.map { [$0] } ?? countries
      guard let location = row.place.location, let swappedLocation = Coordinate(latitude: location.longitude, longitude: location.latitude)
      else {
        continue
      }
      let countryPoints = codes.flatMap { points[$0] ?? [] }
      guard let distance = countryPoints.map({ $0.distance(to: location) }).min(),
        let swappedDistance = countryPoints.map({ $0.distance(to: swappedLocation) }).min(),
        distance > maxDistance, swappedDistance < distance / 4
      else { continue }
      let country = codes.count > 4 ? "the service's countries" : codes.joined(separator: ", ")
      let message =
        "row \(number) is at \(location.latitude),\(location.longitude), which is far from \(country); "
        + "\(swappedLocation.latitude),\(swappedLocation.longitude) is nearer: are latitude and longitude in the wrong order?"
      return Warning(subject: "latitude", message: message)
    }
    return nil
  }

  /// The distance in metres that a place of a large country may have from all positions of the country.
  private static let maxDistance = 1_500_000.0
}
