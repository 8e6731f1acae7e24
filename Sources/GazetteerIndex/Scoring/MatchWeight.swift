/// The weights of the ways in which a query matches a place, 0…1.1, and factors by which these weights are multiplied. A place's score is
/// the weight of its best match, times its importance, times the boosts of `Scorer`.
enum MatchWeight {
  /// A whole name that a row shows: the place's own name, or its name in the requested language.
  static let name = 1.0
  /// The factor for a whole name of a country or region, and the weight of the code of a country or airport that is written in capitals. It
  /// exceeds 1, so that for `bali` the island precedes a suburb of Kolkata. It is small, so that for `washington` the capital precedes the
  /// state.
  static let area = 1.07
  /// A whole local name, if the row shows another.
  static let hiddenName = 0.85
  /// A country's code of three letters that is not written in capitals.
  static let countryCode = 0.9
  /// A whole name in any other language. Many of these are misleading: Paris is also called Bali, and Hong Kong is also called Victoria.
  static let otherName = 0.7
  /// A prefix of a name that a row shows.
  static let namePrefix = 0.8
  /// A prefix of a local name, if the row shows another.
  static let hiddenPrefix = 0.65
  /// A prefix of a name that several other languages have in common: `pek` of Peking, which is Beijing.
  static let exonymPrefix = 0.45
  /// A prefix of any other name that is the greater part of the name.
  static let otherNamePrefix = 0.2
  /// The factor for a prefix that crosses the end of a word of the name where the query has no space: `sana` for San Antonio.
  static let acrossWords = 0.6
  /// The factor if the query has marks or non-Latin letters that the place's name does not have.
  static let folded = 0.5
  /// The same factor for a place far away, if the name of a place nearby is spelled like the query.
  static let foldedFarAway = 0.05
  /// For a query in another script than Latin: a whole name, or a prefix of one, in such a script. Its language need not be the requested
  /// one.
  static let otherScript = 0.6
  static let otherScriptPrefix = 0.45
  /// All words of the query are words of the place's own names or its address. In the second case, the last one is a prefix of such a word.
  static let words = 0.6
  static let wordPrefixes = 0.5
  /// All words are words of the main or the English name, the last one as a prefix, and the row shows the local name.
  static let hiddenWordPrefix = 0.2
  /// All words of the query are words of any name or the address. In the second case, the last one is a prefix of such a word.
  static let otherWords = 0.35
  static let otherWordPrefixes = 0.15
  /// The factor if a single letter without a full stop abbreviates a word.
  static let initial = 0.5
  /// The factor if the words end in a number, so that a house at that address precedes the shops in it and the streets whose name contains
  /// the words.
  static let numberedWords = 0.3
  /// The factor if the address has all of the words, or the numbers among them, and no name has them: for `vaduz` the town precedes the
  /// places in it.
  static let addressWords = 0.15
  /// A whole name, or a prefix of one, in another script than the query's.
  static let transliterated = 0.4
  static let transliteratedPrefix = 0.1
  /// The factors if other words name the country or region, in full or by a prefix.
  static let inArea = 0.95
  static let inAreaPrefix = 0.8
  /// The factor for a prefix of a name before an area, since people finish a name before they type its area: `den ha` is Den Haag rather
  /// than Dengzhou in HA.
  static let prefixInArea = 0.8
  /// Some of the words are a whole name, and no place is called by all of them: `paris hbf` is Paris rather than Parishville with two
  /// errors.
  static let partial = 0.5
  /// The factors for no, one and two typing errors. If other rows match as typed, a place is matched with errors only if it is better known
  /// than all of them (`CandidateSearch.matchMistyped`).
  static let errors = [1.0, 0.5, 0.25]
  /// Two typing errors in a short whole name of a well-known place. For `chigaco`, Chicago precedes Chivacoa, which begins with one error.
  static let errorsInWellKnown = 0.35
}
