import Geocoders
import JSON
import PlacesKit

extension ValueKind<Area> {
  /// An area, written with the same members as in a request (places-rpc(7)).
  static let area = {
    let expected = "an area: `{ circle = { center = { latitude, longitude }, radius } }` or `{ rectangle = { low, high } }`"
    let writtenArea = ValueKind<WrittenArea>.table(WrittenArea.keys, defaults: WrittenArea())
    return ValueKind(expected: expected) { value, reader in
      let problemsBefore = reader.problems.count
      guard let written = writtenArea.read(value, &reader), reader.problems.count == problemsBefore else { return nil }
      do throws(WrittenArea.Fault) { return try written.area() } catch {
        reader.report(value.origin, "`\(reader.name)` \(error.message)")
        return nil
      }
    } show: {
      $0.json
    }
  }()
}

/// An area as it is written in a file. Any part may be missing.
private struct WrittenArea: Sendable {
  /// A part is missing or invalid. The message continues a sentence that begins with the key's name.
  struct Fault: Error { var message: String }

  struct Point: Sendable {
    var latitude: Double?
    var longitude: Double?
    static var keys: [KeyDefinition<Point>] {
      [
        KeyDefinition(optional: "latitude", \.latitude, .number(-90...90), "Degrees north."),
        KeyDefinition(optional: "longitude", \.longitude, .number(-180...180), "Degrees east."),
      ]
    }
    var coordinate: Coordinate? {
      guard let latitude, let longitude else { return nil }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
  }

  struct Circle: Sendable {
    var center: Point?
    var radius: Double?
    static var keys: [KeyDefinition<Circle>] {
      [
        KeyDefinition(optional: "center", \.center, .table(Point.keys, defaults: Point()), "The centre of the circle."),
        KeyDefinition(optional: "radius", \.radius, .number(0...50_000), "The radius, in metres."),
      ]
    }
  }

  struct Corners: Sendable {
    var low: Point?
    var high: Point?
    static var keys: [KeyDefinition<Corners>] {
      [
        KeyDefinition(optional: "low", \.low, .table(Point.keys, defaults: Point()), "The south-west corner."),
        KeyDefinition(optional: "high", \.high, .table(Point.keys, defaults: Point()), "The north-east corner."),
      ]
    }
  }

  var circle: Circle?
  var rectangle: Corners?
  static var keys: [KeyDefinition<WrittenArea>] {
    [
      KeyDefinition(optional: "circle", \.circle, .table(Circle.keys, defaults: Circle()), "All points within `radius` of `center`."),
      KeyDefinition(optional: "rectangle", \.rectangle, .table(Corners.keys, defaults: Corners()), "All points between two corners."),
    ]
  }

  /// The area; throws if a part is missing, or if the rectangle is empty.
  func area() throws(Fault) -> Area {
    switch (circle, rectangle) {
    case (let circle?, nil):
      guard let center = circle.center?.coordinate else { throw Fault(message: "lacks a `center` with `latitude` and `longitude`") }
      guard let radius = circle.radius else { throw Fault(message: "lacks a `radius` in metres") }
      return .circle(center: center, radius: radius)
    case (nil, let corners?):
      guard let low = corners.low?.coordinate, let high = corners.high?.coordinate else {
        throw Fault(message: "needs `low` and `high`, each with `latitude` and `longitude`")
      }
      let rectangle = Rectangle(low: low, high: high)
      if rectangle.isEmpty { throw Fault(message: "is empty: `low` is the south-west corner, `high` the north-east one") }
      return .rectangle(rectangle)
    default: throw Fault(message: "must hold either a `circle` or a `rectangle`")
    }
  }
}

extension Area {
  fileprivate var json: JSONValue {
    switch self {
    case .circle(let center, let radius): ["circle": ["center": center.json, "radius": .number(radius)]]
    case .rectangle(let rectangle): ["rectangle": rectangle.json]
    }
  }
}
