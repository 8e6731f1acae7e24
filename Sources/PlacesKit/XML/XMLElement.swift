import CExpat

/// An element of a small XML document: its name, its attributes, and its content.
public struct XMLElement: Sendable, Hashable {
  public var name: String
  public var attributes: [String: String]
  /// The child elements, in the order of the document.
  public var children: [XMLElement]
  /// The text directly in the element, without the text of its children.
  public var text: String

  public init(name: String, attributes: [String: String] = [:], children: [XMLElement] = [], text: String = "") {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The children with this name.
  public func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// The reason why a document is rejected.
public struct XMLError: Error, Sendable, Hashable {
  public var message: String
  /// The line at which the parser stopped, counted from 1.
  public var line: Int

  public init(_ message: String, line: Int) {
    self.message = message
    self.line = line
  }
}

/// The limits of a document that the parser accepts.
public struct XMLLimits: Sendable {
  /// The maximum size, in bytes.
  public var bytes = 2 << 20
  /// The maximum number of levels of nesting.
  public var depth = 32
  /// The maximum number of elements and attributes together.
  public var nodes = 20_000

  public init() {}
}

extension XMLElement {
  /// Reads a whole document with expat. A document type declaration is rejected; thus a document cannot define entities.
  /// - Parameter encoding: the encoding that the HTTP header states, which overrides the document's own; nil if the header states none.
  public init(parsing bytes: [UInt8], encoding: String? = nil, limits: XMLLimits = XMLLimits()) throws(XMLError) {
    guard bytes.count <= limits.bytes else { throw XMLError("the document is larger than \(limits.bytes) bytes", line: 1) }
    guard let parser = XML_ParserCreate(encoding) else { throw XMLError("no memory for a parser", line: 1) }
    defer { XML_ParserFree(parser) }
    let builder = TreeBuilder(parser: parser, limits: limits)
    let status = withExtendedLifetime(builder) {
      builder.install()
      return bytes.withUnsafeBytes { XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), 1) }
    }
    let line = Int(clamping: XML_GetCurrentLineNumber(parser))
    if let refusal = builder.refusal { throw XMLError(refusal, line: line) }
    guard status == XML_STATUS_OK, let root = builder.root else {
      throw XMLError(XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "the document is empty", line: line)
    }
    self = root
  }
}

/// Builds the tree in expat's callbacks. A builder is used for one document, on one thread.
private final class TreeBuilder {
  let parser: XML_Parser
  let limits: XMLLimits
  /// The elements that are not closed yet, outermost first.
  var openElements: [XMLElement] = []
  var root: XMLElement?
  /// The reason why the builder rejected the document; nil if it did not.
  var refusal: String?
  /// The number of elements and attributes so far.
  private var nodeCount = 0

  init(parser: XML_Parser, limits: XMLLimits) {
    self.parser = parser
    self.limits = limits
  }

  /// Registers the callbacks. The parser does not retain the builder, so the builder must live until parsing ends.
  func install() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let context, let name else { return }
        Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue().begin(String(cString: name), attributes)
      },
      { context, _ in
        guard let context else { return }
        Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue().end()
      })
    XML_SetCharacterDataHandler(parser) { context, bytes, count in
      guard let context, let bytes, count > 0 else { return }
      let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue().add(String(decoding: text, as: UTF8.self))
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      guard let context else { return }
      Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue().refuse("the document declares a document type, which is refused")
    }
  }

  private func begin(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    nodeCount += 1
    guard openElements.count < limits.depth else { return refuse("the document is nested more than \(limits.depth) deep") }
    var element = XMLElement(name: name)
    var next = attributes
    // Names and values alternate, terminated by a null pointer.
    while let pair = next, let key = pair[0], let value = pair[1] {
      element.attributes[String(cString: key)] = String(cString: value)
      nodeCount += 1
      next = pair + 2
    }
    guard nodeCount <= limits.nodes else { return refuse("the document has more than \(limits.nodes) elements and attributes") }
    openElements.append(element)
  }

  private func end() {
    guard let element = openElements.popLast() else { return }
    if openElements.isEmpty { root = element } else { openElements[openElements.count - 1].children.append(element) }
  }

  private func add(_ text: String) {
    if !openElements.isEmpty { openElements[openElements.count - 1].text += text }
  }

  /// Stops the parser. The first message counts.
  func refuse(_ message: String) {
    refusal = refusal ?? message
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }
}
