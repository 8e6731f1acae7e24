/// The fewest letters to insert, remove or replace that turn one word into the other (Levenshtein 1966), for "did you mean".
func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.utf8.prefix(64)), Array(b.utf8.prefix(64)))
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in b.enumerated() {
      let above = row[j + 1]
      row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.count]
}

extension String {
  /// At most 40 characters of printable ASCII, the rest as question marks: a foreign name that may stand in a message or a log.
  var printable: String { String(String.UnicodeScalarView(unicodeScalars.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" })) }
}
