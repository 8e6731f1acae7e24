import PlacesKit
import Text

extension ParameterType where Value == String {
  /// A text that a user submitted. Each tab and line break becomes a space, because the text may have been pasted from a table or an
  /// envelope. White space at both ends is removed, and the text is converted to normalization form C.
  static let query = query { $0.trimmed }

  /// A query that the user is typing: white space at its end is reduced to one space, which ends the last word.
  static let typedQuery = query { text in
    let trimmed = text.trimmed
    return text.unicodeScalars.last?.properties.isWhitespace == true && !trimmed.isEmpty ? trimmed + " " : trimmed
  }

  private static func query(_ trim: @escaping @Sendable (String) -> String) -> ParameterType {
    ParameterType(
      allowed: """
        a string of 1 to 256 characters, not counting white space at its ends, without control characters except tabs and line breaks, \
        which count as spaces
        """,
      schema: ["type": "string", "minLength": 1],
      read: { value in
        guard let text = value.string.map({ trim($0.onOneLine).composed }), 1...256 ~= text.trimmed.unicodeScalars.count,
          !text.hasControlCharacters
        else { return nil }
        return text
      },
      write: { .string($0) })
  }

  /// A BCP 47 language tag, in its canonical spelling: `de-ch` becomes `de-CH`.
  static let language = ParameterType(
    allowed: "a BCP 47 language tag, such as `de` or `zh-Hant-TW`",
    schema: ["type": "string", "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"],
    read: { $0.string.flatMap(LanguageTag.canonical) }, write: { .string($0) })

  /// A two-letter CLDR region code, in upper case.
  static let region = ParameterType(
    allowed: "a two-letter CLDR region code, such as `DE`",
    schema: ["type": "string", "pattern": "^[A-Za-z]{2}$"],
    read: { $0.string.flatMap(RegionCode.canonical) }, write: { .string($0) })

  /// The id of a configured provider.
  static let providerID = ParameterType(
    allowed: "a provider's id: 1 to 64 letters, digits, `-`, `_` or `.`",
    schema: ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"],
    read: { value in
      guard let id = value.string, 1...64 ~= id.utf8.count, id.utf8.allSatisfy(\.isProviderIDByte) else { return nil }
      return id
    },
    write: { .string($0) })
}

extension ParameterType where Value == Coordinate {
  static let coordinate = ParameterType(
    allowed: "{\"latitude\": -90…90, \"longitude\": -180…180}",
    schema: [
      "type": "object", "required": ["latitude", "longitude"], "additionalProperties": false,
      "properties": [
        "latitude": ["type": "number", "minimum": -90, "maximum": 90],
        "longitude": ["type": "number", "minimum": -180, "maximum": 180],
      ],
    ],
    read: { value in
      guard let object = value.object, object.count == 2, let latitude = object["latitude"]?.double,
        let longitude = object["longitude"]?.double
      else { return nil }
      return Coordinate(latitude: latitude, longitude: longitude)
    },
    // Adding zero turns -0 into 0.
    write: { ["latitude": .canonical($0.latitude + 0), "longitude": .canonical($0.longitude + 0)] })
}

extension ParameterType where Value == Area {
  static let area = ParameterType(
    allowed: """
      {"circle": {"center": COORDINATE, "radius": 0…50000}} or {"rectangle": {"low": SOUTH-WEST, "high": NORTH-EAST}}, and not empty
      """,
    schema: [
      "oneOf": [
        shape(
          "circle",
          ["center": .object(ParameterType<Coordinate>.coordinate.schema), "radius": ["type": "number", "minimum": 0, "maximum": 50_000]]),
        shape(
          "rectangle",
          ["low": .object(ParameterType<Coordinate>.coordinate.schema), "high": .object(ParameterType<Coordinate>.coordinate.schema)]),
      ]
    ],
    read: { value in
      guard let object = value.object, object.count == 1 else { return nil }
      return object["circle"].flatMap(circle) ?? object["rectangle"].flatMap(rectangle)
    },
    write: { area in
      let point = ParameterType<Coordinate>.coordinate.write
      return switch area {
      case .circle(let center, let radius): ["circle": ["center": point(center), "radius": .canonical(radius + 0)]]
      case .rectangle(let area): ["rectangle": ["low": point(area.low), "high": point(area.high)]]
      }
    })

  private static func shape(_ name: String, _ properties: JSONObject) -> JSONValue {
    [
      "type": "object", "required": [.string(name)], "additionalProperties": false,
      "properties": .object([
        name: [
          "type": "object", "required": .array(properties.keys.map { .string($0) }), "additionalProperties": false,
          "properties": .object(properties),
        ]
      ]),
    ]
  }

  private static func circle(_ value: JSONValue) -> Area? {
    guard let object = value.object, object.count == 2, let center = object["center"].flatMap(ParameterType<Coordinate>.coordinate.read),
      let radius = object["radius"]?.double, 0...50_000 ~= radius
    else { return nil }
    return .circle(center: center, radius: radius)
  }

  private static func rectangle(_ value: JSONValue) -> Area? {
    let point = ParameterType<Coordinate>.coordinate.read
    guard let object = value.object, object.count == 2, let low = object["low"].flatMap(point), let high = object["high"].flatMap(point)
    else { return nil }
    let rectangle = Rectangle(low: low, high: high)
    return rectangle.isEmpty ? nil : .rectangle(rectangle)
  }
}

extension ParameterType where Value == Set<PlaceField> {
  /// Names of fields or of tiers. The name of a tier means all fields of that tier and of those below it. The set is encoded as names of
  /// fields, in the order of the field table.
  static let fields = ParameterType(
    allowed: "a list of one or more names of fields (see rpc.discover) or of tiers (`id`, `basic`, `advanced`, `preferred`, `extended`)",
    schema: [
      "type": "array", "minItems": 1, "items": ["type": "string", "enum": .array(fieldNames.map { .string($0) })],
    ],
    read: { value in
      guard let elements = value.array, !elements.isEmpty else { return nil }
      var fields: Set<PlaceField> = []
      for element in elements {
        guard let name = element.string else { return nil }
        if let tier = PlaceField.Tier(rawValue: name) {
          fields.formUnion(tier.fields)
        } else if let field = PlaceField(rawValue: name) {
          fields.insert(field)
        } else {
          return nil
        }
      }
      return fields
    },
    write: { fields in .array(PlaceField.allCases.filter(fields.contains).map { .string($0.rawValue) }) },
    advice: { value in
      guard let unknown = value.array?.lazy.compactMap(\.string).first(where: { !fieldNames.contains($0) }) else { return nil }
      return nearest(to: unknown, among: fieldNames).map { "did you mean `\($0)` instead of `\(unknown.printable)`?" }
    })

  private static let fieldNames = PlaceField.Tier.allCases.map(\.rawValue) + PlaceField.allCases.map(\.rawValue)
}

extension UInt8 {
  fileprivate var isProviderIDByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
