import JSON
import PlacesKit

/// The request of a call: path, query, headers and body, each with placeholders.
struct RequestTemplate: Sendable {
  struct Parameter: Sendable {
    var name: String
    var value: TemplateAlternatives
    /// Whether the parameter is sent once for each element of a list.
    var repeats: Bool
  }

  var method = HTTPRequest.Method.get
  /// The host; nil for the first host of the service.
  var host: String?
  var path: [TextTemplate] = []
  var query: [Parameter] = []
  var headers: [(name: String, value: TemplateAlternatives)] = []
  var body: BodyTemplate?

  /// The request for these values. Throws `unsupported` if the path needs a value that is missing, or if the text of a segment is `.` or
  /// `..`.
  func request(_ values: RequestValues, settings: [String: JSONValue]) throws(ProviderError) -> HTTPRequest {
    let sourceValue = { (source: TextTemplate.Source) -> JSONValue? in
      switch source {
      case .request(let value): values[value]
      case .setting(let name): settings[name]
      case .path: nil
      }
    }
    var segments: [String] = []
    for template in path {
      // The segments `.` and `..` would change the path.
      guard let text = template.value(sourceValue)?.shownOrEmpty, text != ".", text != ".." else {
        throw ProviderError(.unsupported, "the request lacks a value that the service's path needs")
      }
      segments.append(text)
    }
    var items: [HTTPRequest.Item] = []
    for parameter in query {
      guard let value = parameter.value.value(sourceValue) else { continue }
      if parameter.repeats, case .array(let elements) = value {
        items += elements.compactMap(\.shownText).map { .init(parameter.name, $0) }
      } else if let text = value.shownOrEmpty {
        items.append(.init(parameter.name, text))
      }
    }
    var request = HTTPRequest(method, host: host, path: segments, query: items)
    for header in headers {
      guard let text = header.value.value(sourceValue)?.shownText else { continue }
      // A line break in the value would begin another header.
      guard !text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { continue }
      request.headers.append(.init(header.name, text))
    }
    if let body {
      request.body = (body.value(sourceValue) ?? [:]).bytes
      request.headers.append(.init("Content-Type", "application/json"))
    }
    return request
  }

  /// Every placeholder of the request.
  var placeholders: [TextTemplate.Placeholder] {
    let templates = path + query.flatMap(\.value.templates) + headers.flatMap(\.value.templates)
    return templates.flatMap(\.placeholders) + (body?.placeholders ?? [])
  }

  /// Whether the request uses a value.
  func uses(_ value: RequestValue) -> Bool { placeholders.contains { $0.source == .request(value) } }
}

/// A JSON body whose texts are templates. A text that is a single placeholder is replaced by its value, which may be a number or a list.
indirect enum BodyTemplate: Sendable {
  case constant(JSONValue)
  case template(TextTemplate)
  case list([BodyTemplate])
  case object([String], [BodyTemplate])

  /// The body for the values of a request. Nil for a template without a value, and for a list or an object of which no part has a value.
  func value(_ sourceValue: (TextTemplate.Source) -> JSONValue?) -> JSONValue? {
    switch self {
    case .constant(let value): return value
    case .template(let template): return template.value(sourceValue)
    case .list(let elements):
      let values = elements.compactMap { $0.value(sourceValue) }
      return values.isEmpty && !elements.isEmpty ? .none : .array(values)
    case .object(let keys, let members):
      let pairs = zip(keys, members).compactMap { key, member in member.value(sourceValue).map { (key: key, value: $0) } }
      return pairs.isEmpty && !keys.isEmpty ? .none : .object(JSONObject(pairs))
    }
  }

  var placeholders: [TextTemplate.Placeholder] {
    switch self {
    case .constant: []
    case .template(let template): template.placeholders
    case .list(let elements), .object(_, let elements): elements.flatMap(\.placeholders)
    }
  }
}

extension JSONValue {
  /// The same as `shownText`, except that an empty text is a value, too.
  fileprivate var shownOrEmpty: String? {
    if case .string(let text) = self { return text }
    return shownText
  }
}
