/// The letters U+00C0…U+017F without their marks, by Unicode's decompositions and the usual spellings.
enum LatinDiacritics {
  private static let spelling: [[UInt8]] =
    """
    a a a a a a ae c e e e e i i i i d n o o o o o . o u u u u y th ss a a a a a a ae c e e e e i i i i d n o o o o o . o u u u u y th y \
    a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g g g g g h h h h i i i i i i i i i i ij ij j j k k k \
    l l l l l l l l l l n n n n n n n n n o o o o o o oe oe r r r r r r s s s s s s s s t t t t t t u u u u u u u u u u u u w w y y y \
    z z z z z z s
    """.split(separator: " ").map { $0 == "." ? [] : Array($0.utf8) }

  /// Appends the spelling of one scalar. Appends nothing for the signs × and ÷, which are `.` in the table.
  static func append(_ scalar: Int, to letters: inout [UInt8]) {
    let index = scalar - 0xC0
    if spelling.indices.contains(index) { letters.append(contentsOf: spelling[index]) }
  }
}
