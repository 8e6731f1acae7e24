extension String {
  /// At most 40 characters of printable ASCII, the rest as question marks: for names from outside in messages and logs.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" })) }
}
