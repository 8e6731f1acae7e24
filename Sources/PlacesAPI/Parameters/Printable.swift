extension String {
  /// At most 40 characters of printable ASCII, the rest as question marks: a foreign name that may stand in a message or a log.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" })) }
}
