import JSON
import PlacesKit
import TOML
import Text

/// A report for the author of a description: the rows and the values that the description reads from a saved answer.
public struct SampleReport: Sendable {
  /// A row of the answer, in its order.
  public struct Row: Sendable {
    /// The number of the row, from 1.
    public var number: Int
    /// The reason why the row is left out; nil for a row that is used.
    public var omission: String?
    public var isUsed: Bool { omission == nil }
    public var id: String?
    /// The text of the row as a suggestion or, without one, its label; empty if the row is left out.
    public var text: String
    public var types: [String]
    public var location: Coordinate?
    /// The values of the fields, in the order of the manual.
    public var fields: [FieldValue]
  }

  /// The value of a field, as text.
  public struct FieldValue: Sendable {
    public var field: String
    public var value: String
  }

  /// A path of a field that selects nothing in any row.
  public struct UnmatchedPath: Sendable, Hashable {
    public var field: String
    public var path: String
    /// A member that the rows have and that the path may mean; nil if none is near.
    public var suggestion: String?
  }

  /// A warning for the author.
  public struct Warning: Sendable {
    /// The key of the field.
    public var subject: String
    public var message: String
  }

  /// The first 100 rows of the answer.
  public var rows: [Row]
  /// The number of rows of the answer.
  public var sentRows: Int
  /// The paths that select nothing in any row, in the order of the fields.
  public var unmatched: [UnmatchedPath]
  /// Paths in the rows that no field reads, such as `@.properties.score`, in the order of the answer; at most 100.
  public var unread: [String]
  /// Words of the field `types` that [types] does not have.
  public var unknownTypes: [String]
  /// Values that are not used, and constants that look like forgotten paths; one for each field, in the order of the manual.
  public var warnings: [Warning]

  /// The number of rows that the daemon does not read, because the answer has more than 100.
  public var rowsBeyond: Int { max(0, sentRows - DescribedAnswer.maxRows) }
}

/// How the daemon treats a saved answer.
public struct SampleOutcome: Sendable {
  /// The position in the file of the error rule that applies; nil if none applies.
  public var rule: Origin?
  /// The error that the daemon reports; nil if it reports none.
  public var error: ProviderError?
}

extension ServiceDescription {
  /// The calls that the file has, in the order of the manual.
  public var calls: [Call] { DescriptionKeys.calls.filter { describedCalls[$0] != nil } }

  /// The outcome of a response.
  public func outcome(of response: HTTPResponse, to call: Call) -> SampleOutcome {
    let rule = rule(for: response.status, parsedBody(response))?.origin
    do throws(ProviderError) {
      _ = try answer(response, to: call)
      return SampleOutcome(rule: rule)
    } catch { return SampleOutcome(rule: rule, error: error) }
  }

  /// Reads a saved answer as an answer to a call.
  /// - Parameter points: positions in the countries, to find positions with latitude and longitude in the wrong order.
  public func report(
    on response: HTTPResponse, to call: Call, query: String, points: SampleReport.CountryPoints = [:]
  ) throws(ProviderError) -> SampleReport {
    let answer = try answer(response, to: call)
    guard let describedCall = describedCalls[call] else { throw ProviderError(.unsupported, "\(name) has no call \(call.rawValue)") }
    let sentValues = Array((describedCall.rows.rows(of: answer.value) ?? []).prefix(DescribedAnswer.maxRows))
    let readers = sentValues.map { RowReader(answer: answer.value, row: $0, fields: describedCall.fields) }
    var usedRows: [(number: Int, row: DescribedRow)] = []
    let rows = readers.enumerated().map { index, reader in
      var readRow: DescribedRow?
      var omission: String?
      do throws(DescribedRow.Omission) {
        let row = try DescribedRow(reader.row, of: answer.value, fields: describedCall.fields, types: types)
        usedRows.append((index + 1, row))
        readRow = row
      } catch { omission = error.reason }
      let values = describedCall.fields.values(in: reader)
      return SampleReport.Row(
        number: index + 1, omission: omission, id: readRow.flatMap { $0.kind == .query ? nil : $0.place.id },
        text: readRow.map { $0.suggestion(query: query, region: nil)?.text.text ?? $0.place.label ?? "" } ?? "",
        types: readRow?.place.types.map(\.rawValue) ?? [], location: readRow?.place.location,
        fields: values.map { SampleReport.FieldValue(field: $0.field.key, value: $0.value.shownText ?? $0.value.text) })
    }
    var unread = UnreadPaths(besides: describedCall.fields.paths)
    var unknownWords: [String] = []
    for row in sentValues {
      unread.visit(row, at: [])
      for template in describedCall.fields[.types]?.templates ?? [] {
        let value = template.value { source in
          if case .path(let path) = source { path.value(answer: answer.value, row: row) } else { .none }
        }
        for word in (value?.array ?? value.map { [$0] } ?? []).compactMap(\.shownText)
        where types.types(of: word).isEmpty && !unknownWords.contains(word) {
          unknownWords.append(word)
        }
      }
    }
    return SampleReport(
      rows: rows, sentRows: answer.sentRowCount, unmatched: describedCall.fields.unmatched(in: readers, unread: unread.paths),
      unread: unread.paths,
      unknownTypes: unknownWords,
      warnings: describedCall.fields.warnings(of: readers)
        + [
          SampleReport.repeatedIDs(in: rows),
          SampleReport.swappedPosition(in: usedRows, countries: manifest.countries, points),
        ].compactMap { $0 })
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

  /// The warnings about constants that look like forgotten paths, and about the first value of each field that is not used.
  fileprivate func warnings(of rows: [RowReader]) -> [SampleReport.Warning] {
    let valuesOfRows = rows.map { values(in: $0) }
    return RowField.allCases.flatMap { field -> [SampleReport.Warning] in
      var warnings: [SampleReport.Warning] = []
      if let name = constants(of: field).first(where: { name in rows.contains { $0.row.hasMember(name) } }) {
        let message = "the constant \(quoted(name)) is the name of a member of the row; write \(quoted("@." + name))"
        warnings.append(SampleReport.Warning(subject: field.key, message: message))
      }
      for (index, row) in valuesOfRows.enumerated() {
        guard let value = row.first(where: { $0.field == field })?.value, !field.uses(value) else { continue }
        let shownValue = value.string.map(quoted) ?? String(value.text.prefix(80))
        let message = "\(shownValue) in row \(index + 1) is not used: it must be \(clause(field.summary))"
        warnings.append(SampleReport.Warning(subject: field.key, message: message))
        break
      }
      return warnings
    }
  }

  /// The templates of a field that have no placeholder. None for `kind`, whose constants are words of this format.
  private func constants(of field: RowField) -> [String] {
    guard field != .kind else { return [] }
    return (alternatives(of: field)?.templates ?? []).compactMap { template in
      guard template.parts.count == 1, case .text(let text) = template.parts[0] else { return nil }
      return text
    }
  }

  /// Every path that a field reads.
  fileprivate var paths: [RowPath] { RowField.allCases.flatMap(paths) + texts.compactMap(\.matches?.ranges) }

  private func paths(of field: RowField) -> [RowPath] {
    (alternatives(of: field)?.templates ?? []).flatMap(\.sources).compactMap { if case .path(let path) = $0 { path } else { nil } }
  }

  /// The paths of the fields that select nothing in any row; empty for an answer without rows.
  fileprivate func unmatched(in rows: [RowReader], unread: [String]) -> [SampleReport.UnmatchedPath] {
    guard !rows.isEmpty else { return [] }
    var unmatchedPaths: [SampleReport.UnmatchedPath] = []
    for field in RowField.allCases {
      for path in paths(of: field) where rows.allSatisfy({ path.nodes(answer: $0.answer, row: $0.row).isEmpty }) {
        let unmatched = SampleReport.UnmatchedPath(
          field: field.key, path: path.text, suggestion: path.suggestedPath(in: rows, unread: unread))
        if !unmatchedPaths.contains(unmatched) { unmatchedPaths.append(unmatched) }
      }
    }
    return unmatchedPaths
  }
}

extension JSONValue {
  /// Whether the value has a member with this name. The name may also be a path of names, such as `properties.label`.
  fileprivate func hasMember(_ name: String) -> Bool {
    self[name] != nil || name.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] } != nil
  }
}

extension ServiceDescription {
  /// A hint on the path of a call's rows, for an answer of which no row is used; nil if there is no hint.
  public func rowsHint(of response: HTTPResponse, to call: Call) -> String? {
    guard let describedCall = describedCalls[call], let answer = parsedBody(response) else { return nil }
    return describedCall.rows.hint(for: answer, rowsMayBeMissing: describedCall.rowsMayBeMissing)
  }

  /// Another call whose description reads rows from an answer; nil if there is none.
  public func call(readFrom response: HTTPResponse, besides call: Call) -> Call? {
    calls.first { otherCall in
      guard otherCall != call, let report = try? report(on: response, to: otherCall, query: "") else { return false }
      return report.rows.contains(where: \.isUsed)
    }
  }

  /// A message if the file still contains an example host from the file that `placesctl plugin new` writes; nil if it does not.
  public var exampleHostWarning: String? {
    let names = manifest.hosts.filter { host in
      ["example.org", "example.com", "example.net"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
    return names.first.map { "\($0) is a name for examples: write the service's own host, documentation and terms" }
  }
}
