import PlacesKit
import SQLite

/// A point of the map that is asked for as it is, by coordinates or a Plus Code: a place of its own, wherever the places around it are.
struct PointPlace {
  let location: Coordinate
  /// `geo:52.52,13.4` or `pluscode:9F4MGC2M+H4`: it names the point for ever, in every index.
  let id: String
  /// The coordinates, or the code as it was typed.
  let name: String
  /// Every point has a code, and no other word of the type table means a bare point.
  static let types: [PlaceType] = ["plus_code"]

  init(_ point: Coordinate) {
    let (latitude, longitude) = (PointPlace.text(point.latitude), PointPlace.text(point.longitude))
    // What the id tells is the place, wherever it comes from.
    location = FixedPoint(point).coordinate ?? point
    id = "geo:\(latitude),\(longitude)"
    name = "\(latitude), \(longitude)"
  }

  /// Nil for a short code. `typed` is what the person wrote of it.
  init?(_ code: PlusCode, typed: PlusCode? = nil) {
    guard let center = code.rectangle?.center else { return nil }
    location = center
    id = "pluscode:\(code.text)"
    name = (typed ?? code).text
  }

  /// The point with an id; nil for any other id.
  init?(id: String) {
    if id.hasPrefix("pluscode:"), let code = PlusCode(id.dropFirst(9)) {
      self.init(code)
    } else if id.hasPrefix("geo:"), case .point(let point) = PointQuery(id) {
      self.init(point)
    } else {
      return nil
    }
  }

  /// Degrees as a person writes them: at most seven digits behind the point, about a centimetre, and no zeros at the end.
  static func text(_ degrees: Double) -> String {
    let units = Int((abs(degrees) * FixedPoint.scale).rounded())
    let (whole, rest) = units.quotientAndRemainder(dividingBy: Int(FixedPoint.scale))
    var digits = String(String(Int(FixedPoint.scale) + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return (degrees < 0 && units > 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
  }
}

extension IndexFile {
  /// The town nearest to a point, within 50 km; nil at sea.
  func town(near point: Coordinate) throws(SQLiteError) -> UInt32? {
    let towns = try PlaceFilter(countries: [], restriction: nil, types: ["locality"], in: self)
    return try Nearby(file: self, filter: towns).nearest(point, within: 50_000, limit: 1).first?.rank
  }
}
