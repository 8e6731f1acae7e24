/// The weights of the ways in which a query matches a place, 0…1.1. A place's score is the weight of its best match, times its importance,
/// times the boosts of `Scorer`.
enum MatchWeight {
  /// A whole name that a row shows: the place's own or the one in the language requested.
  static let name = 1.0
  /// A whole name of a country or region; more, so that `bali` is the island before a suburb of Kolkata.
  static let area = 1.1
  /// A whole local name, if the row shows another.
  static let hiddenName = 0.85
  /// A whole name in any other language: Paris is called Bali too, and Hong Kong Victoria.
  static let otherName = 0.7
  /// A prefix of a name that a row shows.
  static let namePrefix = 0.8
  /// A prefix of a local name, if the row shows another.
  static let hiddenPrefix = 0.65
  /// A prefix of a name that several other languages have in common: `pek` is Beijing too.
  static let exonymPrefix = 0.4
  /// A prefix that is most of any other name.
  static let otherNamePrefix = 0.2
  /// The part of a prefix's weight that stays if the prefix ends within another word than the query's last, as `sana` in San Antonio.
  static let acrossWords = 0.6
  /// The part of the weight that stays if the query has marks or non-Latin letters that the place's name does not have.
  static let folded = 0.5
  /// The weight of `folded` for a place far away, if the name of a place nearby is spelled like the query.
  static let foldedFarAway = 0.05
  /// A whole name, or a prefix of one, in the query's script and another language than the one requested.
  static let otherScript = 0.6
  static let otherScriptPrefix = 0.45
  /// All words of the query are words of the own names or the address; the same with a prefix as the last one.
  static let words = 0.6
  static let wordPrefixes = 0.5
  /// The prefix of a word of the main or the English name, if the row shows the local one.
  static let hiddenWordPrefix = 0.2
  /// As the one above, with words of any other name.
  static let otherWords = 0.35
  static let otherWordPrefixes = 0.15
  /// The factor of the weight if a single letter without a full stop abbreviates a word.
  static let initial = 0.5
  /// The part of the weight that stays if the words end in a number, so that a house at that address precedes the shop in it and streets
  /// whose name contains the words.
  static let numberedWords = 0.3
  /// The part of the weight that stays if the address has all of the words, or the numbers among them, and no name has them: `vaduz` is the
  /// town before what lies there.
  static let addressWords = 0.15
  /// A whole name, or a prefix of one, in letters of another script.
  static let transliterated = 0.4
  static let transliteratedPrefix = 0.1
  /// The part of the weight that stays if other words name the country or region, in full or by a prefix.
  static let inArea = 0.95
  static let inAreaPrefix = 0.8
  /// The factor for a prefix of the name, since people finish a name before they type its area: `den ha` is Den Haag rather than Dengzhou
  /// in HA.
  static let prefixInArea = 0.8
  /// Some of the words are a whole name, and no place is called by all of them: `paris hbf` is Paris rather than Parishville with two errors.
  static let partial = 0.5
  /// The part of the weight that stays with no, one or two typing errors. Rows with errors follow all rows without.
  static let errors = [1.0, 0.5, 0.25]
}
