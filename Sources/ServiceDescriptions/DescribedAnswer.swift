import Geocoders
import JSON
import PlacesKit
import XML

/// An answer of a described service to one request.
public struct DescribedAnswer: Sendable {
  /// The whole answer; null if an error rule says that nothing was found.
  let value: JSONValue
  /// The used rows among the first `maxRows` rows of the answer, in the service's order.
  let rows: [DescribedRow]
  /// The number of rows that the service sent, including those that are not used.
  let sentRowCount: Int

  static let maxRows = 100
}

extension ServiceDescription {
  /// Reads an answer. Throws the error that the error rules or the status determine, or `decode` if the rows are missing.
  func answer(_ response: HTTPResponse, to call: Call) throws(ProviderError) -> DescribedAnswer {
    guard let describedCall = describedCalls[call] else { throw ProviderError(.unsupported, "\(name) has no call \(call.rawValue)") }
    let emptyAnswer = DescribedAnswer(value: .null, rows: [], sentRowCount: 0)
    let isSuccess = (200..<300).contains(response.status)
    let bodyValue = parsedBody(response)
    if let errorRule = rule(for: response.status, bodyValue) {
      guard let error = errorRule.error(response, service: name) else { return emptyAnswer }
      throw error
    }
    guard isSuccess else {
      // With an object as its body, a status 404 is the service's answer about the place. With another body, the path may be wrong.
      if call == .details, response.status == 404, bodyValue?.object != nil {
        throw ProviderError(.notFound, "\(name) no longer knows this place")
      }
      try response.checkStatus(of: name, usesKey: usesKey)
      return emptyAnswer
    }
    guard let value = bodyValue else {
      if response.looksLikePage { throw ProviderError(.decode, "\(name) answered with a web page instead of data", detail: "page") }
      throw ProviderError(.decode, "\(name)'s answer is not \(isXML ? "XML" : "JSON")")
    }
    guard let rows = describedCall.rows.rows(of: value) else {
      if describedCall.rowsMayBeMissing, value.object != nil { return emptyAnswer }
      throw ProviderError(.decode, "\(name)'s answer has no rows at \(describedCall.rows.text)")
    }
    let readRows = rows.prefix(DescribedAnswer.maxRows).compactMap {
      try? DescribedRow($0, of: value, fields: describedCall.fields, types: types)
    }
    return DescribedAnswer(value: value, rows: readRows, sentRowCount: rows.count)
  }

  /// The first rule of `[[errors]]` that fits an answer; nil if none does.
  func rule(for status: Int, _ answer: JSONValue?) -> ErrorRule? { errors.first { $0.fits(status, answer) } }

  /// The body as JSON. For a service that answers in XML, the body is converted from XML. Nil if the body is not in the service's format.
  func parsedBody(_ response: HTTPResponse) -> JSONValue? {
    guard isXML else { return response.parsed }
    return (try? XMLElement(parsing: response.body)).map { .object(JSONObject([(key: $0.name, value: $0.json)])) }
  }
}

extension RowPath {
  /// The rows of an answer; nil if the answer lacks the value from which the last segment selects.
  func rows(of answer: JSONValue) -> [JSONValue]? {
    switch segments.last {
    case .all?, .matching?:
      let parents = RowPath(root: root, segments: segments.dropLast()).nodes(answer: answer, row: answer)
      guard parents.contains(where: { $0.array != nil || $0.object != nil }) else { return nil }
      return nodes(answer: answer, row: answer)
    default:
      guard let row = value(answer: answer, row: answer), !row.isNull else { return nil }
      return [row]
    }
  }

  /// The path as it is written in a description.
  var text: String {
    segments.reduce(root == .answer ? "$" : "@") { $0 + $1.text }
  }
}

extension RowPath.Segment {
  /// The segment as it is written in a path. A filter is shown without its comparison.
  var text: String {
    switch self {
    case .name(let name): name.unicodeScalars.allSatisfy(\.isWordPart) ? ".\(name)" : "['\(name)']"
    case .index(let index): "[\(index)]"
    case .all: "[*]"
    case .matching(let condition): "[?@.\(condition.names.joined(separator: "."))]"
    }
  }
}

extension XMLElement {
  /// The element as JSON, for paths: attributes as `@name`, the text as `#text`, and children by their name, always as a list.
  fileprivate var json: JSONValue {
    var object = JSONObject()
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { object["@" + name] = .string(value) }
    var lists: [(name: String, values: [JSONValue])] = []
    for child in children {
      if let index = lists.firstIndex(where: { $0.name == child.name }) {
        lists[index].values.append(child.json)
      } else {
        lists.append((child.name, [child.json]))
      }
    }
    for list in lists { object[list.name] = .array(list.values) }
    var trimmedText = text[...]
    while trimmedText.first?.isWhitespace == true { trimmedText.removeFirst() }
    while trimmedText.last?.isWhitespace == true { trimmedText.removeLast() }
    if !trimmedText.isEmpty { object["#text"] = .string(String(trimmedText)) }
    return .object(object)
  }
}
