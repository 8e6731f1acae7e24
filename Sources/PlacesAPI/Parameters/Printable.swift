extension String {
  /// The first 40 code points, with a question mark instead of each code point that is not printable ASCII. Messages and logs show names
  /// that come from outside in this form.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" })) }
}
