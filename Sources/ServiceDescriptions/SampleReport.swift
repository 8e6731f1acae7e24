import JSON
import PlacesKit
import TOML

/// The result of a description for a saved answer, for the author of the description.
public struct SampleReport: Sendable {
  public struct Row: Sendable {
    public var id: String?
    /// The whole text.
    public var text: String
    public var types: [String]
    public var location: Coordinate?
  }

  /// The value of a field, as text.
  public struct FieldValue: Sendable {
    public var field: String
    public var value: String
  }

  /// A hint for the author.
  public struct Warning: Sendable {
    /// The field.
    public var subject: String
    public var message: String
  }

  public var rows: [Row]
  /// The fields' values from the first row of the answer, whether or not the row is used.
  public var firstRow: [FieldValue]
  /// The rows of the answer, those without a text or an identity included.
  public var sentRows: Int
  /// Paths in the rows that no field reads, such as `@.properties.score`, in the order of the answer; at most 100.
  public var unread: [String]
  /// Words of the field `types` that [types] does not have.
  public var unknownTypes: [String]
  /// Values that are not used, and constants that look like forgotten paths; one for each field, in the order of the manual.
  public var warnings: [Warning]

  /// Rows that the daemon does not read, since an answer has too many.
  public var rowsBeyond: Int { max(0, sentRows - DescribedAnswer.maxRows) }
}

/// The outcome of an answer according to the description.
public struct SampleOutcome: Sendable {
  /// The place of the error rule that fits; nil if none does.
  public var rule: Origin?
  /// The error that the daemon reports; nil for an answer without one.
  public var error: ProviderError?
}

extension ServiceDescription {
  /// The calls that the file has, in the order of the manual.
  public var calls: [Call] { DescriptionKeys.calls.filter { operations[$0] != nil } }

  /// The outcome of a response.
  public func outcome(of response: HTTPResponse, to call: Call) -> SampleOutcome {
    let rule = rule(for: response.status, parsedBody(response))?.origin
    do throws(ProviderError) {
      _ = try answer(response, to: call)
      return SampleOutcome(rule: rule)
    } catch { return SampleOutcome(rule: rule, error: error) }
  }

  /// Reads a saved answer as one to a call.
  public func report(on response: HTTPResponse, to call: Call, query: String) throws(ProviderError) -> SampleReport {
    let answer = try answer(response, to: call)
    guard let operation = operations[call] else { throw ProviderError(.unsupported, "\(name) has no call \(call.rawValue)") }
    let rows = answer.rows.map { row in
      let suggestion = row.suggestion(query: query, region: nil)
      return SampleReport.Row(
        id: row.kind == .query ? nil : row.place.id, text: suggestion?.text.text ?? row.place.label ?? "",
        types: row.place.types.map(\.rawValue), location: row.place.location)
    }
    let sent = operation.rows.rows(of: answer.value) ?? []
    var unread = UnreadPaths(read: operation.fields.paths)
    var words: [String] = []
    for row in sent.prefix(DescribedAnswer.maxRows) {
      unread.visit(row, at: [])
      for template in operation.fields[.types]?.templates ?? [] {
        let value = template.value { source in
          if case .path(let path) = source { path.value(answer: answer.value, row: row) } else { .none }
        }
        for word in (value?.array ?? value.map { [$0] } ?? []).compactMap(\.shownText)
        where types.types(of: word).isEmpty && !words.contains(word) {
          words.append(word)
        }
      }
    }
    let readers = sent.prefix(DescribedAnswer.maxRows).map { RowReader(answer: answer.value, row: $0) }
    let first = readers.first.map { operation.fields.values(in: $0) } ?? []
    return SampleReport(
      rows: rows, firstRow: first.map { SampleReport.FieldValue(field: $0.field.key, value: $0.value.shownText ?? $0.value.text) },
      sentRows: answer.sentRows, unread: unread.found, unknownTypes: words, warnings: operation.fields.warnings(of: readers))
  }
}

/// Finds the values of rows that no path reads.
private struct UnreadPaths {
  /// Paths as names, with `[*]` for any element.
  private let read: [[String]]
  private(set) var found: [String] = []

  init(read: [RowPath]) {
    self.read = read.filter { $0.root == .row }.map { path in
      path.segments.map { segment in
        if case .name(let name) = segment { name } else { "[*]" }
      }
    }
  }

  mutating func visit(_ value: JSONValue, at path: [String]) {
    guard found.count < 100, path.count < 16, !read.contains(where: { !$0.isEmpty && path.starts(with: $0) }) else { return }
    switch value {
    case .object(let object): for member in object.members.prefix(200) { visit(member.value, at: path + [member.key]) }
    case .array(let elements): for element in elements.prefix(50) { visit(element, at: path + ["[*]"]) }
    case .null: break
    default:
      let text = path.reduce("@") { $1 == "[*]" ? $0 + $1 : $1.unicodeScalars.allSatisfy(\.isWordPart) ? "\($0).\($1)" : "\($0)['\($1)']" }
      if !found.contains(text) { found.append(text) }
    }
  }
}

extension RowFields {
  /// The fields that have a value in a row, in the order of the manual.
  fileprivate func values(in reader: RowReader) -> [(field: RowField, value: JSONValue)] {
    RowField.allCases.compactMap { field in
      guard let alternatives = alternatives(of: field) else { return nil }
      guard field.isList else { return alternatives.value(in: reader).map { (field, $0) } }
      let elements = alternatives.templates.compactMap { $0.value(reader.value(of:)) }.flatMap { $0.array ?? [$0] }
      return elements.isEmpty ? nil : (field, .array(elements))
    }
  }

  private func alternatives(of field: RowField) -> TemplateAlternatives? {
    self[field] ?? texts.first { $0.field == field }?.alternatives
  }

  fileprivate func warnings(of rows: [RowReader]) -> [SampleReport.Warning] {
    let read = rows.map { values(in: $0) }
    return RowField.allCases.flatMap { field -> [SampleReport.Warning] in
      var warnings: [SampleReport.Warning] = []
      if let name = constants(of: field).first(where: { name in rows.contains { $0.row[name] != nil } }) {
        let message = "the constant \(quoted(name)) is the name of a member of the row; write \(quoted("@." + name))"
        warnings.append(SampleReport.Warning(subject: field.key, message: message))
      }
      for (index, row) in read.enumerated() {
        guard let value = row.first(where: { $0.field == field })?.value, !field.uses(value) else { continue }
        let shown = value.string.map(quoted) ?? String(value.text.prefix(80))
        let message = "\(shown) in row \(index + 1) is not used. \(field.summary)"
        warnings.append(SampleReport.Warning(subject: field.key, message: message))
        break
      }
      return warnings
    }
  }

  /// The templates of a field that have no placeholder; those of `kind` are words of this format.
  private func constants(of field: RowField) -> [String] {
    guard field != .kind else { return [] }
    return (alternatives(of: field)?.templates ?? []).compactMap { template in
      guard template.parts.count == 1, case .text(let text) = template.parts[0] else { return nil }
      return text
    }
  }

  /// Every path that a field reads.
  fileprivate var paths: [RowPath] {
    let templates = RowField.allCases.flatMap { self[$0]?.templates ?? [] } + texts.flatMap(\.alternatives.templates)
    let sources = templates.flatMap(\.sources).compactMap { if case .path(let path) = $0 { path } else { nil } }
    return sources + texts.compactMap(\.matches?.ranges)
  }
}
