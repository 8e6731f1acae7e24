import PlacesKit

/// The fields of a stored record. Their raw values are part of the file format; readers skip unknown fields.
///
/// Layout of a record: for each field one byte for its raw value, a varint for its length, and that many bytes. The tagged and other names
/// come last, so that a reader may stop early. A text is UTF-8, a number is a decimal text, a point is a `FixedPoint`, types are separated
/// by spaces.
enum RecordField: UInt8 {
  case name = 1, location, country, region, population, types, areaCode, street, houseNumber, postcode, locality
  case phone, website, openingHours, wheelchair, equivalent, townPostcode, lineEnd
  /// The tag of the language, a zero byte, and the name.
  case taggedName = 32
  case otherName = 33
}

extension RecordField {
  /// The language tag, empty if unknown, and the text of a name; nil for a field that is not a name.
  func name(in bytes: ArraySlice<UInt8>) -> (tag: ArraySlice<UInt8>, text: ArraySlice<UInt8>)? {
    switch self {
    case .name, .otherName: (bytes[..<bytes.startIndex], bytes)
    case .taggedName: bytes.firstIndex(of: 0).map { (bytes[..<$0], bytes[($0 + 1)...]) }
    default: nil
    }
  }
}

extension GazetteerRecord {
  /// Writes the record without its id.
  func encode(into writer: inout ByteWriter) {
    func writeText(_ field: RecordField, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      writer.byte(field.rawValue)
      writer.number(UInt64(value.utf8.count))
      writer.raw(value.utf8)
    }
    writeText(.name, name)
    func writePoint(_ field: RecordField, _ coordinate: Coordinate) {
      writer.byte(field.rawValue)
      writer.number(8)
      let point = FixedPoint(coordinate)
      for value in [point.latitude, point.longitude] {
        writer.raw((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
      }
    }
    if let location { writePoint(.location, location) }
    writeText(.country, country)
    writeText(.region, region)
    writeText(.population, population > 0 ? String(population) : nil)
    writeText(.types, types.map(\.rawValue).joined(separator: " "))
    writeText(.areaCode, areaCode)
    writeText(.street, street)
    writeText(.houseNumber, houseNumber)
    writeText(.postcode, postcode)
    writeText(.locality, locality)
    writeText(.phone, phone)
    writeText(.website, website)
    writeText(.openingHours, openingHours)
    writeText(.wheelchair, wheelchair.map { $0 ? "yes" : "no" })
    for equivalent in equivalents { writeText(.equivalent, equivalent) }
    for code in postcodes { writeText(.townPostcode, code) }
    for end in lineEnds { writePoint(.lineEnd, end) }
    for name in names { writeText(.taggedName, name.language + "\0" + name.text) }
    for name in otherNames { writeText(.otherName, name) }
  }

  /// The encoded record.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Decodes a record from its fields.
  init(id: String, fields: FieldSequence) {
    self.init(id: id, name: "")
    for (field, bytes) in fields {
      let text = String(decoding: bytes, as: UTF8.self)
      switch field {
      case .name: name = text
      case .location: location = FixedPoint(bytes)?.coordinate
      case .country: country = text
      case .region: region = text
      case .population: population = Int(text) ?? 0
      case .types: types = text.split(separator: " ").map { PlaceType(rawValue: String($0)) }
      case .areaCode: areaCode = text
      case .street: street = text
      case .houseNumber: houseNumber = text
      case .postcode: postcode = text
      case .locality: locality = text
      case .phone: phone = text
      case .website: website = text
      case .openingHours: openingHours = text
      case .wheelchair: wheelchair = text == "yes"
      case .equivalent: equivalents.append(text)
      case .townPostcode: postcodes.append(text)
      case .lineEnd: lineEnds += FixedPoint(bytes)?.coordinate.map { [$0] } ?? []
      case .taggedName:
        guard let (tag, nameText) = field.name(in: bytes) else { continue }
        names.append(Name(String(decoding: tag, as: UTF8.self), String(decoding: nameText, as: UTF8.self)))
      case .otherName: otherNames.append(text)
      }
    }
  }
}

/// Iterates over the fields of a record and their bytes, which are not copied. Ends at the first damaged field.
struct FieldSequence: Sequence, IteratorProtocol {
  private var reader: ByteReader

  init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

  mutating func next() -> (RecordField, ArraySlice<UInt8>)? {
    while let rawValue = reader.byte(), let length = reader.number(), let bytes = reader.raw(length) {
      if let field = RecordField(rawValue: rawValue) { return (field, bytes) }
    }
    return nil
  }
}

/// Iterates over the sections of a stored place, one for each source. A section consists of the number of the source (1 byte), the length of
/// its record (a varint) and the record. The section with the number `SourceNumber.derived` contains the fields that the build itself
/// derived.
struct RecordSections: Sequence, IteratorProtocol {
  private var reader: ByteReader

  init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

  mutating func next() -> (source: Int, fields: ArraySlice<UInt8>)? {
    guard let source = reader.byte(), let length = reader.number(), let fields = reader.raw(length) else { return nil }
    return (Int(source), fields)
  }

  static func append(source: Int, fields: ArraySlice<UInt8>, to writer: inout ByteWriter) {
    writer.byte(UInt8(truncatingIfNeeded: source))
    writer.number(UInt64(fields.count))
    writer.raw(fields)
  }
}
