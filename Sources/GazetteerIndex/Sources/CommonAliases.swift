/// Names that people write and no catalog holds: short forms of countries and of the largest American and Asian cities, and former names.
/// Also a short form that another place has in full: without it the Swiss Freiburg, a sixth as large, comes first.
enum CommonAliases {
  /// By GeoNames id, or a country's code.
  private static let table: [String: [String]] = [
    "5128581": ["NYC", "NY"], "5368361": ["LA"], "5391959": ["SF", "Frisco"], "4140963": ["DC", "Washington"], "1735161": ["KL"],
    "4560349": ["Philly"],
    "5506956": ["Vegas"], "3451190": ["Rio"], "1566083": ["Saigon"], "745044": ["Constantinople"], "1275339": ["Bombay"],
    "1264527": ["Madras"], "1275004": ["Calcutta"], "1816670": ["Peking"], "1799962": ["Nanking"], "1809858": ["Canton"],
    "3094802": ["Cracow"], "703448": ["Kiev"], "2641673": ["Newcastle"], "3530597": ["Mexico DF"], "2869894": ["MGladbach"],
    "2925177": ["Freiburg"],
    "1298824": ["Rangoon"], "498817": ["Leningrad"], "GB": ["UK", "Great Britain", "Britain"], "US": ["US", "USA", "America"],
    "AE": ["UAE"], "CD": ["DRC"], "CN": ["PRC"], "SA": ["KSA"], "NZ": ["NZ"], "NL": ["Holland"], "MM": ["Burma"], "KR": ["Korea"],
    "MK": ["Macedonia"], "ES.51": ["Andalucía"], "DE.07": ["NRW"],
  ]

  /// Private use of BCP 47: found as English names are, and shown to nobody.
  static let language = "en-x-usual"

  static func names(of id: String) -> [GazetteerRecord.Name] { (table[id] ?? []).map { .init(language, $0) } }
}
