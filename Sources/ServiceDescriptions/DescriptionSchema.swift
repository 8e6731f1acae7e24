import JSON
import PlacesKit

extension DescriptionKeys {
  /// The table of keys as JSON Schema (draft 2020-12), for editors that use a schema to complete TOML, such as Taplo.
  public static var jsonSchema: JSONValue {
    var schema = object(root)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "A description of a place service, see places-service(5)"
    return .object(schema)
  }

  private static func object(_ keys: [DescriptionKey]) -> JSONObject {
    var properties = JSONObject()
    for key in keys {
      var value = key.shape.schema
      value["description"] = .string(key.summary)
      properties[key.name] = .object(value)
    }
    var schema: JSONObject = ["type": "object", "properties": .object(properties), "additionalProperties": false]
    let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return schema
  }

  fileprivate static func table(_ keys: [DescriptionKey]) -> JSONObject { object(keys) }
}

extension ValueShape {
  fileprivate var schema: JSONObject {
    switch self {
    case .text: ["type": "string", "minLength": 1]
    case .boolean: ["type": "boolean"]
    case .integer(let range):
      ["type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))]
    case .number(let range):
      ["type": "number", "minimum": FieldConverter.number(range.lowerBound), "maximum": FieldConverter.number(range.upperBound)]
    case .choice(let words): ["enum": .array(words.map { .string($0) })]
    case .date: ["type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
    case .host: ["type": "string", "pattern": "^[a-z0-9.:-]+$"]
    case .address: ["type": "string", "pattern": "^https://"]
    case .duration: ["type": "string", "pattern": "^(forever|never|[0-9]+ (second|minute|hour|day)s?)$"]
    case .path: ["type": "string", "pattern": "^[$@]"]
    case .template: ["type": "string"]
    case .alternatives: ["oneOf": [["type": "string"], ["type": "array", "items": ["type": "string"], "minItems": 1, "maxItems": 16]]]
    case .body: ["type": "object"]
    case .list(let element): ["type": "array", "items": .object(element.schema)]
    case .oneOrMore(let element):
      ["oneOf": [.object(element.schema), ["type": "array", "items": .object(element.schema), "minItems": 1]]]
    case .table(let keys): DescriptionKeys.table(keys)
    case .map(let words, let element) where words.isEmpty: ["type": "object", "additionalProperties": .object(element.schema)]
    case .map(let words, let element):
      ["type": "object", "propertyNames": ["enum": .array(words.map { .string($0) })], "additionalProperties": .object(element.schema)]
    }
  }
}
