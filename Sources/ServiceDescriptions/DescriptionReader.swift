import JSON
import PlacesKit
import TOML

/// Creates a description from the values of a file in which the checker found no problem.
struct DescriptionReader {
  let root: TOMLValue
  let service: String
  let settings: [String]
  let tables: [String: [String: String]]

  func description() throws(SyntaxProblem) -> ServiceDescription {
    var calls: [Call: DescribedCall] = [:]
    for call in DescriptionKeys.calls {
      if let value = root[call.rawValue] { calls[call] = try self.call(value, call) }
    }
    let types = (root["types"]?.members ?? []).map { (type: PlaceType(rawValue: $0.key), words: $0.value.strings) }
    var rules: [ErrorRule] = []
    for value in root["errors"]?.elements ?? [] { rules.append(try rule(value)) }
    return ServiceDescription(
      service: service, name: text("name"), manifest: manifest(calls), verified: root["verified"]?.string,
      isXML: root["answers"]?.string == "xml", usesKey: root["key"] != nil, types: ServiceTypes(types), errors: rules, describedCalls: calls
    )
  }

  func text(_ key: String) -> String { root[key]?.string ?? "" }

  private func call(_ value: TOMLValue, _ call: Call) throws(SyntaxProblem) -> DescribedCall {
    var describedCall = DescribedCall(
      request: try request(value, call), rows: try RowPath(parsing: value["rows"]?.string ?? "$"), fields: try fields(value))
    describedCall.rowsMayBeMissing = value["rows_may_be_missing"]?.boolean ?? false
    describedCall.maximumRows = value["maximum_rows"]?.integer ?? (call == .details ? 1 : 20)
    describedCall.minimumLetters = value["minimum_letters"]?.integer ?? 1
    if let paging = value["paging"] {
      describedCall.paging = DescribedCall.Paging(token: try path(paging["token"]), last: paging["last"]?.integer ?? 10_000)
    }
    return describedCall
  }

  private func request(_ value: TOMLValue, _ call: Call) throws(SyntaxProblem) -> RequestTemplate {
    let vocabulary = TemplateVocabulary(call: call, settings: settings, tables: tables)
    var template = RequestTemplate()
    template.host = value["host"]?.string
    let path = value["path"]?.string ?? ""
    for segment in DescriptionReader.segments(of: path) { template.path.append(try TextTemplate(parsing: segment, vocabulary)) }
    for member in value["query"]?.members ?? [] {
      let alternatives = try self.alternatives(member.value, vocabulary)
      let repeats = alternatives.templates.contains { $0.placeholders.contains { $0.converters.last == .each } }
      template.query.append(RequestTemplate.Parameter(name: member.key, value: alternatives, repeats: repeats))
    }
    for member in value["headers"]?.members ?? [] {
      template.headers.append((member.key, try alternatives(member.value, vocabulary)))
    }
    template.body = try value["body"].map { body throws(SyntaxProblem) in try self.body(body, vocabulary) }
    template.method = value["method"]?.string.flatMap(HTTPRequest.Method.init) ?? (template.body == nil ? .get : .post)
    return template
  }

  /// Splits a path into segments at the slashes outside of placeholders. If the path ends with a slash, the last segment is empty.
  private static func segments(of path: String) -> [String] {
    var segments = [""]
    var depth = 0
    for character in path.hasPrefix("/") ? path.dropFirst() : path[...] {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == "/", depth == 0 { segments.append("") } else { segments[segments.count - 1].append(character) }
    }
    return segments == [""] ? [] : segments
  }

  private func body(_ value: TOMLValue, _ vocabulary: TemplateVocabulary) throws(SyntaxProblem) -> BodyTemplate {
    switch value.content {
    case .string(let text): return .template(try TextTemplate(parsing: text, vocabulary))
    case .array(let values):
      var elements: [BodyTemplate] = []
      for element in values { elements.append(try body(element, vocabulary)) }
      return .list(elements)
    case .table(let members):
      var values: [BodyTemplate] = []
      for member in members { values.append(try body(member.value, vocabulary)) }
      return .object(members.map(\.key), values)
    default: return .constant(value.json ?? .null)
    }
  }

  private func fields(_ value: TOMLValue) throws(SyntaxProblem) -> RowFields {
    var members = root["fields"]?.members ?? []
    // A field of the call replaces the common field of the same name.
    for member in value["fields"]?.members ?? [] {
      members.removeAll { $0.key == member.key }
      members.append(member)
    }
    var fields = RowFields()
    fields.grid = root["grid"]?.string.flatMap(NationalGrid.init)
    let vocabulary = TemplateVocabulary(allowsPaths: true, tables: tables)
    for member in members {
      guard let field = RowField(key: member.key) else { continue }
      let alternatives = try self.alternatives(member.value, vocabulary)
      if DescriptionKeys.matchedTexts.contains(field.key) {
        fields.texts.append(
          RowFields.Text(field: field, alternatives: alternatives, matches: try matches(root["matches"]?[field.key])))
      } else {
        fields[field] = alternatives
      }
    }
    fields.complete()
    return fields
  }

  private func matches(_ value: TOMLValue?) throws(SyntaxProblem) -> MatchRanges? {
    guard let ranges = try path(value?["ranges"]), let start = try path(value?["start"]) else { return nil }
    return MatchRanges(ranges: ranges, start: start, end: try path(value?["end"]), length: try path(value?["length"]))
  }

  private func rule(_ value: TOMLValue) throws(SyntaxProblem) -> ErrorRule {
    let comparedPath = try path(value["path"])
    let seconds = value.integers(of: "retry_after").first
    return ErrorRule(
      origin: value.origin, statuses: value.integers(of: "status"), path: comparedPath, exactTexts: value.strings(of: "is"),
      containedTexts: value.strings(of: "contains").map { $0.lowercased() }, cause: ErrorRule.cause(value.strings(of: "cause").first ?? ""),
      retryAfterSeconds: seconds.map { Double($0) }, message: value.strings(of: "message").first)
  }

  private func alternatives(_ value: TOMLValue, _ vocabulary: TemplateVocabulary) throws(SyntaxProblem) -> TemplateAlternatives {
    var templates: [TextTemplate] = []
    for text in value.strings { templates.append(try TextTemplate(parsing: text, vocabulary)) }
    return TemplateAlternatives(templates: templates)
  }

  private func path(_ value: TOMLValue?) throws(SyntaxProblem) -> RowPath? {
    guard let text = value?.string else { return nil }
    return try RowPath(parsing: text)
  }
}
