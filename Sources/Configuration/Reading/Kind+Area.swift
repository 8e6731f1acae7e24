import JSON
import PlacesKit

extension Kind<Area> {
  /// An area as on the wire.
  static let area = {
    let expected =
      "`{ circle = { center = { latitude = 52.5, longitude = 13.4 }, radius = 20000 } }` (0 to 50000 metres)"
      + " or `{ rectangle = { low = { … }, high = { … } } }`"
    return Kind(expected: expected) { value, reader in
      let area = value.json.flatMap { Area(configured: $0) }
      if area == nil { reader.report(value.origin, "`\(reader.name)` must be \(expected)") }
      return area
    } show: {
      $0.json
    }
  }()
}

extension Area {
  /// Nil for anything but one circle or one rectangle with exactly its members, in range and not empty.
  fileprivate init?(configured json: JSONValue) {
    guard let object = json.object, object.count == 1 else { return nil }
    if let circle = object["circle"]?.object, circle.count == 2 {
      guard let center = Coordinate(configured: circle["center"]), let radius = circle["radius"]?.double, (0...50_000).contains(radius)
      else { return nil }
      self = .circle(center: center, radius: radius)
    } else if let rectangle = object["rectangle"]?.object, rectangle.count == 2 {
      guard let low = Coordinate(configured: rectangle["low"]), let high = Coordinate(configured: rectangle["high"]) else { return nil }
      let area = Rectangle(low: low, high: high)
      guard !area.isEmpty else { return nil }
      self = .rectangle(area)
    } else {
      return nil
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .circle(let center, let radius): ["circle": ["center": center.json, "radius": .number(radius)]]
    case .rectangle(let rectangle): ["rectangle": ["low": rectangle.low.json, "high": rectangle.high.json]]
    }
  }
}

extension Coordinate {
  fileprivate init?(configured json: JSONValue?) {
    guard let object = json?.object, object.count == 2, let latitude = object["latitude"]?.double,
      let longitude = object["longitude"]?.double
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  fileprivate var json: JSONValue { ["latitude": .number(latitude), "longitude": .number(longitude)] }
}
