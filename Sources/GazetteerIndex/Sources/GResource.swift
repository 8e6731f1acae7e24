/// Finds a file in the resources that GLib's `glib-compile-resources` links into a library.
///
/// The resources are a GVDB table (glib: gio/gvdb/gvdb-format.h): a header `GVariant`, a hash table of paths, and values of
/// type `(uuay)`: size, flags (1: zlib) and the bytes.
enum GResource {
  /// The unpacked bytes of the first file whose path ends with `suffix`.
  /// - Parameters:
  ///   - suffix: the end of the path of the file in the resources.
  ///   - library: the bytes of the library.
  ///   - path: the path of the library, for the error.
  static func file(endingIn suffix: String, in library: [UInt8], path: String) throws(GazetteerError) -> [UInt8] {
    let notFound = GazetteerError.source(path: path, reason: "does not contain the resource \(suffix)")
    guard let start = tableStart(in: library) else { throw notFound }
    let table = Array(library[start...])
    // The header is two words of signature, the version and the options (4 bytes each), and the pointer to the hash table (8).
    guard let root = pointer(table, 16), let counts = table[checked: root.start, 8] else { throw notFound }
    // The items of the hash table follow the words of its Bloom filter and its buckets. The upper five bits of the number of words have
    // another meaning. An item has 24 bytes: the key's hash and parent (4 bytes each), the key's start (4) and length (2), the type of the
    // value (1; `v` for a variant), one unused byte, and the pointer to the value (8).
    let bloomWords = counts.number(0, 4) & ((1 << 27) - 1)
    let buckets = counts.number(4, 4)
    var itemOffset = root.start + 8 + (bloomWords + buckets) * 4
    while itemOffset + 24 <= root.end, let entry = table[checked: itemOffset, 24] {
      if entry.number(14, 1) == Int(UInt8(ascii: "v")), let key = table[checked: entry.number(8, 4), entry.number(12, 2)],
        String(decoding: key, as: UTF8.self).hasSuffix(suffix), let value = pointer(table, itemOffset + 16)
      {
        guard let bytes = content(table, value) else { throw notFound }
        return bytes
      }
      itemOffset += 24
    }
    throw notFound
  }

  /// The offset of the GVDB table, which begins with its signature; nil if there is none.
  private static func tableStart(in library: [UInt8]) -> Int? {
    let signature = Array("GVariant\0\0\0\0".utf8)
    var index = library.startIndex
    while let candidateStart = library[index...].firstIndex(of: signature[0]) {
      if let candidate = library[checked: candidateStart, signature.count], candidate.elementsEqual(signature) { return candidateStart }
      index = candidateStart + 1
    }
    return nil
  }

  /// The range that the pointer at an offset denotes: two numbers, its start and its end. Nil if it is not inside the table.
  private static func pointer(_ table: [UInt8], _ offset: Int) -> (start: Int, end: Int)? {
    guard let bytes = table[checked: offset, 8] else { return nil }
    let (start, end) = (bytes.number(0, 4), bytes.number(4, 4))
    return start <= end && end <= table.count ? (start, end) : nil
  }

  /// The bytes of a file from its variant: the value of type `(uuay)`, a zero byte and the type. Nil if the variant is damaged.
  private static func content(_ table: [UInt8], _ value: (start: Int, end: Int)) -> [UInt8]? {
    let type = Array("\0(uuay)".utf8)
    guard value.end - value.start >= 8 + type.count, table[(value.end - type.count)..<value.end].elementsEqual(type) else { return nil }
    let isCompressed = table[value.start..<value.end].number(4, 4) & 1 == 1
    let bytes = Array(table[(value.start + 8)..<(value.end - type.count)])
    guard isCompressed else { return bytes }
    guard let inflater = Inflater(.wrapped), let (unpacked, _) = inflater.inflate(bytes), inflater.isFinished else { return nil }
    return unpacked
  }
}

/// A city in libgeonames. The cities are a serialised GVariant of type `a(sssssssudd)` (glib: docs/reference/glib/gvariant-serialization).
struct DebianCity {
  var id, name, regionCode, regionName, country, countryName: String
  var population: Int
  var latitude, longitude: Double

  /// All cities; nil if the bytes have another layout.
  static func all(in bytes: [UInt8]) -> [DebianCity]? {
    // The number of bytes of an offset, which depends on the size of the container.
    let offsetSize = bytes.count > 0xFFFF ? 4 : bytes.count > 0xFF ? 2 : 1
    guard bytes.count > offsetSize else { return nil }
    // After the last element comes the offset of each element's end. The last of them is also the offset at which these offsets begin.
    let endOffsetsStart = bytes[(bytes.count - offsetSize)...].number(0, offsetSize)
    guard endOffsetsStart <= bytes.count else { return nil }
    var cities: [DebianCity] = []
    var start = 0
    for offset in stride(from: endOffsetsStart, to: bytes.count - offsetSize + 1, by: offsetSize) {
      let end = bytes[offset..<(offset + offsetSize)].number(0, offsetSize)
      // An element is aligned to eight bytes, because it contains numbers of eight bytes.
      start = (start + 7) & ~7
      guard end >= start, end <= endOffsetsStart, let city = DebianCity(bytes[start..<end]) else { return nil }
      cities.append(city)
      start = end
    }
    return cities
  }

  private init?(_ bytes: ArraySlice<UInt8>) {
    var position = bytes.startIndex
    var texts: [String] = []
    // The last of the seven texts is the time zone.
    for _ in 0..<7 {
      guard let terminator = bytes[position...].firstIndex(of: 0) else { return nil }
      texts.append(String(decoding: bytes[position..<terminator], as: UTF8.self))
      position = terminator + 1
    }
    // A number is aligned to its size.
    let populationOffset = (position - bytes.startIndex + 3) & ~3
    let latitudeOffset = (populationOffset + 4 + 7) & ~7
    guard bytes.count >= latitudeOffset + 16 else { return nil }
    func double(_ offset: Int) -> Double { Double(bitPattern: UInt64(truncatingIfNeeded: bytes.number(offset, 8))) }
    (id, name, regionCode, regionName) = (texts[0], texts[1], texts[2], texts[3])
    (country, countryName) = (texts[4], texts[5])
    population = bytes.number(populationOffset, 4)
    latitude = double(latitudeOffset)
    longitude = double(latitudeOffset + 8)
  }
}
