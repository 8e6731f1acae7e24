/// Names that people write and that the data lacks: short forms of countries and large cities, and former names. If the user types such a
/// name as a whole, it counts as much as the place's own name (`TermKind.commonAlias`). Otherwise it counts as a name in another language
/// (`TermKind.otherName`), of which the user must type the greater part. A name that is also the own name of a known place is not in the
/// table: Marburg does not stand for Maribor.
enum CommonAliases {
  /// The language tag of these names, with a private subtag (BCP 47). Such names are indexed and never shown.
  static let language = "en-x-usual"

  /// The aliases of a place by its GeoNames id, or of a country or region by its code.
  static func names(of id: String) -> [GazetteerRecord.Name] { (table[id] ?? []).map { .init(language, $0) } }

  private static let table = Dictionary(
    uniqueKeysWithValues: lines.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: " ", maxSplits: 1)
      return columns.count == 2 ? (String(columns[0]), columns[1].split(separator: ";").map { String($0) }) : nil
    })

  /// Each line has an id or a code, a space, and names with semicolons between them.
  private static let lines = """
    5128581 NYC;NY
    5133273 Queens
    5368361 LA
    5391959 SF;Frisco
    4140963 DC;Washington
    1735161 KL
    4560349 Philly
    5506956 Vegas
    3451190 Rio
    1566083 Saigon
    745044 Constantinople
    1275339 Bombay
    1264527 Madras
    1275004 Calcutta
    1816670 Peking
    1799962 Nanking
    1809858 Canton
    3094802 Cracow
    703448 Kiev
    2641673 Newcastle
    3530597 Mexico DF
    2869894 MGladbach
    2925177 Freiburg
    1298824 Rangoon
    498817 Leningrad
    3097257 Hirschberg
    3082707 Waldenburg
    3093524 Lissa
    3096053 Glatz
    3090436 Neisse
    3093692 Liegnitz
    763166 Allenstein
    3102014 Bromberg
    3095049 Köslin
    3089033 Schneidemühl
    3099112 Gnesen
    3097872 Hohensalza
    3101619 Königshütte
    3081368 Breslau
    3080644 Sorau
    3102459 Brieg
    3090170 Oels
    490068 Tilsit
    598098 Memel
    3068799 Mährisch Ostrau
    3060972 Pressburg
    724443 Kaschau
    710719 Czernowitz
    702550 Lemberg;Lwow
    588409 Reval
    454310 Windau
    457954 Libau
    3196359 Laibach
    3186886 Agram
    3044774 Stuhlweißenburg
    3194360 Neusatz
    GB UK;Great Britain;Britain
    US US;USA;America
    AE UAE
    CD DRC
    CN PRC
    SA KSA
    NZ NZ
    NL Holland
    MM Burma
    KR Korea
    MK Macedonia
    ES.51 Andalucía
    DE.07 NRW
    """
}
