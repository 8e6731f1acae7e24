extension String {
  /// The first 40 code points, with a question mark for each that is not printable ASCII. It is used for names that come from outside and
  /// are shown in messages and logs.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" })) }
}
