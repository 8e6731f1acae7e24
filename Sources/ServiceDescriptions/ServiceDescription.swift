import JSON
import PlacesKit
import TOML

/// The description of a place service: its requests, and the meaning of its answers (places-service(5)).
///
/// It is made from a file in which no problem was found. Its evaluation is bounded, because a description has no loops, and no part of
/// it refers to another part.
public struct ServiceDescription: Sendable {
  /// The name of the file without `.toml`, by which an instance refers to the service.
  public var service: String
  /// The service's name for people.
  public var name: String
  /// The manifest of the service.
  public var manifest: Manifest
  /// The day on which the file was compared with the documentation; nil if it was not.
  public var verified: String?

  /// True if the service answers in XML, false if it answers in JSON.
  var isXML = false
  /// True if the requests contain a key.
  var usesKey = false
  var types = ServiceTypes()
  /// The rules of `[[errors]]`. The first rule that fits an answer applies.
  var errors: [ErrorRule] = []
  /// The calls that the file describes.
  var describedCalls: [Call: DescribedCall] = [:]
}

/// A call of the service as the file describes it.
struct DescribedCall: Sendable {
  let request: RequestTemplate
  /// Whether the request sends the rectangle in which results must be.
  let sendsBox: Bool
  /// Whether the request sends the number of wanted rows. If not, the service determines the number.
  let sendsLimit: Bool
  /// The path of the rows in an answer.
  var rows: RowPath
  /// Whether an answer without the value at `rows` means that nothing was found.
  var rowsMayBeMissing = false
  var fields: RowFields
  var paging: Paging?
  var maximumRows = 20
  var minimumLetters = 1

  init(request: RequestTemplate, rows: RowPath, fields: RowFields) {
    self.request = request
    self.rows = rows
    self.fields = fields
    sendsBox = request.uses(.restrictionWest)
    sendsLimit = request.uses(.limit)
  }

  /// Whether the last page is recognised only by the page after it, which is empty.
  var hasUnknownPageSize: Bool { !sendsLimit && paging.map { $0.token == nil } ?? false }

  struct Paging: Sendable {
    /// The path of the next page's token in an answer; nil if pages are requested by number or offset.
    var token: RowPath?
    /// The last row, or page, that can be requested.
    var last = 10_000
  }
}

extension ServiceDescription {
  /// The result of reading a file.
  public struct Reading: Sendable {
    /// The description; nil if there are problems.
    public var description: ServiceDescription?
    /// The problems, in the order of the file.
    public var problems: [ConfigurationProblem]
  }

  /// The maximum size of a file, in bytes.
  public static let maxFileSize = 256 << 10

  /// Reads a whole file and reports everything that is wrong in it.
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - service: the file's name without `.toml`.
  ///   - file: the file's path, for the positions of problems.
  public static func read(_ bytes: [UInt8], service: String, file: String) -> Reading {
    guard bytes.count <= maxFileSize else {
      return Reading(problems: [ConfigurationProblem(.file(file), "is larger than \(maxFileSize >> 10) KiB")])
    }
    let root: TOMLValue
    do throws(ConfigurationProblem) { root = try TOMLValue(parsing: bytes, file: file) } catch {
      var problem = error
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      if lines.indices.contains(error.origin.line - 1) { problem.suggestion = quotingHint(lines[error.origin.line - 1]) }
      return Reading(problems: [problem])
    }
    let tables = (root["tables"]?.members ?? []).reduce(into: [String: [String: String]]()) { tables, table in
      tables[table.key] = (table.value.members ?? []).reduce(into: [:]) { $0[$1.key] = $1.value.string }
    }
    let settings = (root["settings"]?.members ?? []).map(\.key)
    var checker = DescriptionChecker(settings: settings, tables: tables)
    checker.check(root.members ?? [], against: DescriptionKeys.root, at: .file(file, line: 1, column: 1))
    checker.checkMeaning(of: root, file: file)
    guard checker.problems.isEmpty else { return Reading(problems: checker.problems.sorted { $0.origin < $1.origin }) }
    do throws(SyntaxProblem) {
      let reader = DescriptionReader(root: root, service: service, settings: settings, tables: tables)
      return Reading(description: try reader.description(), problems: [])
    } catch {
      return Reading(problems: [ConfigurationProblem(.file(file), error.message, suggestion: error.suggestion)])
    }
  }
}

/// A hint for a line whose text in double quotes ends at the quotation mark of a converter's argument, as in `"{id | is("1")}"`.
private func quotingHint(_ line: Substring) -> String? {
  let texts = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { !$0.offset.isMultiple(of: 2) }
  guard texts.contains(where: { $0.element.hasSuffix("(") }) else { return nil }
  return "write a text that contains quotation marks in single quotes, as in '{id | is(\"1\")}'"
}

extension TOMLValue {
  var members: [Member]? { if case .table(let members) = content { members } else { nil } }
  var elements: [TOMLValue]? { if case .array(let elements) = content { elements } else { nil } }
  var string: String? { if case .string(let string) = content { string } else { nil } }
  var boolean: Bool? { if case .boolean(let boolean) = content { boolean } else { nil } }
  var integer: Int? { if case .integer(let integer) = content { Int(exactly: integer) } else { nil } }

  /// The integers of a list, or a single integer in place of a list.
  var integers: [Int] {
    if let elements { return elements.compactMap { $0.integer } }
    if let integer { return [integer] }
    return []
  }

  /// The texts of a list, or a single text in place of a list.
  var strings: [String] {
    if let elements { return elements.compactMap { $0.string } }
    if let string { return [string] }
    return []
  }

  /// The integers of a member; empty if there is none.
  func integers(of key: String) -> [Int] { self[key]?.integers ?? [] }

  /// The texts of a member; empty if there is none.
  func strings(of key: String) -> [String] { self[key]?.strings ?? [] }

  subscript(key: String) -> TOMLValue? { members?.first { $0.key == key }?.value }
}
