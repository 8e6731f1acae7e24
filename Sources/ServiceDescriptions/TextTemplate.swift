import JSON
import PlacesKit
import Text

/// A text with placeholders such as `{query}` or `{@.name | upper}`. The parts of a request and the fields of a row are made from
/// templates.
///
/// A template has no value if one of its placeholders has none. If a template consists of a single placeholder, apart from conditions
/// (`{?name}`, `{!name}`), its value is that of the placeholder, which may be a number or a list. The value of any other template is a
/// text.
struct TextTemplate: Sendable, Hashable {
  /// The source of a placeholder's value.
  enum Source: Sendable, Hashable {
    case request(RequestValue)
    /// A setting of the instance.
    case setting(String)
    case path(RowPath)
  }

  struct Placeholder: Sendable, Hashable {
    enum Presence: Sendable, Hashable {
      /// `{name}`: the value.
      case value
      /// `{?name}`: empty if there is a value; otherwise the template has no value.
      case required
      /// `{!name}`: empty if there is no value; otherwise the template has no value.
      case excluded
    }

    var source: Source
    var presence = Presence.value
    var converters: [FieldConverter] = []
  }

  enum Part: Sendable, Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  var parts: [Part] {
    didSet { singlePlaceholder = TextTemplate.singlePlaceholder(in: parts) }
  }
  /// The template's only placeholder, apart from conditions; nil if the template has several placeholders, or text besides them.
  private var singlePlaceholder: Placeholder?
  /// The path's `valueIndex` if the template consists of a path alone; otherwise nil. Most fields have such a template, whose value is read
  /// directly.
  private(set) var valueIndex: Int?

  init(parts: [Part]) {
    self.parts = parts
    singlePlaceholder = TextTemplate.singlePlaceholder(in: parts)
  }

  private static func singlePlaceholder(in parts: [Part]) -> Placeholder? {
    var singlePlaceholder: Placeholder?
    for part in parts {
      guard case .placeholder(let placeholder) = part else { return nil }
      guard placeholder.presence == .value else { continue }
      if singlePlaceholder != nil { return nil }
      singlePlaceholder = placeholder
    }
    return singlePlaceholder
  }

  /// Adds the template's paths to the tree of a row's fields.
  mutating func add(to tree: inout PathTree) {
    parts = parts.map { part in
      guard case .placeholder(var placeholder) = part, case .path(var path) = placeholder.source else { return part }
      path.valueIndex = tree.add(path)
      placeholder.source = .path(path)
      return .placeholder(placeholder)
    }
    guard parts.count == 1, case .placeholder(let placeholder) = parts[0], placeholder.presence == .value, placeholder.converters.isEmpty,
      case .path(let path) = placeholder.source
    else { return }
    valueIndex = path.valueIndex
  }

  /// The value of the template; nil if it has none.
  /// - Parameter sourceValue: returns the value of a placeholder's source.
  func value(_ sourceValue: (Source) -> JSONValue?) -> JSONValue? {
    if let singlePlaceholder {
      for case .placeholder(let condition) in parts where condition.presence != .value && condition.value(sourceValue) == nil { return nil }
      return singlePlaceholder.value(sourceValue)
    }
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .placeholder(let placeholder):
        guard let insertedText = placeholder.value(sourceValue)?.insertedText else { return nil }
        text += insertedText
      }
    }
    return text.utf8.count <= FieldConverter.maxTextLength ? .string(text) : .none
  }

  /// The sources of the template's placeholders, conditions included.
  var sources: [Source] { placeholders.map(\.source) }

  var placeholders: [Placeholder] { parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } } }
}

extension TextTemplate.Placeholder {
  fileprivate func value(_ sourceValue: (TextTemplate.Source) -> JSONValue?) -> JSONValue? {
    var value = sourceValue(source)
    for converter in converters {
      guard let input = value else { break }
      value = converter.apply(to: input)
    }
    if value?.isAbsent == true { value = nil }
    switch presence {
    case .value: return value
    case .required: return value == nil ? .none : .string("")
    case .excluded: return value == nil ? .string("") : .none
    }
  }
}

extension JSONValue {
  /// Whether the value is null, an empty text or an empty list, which services return for missing data.
  fileprivate var isAbsent: Bool {
    switch self {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    default: false
    }
  }

  /// The same as `shownText`, except that an empty text is inserted as it is. An empty text is the value of a condition that is met.
  fileprivate var insertedText: String? {
    if case .string(let text) = self, text.isEmpty { return "" }
    return shownText
  }
}

/// A list of templates, of which the first one that has a value is used. It is a class, so that reading the many fields of a row copies no
/// templates.
final class TemplateAlternatives: Sendable {
  let templates: [TextTemplate]

  init(templates: [TextTemplate]) { self.templates = templates }

  func value(_ sourceValue: (TextTemplate.Source) -> JSONValue?) -> JSONValue? {
    for template in templates { if let value = template.value(sourceValue) { return value } }
    return nil
  }

  /// The value in a row of an answer.
  func value(in row: RowReader) -> JSONValue? {
    for index in templates.indices {
      guard let valueIndex = templates[index].valueIndex else {
        if let value = templates[index].value(row.value(of:)) { return value }
        continue
      }
      if let value = row[valueIndex], !value.isAbsent { return value }
    }
    return nil
  }
}
